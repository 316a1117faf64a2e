# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Reads from the cluster everything that a teardown decides by."""

from __future__ import annotations

import json
import typing as t
from types import MappingProxyType

from .._kube.api import KubeApi
from .settings import Settings

ARGO = "/apis/argoproj.io/v1alpha1"
KARGO = "kargo.akuity.io/v1alpha1"
SNAPSHOTS = "snapshot.storage.k8s.io/v1"
IN_CLUSTER = ("https://kubernetes.default.svc", "in-cluster")

Object = dict[str, t.Any]
Plan = t.Mapping[str, t.Any]


class Seen(t.NamedTuple):
    """Objects as the API returns them."""

    has_argocd: bool
    applications: t.Mapping[str, Object] = MappingProxyType({})
    application_sets: tuple[Object, ...] = ()
    project: Object | None = None
    workflows: tuple[Object, ...] = ()
    record: Object | None = None
    claims: tuple[Object, ...] = ()
    volumes: t.Mapping[str, Object] = MappingProxyType({})
    stateful_sets: tuple[Object, ...] = ()
    namespaces: t.Mapping[str, Object] = MappingProxyType({})
    # Kargo's objects that say what is promoted by itself; each with its path
    promoters: tuple[tuple[str, Object], ...] = ()
    has_snapshots: bool = False
    snapshot_classes: tuple[Object, ...] = ()
    snapshots: tuple[Object, ...] = ()
    # Path by (api version, kind, namespace, name) of everything that the applications have
    paths: t.Mapping[tuple[str, str, str, str], str] = MappingProxyType({})

    @property
    def recorded(self) -> dict[str, t.Any]:
        """What an earlier run of this teardown wrote down."""
        return json.loads(((self.record or {}).get("data") or {}).get("record") or "{}")


def see(api: KubeApi, plan: Plan, settings: Settings) -> Seen:
    served = {entry["name"] for entry in (api.get(ARGO) or {}).get("resources") or []}
    if "applications" not in served:
        return Seen(False, **_volumes(api, set(settings.namespaces)))
    argocd = f"{ARGO}/namespaces/{settings.argocd_namespace}"
    applications = {item["metadata"]["name"]: item for item in api.items(f"{argocd}/applications")}
    record = api.get(f"/api/v1/namespaces/{settings.workflows_namespace}/configmaps/{settings.record}")
    seen = Seen(
        True,
        applications=applications,
        application_sets=tuple(api.items(f"{argocd}/applicationsets")) if "applicationsets" in served else (),
        project=api.get(f"{argocd}/appprojects/{settings.project}"),
        workflows=tuple(
            api.items(
                f"{ARGO}/namespaces/{settings.workflows_namespace}/workflows",
                labelSelector="deploy-ops.proficientnow.com/run",
            )
            if "workflows" in served
            else ()
        ),
        record=record,
        promoters=tuple(_promoters(api)),
    )
    removed = [applications[name] for name in application_names(plan) if name in applications]
    recorded = {one for node in seen.recorded.get("nodes", {}).values() for one in node.get("namespaces", [])}
    namespaces = {one for app in removed for one in namespaces_of(app)} | recorded | set(settings.namespaces)
    return seen._replace(paths=_paths(api, removed), **_volumes(api, namespaces), **_snapshots(api, namespaces))


def application_names(plan: Plan) -> dict[str, str]:
    """Of each Application that the plan removes, its node."""
    return {
        node["application"]: name
        for name, node in plan["nodes"].items()
        if node["kind"] == "application" and node["managed_by"] == "argocd"
    }


def is_local(app: Object) -> bool:
    """Whether the Application deploys into the cluster that it is in; only that one can be looked at."""
    destination = app["spec"].get("destination") or {}
    return (destination.get("server") or destination.get("name") or IN_CLUSTER[0]) in IN_CLUSTER


def resources_of(app: Object) -> list[Object]:
    return (app.get("status") or {}).get("resources") or [] if is_local(app) else []


def namespaces_of(app: Object) -> set[str]:
    if not is_local(app):
        return set()
    target = (app["spec"].get("destination") or {}).get("namespace")
    found = {item["namespace"] for item in resources_of(app) if item.get("namespace")}
    return found | ({target} if target else set())


def resource_key(resource: Object) -> tuple[str, str, str, str]:
    group, version = resource.get("group") or "", resource.get("version") or "v1"
    api_version = f"{group}/{version}" if group else version
    return api_version, resource["kind"], resource.get("namespace") or "", resource["name"]


def _paths(api: KubeApi, applications: t.Iterable[Object]) -> dict[tuple[str, str, str, str], str]:
    keys = {resource_key(resource) for app in applications for resource in resources_of(app)}
    found = {key: api.path_of(*key) for key in sorted(keys)}
    return {key: path for key, path in found.items() if path is not None}


def _volumes(api: KubeApi, namespaces: t.Iterable[str]) -> dict[str, t.Any]:
    claims, stateful_sets, existing = [], [], {}
    for namespace in sorted(namespaces):
        found = api.get(f"/api/v1/namespaces/{namespace}")
        if found is None:
            continue
        existing[namespace] = found
        claims += api.items(f"/api/v1/namespaces/{namespace}/persistentvolumeclaims")
        stateful_sets += api.items(f"/apis/apps/v1/namespaces/{namespace}/statefulsets")
    volumes = {item["metadata"]["name"]: item for item in api.items("/api/v1/persistentvolumes")}
    return {
        "claims": tuple(claims),
        "stateful_sets": tuple(stateful_sets),
        "namespaces": existing,
        "volumes": volumes,
    }


def _snapshots(api: KubeApi, namespaces: t.Iterable[str]) -> dict[str, t.Any]:
    if api.path_of(SNAPSHOTS, "VolumeSnapshot") is None:
        return {}
    return {
        "has_snapshots": True,
        "snapshot_classes": tuple(api.items(f"/apis/{SNAPSHOTS}/volumesnapshotclasses")),
        "snapshots": tuple(
            item
            for namespace in sorted(namespaces)
            for item in api.items(f"/apis/{SNAPSHOTS}/namespaces/{namespace}/volumesnapshots")
        ),
    }


def _promoters(api: KubeApi) -> t.Iterator[tuple[str, Object]]:
    for kind in ("Project", "ProjectConfig", "Stage"):
        path = api.path_of(KARGO, kind)
        for item in api.items(path) if path is not None else []:
            metadata = item["metadata"]
            yield t.cast(str, api.path_of(KARGO, kind, metadata.get("namespace") or "", metadata["name"])), item
