# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""INV-8: no hook waits for another application. What waits for what is the graph's to say."""

from __future__ import annotations

import json
import typing as t

from .._gate.safe_text import safe_text
from .facts import Body, annotations_of, name_of, namespace_of
from .finding import BLOCKING, WARNING, Finding
from .waits import Target, Wait, container_name, containers_of, find_wait

_HELM_PHASES = {
    "pre-install": "PreSync",
    "pre-upgrade": "PreSync",
    "post-install": "PostSync",
    "post-upgrade": "PostSync",
}
_WANTED = "hooks for an application's own work only (INV-8); the graph says what waits for what"


class Owners:
    """Which Application an object in the cluster belongs to."""

    def __init__(self, applications: t.Iterable[Body]) -> None:
        self._by_place: dict[tuple[str, str], str] = {}
        self._by_name: dict[str, set[str]] = {}
        self._names: set[str] = set()
        for application in applications:
            owner = name_of(application)
            self._names.add(owner)
            for one in (application.get("status") or {}).get("resources") or []:
                # Root has an Application for each: they are not what somebody waits for by that name.
                if one.get("kind") not in ("Namespace", "Application"):
                    self._by_place.setdefault((one.get("namespace") or "", one.get("name") or ""), owner)
                    self._by_name.setdefault(one.get("name") or "", set()).add(owner)

    def of(self, target: Target) -> str:
        """Empty when it cannot be told."""
        for name in target.names:
            exact = self._by_place.get((target.namespace, name)) if target.namespace else None
            some = self._by_name.get(name) or ({name} & self._names)
            if exact or len(some) == 1:
                return exact or next(iter(some))
        return ""


def phases(body: Body) -> set[str]:
    """PreSync, PostSync and the like; empty for what is no hook."""
    notes = annotations_of(body)
    own = str(notes.get("argocd.argoproj.io/hook") or "")
    if own:
        return {word.strip() for word in own.split(",")} & {"PreSync", "Sync", "PostSync"}
    words = {word.strip() for word in str(notes.get("helm.sh/hook") or "").split(",")}
    return {phase for word, phase in _HELM_PHASES.items() if word in words}


def check_hooks(
    application: str,
    namespace: str,
    manifests: t.Sequence[Body],
    owners: Owners,
    above: t.AbstractSet[str],
) -> list[Finding]:
    """`above`: the applications that the graph puts before this one."""
    own_names = {name_of(body) for body in manifests}

    def is_own(target: Target, place: str) -> bool:
        """Waiting for a part of the same application is its own business."""
        rendered = not own_names.isdisjoint(target.names) and target.namespace in ("", place)
        return rendered or owners.of(target) == application

    findings = []
    for body in manifests:
        place = namespace_of(body) or namespace
        when = sorted(phases(body))
        waits = [(kind, wait) for kind, one in containers_of(body.get("spec")) for wait in [find_wait(one)] if wait]
        foreign = [
            (kind, wait)
            for kind, wait in waits
            if not wait.targets or not all(is_own(target, place) for target in wait.targets)
        ]
        if when:
            findings += _hook(application, body, place, when, foreign, owners, above)
        else:
            findings += _workload(application, body, place, foreign, owners, above)
    return findings


def _hook(
    application: str,
    body: Body,
    namespace: str,
    when: list[str],
    waits: list[tuple[str, Wait]],
    owners: Owners,
    above: t.AbstractSet[str],
) -> list[Finding]:
    if not waits:
        return []
    targets = sorted({target for _kind, wait in waits for target in wait.targets})
    told = ", ".join(target.text() for target in targets) or "something that its command does not name"
    how = safe_text("; ".join(sorted({wait.how for _kind, wait in waits})), 120)
    found = f"{'/'.join(when)} hook waits ({how}) for {safe_text(told, 200)}"
    fix = f"{_order(application, targets, owners, above)} Remove the waiting: {_patch(body, namespace, waits)}"
    # Without a name it may wait for a part of its own application.
    severity = BLOCKING if targets else WARNING
    return [Finding("hooks.dependency", severity, _where(application, body, namespace), found, _WANTED, fix)]


def _workload(
    application: str,
    body: Body,
    namespace: str,
    waits: list[tuple[str, Wait]],
    owners: Owners,
    above: t.AbstractSet[str],
) -> list[Finding]:
    """Init containers that wait for another application, when it can be told which."""
    known = [
        (kind, wait)
        for kind, wait in waits
        if kind == "initContainers" and any(owners.of(target) not in ("", application) for target in wait.targets)
    ]
    if not known:
        return []
    targets = sorted({target for _kind, wait in known for target in wait.targets})
    names = ", ".join(wait.container for _kind, wait in known)
    found = f"init container {names} waits for {safe_text(', '.join(one.text() for one in targets), 200)}"
    fix = f"{_order(application, targets, owners, above)} Remove the waiting: {_patch(body, namespace, known)}"
    return [Finding("hooks.init-container", WARNING, _where(application, body, namespace), found, _WANTED, fix)]


def _order(application: str, targets: t.Sequence[Target], owners: Owners, above: t.AbstractSet[str]) -> str:
    """What the graph has to say instead of the hook."""
    wanted = sorted({owners.of(target) for target in targets} - {"", application})
    missing = [name for name in wanted if name not in above]
    if missing:
        return f"Write depends_on: [{', '.join(missing)}] for {application} in dag.yaml."
    if wanted:
        return f"The graph already puts {', '.join(wanted)} before {application}."
    return f"Name what it waits for under depends_on of {application} in dag.yaml."


def _patch(body: Body, namespace: str, waits: list[tuple[str, Wait]]) -> str:
    """A patch for Kustomize, in one line. The whole object goes when it does nothing else."""
    head = {
        "apiVersion": body.get("apiVersion"),
        "kind": body.get("kind"),
        "metadata": {"name": name_of(body), "namespace": namespace},
    }
    waiting = {(kind, wait.container) for kind, wait in waits}
    all_main = [one for kind, one in containers_of(body.get("spec")) if kind == "containers"]
    if all_main and all(("containers", container_name(one)) in waiting for one in all_main):
        return json.dumps({**head, "$patch": "delete"})
    lists: dict[str, list[dict[str, str]]] = {}
    for kind, name in sorted(waiting):
        lists.setdefault(kind, []).append({"name": name, "$patch": "delete"})
    spec: Body = lists if body.get("kind") == "Pod" else {"template": {"spec": lists}}
    return json.dumps({**head, "spec": {"jobTemplate": {"spec": spec}} if body.get("kind") == "CronJob" else spec})


def _where(application: str, body: Body, namespace: str) -> str:
    return f"{application}: {body.get('kind') or 'object'} {namespace}/{name_of(body)}"
