# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""What a run finds in the cluster before it starts, read in one go: a task of its own for each costs a second."""

from __future__ import annotations

import time
import typing as t

from .._kube.api import KubeApi, KubeError
from .run import RUN_LABEL

REFRESH = "argocd.argoproj.io/refresh"
_ROOT = "/apis/argoproj.io/v1alpha1"
_INTERVAL = 0.3

Object = dict[str, t.Any]


class Places(t.NamedTuple):
    argocd_namespace: str
    # The Root Application
    root: str
    # Where workflows run
    namespace: str


def look(api: KubeApi, places: Places, template: t.Mapping[str, t.Any], refresh_timeout: float) -> Object:
    """With a refresh timeout of 0, Root is taken as it stands."""
    applications = f"{_ROOT}/namespaces/{places.argocd_namespace}/applications"
    if refresh_timeout:
        refresh(api, f"{applications}/{places.root}", refresh_timeout)
    found = api.items(applications)
    workflows = f"{_ROOT}/namespaces/{places.namespace}"
    live = api.get(f"{workflows}/workflowtemplates/{template['metadata']['name']}")
    return {
        "root": next((item for item in found if item["metadata"]["name"] == places.root), None),
        "applications": {item["metadata"]["name"]: item["spec"]["project"] for item in found},
        "installed": live is not None and is_installed(live, template),
        "missing_templates": missing_templates(template, api.items(f"{_ROOT}/clusterworkflowtemplates")),
        "workflows": [_run(item) for item in api.items(f"{workflows}/workflows", labelSelector=RUN_LABEL)],
    }


def refresh(api: KubeApi, path: str, timeout: float, sleep: t.Callable[[float], None] = time.sleep) -> None:
    """Let Argo CD compare an Application anew, and wait until it has. One that does not exist is left so."""
    try:
        api.merge(path, {"metadata": {"annotations": {REFRESH: "normal"}}})
    except KubeError as error:
        if error.status == 404:
            return
        raise
    deadline = time.monotonic() + timeout
    while REFRESH in (((api.get(path) or {}).get("metadata") or {}).get("annotations") or {}):
        if time.monotonic() >= deadline:
            raise KubeError(
                f"Argo CD has not compared {path.rpartition('/')[2]} within {timeout:.0f} s: "
                "check its application controller, then run again"
            )
        sleep(_INTERVAL)


def is_installed(live: t.Mapping[str, t.Any], template: t.Mapping[str, t.Any]) -> bool:
    """Whether the template in the cluster is this one; labels and annotations of others do not count."""
    annotations = live["metadata"].get("annotations") or {}
    wanted = template["metadata"].get("annotations") or {}
    return live.get("spec") == template["spec"] and all(annotations.get(key) == wanted[key] for key in wanted)


def missing_templates(template: t.Mapping[str, t.Any], found: t.Iterable[t.Mapping[str, t.Any]]) -> list[str]:
    """What the tasks refer to and no ClusterWorkflowTemplate has: the installed ones are older, or others."""
    known = {(item["metadata"]["name"], part["name"]) for item in found for part in item["spec"].get("templates") or []}
    wanted = {
        (task["templateRef"]["name"], task["templateRef"]["template"])
        for part in template["spec"]["templates"]
        for task in (part.get("dag") or {}).get("tasks") or []
        if "templateRef" in task
    }
    return sorted("/".join(names) for names in wanted - known)


def _run(workflow: Object) -> Object:
    """A workflow weighs a hundred kilobytes; to choose the next run, its name, its key and its phase are enough."""
    metadata = workflow["metadata"]
    return {
        "metadata": {"name": metadata["name"], "labels": {RUN_LABEL: metadata["labels"][RUN_LABEL]}},
        "status": {"phase": (workflow.get("status") or {}).get("phase", "")},
    }
