# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Progress in plain lines: what has finished, and every now and then what is still going on. Pure."""

from __future__ import annotations

from .._report.model import span
from .progress import FAILED, HEALTHY, RUNNING, SKIPPED, WAITING, NodeState, Progress

# Seconds without news after which the running nodes are listed again
QUIET = 10
_MOST_RUNNING = 6
_MOST_FAILED = 3
_LONGEST_MESSAGE = 160


def screen(
    progress: Progress, elapsed: float, left: float, width: int, hint: str = "", done: str = "Healthy"
) -> list[str]:
    """What stands at the foot of a terminal while the run goes on: how far it is, and everything that runs."""
    lines = [f"{_head(progress, elapsed, done)}, {len(progress.having(RUNNING))} running{_left(left)}"]
    lines += [f"        {node.name}  {_short(node.message)}" for node in progress.having(RUNNING)[:_MOST_RUNNING]]
    if len(lines) == 1:
        lines.append(f"        {_going_on(progress)}")
    lines += [f"        FAILED  {node.name}  {_short(node.message)}" for node in progress.having(FAILED)[:_MOST_FAILED]]
    if hint:
        lines.append(f"        {hint}")
    return [line if len(line) < width else line[: max(width - 2, 1)] + "…" for line in lines]


class Narrator:
    """Remembers what it has told, and nothing else."""

    def __init__(self, done: str = "Healthy") -> None:
        # What a node is when it is done
        self._done = done
        self._told: set[str] = set()
        self._last = ""
        self._spoke_at = 0.0

    def news(self, progress: Progress, elapsed: float) -> list[str]:
        """A line for each node that has ended since the last time. Elapsed are the seconds since the watching began."""
        ended = [node for node in progress.having(HEALTHY, FAILED, SKIPPED) if node.name not in self._told]
        self._told.update(node.name for node in ended)
        head = _head(progress, elapsed, self._done)
        return [f"{head}  {_finished(node)}" for node in ended if node.state != SKIPPED]

    def lines(self, progress: Progress, elapsed: float, left: float = 0) -> list[str]:
        """The news; and when there has been none for a while, what runs and the seconds that it may still take."""
        lines = self.news(progress, elapsed)
        if not lines and not progress.is_finished and elapsed - self._spoke_at >= QUIET:
            lines = [f"{_head(progress, elapsed, self._done)}  {_going_on(progress)}{_left(left)}"]
        if lines:
            self._spoke_at = elapsed
        return lines

    def trouble(self, text: str, elapsed: float) -> list[str]:
        """The cluster does not answer: told at once, and again while it lasts."""
        if text == self._last and elapsed - self._spoke_at < QUIET:
            return []
        self._last, self._spoke_at = text, elapsed
        return [f"{_clock(elapsed)}  {text}; the workflow goes on by itself, asking again"]


def summary(progress: Progress) -> list[str]:
    """How it ended: what failed and why, what was never started because of it, and whether revisions are mixed."""
    lines = [f"{node.name} failed: {node.message or 'no reason given'}" for node in progress.obstacles]
    lines += [f"{node.name} failed: {node.message or 'no reason given'}" for node in progress.having(FAILED)]
    if progress.outcome != "Succeeded" and not lines:
        lines.append(f"the workflow ended as {progress.phase}: {progress.message or 'no reason given'}")
    skipped = [node.name for node in progress.having(SKIPPED, WAITING)]
    if skipped:
        lines.append(f"not started: {', '.join(skipped)}")
    mixed = [node.name for node in progress.nodes if node.is_mixed]
    if mixed:
        lines.append(
            f"mixed revisions: the targets of {', '.join(mixed)} moved on during the run, and they stand at the new"
            " revision. Run again to bring everything there"
        )
    return lines


def _head(progress: Progress, elapsed: float, done: str) -> str:
    failed = len(progress.having(FAILED))
    return f"{_clock(elapsed)}  {len(progress.having(HEALTHY))}/{len(progress.nodes)} {done}" + (
        f", {failed} failed" if failed else ""
    )


def _left(seconds: float) -> str:
    """By expected durations, so nobody should count on the seconds of it."""
    if seconds < 1:
        return ""
    return f", about {span(seconds if seconds < 60 else 60 * round(seconds / 60))} left"


def _finished(node: NodeState) -> str:
    return f"{'FAILED' if node.state == FAILED else 'ok'}  {node.name}: {_short(node.message)}"


def _going_on(progress: Progress) -> str:
    running = progress.having(RUNNING)
    if not running:
        # Before the first node: another run may hold the mutex, or the agent's pod starts.
        if progress.message:
            return f"waiting: {_short(progress.message)}"
        return "starting the next" if progress.having(HEALTHY) else "waiting for the workflow controller"
    told = [f"{node.name} ({_short(node.message)})" if node.message else node.name for node in running[:_MOST_RUNNING]]
    more = len(running) - len(told)
    return "running: " + ", ".join(told) + (f" and {more} more" if more else "")


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST_MESSAGE else text[: _LONGEST_MESSAGE - 3] + "..."


def _clock(seconds: float) -> str:
    return f"{int(seconds) // 60:3d}:{int(seconds) % 60:02d}"
