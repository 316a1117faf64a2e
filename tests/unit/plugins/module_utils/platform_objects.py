# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A platform as the Kubernetes API describes it, for the tests of its judges."""

from __future__ import annotations

import copy
import datetime
import typing as t

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.plan import make_plan
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.reader import read_graph
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.source import Source
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._platform.facts import (
    Facts,
    Place,
    Rules,
    Settings,
)

COMMIT = "61d3f50e7684f9eec4abcf85e9014e7a850a4451"
OTHER_COMMIT = "0b6e5a3d9c8f7e6d5c4b3a291807f6e5d4c3b2a1"
REPOSITORY = "https://git.example.com/platform.git"
NOW = datetime.datetime(2026, 11, 16, 12, 0, 0, tzinfo=datetime.UTC)
RECENT = "2026-11-16T11:59:30Z"

GRAPH = {
    "version": 1,
    "stacks": {
        "base": {"applications": {"metallb": {}, "sealed-secrets": {"managed_by": "bootstrap"}}},
        "data": {
            "applications": {
                "operator": {"depends_on": ["metallb"], "provides": ["resource:postgresqls.acid.zalan.do"]},
                "database": {"depends_on": ["operator", "resource:postgresqls.acid.zalan.do"]},
            }
        },
        "apps": {"applications": {"backstage": {"depends_on": ["database", "sealed-secrets"]}}},
    },
}
NAMES = ("metallb", "operator", "database", "backstage")

SETTINGS = Settings(
    project="platform",
    argocd_namespace="argocd",
    workflows_namespace="argo",
    steady_state="pinned",
    components={"sealed-secrets": Place("kube-system", "sealed-secrets"), "argo-cd": Place("argocd", "argocd")},
    tokens={"orchestrator": "deploy-ops-argocd-token"},
    token_warn_seconds=14 * 86400,
    kinds_without_health=(),
    compliance=True,
    now=NOW,
)


def plan(scope: str = "platform", graph: dict[str, t.Any] | None = None) -> dict[str, t.Any]:
    return make_plan(read_graph(Source("spec", copy.deepcopy(graph or GRAPH))), scope)


def resource(kind: str = "Deployment", group: str = "apps", **fields: t.Any) -> dict[str, t.Any]:
    return {"kind": kind, "group": group, "name": "x", "namespace": "default", "status": "Synced", **fields}


def application(name: str = "metallb", **changes: t.Any) -> dict[str, t.Any]:
    """One that stands. `changes` replace whole keys of spec and status, and `annotations`, `project`."""
    source = changes.pop("source", {"repoURL": REPOSITORY, "path": f"apps/{name}", "targetRevision": COMMIT})
    destination = {"server": "https://kubernetes.default.svc", "namespace": changes.pop("namespace", "default")}
    revision = changes.pop("revision", COMMIT)
    body: dict[str, t.Any] = {
        "metadata": {"name": name, "namespace": "argocd", "annotations": changes.pop("annotations", {})},
        "spec": {
            "project": changes.pop("project", "platform"),
            "source": source,
            "destination": destination,
            "syncPolicy": {"automated": {"prune": True, "selfHeal": True}},
        },
        "status": {
            "health": {"status": changes.pop("health", "Healthy"), "lastTransitionTime": RECENT},
            "sync": {
                "status": changes.pop("sync", "Synced"),
                "revision": revision,
                "comparedTo": {"source": source, "destination": destination},
            },
            "reconciledAt": changes.pop("compared", RECENT),
            "history": [{"id": 0, "revision": changes.pop("deployed", COMMIT)}],
            "resources": changes.pop("resources", [resource(name=name)]),
        },
    }
    if "automated" in changes:
        body["spec"]["syncPolicy"] = {"automated": changes.pop("automated")}
    if changes.pop("deleting", False):
        body["metadata"]["deletionTimestamp"] = RECENT
    body["status"].update(changes)
    return body


def root(**changes: t.Any) -> dict[str, t.Any]:
    source = {"repoURL": REPOSITORY, "path": "charts/root", "targetRevision": "main"}
    children = [resource("Application", "argoproj.io", name=name, namespace="argocd") for name in NAMES]
    given = {"project": "platform-root", "source": source, "resources": children, "automated": None, **changes}
    return application("platform-root", **given)


def workload(
    image: str = "quay.io/argoproj/argocd:v3.5.2", ready: int = 1, wanted: int = 1, name: str = "argocd-server"
) -> dict[str, t.Any]:
    return {
        "kind": "Deployment",
        "metadata": {"name": name, "namespace": "argocd", "generation": 1},
        "spec": {"replicas": wanted, "template": {"spec": {"containers": [{"name": "main", "image": image}]}}},
        "status": {
            "observedGeneration": 1,
            "replicas": wanted,
            "updatedReplicas": wanted,
            "availableReplicas": ready,
            "readyReplicas": ready,
        },
    }


def rules(**changes: t.Any) -> Rules:
    return Rules(
        projects={"platform": {"metadata": {"name": "platform"}, "spec": {"destinations": [{"namespace": "default"}]}}},
        argocd={
            "resource.customizations.health.argoproj.io_Application": "hs = {}",
            "timeout.reconciliation": "120s",
        },
        definitions=frozenset({"postgresqls.acid.zalan.do", "applications.argoproj.io", "ipaddresspools.metallb.io"}),
        tokens={"deploy-ops-argocd-token": token("2027-02-01T00:00:00Z")},
        manifests={name: [] for name in NAMES},
    )._replace(**changes)


def token(expires: str) -> dict[str, t.Any]:
    notes = {"deploy-ops.proficientnow.com/token-expires": expires}
    return {"metadata": {"name": "deploy-ops-argocd-token", "annotations": notes}}


def facts(*applications: dict[str, t.Any], **changes: t.Any) -> Facts:
    """A Healthy platform, with these Applications in place of those of the same name."""
    named = {one["metadata"].get("name"): one for one in [*map(application, NAMES), root(), *applications]}
    return Facts(
        applications=list(named.values()),
        components={
            "sealed-secrets": [workload("docker.io/bitnami/sealed-secrets-controller:0.36.1")],
            "argo-cd": [workload()],
        },
        runs=[],
        resources={"resource:postgresqls.acid.zalan.do": {"status": {}}},
        details={},
        events={},
        rules=rules(),
    )._replace(**changes)


def job(command: t.Any, hook: str = "PreSync", name: str = "wait", **fields: t.Any) -> dict[str, t.Any]:
    """A Job with one container, as a hook."""
    container = {"name": "main", "image": "bitnami/kubectl:1.34", "command": command, **fields}
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": name, "annotations": {"argocd.argoproj.io/hook": hook} if hook else {}},
        "spec": {"template": {"spec": {"containers": [container]}}},
    }
