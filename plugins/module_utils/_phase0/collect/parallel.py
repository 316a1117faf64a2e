# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Many questions at once, and an end to waiting."""

from __future__ import annotations

import queue
import threading
import time
import typing as t

from ..check import Unknown


class Job(t.NamedTuple):
    """A question, and what to make of it when no answer comes."""

    ask: t.Callable[[], t.Any]
    otherwise: t.Callable[[Unknown], t.Any] = lambda why: why


class Deadline:
    """Counts down on a clock that nobody can set."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    @property
    def left(self) -> float:
        return max(0.0, self._end - time.monotonic())


def run(jobs: t.Mapping[t.Any, Job], deadline: Deadline, workers: int = 16) -> dict[t.Any, t.Any]:
    """The result of every job, whether it answered, broke or did not end in time.

    The threads are daemons and not a pool: looking a name up cannot be interrupted, and a pool would wait for it
    at the end of the program.
    """
    todo: queue.SimpleQueue[tuple[t.Any, Job]] = queue.SimpleQueue()
    done: queue.SimpleQueue[tuple[t.Any, t.Any]] = queue.SimpleQueue()
    for item in jobs.items():
        todo.put(item)
    for _number in range(min(workers, len(jobs))):
        threading.Thread(target=_work, args=(todo, done), daemon=True).start()
    results: dict[t.Any, t.Any] = {}
    while len(results) < len(jobs):
        try:
            key, result = done.get(timeout=deadline.left)
        except queue.Empty:
            break
        results[key] = result
    late = Unknown("no answer before the time for all checks was over")
    return {key: results[key] if key in results else job.otherwise(late) for key, job in jobs.items()}


def _work(todo: queue.SimpleQueue[tuple[t.Any, Job]], done: queue.SimpleQueue[tuple[t.Any, t.Any]]) -> None:
    while True:
        try:
            key, job = todo.get_nowait()
        except queue.Empty:
            return
        try:
            result = job.ask()
        except Exception as exc:
            # The text of an unforeseen error may hold anything, a credential too.
            result = job.otherwise(Unknown(f"unexpected {type(exc).__name__} while asking"))
        done.put((key, result))
