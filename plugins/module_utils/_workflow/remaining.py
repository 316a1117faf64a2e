# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""How long a run will still take, from the expected durations of what is left. Pure."""

from __future__ import annotations

import typing as t

from .._report.moments import seconds_of
from .progress import FAILED, RUNNING, WAITING, NodeState, Progress

Plan = t.Mapping[str, t.Any]


def seconds_left(progress: Progress, plan: Plan, now: float) -> float:
    """Along the longest chain (dag), or wave by wave (waves). What waits behind a failure will not be started."""
    nodes = plan["nodes"]
    left = {state.name: _rest(state, nodes[state.name]["expected_seconds"], now) for state in progress.nodes}
    failed = {state.name for state in progress.having(FAILED)}
    if plan["strategy"] == "waves":
        return _by_waves(plan["waves"], left, failed)
    total: dict[str, float] = {}
    blocked = set(failed)
    for name, before in waits_for(plan).items():
        if blocked.intersection(before):
            blocked.add(name)
        rest = 0.0 if name in blocked else left[name]
        total[name] = rest + max((total[other] for other in before), default=0.0)
    return max((total[name] for name in total if left[name] and name not in blocked), default=0.0)


def _by_waves(waves: list[list[str]], left: t.Mapping[str, float], failed: set[str]) -> float:
    total = 0.0
    for wave in waves:
        total += max(left[name] for name in wave)
        if failed.intersection(wave):
            break
    return total


def _rest(state: NodeState, expected: float, now: float) -> float:
    if state.state == WAITING:
        return float(expected)
    if state.state != RUNNING:
        return 0.0
    started = seconds_of(state.started)
    # What takes longer than expected may end at any moment.
    return float(expected) if started is None else max(1.0, expected - (now - started))


def waits_for(plan: Plan) -> dict[str, list[str]]:
    """What each node waits for, wave by wave. A teardown waits for dependents: whichever comes in an earlier wave."""
    levels = {name: number for number, wave in enumerate(plan["waves"]) for name in wave}
    before: dict[str, list[str]] = {name: [] for name in levels}
    for name in levels:
        for other in plan["nodes"][name]["depends_on"]:
            if other in levels:
                first, last = (other, name) if levels[other] < levels[name] else (name, other)
                before[last].append(first)
    return before
