# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What only the main process of Ansible knows and can do, prepared before it forks.

A task runs in a process of its own, which has neither the terminal nor the last word: Ctrl-C ends it without a sound.
The main process imports an action plugin before it forks, so what is looked at here is seen there.
"""

from __future__ import annotations

import atexit
import mmap
import os
import shutil
import sys


def _is_live() -> bool:
    """Whether lines may be written over: at a terminal with a person, and not where AWX or others show a log."""
    is_log = os.environ.get("CI") or os.environ.get("ANSIBLE_STDOUT_CALLBACK") == "awx_display"
    return sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb" and not is_log


IS_LIVE = _is_live()
COLUMNS = shutil.get_terminal_size().columns


class Farewell:
    """A text that the main process prints when it ends before the task has taken the text back."""

    _SIZE = 4096

    def __init__(self) -> None:
        self._main = os.getpid()
        # Shared with every process that is forked later.
        self._memory = mmap.mmap(-1, self._SIZE)
        atexit.register(self._say)

    def leave(self, text: str) -> None:
        self._write(text.encode()[: self._SIZE - 1])

    def take_back(self) -> None:
        self._write(b"")

    def _write(self, data: bytes) -> None:
        self._memory.seek(0)
        self._memory.write(data + b"\0")

    def _say(self) -> None:
        text = self._memory[:].partition(b"\0")[0].decode(errors="replace")
        if text and os.getpid() == self._main:
            sys.stdout.write(text + "\n")


FAREWELL = Farewell()
