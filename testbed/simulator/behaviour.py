# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How an application of a sample platform behaves: what was asked for, and what that means at a given age.

Both faces of the simulator use this file. The `app` face starts in dozens of pods on two cores, so nothing slow to
import belongs here.
"""

from __future__ import annotations

import json

MODES = ("ready", "never-ready", "degraded", "flapping", "crash")
DEFAULTS = {"mode": "ready", "delay": 0.0, "period": 10.0}
LONGEST = 86400.0

# The phases of an application.
STARTING = "Starting"
READY = "Ready"
FAILED = "Failed"
CRASHED = "Crashed"


class BehaviourError(ValueError):
    """A behaviour that cannot be used; the message names the thing and the way out."""


class Behaviour:
    """What an application does: get ready after `delay` seconds, unless `mode` says something else."""

    __slots__ = ("delay", "mode", "period")

    def __init__(self, mode: str = "ready", delay: float = 0.0, period: float = 10.0) -> None:
        self.mode = mode
        self.delay = delay
        self.period = period

    def phase(self, age: float) -> str:
        """What the application is, `age` seconds after it was started or changed."""
        if self.mode == "never-ready" or age < self.delay:
            return STARTING
        if self.mode == "crash":
            return CRASHED
        if self.mode == "degraded":
            return FAILED
        if self.mode == "flapping" and int((age - self.delay) / self.period) % 2:
            return FAILED
        return READY

    def progress(self, age: float) -> float:
        """How much of the way to ready is behind it, 0 to 1; one that never gets ready stays short of 1."""
        done = min(age / self.delay, 1.0) if self.delay else 1.0
        return min(done, 0.99) if self.mode == "never-ready" else done


def parse(text: str) -> dict[str, object]:
    """Read the wishes of one place (a commit, or the run-time switch): only the keys that it names."""
    try:
        wishes = json.loads(text)
    except ValueError as error:
        raise BehaviourError(f"{text!r} is not JSON ({error}); write it like {_EXAMPLE}") from None
    if not isinstance(wishes, dict):
        raise BehaviourError(f"{text!r} is not a JSON object; write it like {_EXAMPLE}")
    for key, value in wishes.items():
        if key not in DEFAULTS:
            raise BehaviourError(f"{key!r} is not known; there are {', '.join(DEFAULTS)}")
        if key == "mode":
            _check_mode(value)
        else:
            _check_seconds(key, value)
    return wishes


def behaviour(*places: dict[str, object]) -> Behaviour:
    """One behaviour out of the wishes of several places; the later ones win, key by key."""
    merged: dict[str, object] = dict(DEFAULTS)
    for wishes in places:
        merged.update(wishes)
    return Behaviour(**merged)  # type: ignore[arg-type]


_EXAMPLE = '{"mode": "never-ready", "delay": 5}'


def _check_mode(value: object) -> None:
    if value not in MODES:
        raise BehaviourError(f"mode {value!r} is not known; there are {', '.join(MODES)}")


def _check_seconds(key: str, value: object) -> None:
    least = 0.0 if key == "delay" else 0.1
    # A bool is an int to Python, but nobody means one second by `true`; NaN compares false and is refused too.
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= LONGEST:
        raise BehaviourError(f"{key} is {value!r}; it must be a number of seconds from {least:g} to {LONGEST:g}")
