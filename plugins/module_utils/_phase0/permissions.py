# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""What the bootstrap does to the cluster, asked one by one with SelfSubjectAccessReviews (RFC 3.2.4, 6.1)."""

from __future__ import annotations

import typing as t

from .check import Check, Rule, Unknown, listing
from .components import KINDS, Component

_INSTALL = ("get", "list", "create", "patch", "delete")
_READ = ("get", "list")

# (API group, resource, verbs), without a namespace: cluster scope, or a list over all namespaces.
CLUSTER = (
    ("", "nodes", _READ),
    ("", "pods", ("list",)),
    ("", "secrets", ("list",)),
    ("", "namespaces", ("get", "list", "create", "patch")),
    ("apiextensions.k8s.io", "customresourcedefinitions", _INSTALL),
    # escalate and bind: Argo CD's role holds rights that the person who installs it need not hold one by one.
    ("rbac.authorization.k8s.io", "clusterroles", (*_INSTALL, "escalate", "bind")),
    ("rbac.authorization.k8s.io", "clusterrolebindings", _INSTALL),
    ("storage.k8s.io", "storageclasses", ("list",)),
)

# In the namespace of every component.
NAMESPACE = (
    ("", "configmaps", _INSTALL),
    ("", "events", ("list",)),
    ("", "persistentvolumeclaims", _READ),
    ("", "pods", ("get", "list", "delete")),
    ("", "pods/log", ("get",)),
    ("", "secrets", _INSTALL),
    ("", "serviceaccounts", _INSTALL),
    ("", "services", _INSTALL),
    ("apps", "deployments", _INSTALL),
    ("apps", "statefulsets", _INSTALL),
    ("batch", "jobs", _INSTALL),
    ("networking.k8s.io", "networkpolicies", _INSTALL),
    ("policy", "poddisruptionbudgets", _INSTALL),
    ("rbac.authorization.k8s.io", "roles", (*_INSTALL, "escalate", "bind")),
    ("rbac.authorization.k8s.io", "rolebindings", _INSTALL),
)


class Access(t.NamedTuple):
    """One question to the API server; an empty namespace means cluster scope."""

    verb: str
    group: str
    resource: str
    namespace: str

    @property
    def text(self) -> str:
        return f"{self.verb} {self.resource}{'.' if self.group else ''}{self.group}"


def needed(components: t.Iterable[Component]) -> list[Access]:
    """Every access that the bootstrap of these components needs."""
    wanted: dict[Access, None] = dict.fromkeys(_accesses(CLUSTER, ""))
    for component in components:
        kind = KINDS[component.name]
        wanted.update(dict.fromkeys(_accesses(NAMESPACE, component.namespace)))
        wanted.update(dict.fromkeys(_accesses([(*own, _INSTALL) for own in kind.namespaced], component.namespace)))
        wanted.update(dict.fromkeys(_accesses([(*own, _INSTALL) for own in kind.cluster_scoped], "")))
    return list(wanted)


def _accesses(rows: t.Iterable[tuple[str, str, tuple[str, ...]]], namespace: str) -> t.Iterator[Access]:
    for group, resource, verbs in rows:
        for verb in verbs:
            yield Access(verb, group, resource, namespace)


def evaluate(answers: t.Mapping[Access, bool | Unknown]) -> list[Check]:
    scopes: dict[str, dict[Access, bool | Unknown]] = {}
    for access, answer in answers.items():
        scopes.setdefault(access.namespace, {})[access] = answer
    return [_judge(scope, scopes[scope]) for scope in sorted(scopes)]


def _judge(namespace: str, answers: t.Mapping[Access, bool | Unknown]) -> Check:
    rule = Rule(
        id=f"permissions.{namespace or 'cluster'}",
        title=f"Rights in namespace {namespace}" if namespace else "Rights in the whole cluster",
        wanted=f"all {len(answers)} rights that the bootstrap uses there",
        fix="Use a kubeconfig with cluster-admin, or have these rights granted.",
    )
    for answer in answers.values():
        if isinstance(answer, Unknown):
            return rule.unknown(answer)
    denied = [access.text for access, allowed in answers.items() if not allowed]
    if denied:
        return rule.failed(f"{len(denied)} of {len(answers)} denied: {listing(denied, limit=20)}")
    return rule.passed(f"all {len(answers)} allowed")
