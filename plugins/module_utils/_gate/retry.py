# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Trying again: with growing, random pauses, until a deadline, and as the server asks."""

from __future__ import annotations

import random
import time
import typing as t

from .errors import Unavailable

_FIRST = 0.5
_LONGEST = 30.0

Answer = t.TypeVar("Answer")


class Clock:
    """A clock that only goes forward, whatever happens to the time of day."""

    def monotonic(self) -> float:
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)


class Retry:
    """Repeats a call while nothing usable answers, for `patience` seconds."""

    def __init__(self, patience: float, clock: Clock | None = None, rng: random.Random | None = None) -> None:
        self._patience = patience
        self._clock = clock or Clock()
        self._random = rng or random.Random()

    def call(self, function: t.Callable[[], Answer]) -> Answer:
        deadline = self._clock.monotonic() + self._patience
        pause = _FIRST
        while True:
            try:
                return function()
            except Unavailable as error:
                # Decorrelated jitter: clients that failed together do not come back together.
                pause = min(_LONGEST, self._random.uniform(_FIRST, pause * 3))
                wait = max(pause, error.retry_after)
                if self._clock.monotonic() + wait >= deadline:
                    raise
                self._clock.sleep(wait)
