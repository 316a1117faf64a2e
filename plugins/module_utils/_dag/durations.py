# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Durations as people write them: 90s, 5m, 1h30m."""

from __future__ import annotations

import re
import typing as t

_DURATION = re.compile(r"(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,6})s)?", re.ASCII)

FORM = "a duration such as 90s, 5m or 1h30m"


def parse_duration(value: t.Any) -> int | None:
    """Seconds, or None when the value is no duration.

    Bare numbers are refused on purpose: YAML 1.1 reads 1:30 as 90, and nobody can tell minutes from seconds.
    """
    match = _DURATION.fullmatch(value) if isinstance(value, str) and value else None
    if match is None:
        return None
    hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return hours * 3600 + minutes * 60 + seconds


def duration_text(seconds: int) -> str:
    """The shortest way to write a number of seconds."""
    hours, rest = divmod(seconds, 3600)
    minutes, left = divmod(rest, 60)
    parts = [f"{number}{unit}" for number, unit in ((hours, "h"), (minutes, "m"), (left, "s")) if number]
    return "".join(parts) or "0s"
