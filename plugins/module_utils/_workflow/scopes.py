# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Which nodes a scope deploys and which it only requires, for every scope of a platform at once.

The workflow template is made for the whole platform and the scope is one of its parameters, so that an event can start
it for a part. Each task therefore carries the scopes in which it runs.
"""

from __future__ import annotations

import typing as t

Plan = t.Mapping[str, t.Any]

PLATFORM = "platform"


class Scopes(t.NamedTuple):
    """By node name, the scopes that deploy the node, and those that want it Healthy before they start."""

    all: list[str]
    deploying: dict[str, list[str]]
    requiring: dict[str, list[str]]


def scopes_of(plan: Plan) -> Scopes:
    """Plan is the plan for the whole platform."""
    nodes = plan["nodes"]
    members = _members(nodes)
    provided = _provided(nodes)
    deploying: dict[str, list[str]] = {name: [] for name in nodes}
    requiring: dict[str, list[str]] = {name: [] for name in [*nodes, *plan["requires"]]}
    for scope, chosen in members.items():
        selected = chosen.union(*(provided.get(name, ()) for name in chosen))
        for name in sorted(selected):
            deploying[name].append(scope)
        required = {other for name in selected for other in nodes[name]["depends_on"] if other not in selected}
        for name in sorted(required):
            requiring[name].append(scope)
    return Scopes(list(members), deploying, requiring)


def _members(nodes: t.Mapping[str, t.Any]) -> dict[str, set[str]]:
    applications = [name for name, node in nodes.items() if node["kind"] == "application"]
    members: dict[str, set[str]] = {PLATFORM: set(nodes)}
    for name in sorted(applications):
        members.setdefault("stack:" + nodes[name]["stack"], set()).add(name)
    for name in sorted(applications):
        members["app:" + name] = {name}
    return members


def _provided(nodes: t.Mapping[str, t.Any]) -> dict[str, list[str]]:
    """The resources that each application provides: they belong to every scope that it belongs to."""
    provided: dict[str, list[str]] = {}
    for name, node in nodes.items():
        if node["kind"] == "resource":
            for provider in node["depends_on"]:
                provided.setdefault(provider, []).append(name)
    return provided
