# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Mounts below a folder: found in the kernel's own table and taken away, deepest first."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

from deploy_ops_testbed.errors import TestbedError

MNT_DETACH = 2
_LIBC = ctypes.CDLL(None, use_errno=True)


def below(folder: Path) -> list[Path]:
    """Mount points below the folder, in the order in which they can be unmounted."""
    found = []
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        # The kernel writes blanks and backslashes in octal.
        point = Path(line.split()[4].encode().decode("unicode_escape").encode("latin-1").decode())
        if point.is_relative_to(folder) and point != folder:
            found.append(point)
    return found[::-1]


def unmount_below(folder: Path) -> None:
    for point in below(folder):
        # Lazily: a dying process may still have a file open there.
        if _LIBC.umount2(os.fsencode(point), MNT_DETACH) != 0:
            error = os.strerror(ctypes.get_errno())
            raise TestbedError(f"Cannot unmount {point}", error, f"`umount -l {point}`, then run `testbed down` again")
