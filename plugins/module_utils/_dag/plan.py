# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""From a graph to a plan: what is touched, in which order, how long it should take.

A plan is a pure function of the graph, the scope, the strategy and the action: the same input gives the same plan and
the same digest, whatever order the file had.
"""

from __future__ import annotations

import hashlib
import json
import typing as t

from .collector import collector_paused
from .model import Graph
from .ordering import Ordering
from .problems import DagError, Problem, Problems, quoted

STRATEGIES = ("waves", "dag")
ACTIONS = ("deploy", "teardown")
SCOPE_FORM = "platform, stack:<name> or app:<name>"


@collector_paused()
def make_plan(
    graph: Graph, scope: str = "platform", strategy: str = "waves", action: str = "deploy"
) -> dict[str, t.Any]:
    """The plan as plain data. Raises DagError when the scope names nothing, or a choice does not exist."""
    _check_choice("strategy", strategy, STRATEGIES)
    _check_choice("action", action, ACTIONS)
    selected = select(graph, scope)
    dependencies = {name: node.depends_on for name, node in graph.nodes.items()}
    everything: t.Mapping[str, t.Sequence[str]] = dependencies if action == "deploy" else _dependents(dependencies)
    before = {name: everything[name] for name in selected}
    ordering = graph.ordering if everything is dependencies and scope == "platform" else Ordering(before)
    levels = ordering.levels
    nodes = [graph.nodes[name] for name in ordering.names]
    expected = [node.expected_seconds for node in nodes]
    remaining = ordering.remaining(expected)
    critical_path = ordering.heaviest_chain(remaining)
    seconds = sum(expected[number] for number in critical_path)
    requires = sorted({other for others in before.values() for other in others if other not in selected})
    # Longest chain first is right for dag when only a few nodes may run at once.
    order = [number for level in levels for number in level] if strategy == "waves" else ordering.by_priority(remaining)
    return {
        "action": action,
        "scope": scope,
        "strategy": strategy,
        "order": ordering.named(order),
        "waves": [ordering.named(level) for level in levels],
        "edges": ordering.edges(),
        "nodes": {node.name: node.as_dict() for node in nodes},
        "requires": requires,
        "required_nodes": {name: graph.nodes[name].as_dict() for name in requires if name in graph.nodes},
        "critical_path": {"nodes": ordering.named(critical_path), "seconds": seconds},
        "estimated_seconds": {
            "waves": sum(max(expected[number] for number in level) for level in levels),
            "dag": seconds,
        },
        "digest": _digest(action, scope, strategy, requires, nodes),
    }


def select(graph: Graph, scope: str) -> set[str]:
    """The nodes that a scope names, with the resources that they provide."""
    kind, _separator, name = scope.partition(":")
    if scope == "platform":
        return set(graph.nodes)
    if kind == "stack" and name in graph.stacks:
        chosen = set(graph.stacks[name])
    elif kind == "app" and name in graph.nodes and graph.nodes[name].kind == "application":
        chosen = {name}
    else:
        raise _bad_scope(graph, kind, name, scope)
    provided = {
        node.name for node in graph.nodes.values() if node.kind == "resource" and not chosen.isdisjoint(node.depends_on)
    }
    return chosen | provided


def _bad_scope(graph: Graph, kind: str, name: str, scope: str) -> DagError:
    problems = Problems()
    if kind == "stack":
        problems.add_unknown((), "stack", name, graph.stacks)
    elif kind == "app":
        problems.add_unknown(
            (), "application", name, (node.name for node in graph.nodes.values() if node.kind == "application")
        )
    else:
        problems.add((), f"must be {SCOPE_FORM}, not {quoted(scope)}")
    return DagError("scope", problems.found)


def _check_choice(what: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise DagError(what, [Problem((), f"must be one of {', '.join(choices)}, not {quoted(value)}")])


def _dependents(dependencies: t.Mapping[str, t.Sequence[str]]) -> dict[str, list[str]]:
    """The transposed graph: every edge turned round. Resources from outside have no part in it."""
    dependents: dict[str, list[str]] = {name: [] for name in dependencies}
    for name, others in dependencies.items():
        for other in others:
            if other in dependents:
                dependents[other].append(name)
    return dependents


def _digest(*parts: t.Any) -> str:
    """One value for all that a plan follows from."""
    return hashlib.sha256(json.dumps(parts, separators=(",", ":")).encode()).hexdigest()
