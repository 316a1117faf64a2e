# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""From what was observed to the figures of the table. Pure: no clock, no cluster."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple


class Span(NamedTuple):
    """Of one application: its first object was created, and all of it was ready (seconds since the epoch)."""

    started: float
    ready: float


class Costs(NamedTuple):
    """What a contestant used while it ran."""

    requests_of_controllers: int = 0
    requests_of_client: int = 0
    controller_seconds: float = 0.0
    controller_mebibytes: float = 0.0
    client_seconds: float = 0.0
    client_mebibytes: float = 0.0


class Result(NamedTuple):
    """One contestant, one run."""

    name: str
    spans: Mapping[str, Span]
    parents: Mapping[str, set[str]]
    violations: Sequence[str]
    # From the start of the command, or of the request, to its own word that all is done.
    command_seconds: float
    costs: Costs = Costs()

    @property
    def is_done(self) -> bool:
        return self.spans.keys() == self.parents.keys()

    @property
    def makespan(self) -> float:
        return max(span.ready for span in self.spans.values()) - min(span.started for span in self.spans.values())

    @property
    def edges(self) -> int:
        return sum(len(names) for names in self.parents.values())


def percentile(values: Iterable[float], share: float) -> float:
    """The smallest value that at least `share` of all values do not exceed (nearest rank); NaN of nothing."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else math.nan


def dispatch(spans: Mapping[str, Span], parents: Mapping[str, set[str]]) -> dict[str, float]:
    """Application with dependencies -> seconds from its last dependency's readiness to its own first object.

    Negative where it came too early.
    """
    return {
        name: spans[name].started - max(spans[parent].ready for parent in names)
        for name, names in parents.items()
        if names and name in spans and names <= spans.keys()
    }


def stages(moments: Mapping[str, Sequence[float | None]], names: Sequence[str]) -> list[tuple[str, float, float]]:
    """Where the time of a dispatch goes: stage, median, 95th percentile.

    `moments` has for each application one moment more than there are stages, in order; one with a gap is left out.
    """
    whole = [row for row in moments.values() if None not in row]
    found = []
    for number, name in enumerate(names):
        taken = [row[number + 1] - row[number] for row in whole]  # type: ignore[operator]
        found.append((name, percentile(taken, 0.5), percentile(taken, 0.95)))
    return found


def table(results: Sequence[Result], critical_path: float) -> str:
    """The results side by side, as Markdown."""
    head = (
        "contestant",
        "makespan / critical path",
        "dispatch median",
        "dispatch p95",
        "edges violated",
        "command",
        "API requests: controllers + client",
        "controllers: CPU, memory",
        "client: CPU, memory",
    )
    rows = [_row(result, critical_path) for result in results]
    lines = [head, tuple("---" for _column in head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _row(result: Result, critical_path: float) -> tuple[str, ...]:
    latencies, costs = dispatch(result.spans, result.parents).values(), result.costs
    whole = f"{result.makespan / critical_path:.2f} ({result.makespan:.0f} s)" if result.is_done else "not done"
    ready = "" if result.is_done else f", {len(result.spans)} of {len(result.parents)} ready"
    return (
        result.name,
        whole + ready,
        f"{percentile(latencies, 0.5):.1f} s",
        f"{percentile(latencies, 0.95):.1f} s",
        f"{len(result.violations)} of {result.edges}",
        f"{result.command_seconds:.0f} s",
        f"{costs.requests_of_controllers} + {costs.requests_of_client}",
        f"{costs.controller_seconds:.0f} s, {costs.controller_mebibytes:.0f} MiB",
        f"{costs.client_seconds:.0f} s, {costs.client_mebibytes:.0f} MiB",
    )
