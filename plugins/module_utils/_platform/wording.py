# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""What the report says to the person on call: first lines, advice, exact commands."""

from __future__ import annotations

import typing as t

from .facts import Body, Settings
from .finding import BLOCKING, INFO, WARNING, Finding
from .health import HEALTHY, State

_PLAYBOOK = "ansible-playbook proficientnow.deploy_ops."
_SHOWN = 5

_ADVICE = {
    "NoApplication": "Let Root create the Application {name}, or take it out of dag.yaml.",
    "Deleting": "Wait until it is gone, or find out who deletes it.",
    "InvalidSpecError": "Correct the Application, its AppProject or its destination in Git.",
    "ComparisonError": "Argo CD cannot make its manifests: look at repository, path, chart and credentials.",
    "SyncFailed": "Correct the manifest that the message names, then deploy it again.",
    "Suspended": "Somebody paused it: resume it when the reason is gone.",
    "OutOfSync": "Argo CD puts it back by itself unless the authority is held; otherwise deploy it again.",
    "NotInstalled": f"Run: {_PLAYBOOK}bootstrap",
    "NotReady": "Look at its pods.",
    "NotRead": "Run it with a kubeconfig that may read it.",
    "NoResource": "The application that provides it does not bring it: look at that one first.",
    "HealthUnknown": "A health check failed or the cluster does not answer Argo CD: look at its controller's log.",
    "SyncUnknown": "Argo CD could not compare it: look at its controller's log.",
}


def recommendation(name: str, state: State) -> str:
    if state.state == HEALTHY:
        return ""
    return _ADVICE.get(state.reason, "Look at the resource that the message names.").format(name=name)


def summary(
    outcome: str,
    nodes: t.Sequence[Body],
    findings: t.Sequence[Finding],
    roots: t.Sequence[str],
    risks: t.Mapping[str, list[str]],
    runs: t.Sequence[str],
) -> list[str]:
    healthy = sum(node["state"] == HEALTHY for node in nodes)
    counts = [
        f"{sum(one.severity == severity for one in findings)} {severity}" for severity in (BLOCKING, WARNING, INFO)
    ]
    lines = [f"{outcome}: {healthy} of {len(nodes)} nodes are Healthy; findings: {', '.join(counts)}."]
    if runs:
        lines.append(f"A run is at work ({', '.join(runs)}): what you see is in motion.")
    by_name = {node["name"]: node for node in nodes}
    for name in roots:
        lines.append(f"{name} is {by_name[name]['state']}: {by_name[name]['message']}")
        standing = sorted(one for one, causes in risks.items() if name in causes and one in by_name)
        if standing:
            lines.append(
                f"  At risk because of it: {', '.join(standing)}. Nothing is done to them (RFC 3.7): they keep running,"
                " and need no new deployment when it recovers."
            )
    followers = [node["name"] for node in nodes if node["state"] != HEALTHY and node["name"] not in roots]
    if followers:
        lines.append(f"Not Healthy either, behind something that is not: {', '.join(followers)}.")
    lines += [f"{one.id}: {one.where}: {one.found}" for one in findings if one.severity == BLOCKING]
    return lines


def next_commands(nodes: t.Sequence[Body], findings: t.Iterable[Finding], settings: Settings, scope: str) -> list[str]:
    commands = []
    for node in [one for one in nodes if one["state"] != HEALTHY][:_SHOWN]:
        for resource in node["resources"][:1]:
            place = f"-n {resource['namespace']} " if resource["namespace"] else ""
            commands.append(f"kubectl {place}describe {resource['kind'].lower()} {resource['name']}")
        if not node["resources"] and node["kind"] == "application" and node["reason"] != "NoApplication":
            commands.append(f"kubectl -n {settings.argocd_namespace} describe application {node['name']}")
    advice = [node["recommendation"] for node in nodes] + [one.fix for one in findings if one.severity != INFO]
    commands += [text.partition("Run: ")[2] for text in advice if f"Run: {_PLAYBOOK}" in text]
    again = f"{_PLAYBOOK}validate" + ("" if scope == "platform" else f" -e deploy_ops_scope={scope}")
    return [*dict.fromkeys(commands), again] if commands else []
