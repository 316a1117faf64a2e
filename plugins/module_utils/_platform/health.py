# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Health of applications, components and resources as they are now, and of what they are part of (RFC 5)."""

from __future__ import annotations

import typing as t

from .._gate.application import SUCCEEDED, Application, revisions_text
from .._gate.moments import Moment, seconds_between, span
from .._gate.shortfall import listed
from .._gate.verdict import Blocker
from .._helm.readiness import why_not_ready
from .._phase0.check import Unknown
from .facts import Body

HEALTHY = "Healthy"
PROGRESSING = "Progressing"
SUSPENDED = "Suspended"
DEGRADED = "Degraded"
MISSING = "Missing"
UNKNOWN = "Unknown"
FAILED = "Failed"

_ARGOCD_STATES = (HEALTHY, PROGRESSING, SUSPENDED, DEGRADED, MISSING)

# Kinds of difference between the cluster and Git
DRIFT = "drift"
LEFT_OVER = "left-over"
PENDING = "pending"


class State(t.NamedTuple):
    state: str
    message: str = ""
    # One word that programs can rely on
    reason: str = ""
    blockers: tuple[Blocker, ...] = ()
    sync: str = ""
    revision: str = ""


def aggregate(states: t.Iterable[str]) -> str:
    """RFC 5: all Healthy, else any Failed, else any Degraded or Missing, else any Progressing.

    Not in the table: Unknown is Failed, because nobody can say that it works; Suspended is Progressing, because it is
    not Healthy and nothing of it is broken.
    """
    found = set(states)
    if found & {FAILED, UNKNOWN}:
        return FAILED
    if found & {DEGRADED, MISSING}:
        return DEGRADED
    if found & {PROGRESSING, SUSPENDED}:
        return PROGRESSING
    return HEALTHY


def difference(raw: Body) -> str:
    """Why an Application is not in sync; empty when it is."""
    app = Application(raw)
    if app.sync_status != "OutOfSync":
        return ""
    if app.out_of_sync(prune=True) and not app.out_of_sync(prune=False):
        return LEFT_OVER
    history = (raw.get("status") or {}).get("history") or []
    deployed = revisions_text(history[-1]) if history else ""
    return DRIFT if deployed and deployed == app.revision else PENDING


def judge_application(raw: Body | None, detail: Body | Unknown | None, now: Moment) -> State:
    """`detail`: the same Application from Argo CD's API, which knows the health of each resource."""
    if raw is None:
        return State(MISSING, "there is no such Application", "NoApplication")
    app = Application(raw)
    facts = State(HEALTHY, sync=app.sync_status, revision=app.revision)
    shortfall = _shortfall(app, raw, now)
    if shortfall is None:
        return facts
    state, reason, message = shortfall
    blockers = _blockers(app, raw, detail, reason)
    told = message + listed(blockers)
    return facts._replace(state=state, reason=reason, message=told, blockers=tuple(blockers))


def _shortfall(app: Application, raw: Body, now: Moment) -> tuple[str, str, str] | None:
    """(state, reason, message); None when it stands. Errors come first: with them, health is that of another time."""
    if app.is_deleting:
        return DEGRADED, "Deleting", "somebody is deleting it"
    error = app.error()
    if error is not None:
        return FAILED, error.type, f"{error.type}: {error.message}"
    last = app.operation
    if last and not last.in_progress and last.phase != SUCCEEDED and app.sync_status != "Synced":
        return FAILED, "SyncFailed", f"its last sync ended as {last.phase}: {last.message}"
    if app.sync_status not in ("Synced", "OutOfSync"):
        return UNKNOWN, "SyncUnknown", "Argo CD cannot tell whether it is in sync"
    if app.health_status not in _ARGOCD_STATES:
        return UNKNOWN, "HealthUnknown", "Argo CD cannot tell its health"
    if app.health_status != HEALTHY:
        return app.health_status, app.health_status, f"for {span(seconds_between(app.health_since, now))}"
    if not app.is_compared_with_spec:
        return PROGRESSING, "SpecChanged", "Argo CD has not yet compared the changed Application"
    if difference(raw) == DRIFT:
        return DEGRADED, "OutOfSync", "differs from Git"
    return None


def _blockers(app: Application, raw: Body, detail: Body | Unknown | None, reason: str) -> list[Blocker]:
    if reason == "OutOfSync":
        return app.out_of_sync(prune=False)
    if reason == "SyncFailed" and app.operation:
        return app.operation.failures()
    return Application(detail if isinstance(detail, dict) else raw).unhealthy()


def judge_component(workloads: list[Body] | Unknown) -> State:
    """A component of the bootstrap, by its workloads. Without a single ready pod it does nothing at all."""
    if isinstance(workloads, Unknown):
        return State(UNKNOWN, f"not known: {workloads.reason}", "NotRead")
    if not workloads:
        return State(FAILED, "not installed: its release has no workloads", "NotInstalled")
    blockers = [
        Blocker(body.get("kind", ""), body["metadata"]["name"], body["metadata"].get("namespace", ""), DEGRADED, why)
        for body, why in ((body, _why_not_ready(body)) for body in workloads)
        if why
    ]
    if not blockers:
        return State(HEALTHY)
    dead = [body for body in workloads if _why_not_ready(body) and not _ready_pods(body)]
    message = ("no ready pods" if dead else "fewer ready pods than wanted") + listed(blockers)
    return State(FAILED if dead else DEGRADED, message, "NotReady", tuple(blockers))


def _why_not_ready(workload: Body) -> str | None:
    """As for a release, but that nobody wants any pods is no readiness here."""
    if (workload.get("spec") or {}).get("replicas") == 0:
        return "scaled to 0 pods"
    return why_not_ready(workload)


def _ready_pods(workload: Body) -> int:
    status = workload.get("status") or {}
    return int(status.get("readyReplicas") or status.get("numberReady") or 0)


def judge_resource(body: Body | Unknown | None) -> State:
    """A resource that applications wait for: there, and not saying of itself that it is not ready."""
    if isinstance(body, Unknown):
        return State(UNKNOWN, f"not known: {body.reason}", "NotRead")
    if body is None:
        return State(MISSING, "does not exist", "NoResource")
    conditions = (body.get("status") or {}).get("conditions") or []
    for one in conditions:
        if one.get("type") in ("Ready", "Available", "Established") and one.get("status") != "True":
            return State(PROGRESSING, f"{one.get('type')} is {one.get('status')}", "NotReady")
    return State(HEALTHY)
