# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The one kind of error that a person sees: what failed, why, and the way out."""

from __future__ import annotations

import errno


class TestbedError(Exception):
    """Printed as one message; the command ends with 1."""

    # pytest collects classes whose name starts with Test.
    __test__ = False

    def __init__(self, what: str, why: str, way_out: str) -> None:
        super().__init__(what)
        self.what = what
        self.why = why
        self.way_out = way_out

    def __str__(self) -> str:
        return f"{self.what}\n  why: {self.why}\n  way out: {self.way_out}"


def disk_full(why: str) -> TestbedError:
    """The message for a full disk, whoever has met it."""
    return TestbedError(
        "The disk is full",
        why,
        "make room (`df -h`), or set DEPLOY_OPS_CACHE to a folder on a larger disk; "
        "then run the same command again: what is finished is kept",
    )


def from_os_error(error: OSError) -> TestbedError:
    """The message for an operating system error that nothing nearer to its place has explained."""
    place = f": {error.filename}" if error.filename else ""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return disk_full(f"{error.filename or 'somewhere'}: {error.strerror}")
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return TestbedError(
            f"Not allowed{place}",
            error.strerror or str(error),
            "run as root (`sudo -E`), or set DEPLOY_OPS_CACHE and DEPLOY_OPS_STATE to folders of your own",
        )
    return TestbedError(
        f"The operating system refused{place}",
        error.strerror or str(error),
        "mend that and run the same command again: what is finished is kept",
    )
