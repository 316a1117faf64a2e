# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Reads the cluster: everything that the checks ask for, at once."""

from __future__ import annotations

import functools
import typing as t

from .. import nodes as node_facts
from ..capacity import Requested
from ..check import Unknown
from ..cluster import DnsPod
from ..components import KINDS, SHARED_NAMESPACES, Component
from ..leftovers import CrdFact, NamespaceFact
from ..permissions import Access
from ..view import ClusterView, Release, unseen
from . import helm_record, pods
from .kube import METADATA, KubeError, KubeReader
from .parallel import Deadline, Job, run

# Where distributions keep their DNS pods; the first place that has any counts.
DNS_PODS = (
    ("kube-system", "k8s-app=kube-dns"),
    ("openshift-dns", "dns.operator.openshift.io/daemonset-dns=default"),
)
SEALING_KEY_LABEL = "sealedsecrets.bitnami.com/sealed-secrets-key"


def look(
    reader: KubeReader, components: t.Sequence[Component], accesses: t.Sequence[Access], deadline: Deadline
) -> ClusterView:
    try:
        version = str(reader.get("/version").get("gitVersion"))
    except KubeError as exc:
        if exc.status == 0 or exc.status >= 500:
            return unseen(Unknown(str(exc)), accesses)
        # It answers, and tells its version not to everybody; a wrong token gets 401 even for this.
        version = f"answers (HTTP {exc.status})"
    try:
        reader.allowed(Access("list", "", "nodes", ""))
    except KubeError as exc:
        why = Unknown("the API server refuses the credentials" if exc.status == 401 else str(exc), reported=True)
        view = unseen(why, accesses, version)
        return view._replace(authenticated=False if exc.status == 401 else Unknown(str(exc)))
    return _look(reader, version, components, accesses, deadline)


def _look(
    reader: KubeReader,
    version: str,
    components: t.Sequence[Component],
    accesses: t.Sequence[Access],
    deadline: Deadline,
) -> ClusterView:
    shared = [component for component in components if component.namespace in SHARED_NAMESPACES]
    reads: dict[t.Any, t.Callable[[], t.Any]] = {
        "uid": lambda: reader.get("/api/v1/namespaces/kube-system")["metadata"]["uid"],
        "nodes": lambda: [node_facts.from_api(item) for item in reader.items("/api/v1/nodes")],
        "requested": functools.partial(_requested, reader),
        "dns_pods": functools.partial(_dns_pods, reader),
        "namespaces": functools.partial(_namespaces, reader),
        "crds": functools.partial(_crds, reader),
        "releases": functools.partial(_releases, reader),
        "shared_deployments": functools.partial(_deployments, reader, shared),
        "sealing_keys": functools.partial(_sealing_keys, reader),
        "storage_classes": functools.partial(_storage_classes, reader),
    }
    reads.update((access, functools.partial(reader.allowed, access)) for access in accesses)
    answers = run({key: Job(functools.partial(_known, ask)) for key, ask in reads.items()}, deadline)
    # Two questions depend on earlier answers: which nodes there are, and which releases.
    disks = {node.name: Job(functools.partial(_disk_free, reader, node.name)) for node in _usable(answers["nodes"])}
    marks = functools.partial(_shared_releases, reader, shared, answers["releases"])
    later = run({**disks, ("marks",): Job(functools.partial(_known, marks))}, deadline)
    return ClusterView(
        version=version,
        authenticated=True,
        disk_free={name: later[name] for name in disks},
        shared_releases=later[("marks",)],
        permissions={access: answers[access] for access in accesses},
        **{key: answers[key] for key in reads if isinstance(key, str)},
    )


def _known(job: t.Callable[[], t.Any]) -> t.Any:
    try:
        return job()
    except KubeError as exc:
        if exc.status == 403:
            # The permissions check names it.
            return Unknown("the right to read this is missing", reported=True)
        return Unknown(str(exc))


def _usable(nodes: list[node_facts.Node] | Unknown) -> list[node_facts.Node]:
    return [] if isinstance(nodes, Unknown) else node_facts.usable(nodes)


def _requested(reader: KubeReader) -> dict[str, Requested]:
    active = "status.phase!=Succeeded,status.phase!=Failed"
    return pods.requested_by_node(reader.items("/api/v1/pods", fieldSelector=active))


def _dns_pods(reader: KubeReader) -> list[DnsPod]:
    for namespace, selector in DNS_PODS:
        items = reader.items(f"/api/v1/namespaces/{namespace}/pods", labelSelector=selector)
        if items:
            return [
                DnsPod(item["metadata"]["name"], pods.is_ready(item), (item.get("status") or {}).get("phase", ""))
                for item in items
            ]
    return []


def _namespaces(reader: KubeReader) -> dict[str, NamespaceFact]:
    return {
        item["metadata"]["name"]: NamespaceFact(item["metadata"].get("labels") or {}, _terminating(item))
        for item in reader.items("/api/v1/namespaces", accept=METADATA)
    }


def _crds(reader: KubeReader) -> dict[str, CrdFact]:
    path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
    return {
        item["metadata"]["name"]: CrdFact(_helm_release(item), _terminating(item))
        for item in reader.items(path, accept=METADATA)
    }


def _terminating(item: t.Mapping[str, t.Any]) -> bool:
    return bool(item["metadata"].get("deletionTimestamp"))


def _helm_release(item: t.Mapping[str, t.Any]) -> tuple[str, str] | None:
    annotations = item["metadata"].get("annotations") or {}
    name = annotations.get("meta.helm.sh/release-name")
    return (annotations.get("meta.helm.sh/release-namespace", ""), name) if name else None


def _releases(reader: KubeReader) -> list[Release]:
    newest: dict[tuple[str, str], Release] = {}
    for item in reader.items("/api/v1/secrets", accept=METADATA, labelSelector="owner=helm"):
        labels = item["metadata"].get("labels") or {}
        namespace, name = item["metadata"]["namespace"], labels.get("name", "")
        revision = int(labels.get("version", "0"))
        known = newest.get((namespace, name))
        if known is None or revision > known.revision:
            newest[(namespace, name)] = Release(namespace, name, revision, labels.get("status", ""))
    return sorted(newest.values())


def _shared_releases(
    reader: KubeReader, components: t.Sequence[Component], releases: list[Release] | Unknown
) -> dict[tuple[str, str], bool] | Unknown:
    if isinstance(releases, Unknown):
        return releases
    wanted = {(component.namespace, component.release) for component in components}
    return {
        (release.namespace, release.name): helm_record.is_ours(reader, release)
        for release in releases
        if (release.namespace, release.name) in wanted
    }


def _deployments(reader: KubeReader, components: t.Sequence[Component]) -> dict[tuple[str, str], t.Any]:
    found = {}
    for component in components:
        name = KINDS[component.name].deployment
        try:
            item = reader.get(f"/apis/apps/v1/namespaces/{component.namespace}/deployments/{name}")
        except KubeError as exc:
            if exc.status != 404:
                raise
        else:
            found[(component.namespace, name)] = item["metadata"].get("labels") or {}
    return found


def _sealing_keys(reader: KubeReader) -> list[str]:
    items = reader.items("/api/v1/secrets", accept=METADATA, labelSelector=SEALING_KEY_LABEL)
    return sorted(f"{item['metadata']['namespace']}/{item['metadata']['name']}" for item in items)


def _storage_classes(reader: KubeReader) -> list[str]:
    items = reader.items("/apis/storage.k8s.io/v1/storageclasses", accept=METADATA)
    return sorted(item["metadata"]["name"] for item in items)


def _disk_free(reader: KubeReader, node: str) -> int | Unknown:
    """What the kubelet counts itself, through the API server's node proxy, where that is allowed."""
    try:
        summary = reader.get(f"/api/v1/nodes/{node}/proxy/stats/summary")
    except KubeError as exc:
        return Unknown(f"{node}: {exc}", reported=True)
    stats = summary.get("node") or {}
    systems = (stats.get("fs"), (stats.get("runtime") or {}).get("imageFs"))
    free = [int(system["availableBytes"]) for system in systems if system and "availableBytes" in system]
    return min(free) if free else Unknown(f"{node}: the kubelet does not count its disk", reported=True)
