# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Why an object of a release is not ready yet; pure functions of the object's own status."""

from __future__ import annotations

import typing as t

Body = dict[str, t.Any]


def why_not_ready(body: Body) -> str | None:
    """None when ready, or when the kind has no notion of it."""
    check = _CHECKS.get(body.get("kind", ""))
    return check(body) if check else None


def _condition(body: Body, kind: str) -> Body:
    for condition in (body.get("status") or {}).get("conditions") or []:
        if condition.get("type") == kind:
            return condition
    return {}


def _stale(body: Body) -> str | None:
    observed = (body.get("status") or {}).get("observedGeneration", 0)
    if observed < body["metadata"].get("generation", 0):
        return "its controller has not seen the current specification yet"
    return None


def _deployment(body: Body) -> str | None:
    status = body.get("status") or {}
    wanted = body["spec"].get("replicas", 1)
    progressing = _condition(body, "Progressing")
    if progressing.get("reason") == "ProgressDeadlineExceeded":
        return progressing.get("message", "the rollout exceeded its deadline")
    return (
        _stale(body)
        or _short(status.get("updatedReplicas", 0), wanted, "updated")
        or _short(status.get("availableReplicas", 0), wanted, "available")
        or ("old pods are still ending" if status.get("replicas", 0) > wanted else None)
    )


def _stateful_set(body: Body) -> str | None:
    status = body.get("status") or {}
    wanted = body["spec"].get("replicas", 1)
    strategy = (body["spec"].get("updateStrategy") or {}).get("type", "RollingUpdate")
    outdated = strategy == "RollingUpdate" and status.get("updateRevision") != status.get("currentRevision")
    return (
        _stale(body)
        or _short(status.get("readyReplicas", 0), wanted, "ready")
        or (_short(status.get("updatedReplicas", 0), wanted, "updated") if outdated else None)
    )


def _daemon_set(body: Body) -> str | None:
    status = body.get("status") or {}
    wanted = status.get("desiredNumberScheduled", 0)
    return (
        _stale(body)
        or _short(status.get("updatedNumberScheduled", 0), wanted, "updated")
        or _short(status.get("numberAvailable", 0), wanted, "available")
    )


def _job(body: Body) -> str | None:
    if _condition(body, "Complete").get("status") == "True":
        return None
    failed = _condition(body, "Failed")
    if failed.get("status") == "True":
        return f"failed: {failed.get('message', failed.get('reason', 'no reason given'))}"
    return "not complete"


def _claim(body: Body) -> str | None:
    phase = (body.get("status") or {}).get("phase", "Pending")
    return None if phase == "Bound" else f"is {phase}"


def _short(have: int, wanted: int, what: str) -> str | None:
    return f"{have} of {wanted} pods {what}" if have < wanted else None


_CHECKS: dict[str, t.Callable[[Body], str | None]] = {
    "Deployment": _deployment,
    "StatefulSet": _stateful_set,
    "DaemonSet": _daemon_set,
    "Job": _job,
    "PersistentVolumeClaim": _claim,
}
CHECKED_KINDS = frozenset(_CHECKS) | {"Service"}


def services_without_endpoint(services: t.Iterable[Body], slices: t.Iterable[Body]) -> list[str]:
    """Names of the Services that select pods of which none is ready."""
    backed = {
        entry["metadata"].get("labels", {}).get("kubernetes.io/service-name")
        for entry in slices
        if any((point.get("conditions") or {}).get("ready") for point in entry.get("endpoints") or [])
    }
    return [
        service["metadata"]["name"]
        for service in services
        if service["spec"].get("selector") and service["metadata"]["name"] not in backed
    ]
