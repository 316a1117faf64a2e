# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""SIGKILL to a playbook and to everything that it started, as the loss of the machine would do."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from pathlib import Path


def kill_tree(process: subprocess.Popen[str]) -> None:
    """All are stopped before the first is killed: the children of a dead process are nobody's, and would be missed."""
    stopped: set[int] = set()
    found = {process.pid}
    while found:
        send(signal.SIGSTOP, found)
        stopped |= found
        found = {pid for pid, parent in parents().items() if parent in stopped} - stopped
    send(signal.SIGKILL, stopped)
    process.communicate()


def send(what: signal.Signals, pids: set[int]) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, what)


def parents() -> dict[int, int]:
    """Every process of this machine and its parent."""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                found[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    return found
