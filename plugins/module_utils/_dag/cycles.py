# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Find the cycles of a graph that has some, in full. The good case never comes here."""

from __future__ import annotations

import typing as t

# One cycle in a file is a slip; more than this many have one cause, and the first ones show it.
MAX_CYCLES = 20


def find_cycles(dependencies: t.Mapping[str, t.Iterable[str]]) -> list[list[str]]:
    """Cycles as lists of names that start and end with the same (smallest) name, each depending on the next.

    Every independent cycle is found: after one is recorded, the edge that closes it is taken out and the search goes
    on. (Enumerating all simple cycles would be exponential.)
    """
    # Imported here because loading networkx takes longer than planning a platform.
    import networkx as nx

    graph = nx.DiGraph()
    for name in sorted(dependencies):
        graph.add_edges_from(
            (name, dependency) for dependency in sorted(dependencies[name]) if dependency in dependencies
        )
    cycles: list[list[str]] = []
    while len(cycles) < MAX_CYCLES:
        tangled = [
            sorted(part)
            for part in nx.strongly_connected_components(graph)
            if len(part) > 1 or graph.has_edge(*part, *part)
        ]
        if not tangled:
            break
        for part in sorted(tangled):
            start, tangle = part[0], graph.subgraph(part)
            ways_back = (nx.shortest_path(tangle, successor, start) for successor in sorted(tangle.successors(start)))
            cycle = [start, *min(ways_back, key=len)]
            cycles.append(cycle)
            graph.remove_edge(*cycle[-2:])
    return cycles[:MAX_CYCLES]
