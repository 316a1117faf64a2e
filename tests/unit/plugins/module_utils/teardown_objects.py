# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A small platform as the API server shows it, for the tests of the teardown."""

from __future__ import annotations

import json
import typing as t

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.plan import make_plan
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.reader import read_graph
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.source import Source
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._teardown.seen import Seen
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._teardown.settings import Settings

Object = dict[str, t.Any]

SETTINGS = Settings("platform", "argocd", "argo", environment="local")
GRAPH = {
    "version": 1,
    "stacks": {
        "data": {
            "applications": {"operator": {"provides": ["resource:dbs.example.com"]}, "db": {"depends_on": ["operator"]}}
        },
        "apps": {"applications": {"web": {"depends_on": ["db"]}}},
    },
}


def plan(scope: str = "platform") -> dict[str, t.Any]:
    return make_plan(read_graph(Source("dag", GRAPH)), scope, "dag", "teardown")


def resource(kind: str, name: str, group: str = "apps", namespace: str = "data") -> Object:
    return {"group": group, "version": "v1", "kind": kind, "namespace": namespace, "name": name}


def application(name: str, *resources: Object, namespace: str = "data", **metadata: t.Any) -> Object:
    spec = {"project": "platform", "destination": {"server": "https://kubernetes.default.svc", "namespace": namespace}}
    return {"metadata": {"name": name, **metadata}, "spec": spec, "status": {"resources": list(resources)}}


def claim(name: str, volume: str = "pv-1", namespace: str = "data", **metadata: t.Any) -> Object:
    return {"metadata": {"name": name, "namespace": namespace, **metadata}, "spec": {"volumeName": volume}}


def volume(name: str = "pv-1", reclaim: str = "Delete", **metadata: t.Any) -> Object:
    spec = {"persistentVolumeReclaimPolicy": reclaim, "capacity": {"storage": "1Gi"}}
    return {"metadata": {"name": name, **metadata}, "spec": spec}


def stateful_set(name: str = "db", **spec: t.Any) -> Object:
    templates = [{"metadata": {"name": "data"}}]
    return {"metadata": {"name": name, "namespace": "data"}, "spec": {"volumeClaimTemplates": templates, **spec}}


SET = resource("StatefulSet", "db")
ROOT = application("platform-root", {**resource("Application", "db", "argoproj.io", "argocd")}, namespace="argocd")


def seen(**changes: t.Any) -> Seen:
    """db, a StatefulSet with one claim; its operator; web; all under Root."""
    applications = {
        "operator": application(
            "operator", resource("CustomResourceDefinition", "dbs.example.com", "apiextensions.k8s.io", "")
        ),
        "db": application("db", SET),
        "web": application("web", namespace="apps"),
        "platform-root": ROOT,
    }
    fields: dict[str, t.Any] = {
        "applications": applications,
        "project": {"metadata": {"name": "platform"}, "spec": {}},
        "claims": (claim("data-db-0"),),
        "volumes": {"pv-1": volume()},
        "stateful_sets": (stateful_set(),),
        "namespaces": {"data": {"metadata": {"name": "data"}}},
        "paths": {
            ("apps/v1", "StatefulSet", "data", "db"): "/apis/apps/v1/namespaces/data/statefulsets/db",
            ("apiextensions.k8s.io/v1", "CustomResourceDefinition", "", "dbs.example.com"): (
                "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/dbs.example.com"
            ),
        },
    }
    return Seen(True, **{**fields, **changes})


def recorded(nodes: t.Mapping[str, t.Any]) -> Object:
    return {"data": {"record": json.dumps({"nodes": nodes})}}
