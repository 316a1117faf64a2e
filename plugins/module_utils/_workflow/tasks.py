# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""One node of the plan as one task of the workflow.

What a task does is written once, in the ClusterWorkflowTemplates of the role workflow_templates; a task names one of
them and gives it its arguments.
"""

from __future__ import annotations

import json
import typing as t

from .._dag.names import task_name
from .settings import Settings, WorkflowError

Task = dict[str, t.Any]


class Template(t.NamedTuple):
    """A template inside a ClusterWorkflowTemplate."""

    cluster_template: str
    template: str

    def task(self, name: str, **arguments: t.Any) -> Task:
        task: Task = {
            "name": name,
            "templateRef": {"name": self.cluster_template, "template": self.template, "clusterScope": True},
        }
        if arguments:
            task["arguments"] = {
                "parameters": [{"name": key, "value": _text(value)} for key, value in arguments.items()]
            }
        return task


SYNC_AND_WAIT = Template("sync-and-wait", "sync-and-wait")
VALIDATE_APPLICATION = Template("validate", "application")
VALIDATE_RESOURCE = Template("validate", "resource")
VALIDATE_BOOTSTRAP = Template("validate", "bootstrap")
TAKE_AUTHORITY = Template("authority", "take")
RELEASE_AUTHORITY = Template("authority", "release")
REFUSE = Template("authority", "refuse")
SURVEY = Template("survey", "survey")

# What a survey asks about the node of a task: the same thing, without how long to wait for it.
_DO = {SYNC_AND_WAIT: "sync", VALIDATE_RESOURCE: "resource", VALIDATE_BOOTSTRAP: "bootstrap"}
_ASKED = ("application", "reference", "providers", "namespace", "release")

# The input of a dag template that holds the survey's answer.
REVISIONS = "revisions"


def deploy(node: t.Mapping[str, t.Any], nodes: t.Mapping[str, t.Any], settings: Settings) -> Task:
    """The task that brings the node about."""
    if node["kind"] == "resource" or node["managed_by"] == "bootstrap":
        return verify(node["name"], nodes, settings)
    return SYNC_AND_WAIT.task(
        task_name(node["name"]),
        application=node["application"],
        project=settings.project,
        resolved=f"{{{{= fromJSON(inputs.parameters.{REVISIONS})['{node['application']}'] ?? '' }}}}",
        sync_timeout_seconds=node["sync_timeout_seconds"],
        health_timeout_seconds=node["health_timeout_seconds"],
        settle_seconds=settings.settle_seconds,
        attempts=node["retries"]["attempts"],
        backoff_seconds=node["retries"]["backoff_seconds"],
    )


def verify(name: str, nodes: t.Mapping[str, t.Any], settings: Settings) -> Task:
    """The task that only looks whether the node stands. A name that is no node is a resource from outside the graph."""
    node = nodes.get(name)
    if node is None or node["kind"] == "resource":
        providers = node["depends_on"] if node is not None else []
        return VALIDATE_RESOURCE.task(
            task_name(name),
            reference=name,
            providers=",".join(nodes[provider]["application"] for provider in providers),
            project=settings.project,
            **({"health_timeout_seconds": node["health_timeout_seconds"]} if node is not None else {}),
        )
    if node["managed_by"] == "bootstrap":
        place = settings.bootstrap.get(node["application"])
        if place is None:
            installed = ", ".join(sorted(settings.bootstrap)) or "nothing"
            raise WorkflowError(
                f"application {name} is managed by the bootstrap, which installs no {node['application']} here: "
                f"enable it, or take it out of the graph. Installed: {installed}"
            )
        return VALIDATE_BOOTSTRAP.task(task_name(name), namespace=place.namespace, release=place.release)
    return VALIDATE_APPLICATION.task(task_name(name), application=node["application"], project=settings.project)


def surveyed(task: Task) -> dict[str, str]:
    """The node of a task as a survey looks at it."""
    reference = task["templateRef"]
    asked = {item["name"]: item["value"] for item in task["arguments"]["parameters"] if item["name"] in _ASKED}
    return {"do": _DO[Template(reference["name"], reference["template"])], **asked}


def _text(value: t.Any) -> str:
    """Parameters of a workflow are text."""
    return value if isinstance(value, str) else json.dumps(value)
