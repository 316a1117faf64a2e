# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How long each application of the sample platform `rfc` takes to get ready: one fixed table for every contestant.

A mixed platform: most need a few seconds, some tens of seconds, and slow ones stand beside the critical path as well as
on it. The RFC's own proportions are kept where it states them (Ceph is the slowest).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

SECONDS: dict[str, float] = {
    "metallb": 6,
    "cert-manager": 8,
    "ingress-nginx": 5,
    "external-dns": 4,
    "metallb-pools": 0,
    "cluster-issuers": 2,
    "ceph-operator": 8,
    "ceph-cluster": 30,
    "storage-classes": 3,
    "postgres-operator": 6,
    "redis-operator": 5,
    "prometheus": 20,
    "loki": 12,
    "tempo": 12,
    "grafana": 8,
    "opentelemetry-collector": 5,
    "vault": 24,
    "external-secrets-operator": 6,
    "secret-store": 3,
    "kyverno": 10,
    "kyverno-policies": 2,
    "keycloak-operator": 6,
    "keycloak": 12,
    "falco": 15,
    "postgres-platform": 18,
    "postgres-temporal": 15,
    "redis-platform": 12,
    "strimzi-operator": 8,
    "kafka-cluster": 20,
    "kafka-topics": 2,
    "harbor": 18,
    "backstage": 10,
    "tekton": 20,
    "tekton-triggers": 3,
    "kubevirt-operator": 8,
    "kubevirt": 15,
    "temporal-operator": 6,
    "temporal": 10,
    "snapshot-controller": 3,
    "velero": 6,
}

Edges = Iterable[tuple[str, str]]


def before(edges: Edges, names: Iterable[str]) -> dict[str, set[str]]:
    """Application -> the applications that it waits for."""
    found: dict[str, set[str]] = {name: set() for name in names}
    for dependency, dependent in edges:
        found[dependent].add(dependency)
    return found


def levels(parents: Mapping[str, set[str]]) -> dict[str, int]:
    """Application -> the number of its level: what sync waves, rolling steps and release groups go by."""
    found: dict[str, int] = {}
    while len(found) < len(parents):
        free = [name for name in parents if name not in found and parents[name] <= found.keys()]
        if not free:
            raise ValueError(f"a cycle among {', '.join(sorted(parents.keys() - found.keys()))}")
        found.update({name: max((found[parent] + 1 for parent in parents[name]), default=0) for name in free})
    return found


def critical_path(parents: Mapping[str, set[str]], seconds: Mapping[str, float]) -> list[str]:
    """The chain of applications that takes longest, by what each takes alone."""
    ends: dict[str, float] = {}
    for name in sorted(parents, key=lambda name: (levels(parents)[name], name)):
        ends[name] = seconds[name] + max((ends[parent] for parent in parents[name]), default=0.0)
    chain = [max(sorted(ends), key=lambda name: ends[name])]
    while parents[chain[0]]:
        chain.insert(0, max(sorted(parents[chain[0]]), key=lambda name: ends[name]))
    return chain
