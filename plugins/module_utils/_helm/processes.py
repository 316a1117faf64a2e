# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Helm processes on this machine: a killed playbook may leave one behind that is still at work."""

from __future__ import annotations

import os


def helm_processes(release: str, proc: str = "/proc") -> list[int]:
    """Process ids of the helm commands that write to `release`; empty where there is no /proc."""
    found = []
    try:
        entries = os.listdir(proc)
    except OSError:
        return []
    for entry in entries:
        if not entry.isdigit():
            continue
        try:
            with open(f"{proc}/{entry}/cmdline", "rb") as stream:
                argv = stream.read().decode("utf-8", "replace").split("\0")
        except OSError:  # ended meanwhile, or not ours to look at
            continue
        writes = any(word in argv for word in ("upgrade", "install", "rollback", "uninstall"))
        if argv and os.path.basename(argv[0]).startswith("helm") and writes and release in argv:
            found.append(int(entry))
    return sorted(found)
