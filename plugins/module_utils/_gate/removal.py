# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""One step of the removal of one Application: look, decide, act. It remembers nothing, as all of the gate.

    end its operation -> delete it, with all it has -> all of that is gone -> its volume claims -> all of those are gone

Whoever depends on it is gone already; what it depends on waits for the last of these.
"""

from __future__ import annotations

import typing as t

from .application import TERMINATING, Application
from .argocd import ArgoCD
from .errors import Absent, Unavailable
from .kubernetes import Kubernetes
from .moments import span
from .removal_request import Recorded, Removal
from .shortfall import listed
from .verdict import FAILED, LOOK, PROGRESSING, REMOVED, Blocker, Verdict

TRACKING = "argocd.argoproj.io/tracking-id"
SYNC_OPTIONS = "argocd.argoproj.io/sync-options"
HELM_POLICY = "helm.sh/resource-policy"

Object = t.Mapping[str, t.Any]


def step_removal(argocd: ArgoCD, kubernetes: Kubernetes, removal: Removal, looked_for: float) -> Verdict:
    is_late = looked_for >= removal.timeout
    try:
        content = argocd.application(removal.application, removal.project).content
    except Absent:
        return _step_rest(kubernetes, removal, is_late)
    content = content if isinstance(content, dict) else {}
    app = Application(content)
    if is_late:
        return _overdue(removal, app, _left(kubernetes, removal.resources, removal.application))
    try:
        return _step_application(argocd, removal, app, bool(content.get("operation")))
    except Unavailable as error:
        # Whether it was done shows in the Application.
        return _wait(f"not confirmed: {error.text}")


def _step_application(argocd: ArgoCD, removal: Removal, app: Application, is_busy: bool) -> Verdict:
    if app.is_deleting:
        told = _deletion_error(app)
        return _wait(f"deleting: {told}" if told else "deleting")
    operation = app.operation
    if operation is not None and is_busy:
        # Argo CD deletes nothing while an operation is asked for, whatever it last said about one.
        if operation.phase != TERMINATING:
            argocd.terminate(removal.application, removal.project)
        return _wait(f"ending an operation of {operation.initiator}")
    argocd.delete(removal.application, removal.project)
    return _wait("deleting")


def _step_rest(kubernetes: Kubernetes, removal: Removal, is_late: bool) -> Verdict:
    """The Application is gone: what it had must be, too."""
    left = _left(kubernetes, removal.resources, removal.application)
    if not left:
        for claim in removal.claims:
            if kubernetes.exists(claim.path):
                kubernetes.delete(claim.path)
        left = _left(kubernetes, (*removal.claims, *removal.volumes), "")
    if not left:
        return Verdict(REMOVED, REMOVED, "gone, and all that it had")
    if is_late:
        message = f"the Application is gone, but after {span(removal.timeout)} there is still{listed(left)}"
        return Verdict(FAILED, "Orphaned", message, blockers=tuple(left))
    return _wait(f"gone, waiting for what it had{listed(left)}", left)


def _overdue(removal: Removal, app: Application, left: t.Sequence[Blocker]) -> Verdict:
    told = _deletion_error(app)
    message = f"not deleted within {span(removal.timeout)}{listed(left)}{'. Argo CD says: ' + told if told else ''}"
    return Verdict(FAILED, "DeletionTimeout", message, blockers=tuple(left))


def _deletion_error(app: Application) -> str:
    """Other errors, such as manifests that cannot be rendered, are no obstacle to a deletion."""
    error = app.error()
    return error.message if error is not None and error.type == "DeletionError" else ""


def _wait(message: str, left: t.Sequence[Blocker] = ()) -> Verdict:
    return Verdict(PROGRESSING, "Removing", message, LOOK, 1.0, blockers=tuple(left))


def _left(kubernetes: Kubernetes, recorded: t.Iterable[Recorded], application: str) -> list[Blocker]:
    """What still exists, is not kept on purpose, and has not become another Application's."""
    found = []
    for item in recorded:
        content = kubernetes.read(item.path)
        if content is not None and not is_kept(item.kind, content) and not _is_of_another(content, application):
            found.append(remains(item.kind, content))
    return found


def is_kept(kind: str, content: Object) -> bool:
    """What no Application takes with it: Argo CD keeps definitions, and what says so itself."""
    annotations = (content.get("metadata") or {}).get("annotations") or {}
    options = [option.strip() for option in (annotations.get(SYNC_OPTIONS) or "").split(",")]
    return kind == "CustomResourceDefinition" or "Delete=false" in options or annotations.get(HELM_POLICY) == "keep"


def _is_of_another(content: Object, application: str) -> bool:
    tracked = ((content.get("metadata") or {}).get("annotations") or {}).get(TRACKING) or ""
    return bool(application and tracked) and tracked.partition(":")[0] != application


def remains(kind: str, content: Object) -> Blocker:
    """Why it is still there, as far as it says itself."""
    metadata = content.get("metadata") or {}
    finalizers = metadata.get("finalizers") or []
    if not metadata.get("deletionTimestamp"):
        status, message = "still there", ""
    elif finalizers:
        status, message = "Terminating", f"held by the finalizer {', '.join(finalizers)}"
    else:
        status, message = "Terminating", ""
    return Blocker(kind, metadata.get("name") or "", metadata.get("namespace") or "", status, message)
