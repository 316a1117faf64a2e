# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""When each node of a report ran, as bars on one scale from 0 to 100. Pure."""

from __future__ import annotations

import typing as t

from .model import Report, span
from .moments import seconds_of

_STEPS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 43200, 86400)
_MOST_TICKS = 9


class Bar(t.NamedTuple):
    """Left and width in percent of the whole; the parts begin at the bar's left."""

    number: int
    left: float
    width: float
    sync: float
    health: float
    took: str


class Timeline(t.NamedTuple):
    bars: list[Bar]
    ticks: list[tuple[float, str]]


def timeline(report: Report) -> Timeline:
    """Only what has started has a bar; what has not ended lasts to the end of the report."""
    starts = {number: seconds_of(node["started"]) for number, node in enumerate(report["nodes"])}
    started = {number: moment for number, moment in starts.items() if moment is not None}
    if not started:
        return Timeline([], [])
    ends = {number: _end(report["nodes"][number], moment) for number, moment in started.items()}
    begin = min([*started.values(), *_known(report["started"])])
    last = max([*started.values(), *(end for end in ends.values() if end is not None), *_known(report["finished"])])
    whole = max(last - begin, 1.0)
    bars = []
    for number, start in sorted(started.items(), key=lambda item: (item[1], item[0])):
        end = ends[number]
        length = max((last if end is None else end) - start, 0.0)
        sync = min(_part(report["nodes"][number]["sync_seconds"]), length)
        health = min(_part(report["nodes"][number]["health_seconds"]), length - sync)
        percent = 100 / whole
        bars.append(
            Bar(number, (start - begin) * percent, length * percent, sync * percent, health * percent, span(length))
        )
    return Timeline(bars, _ticks(whole))


def _known(moment: str) -> list[float]:
    seconds = seconds_of(moment)
    return [] if seconds is None else [seconds]


def _end(node: dict[str, t.Any], start: float) -> float | None:
    end = seconds_of(node["finished"])
    return None if end is None else max(start, end)


def _part(seconds: t.Any) -> float:
    is_number = isinstance(seconds, (int, float)) and not isinstance(seconds, bool)
    return float(seconds) if is_number and 0 <= seconds < 10**9 else 0.0


def _ticks(whole: float) -> list[tuple[float, str]]:
    step = next((step for step in _STEPS if whole / step <= _MOST_TICKS), None)
    if step is None:
        return []
    return [(100 * mark * step / whole, span(mark * step) or "0") for mark in range(int(whole // step) + 1)]
