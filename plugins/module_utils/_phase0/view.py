# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Everything that was read from the cluster, reduced to what checks, inventory and snapshot need."""

from __future__ import annotations

import typing as t

from .capacity import Requested
from .check import Unknown
from .cluster import DnsPod
from .leftovers import CrdFact, NamespaceFact
from .nodes import Node
from .permissions import Access


class Release(t.NamedTuple):
    """The newest record of a Helm release."""

    namespace: str
    name: str
    revision: int
    status: str


class ClusterView(t.NamedTuple):
    version: str | Unknown
    authenticated: bool | Unknown
    uid: str | Unknown
    nodes: list[Node] | Unknown
    requested: t.Mapping[str, Requested] | Unknown
    disk_free: t.Mapping[str, int | Unknown]
    dns_pods: list[DnsPod] | Unknown
    namespaces: t.Mapping[str, NamespaceFact] | Unknown
    crds: t.Mapping[str, CrdFact] | Unknown
    releases: list[Release] | Unknown
    shared_releases: t.Mapping[tuple[str, str], bool] | Unknown
    shared_deployments: t.Mapping[tuple[str, str], t.Mapping[str, str]] | Unknown
    sealing_keys: list[str] | Unknown
    storage_classes: list[str] | Unknown
    permissions: t.Mapping[Access, bool | Unknown]


def unseen(first: Unknown, accesses: t.Iterable[Access], version: str | Unknown | None = None) -> ClusterView:
    """Nothing could be read. ``first`` tells why, once; the rest refers to it."""
    rest = Unknown(first.reason, reported=True)
    view: dict[str, t.Any] = dict.fromkeys(ClusterView._fields, rest)
    view.update(version=version or first, disk_free={}, permissions=dict.fromkeys(accesses, rest))
    return ClusterView(**view)
