# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""The graph as the rest of the collection sees it: nodes with everything resolved."""

from __future__ import annotations

import typing as t

from .ordering import Ordering

# Who brings a node about: Argo CD on behalf of the orchestration, or the bootstrap (then it is verified only, RFC 3.3).
MANAGED_BY = ("argocd", "bootstrap")


class NodeType(t.NamedTuple):
    """What applications of one type are given unless they say otherwise."""

    sync_timeout_seconds: int
    health_timeout_seconds: int
    expected_seconds: int


# Timeouts: RFC 3.8.5. Expected durations: the middle of RFC 3.8.2, for estimates only.
BUILT_IN_TYPES: dict[str, NodeType] = {
    "simple": NodeType(300, 300, 120),
    "operator": NodeType(600, 600, 180),
    "ceph": NodeType(1800, 1800, 1200),
    "database": NodeType(900, 900, 300),
    "vault": NodeType(900, 900, 300),
}
DEFAULT_TYPE = "simple"


class Retries(t.NamedTuple):
    """How often a node is tried in all, and the pause after the first failure (it doubles from there)."""

    attempts: int
    backoff_seconds: int


DEFAULT_RETRIES = Retries(3, 10)


class Node(t.NamedTuple):
    """A deployable unit (kind application), or a Kubernetes resource that one provides (kind resource)."""

    name: str
    kind: str
    stack: str
    type: str
    application: str
    managed_by: str
    depends_on: tuple[str, ...]
    sync_timeout_seconds: int
    health_timeout_seconds: int
    retries: Retries
    expected_seconds: int

    def as_dict(self) -> dict[str, t.Any]:
        fields = self._asdict()
        fields["depends_on"] = list(self.depends_on)
        fields["retries"] = self.retries._asdict()
        return fields


class Graph(t.NamedTuple):
    """An acyclic graph. Nodes may depend on resources that are no nodes: no application provides them."""

    nodes: dict[str, Node]
    stacks: dict[str, tuple[str, ...]]
    ordering: Ordering
