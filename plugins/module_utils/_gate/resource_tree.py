# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Reads Argo CD's resource trees: why something is not Healthy, and whether a resource exists and is Healthy."""

from __future__ import annotations

import re
import typing as t

from .safe_text import safe_text
from .verdict import Blocker

Nodes = t.Sequence[t.Mapping[str, t.Any]]

_REFERENCE = re.compile(r"resource:([a-z][a-z0-9]*)(?:\.([a-z0-9.-]+))?((?:/[a-z0-9.-]+){0,2})").fullmatch


class Reference(t.NamedTuple):
    """A kind, or one object of it. Without a name it stands for the kind's CustomResourceDefinition."""

    plural: str
    group: str
    namespace: str
    name: str

    @property
    def definition(self) -> str:
        return f"{self.plural}.{self.group}"

    def matches(self, node: t.Mapping[str, t.Any]) -> bool:
        if not self.name:
            return node.get("kind") == "CustomResourceDefinition" and node.get("name") == self.definition
        return (
            (node.get("group") or "") == self.group
            and self.plural in plurals(node.get("kind") or "")
            and node.get("name") == self.name
            and (not self.namespace or node.get("namespace") == self.namespace)
        )


def parse_reference(text: str) -> Reference | None:
    """`resource:<plural>[.<group>][/<namespace>][/<name>]`"""
    match = _REFERENCE(text)
    if match is None:
        return None
    plural, group, rest = match.groups()
    parts = rest.split("/")[1:]
    namespace, name = parts if len(parts) == 2 else ("", parts[0] if parts else "")
    return Reference(plural, group or "", namespace, name)


def plurals(kind: str) -> set[str]:
    """What the plural of a kind may be: a tree knows kinds only, a reference plurals only."""
    word = kind.lower()
    found = {word, f"{word}s", f"{word}es"}
    if word.endswith("y"):
        found.add(f"{word[:-1]}ies")
    return found


def find(nodes: Nodes, reference: Reference) -> Blocker | None:
    """The resource with its health; one without a health check is Healthy when it exists."""
    for node in nodes:
        if reference.matches(node):
            return _blocker(node)
    return None


def deepest_causes(nodes: Nodes, limit: int = 3) -> list[Blocker]:
    """The unhealthy resources that own no unhealthy ones: a pod says more than its deployment."""
    unhealthy = [node for node in nodes if (node.get("health") or {}).get("status") not in (None, "", "Healthy")]
    owners = {parent.get("uid") for node in unhealthy for parent in node.get("parentRefs") or []}
    return [_blocker(node) for node in unhealthy if node.get("uid") not in owners][:limit]


def _blocker(node: t.Mapping[str, t.Any]) -> Blocker:
    health = node.get("health") or {}
    return Blocker(
        node.get("kind") or "",
        node.get("name") or "",
        node.get("namespace") or "",
        health.get("status") or "Healthy",
        safe_text(health.get("message"), 300),
    )
