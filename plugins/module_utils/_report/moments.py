# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Times as Kubernetes writes them."""

from __future__ import annotations

import datetime
import re

_RFC3339 = re.compile(r"(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:\.\d+)?(Z|z|[+-]\d\d:\d\d)?", re.ASCII)


def seconds_of(moment: str) -> float | None:
    """Seconds since the epoch, None for what is no time."""
    match = _RFC3339.fullmatch(moment)
    if match is None:
        return None
    day, clock, zone = match.groups()
    zone = "+00:00" if zone in (None, "Z", "z") else zone
    try:
        return datetime.datetime.fromisoformat(f"{day}T{clock}{zone}").timestamp()
    except (ValueError, OverflowError):
        return None


def text_of(seconds: float) -> str:
    return f"{datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc):%Y-%m-%dT%H:%M:%SZ}"


def clock(moment: str) -> str:
    """The time of day, where a date would only repeat itself."""
    match = _RFC3339.fullmatch(moment)
    return moment if match is None else match.group(2)


def between(start: str, end: str) -> float | None:
    """Seconds from one to the other, None unless both are known."""
    first, last = seconds_of(start), seconds_of(end)
    return None if first is None or last is None else max(0.0, last - first)
