# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""One step of the gate for one Application: observe, judge, act."""

from __future__ import annotations

from .answers import Observation
from .application import Application
from .argocd import ArgoCD
from .errors import ApiError, Refused, Unavailable
from .judge import judge
from .moments import Moment, after
from .resource_tree import deepest_causes
from .verdict import FAILED, HARD_REFRESH, LOOK, PROGRESSING, REFRESH, SYNC, TERMINATE, UNKNOWN, Verdict
from .wish import Wish

# Whose cause lies in the resources, and is worth another look into their tree
_EXPLAINED_BY_RESOURCES = ("HealthTimeout", "SyncTimeout", "Degraded", "Progressing", "Timeout")


def step(argocd: ArgoCD, wish: Wish, how: str, looked_for: float, act: bool = True) -> Verdict:
    """Look as `how` says, and do what the verdict asks for. `act=False` only tells what it would be.

    `looked_for` is how many seconds the driver has been at it.
    """
    seen = _observe(argocd, wish, how, looked_for)
    verdict = judge(seen, wish)
    if not verdict.is_final and verdict.call in (REFRESH, HARD_REFRESH) and verdict.look_again == 0:
        seen = _observe(argocd, wish, verdict.call, looked_for)
        verdict = judge(seen, wish)
    if verdict.is_final:
        return verdict if verdict.is_good else _explained(argocd, wish, verdict)
    if verdict.call == SYNC and act:
        return _sync(argocd, wish, verdict, seen.now)
    if verdict.call == TERMINATE and act:
        argocd.terminate(wish.application, wish.project)
        return verdict._replace(call=LOOK)
    return verdict


def unavailable(error: ApiError) -> Verdict:
    """Nothing can be said about the Application now. Asking later may help; a refusal stays one."""
    if isinstance(error, Unavailable):
        return Verdict(UNKNOWN, "Unreachable", error.text, transient=True)
    return Verdict(FAILED, "Refused", error.text)


def _observe(argocd: ArgoCD, wish: Wish, how: str, looked_for: float) -> Observation:
    answer = argocd.application(wish.application, wish.project, how)
    content = answer.content if isinstance(answer.content, dict) else {}
    return Observation(Application(content), how != LOOK, answer.now, after(answer.now, -looked_for))


def _sync(argocd: ArgoCD, wish: Wish, verdict: Verdict, now: Moment) -> Verdict:
    try:
        argocd.sync(wish, verdict.attempt, now)
    except Unavailable as error:
        # Whether the operation exists shows in the Application: it carries the run's id.
        return Verdict(PROGRESSING, "Waiting", f"sync not confirmed: {error.text}", LOOK, 1.0, attempt=verdict.attempt)
    except Refused as error:
        return Verdict(FAILED, "Refused", f"Argo CD refused the sync: {error.text}", revision=verdict.revision)
    return verdict._replace(call=LOOK, synced=True)


def _explained(argocd: ArgoCD, wish: Wish, verdict: Verdict) -> Verdict:
    """Add what lies beneath: the pod that cannot pull its image, not only the deployment that waits for it."""
    if verdict.reason not in _EXPLAINED_BY_RESOURCES:
        return verdict
    try:
        causes = deepest_causes(argocd.resource_tree(wish.application, wish.project))
    except ApiError:
        return verdict  # the verdict stands without the explanation
    new = tuple(cause for cause in causes if cause not in verdict.blockers and cause.message)
    if not new:
        return verdict
    message = f"{verdict.message}. Beneath it: " + "; ".join(cause.text() for cause in new)
    return verdict._replace(message=message, blockers=(*verdict.blockers, *new))
