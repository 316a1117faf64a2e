# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Progress in plain lines: what has finished, and every now and then what is still going on. Pure."""

from __future__ import annotations

from .progress import FAILED, HEALTHY, RUNNING, SKIPPED, WAITING, NodeState, Progress

# Seconds without news after which the running nodes are listed again
QUIET = 10
_MOST_RUNNING = 6
_LONGEST_MESSAGE = 160


class Narrator:
    """Remembers what it has told, and nothing else."""

    def __init__(self, done: str = "Healthy") -> None:
        # What a node is when it is done
        self._done = done
        self._told: set[str] = set()
        self._last = ""
        self._spoke_at = 0.0

    def lines(self, progress: Progress, elapsed: float) -> list[str]:
        """What is new. Elapsed are the seconds since the watching began."""
        news = [node for node in progress.having(HEALTHY, FAILED, SKIPPED) if node.name not in self._told]
        self._told.update(node.name for node in news)
        done = len(progress.having(HEALTHY))
        head = f"{_clock(elapsed)}  {done}/{len(progress.nodes)} {self._done}"
        lines = [f"{head}  {_finished(node)}" for node in news if node.state != SKIPPED]
        if not lines and not progress.is_finished and elapsed - self._spoke_at >= QUIET:
            lines = [f"{head}  {_going_on(progress)}"]
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


def _finished(node: NodeState) -> str:
    return f"{'FAILED' if node.state == FAILED else 'ok'}  {node.name}: {_short(node.message)}"


def _going_on(progress: Progress) -> str:
    running = progress.having(RUNNING)
    if not running:
        # Before the first node: another run may hold the mutex, or the agent's pod starts.
        return f"waiting: {_short(progress.message)}" if progress.message else "waiting for the workflow controller"
    told = [f"{node.name} ({_short(node.message)})" if node.message else node.name for node in running[:_MOST_RUNNING]]
    more = len(running) - len(told)
    return "running: " + ", ".join(told) + (f" and {more} more" if more else "")


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST_MESSAGE else text[: _LONGEST_MESSAGE - 3] + "..."


def _clock(seconds: float) -> str:
    return f"{int(seconds) // 60:3d}:{int(seconds) % 60:02d}"
