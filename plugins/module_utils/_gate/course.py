# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""The course of one wait: what a driver keeps between two steps. Losing it costs a request and some patience."""

from __future__ import annotations

import re
import typing as t

from .moments import span
from .retry import Clock
from .verdict import FAILED, PROGRESSING, REFRESH, Verdict

# How long Argo CD may be away while a run waits: an upgrade of it, or of the node under it.
_OUTAGE = 300

# The log of a node travels in the Workflow object, which holds a MiB for all nodes together.
_LOG_LINES = 10
_LOG_LINE = 160
_NUMBERS = re.compile(r"\d+")

Step = t.Callable[[str, float], Verdict]


class Course:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._began = clock.monotonic()
        self._unreachable_since: float | None = None
        # The first look proves in one request whether there is anything to do.
        self._how = REFRESH
        self.has_synced = False
        self._told = ""
        # What has changed so far, for the outputs: they outlive the pod whose own log tells all of it.
        self.log: list[str] = []
        self._noted = ""

    def is_news(self, line: str) -> bool:
        """Whether a log that has told this course so far lacks the line."""
        is_news = line != self._told
        self._told = line
        return is_news

    def note(self, moment: str, line: str) -> None:
        """Add a line to the log, unless only a count of seconds has changed."""
        changed = _NUMBERS.sub("", line)
        if changed != self._noted:
            self._noted = changed
            line = line if len(line) <= _LOG_LINE else line[: _LOG_LINE - 3] + "..."
            self.log = [*self.log, f"{moment} {line}"][-_LOG_LINES:]

    def advance(self, step: Step) -> Verdict:
        """Take one step; an outage is waited out before it counts."""
        verdict = step(self._how, self._clock.monotonic() - self._began)
        self.has_synced = self.has_synced or verdict.synced
        self._how = verdict.call
        if not verdict.transient:
            self._unreachable_since = None
            return verdict
        now = self._clock.monotonic()
        if self._unreachable_since is None:
            self._unreachable_since = now
        lasted = now - self._unreachable_since
        if lasted >= _OUTAGE:
            return verdict._replace(message=f"{verdict.message}, for {span(lasted)} now")
        return verdict._replace(verdict=PROGRESSING, look_again=min(10.0, 1.0 + lasted / 4), transient=False)


def follow(
    step: Step, clock: Clock, timeout: float | None = None, tell: t.Callable[[Course, Verdict], None] | None = None
) -> tuple[Verdict, bool]:
    """Take steps until the verdict is final, or for `timeout` seconds. Also returns whether a sync was asked for."""
    course = Course(clock)
    deadline = None if timeout is None else clock.monotonic() + timeout
    while True:
        verdict = course.advance(step)
        if tell is not None:
            tell(course, verdict)
        if verdict.is_final:
            return verdict, course.has_synced
        if deadline is not None and clock.monotonic() + verdict.look_again > deadline:
            message = f"still waiting after {span(timeout or 0)}: {verdict.message}"
            return verdict._replace(verdict=FAILED, reason="WaitTimeout", message=message), course.has_synced
        clock.sleep(verdict.look_again)
