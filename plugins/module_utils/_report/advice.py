# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""What a person can do about a node that failed, by the gate's reason for it. Pure."""

from __future__ import annotations

import typing as t

_BY_REASON = {
    "SyncFailed": "the manifest or the cluster refused it: correct what the message quotes in Git",
    "SyncTimeout": "a hook or an early sync wave does not end: mend it, or raise sync_timeout of {node} in dag.yaml",
    "Terminated": "somebody ended its sync: find out who and why, then run again",
    "Deleting": "somebody is deleting it: wait until it is gone, then run again",
    "ComparisonError": "Argo CD cannot make its manifests: check its repository, path, chart and values",
    "InvalidSpecError": "Argo CD refuses its specification: check its repository, path, chart and AppProject",
    "OutOfSync": "something changes what Git says: an ignoreDifferences is missing, or two owners fight",
    "Busy": "somebody else's operation holds it: wait for it, or end it as the message says",
    "WrongRevision": "Root hands down another commit than this run's: run again, so that Root is synced first",
    "MovingTarget": "its branch moves faster than it is deployed: pin it to a commit",
    "Refused": "Argo CD said no: check the rights of the gate's account, the sync windows, and that it exists",
    "Unreachable": "Argo CD was away: check its pods ({argocd}), then run again",
    "Suspended": "a paused rollout or a suspended job does not go on by itself: resume it, then run again",
    "Missing": "nothing of it exists although its sync succeeded: check what its manifests create, and the AppProject",
}
_LOOK = "mend it, then run again"
_SLOW = "; when it only needs longer, raise health_timeout of {node} in dag.yaml"


def advice(node: t.Mapping[str, t.Any], reason: str, blockers: list[dict[str, t.Any]], argocd_namespace: str) -> str:
    """One sentence that starts with what to do."""
    words = {"node": node["name"], "argocd": f"kubectl get pods --namespace {argocd_namespace}"}
    if reason in _BY_REASON:
        return _BY_REASON[reason].format(**words)
    look = _describe(blockers) or _describe_application(node, argocd_namespace)
    slow = _SLOW.format(**words) if reason == "HealthTimeout" else ""
    return f"look at {look}, {_LOOK}{slow}" if look else f"look at the message, {_LOOK}{slow}"


def _describe(blockers: list[dict[str, t.Any]]) -> str:
    if not blockers:
        return ""
    first = blockers[0]
    place = f" --namespace {first['namespace']}" if first["namespace"] else ""
    return f"`kubectl describe {first['kind'].lower()} {first['name']}{place}`"


def _describe_application(node: t.Mapping[str, t.Any], argocd_namespace: str) -> str:
    application = node.get("application")
    return f"`kubectl describe application {application} --namespace {argocd_namespace}`" if application else ""
