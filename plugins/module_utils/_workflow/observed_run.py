# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""A run as the cluster knows it: its Workflow, and the plan that is stored beside it."""

from __future__ import annotations

import json
import typing as t

from .._kube.api import KubeApi, KubeError
from .definition import PLAN_ANNOTATION
from .run import RUN_LABEL
from .scopes import PLATFORM
from .stored_plan import part_of

Workflow = t.Mapping[str, t.Any]

_WORKFLOWS = "/apis/argoproj.io/v1alpha1/namespaces/{}/workflows"


def find_run(api: KubeApi, namespace: str, name: str = "") -> Workflow:
    """The run of that name, or the newest. Raises KubeError when there is none."""
    path = _WORKFLOWS.format(namespace)
    if not name:
        # Their state may weigh a MiB each: only the chosen one is read.
        runs = api.metadata_items(path, labelSelector=RUN_LABEL)
        if not runs:
            raise KubeError(
                f"there is no run in the namespace {namespace}: none was started yet, or the last one is so long ago"
                " that its Workflow was removed. Is this the right cluster?",
                404,
            )
        _created, name = max((run["metadata"]["creationTimestamp"], run["metadata"]["name"]) for run in runs)
    found = api.get(f"{path}/{name}")
    if found is None:
        raise KubeError(f"there is no Workflow {name} in the namespace {namespace}", 404)
    return found


def plan_of(api: KubeApi, workflow: Workflow) -> dict[str, t.Any]:
    """The plan for the scope of the run. A Workflow that an event has started has it at its template only."""
    text = _annotation(workflow)
    reference = (workflow["spec"].get("workflowTemplateRef") or {}).get("name")
    if not text and reference:
        namespace = workflow["metadata"]["namespace"]
        path = f"/apis/argoproj.io/v1alpha1/namespaces/{namespace}/workflowtemplates/{reference}"
        text = _annotation(api.get(path) or {"metadata": {}})
    if not text:
        raise KubeError(
            f"the Workflow {workflow['metadata']['name']} has no plan ({PLAN_ANNOTATION}): it was started by an older"
            " version, or its graph is too large to be stored"
        )
    return part_of(json.loads(text), _scope(workflow))


def _annotation(thing: Workflow) -> str:
    return (thing["metadata"].get("annotations") or {}).get(PLAN_ANNOTATION) or ""


def _scope(workflow: Workflow) -> str:
    parameters = (workflow["spec"].get("arguments") or {}).get("parameters") or []
    return next((item.get("value") or PLATFORM for item in parameters if item["name"] == "scope"), PLATFORM)
