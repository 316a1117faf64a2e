# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Checks of single values. Each reports what is wrong and goes on with something harmless."""

from __future__ import annotations

import typing as t

from .durations import FORM as DURATION_FORM
from .durations import parse_duration
from .model import DEFAULT_RETRIES, Retries
from .names import NAME_FORM, is_name
from .problems import Path, Problems, described, quoted

MAX_ATTEMPTS = 10
RETRIES_KEYS = ("attempts", "backoff")


class Checks:
    def __init__(self, problems: Problems) -> None:
        self.problems = problems

    def mapping(self, value: t.Any, path: Path, keys: tuple[str, ...], what: str) -> dict[t.Any, t.Any]:
        if not isinstance(value, dict):
            self.problems.add(path, f"{what} is a mapping with the keys {', '.join(keys)}, not {described(value)}")
            return {}
        for key in value:
            if key not in keys:
                self.problems.add_unknown((*path, key), "key", str(key), keys)
        return value

    def named(self, value: t.Any, path: Path, what: str) -> dict[str, t.Any]:
        """A mapping whose keys are names; bad ones are reported and left out."""
        if value is None:
            return {}
        if not isinstance(value, dict):
            self.problems.add(path, f"must map the name of {what} to its settings, not be {described(value)}")
            return {}
        good = {}
        for name, settings in value.items():
            if is_name(name):
                good[str(name)] = settings
            else:
                self.problems.add((*path, name), f"the name of {what} must be {NAME_FORM}, not {described(name)}")
        return good

    def names(self, value: t.Any, path: Path) -> list[str]:
        """A list of names, each at most once. Whether they exist is looked at when all are known."""
        if value is None:
            return []
        if not isinstance(value, (list, tuple)):
            self.problems.add(path, f"must be a list of names, not {described(value)}")
            return []
        good: list[str] = []
        for index, name in enumerate(value):
            if not isinstance(name, str):
                self.problems.add((*path, index), f"must be a name, not {described(name)}")
            elif name in good:
                self.problems.add((*path, index), f"{quoted(name)} is named twice")
            else:
                good.append(str(name))
        return good

    def duration(self, settings: dict[t.Any, t.Any], path: Path, key: str, default: int, least: int = 1) -> int:
        if key not in settings:
            return default
        seconds = parse_duration(settings[key])
        if seconds is None or seconds < least:
            self.problems.add((*path, key), f"must be {DURATION_FORM}, not {described(settings[key])}")
            return default
        return seconds

    def retries(self, value: t.Any, path: Path) -> Retries:
        if not isinstance(value, dict):
            return DEFAULT_RETRIES._replace(attempts=self._attempts(value, path))
        settings = self.mapping(value, path, RETRIES_KEYS, "retries")
        attempts = (
            self._attempts(settings["attempts"], (*path, "attempts"))
            if "attempts" in settings
            else DEFAULT_RETRIES.attempts
        )
        return Retries(attempts, self.duration(settings, path, "backoff", DEFAULT_RETRIES.backoff_seconds, least=0))

    def _attempts(self, value: t.Any, path: Path) -> int:
        if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MAX_ATTEMPTS:
            return value
        self.problems.add(path, f"must be a number of attempts from 1 to {MAX_ATTEMPTS}, not {described(value)}")
        return DEFAULT_RETRIES.attempts
