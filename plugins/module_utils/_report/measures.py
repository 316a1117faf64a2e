# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""What a run cost, in numbers. Pure."""

from __future__ import annotations

import statistics
import typing as t

from .model import Node
from .moments import between, seconds_of


def metrics(nodes: list[Node], makespan: float | None) -> dict[str, t.Any]:
    """Only what is known. The ratio is how much longer the run took than its own longest chain of nodes."""
    found: dict[str, t.Any] = {
        "nodes": len(nodes),
        "healthy": sum(node["state"] == "Healthy" for node in nodes),
        "syncs": sum(bool(node["synced"]) for node in nodes),
        "attempts": sum(node["attempts"] or 0 for node in nodes),
    }
    # Where everything stood, one survey looked at all of it at once.
    chain = longest_chain(nodes) if found["syncs"] else 0.0
    if makespan:
        found["makespan_seconds"] = makespan
    if chain:
        found["critical_path_seconds"] = chain
    if makespan and chain:
        found["critical_path_ratio"] = round(makespan / chain, 2)
    gaps = dispatch_seconds(nodes)
    if gaps:
        found["dispatch_median_seconds"] = statistics.median(gaps)
    return found


def longest_chain(nodes: list[Node]) -> float:
    """Seconds along the chain of dependencies that took longest, each node as long as it ran."""
    known = {node["name"]: node for node in nodes}
    total: dict[str, float] = {}
    # By waves: what a node needs is in an earlier one.
    for node in sorted(nodes, key=lambda item: item["wave"]):
        took = between(node["started"], node["finished"]) or 0.0
        total[node["name"]] = took + max((total.get(name, 0.0) for name in node["needs"] if name in known), default=0.0)
    return max(total.values(), default=0.0)


def dispatch_seconds(nodes: list[Node]) -> list[float]:
    """From the end of the last dependency to the start of the node, for every node that has both."""
    ends = {node["name"]: seconds_of(node["finished"]) for node in nodes}
    gaps = []
    for node in nodes:
        start = seconds_of(node["started"])
        before = [ends.get(name) for name in node["needs"]]
        known = [end for end in before if end is not None]
        if start is not None and known and len(known) == len(before):
            gaps.append(max(0.0, start - max(known)))
    return gaps
