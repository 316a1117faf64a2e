# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Ways to show how far a run is: written over in place, line by line, or not at all."""

from __future__ import annotations

import typing as t

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._workflow.narration import Narrator, screen
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._workflow.progress import Progress

CHOICES = ("auto", "live", "lines", "quiet")


class Shown(t.Protocol):
    """What is needed of Ansible's Display."""

    def display(self, msg: str, *, screen_only: bool = False, newline: bool = True) -> None: ...


class Quiet:
    """Says nothing; also the frame of the others."""

    def __init__(self, display: Shown, done: str = "Healthy") -> None:
        self._display = display
        # What a node is when it is done
        self._done = done
        self._narrator = Narrator(done)

    def show(self, progress: Progress, elapsed: float, left: float) -> None:
        """The state of the run has been seen."""

    def trouble(self, text: str, elapsed: float) -> None:
        """The cluster did not answer."""

    def close(self) -> None:
        """Nothing more will be shown."""


class Lines(Quiet):
    """A line for each thing that has happened: for logs and pipes."""

    def show(self, progress: Progress, elapsed: float, left: float) -> None:
        self._tell(self._narrator.lines(progress, elapsed, left))

    def trouble(self, text: str, elapsed: float) -> None:
        self._tell(self._narrator.trouble(text, elapsed))

    def _tell(self, lines: list[str]) -> None:
        for line in lines:
            self._display.display(line)


class Live(Lines):
    """As lines, with what runs now at the foot of the terminal, written over each time."""

    def __init__(self, display: Shown, columns: int, hint: str, done: str = "Healthy") -> None:
        super().__init__(display, done)
        self._columns = columns
        self._hint = hint
        self._height = 0

    def show(self, progress: Progress, elapsed: float, left: float) -> None:
        self.close()
        self._tell(self._narrator.news(progress, elapsed))
        if progress.is_finished:
            return
        foot = screen(progress, elapsed, left, self._columns, self._hint, self._done)
        self._display.display("\n".join(foot), screen_only=True)
        self._height = len(foot)

    def trouble(self, text: str, elapsed: float) -> None:
        lines = self._narrator.trouble(text, elapsed)
        if lines:
            self.close()
            self._tell(lines)

    def close(self) -> None:
        """Take the foot away: up to its first line, and clear to the end of the screen."""
        if self._height:
            self._display.display(f"\x1b[{self._height}A\x1b[J", screen_only=True, newline=False)
            self._height = 0
