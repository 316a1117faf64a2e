# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""What is changed in the cluster before the first Application is removed, in this order. Pure; empty when all is done.

take the authority -> write the record -> stop promotions -> make data safe -> detach what would restore or cascade
"""

from __future__ import annotations

import json
import typing as t

from .._gate.authority import HOLDER, is_held, with_authority
from .._gate.removal import SYNC_OPTIONS
from .claims import Claim
from .problems import application_sets, is_automated, parents, snapshot_class
from .record import Entry, original_reclaim
from .seen import ARGO, SNAPSHOTS, Object, Plan, Seen, application_names
from .settings import (
    DELETE,
    KEPT,
    ORIGINAL_RECLAIM,
    RETAIN,
    RETAIN_VOLUMES,
    SNAPSHOT,
    SNAPSHOT_LABEL,
    WITHOUT_CLAIMS,
    Settings,
)  # fmt: skip

CREATE = "create"
MERGE = "merge"
DELETE_OBJECT = "delete"
ORPHAN = "orphan"  # delete it, and let go of what it owns

# Who holds the authority: no run of a workflow, which has a name of its own
HOLDER_NAME = "teardown"


class Change(t.NamedTuple):
    # What is done, for people
    text: str
    how: str
    path: str
    body: Object | None = None


def changes(
    seen: Seen, plan: Plan, settings: Settings, claims: t.Sequence[Claim], record: t.Mapping[str, Entry]
) -> list[Change]:
    return [
        *_authority(seen, settings),
        *_record(seen, plan, settings, record),
        *(_promotions(seen) if plan["scope"] == "platform" else ()),
        *_volumes(seen, claims),
        *_snapshots(seen, settings, claims),
        *_claims(seen, claims),
        *_detachment(seen, plan, settings),
        *_operations(seen, plan, settings),
    ]


def _authority(seen: Seen, settings: Settings) -> t.Iterator[Change]:
    if seen.project is None or is_held(seen.project):
        return
    locked = with_authority(seen.project, HOLDER_NAME)
    body = {
        "metadata": {"annotations": {HOLDER: HOLDER_NAME}},
        "spec": {"syncWindows": locked["spec"]["syncWindows"]},
    }
    path = f"{ARGO}/namespaces/{settings.argocd_namespace}/appprojects/{settings.project}"
    yield Change(f"take the authority over {settings.project}", MERGE, path, body)


def _record(seen: Seen, plan: Plan, settings: Settings, record: t.Mapping[str, Entry]) -> t.Iterator[Change]:
    others = {name: entry for name, entry in seen.recorded.get("nodes", {}).items() if name not in plan["nodes"]}
    content = {"nodes": {**others, **record}}
    if not record or content == seen.recorded:
        return
    folder = f"/api/v1/namespaces/{settings.workflows_namespace}/configmaps"
    data = {"record": json.dumps(content, sort_keys=True)}
    if seen.record is not None:
        yield Change("write down what the applications have", MERGE, f"{folder}/{settings.record}", {"data": data})
        return
    metadata = {"name": settings.record, "namespace": settings.workflows_namespace}
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}
    yield Change("write down what the applications have", CREATE, folder, body)


def closing_changes(seen: Seen, plan: Plan, settings: Settings) -> list[Change]:
    """After a complete teardown: forget the record, and give back what was taken for a part of the platform."""
    found: list[Change] = []
    body: Object
    others = {name: entry for name, entry in seen.recorded.get("nodes", {}).items() if name not in plan["nodes"]}
    path = f"/api/v1/namespaces/{settings.workflows_namespace}/configmaps/{settings.record}"
    if seen.record is not None and not others:
        found.append(Change("forget what the applications had", DELETE_OBJECT, path))
    elif seen.record is not None and others != seen.recorded["nodes"]:
        body = {"data": {"record": json.dumps({"nodes": others}, sort_keys=True)}}
        found.append(Change("forget what the applications had", MERGE, path, body))
    holder = ((seen.project or {}).get("metadata", {}).get("annotations") or {}).get(HOLDER)
    if seen.project is not None and plan["scope"] != "platform" and not others and holder == HOLDER_NAME:
        free = with_authority(seen.project, "")
        body = {"metadata": {"annotations": {HOLDER: None}}, "spec": {"syncWindows": free["spec"]["syncWindows"]}}
        path = f"{ARGO}/namespaces/{settings.argocd_namespace}/appprojects/{settings.project}"
        found.append(Change(f"give back the authority over {settings.project}", MERGE, path, body))
    return found


def _promotions(seen: Seen) -> t.Iterator[Change]:
    for path, item in seen.promoters:
        spec = item.get("spec") or {}
        policies = spec.get("promotionPolicies") or []
        patch: Object = {}
        if any(policy.get("autoPromotionEnabled") for policy in policies):
            patch["promotionPolicies"] = [{**policy, "autoPromotionEnabled": False} for policy in policies]
        if spec.get("autoPromotionEnabled"):
            patch["autoPromotionEnabled"] = False
        if patch:
            metadata = item["metadata"]
            place = "/".join(filter(None, (metadata.get("namespace"), metadata["name"])))
            yield Change(f"stop automatic promotions of Kargo's {item['kind']} {place}", MERGE, path, {"spec": patch})


def _volumes(seen: Seen, claims: t.Sequence[Claim]) -> t.Iterator[Change]:
    """A volume outlives its claim only when it says Retain, whoever deletes the claim."""
    for claim in claims:
        if not claim.volume:
            continue
        path = f"/api/v1/persistentvolumes/{claim.volume}"
        original = original_reclaim(seen, claim)
        if claim.policy in (RETAIN, RETAIN_VOLUMES) and claim.reclaim != "Retain":
            body = _reclaim("Retain", claim.reclaim)
            yield Change(f"keep the PersistentVolume {claim.volume} when its claim goes", MERGE, path, body)
        elif claim.policy in (DELETE, SNAPSHOT) and claim.reclaim != original:
            body = _reclaim(original, None)
            yield Change(f"let the PersistentVolume {claim.volume} go with its claim again", MERGE, path, body)


def _reclaim(policy: str, original: str | None) -> Object:
    return {
        "metadata": {"annotations": {ORIGINAL_RECLAIM: original}},
        "spec": {"persistentVolumeReclaimPolicy": policy},
    }


def _snapshots(seen: Seen, settings: Settings, claims: t.Sequence[Claim]) -> t.Iterator[Change]:
    made = {
        (item["metadata"]["namespace"], item["spec"].get("source", {}).get("persistentVolumeClaimName"))
        for item in seen.snapshots
        if is_ours(item)
    }
    for claim in claims:
        if claim.policy != SNAPSHOT or (claim.namespace, claim.name) in made:
            continue
        body = {
            "apiVersion": SNAPSHOTS,
            "kind": "VolumeSnapshot",
            "metadata": {
                "name": f"teardown-{claim.name}"[:253],
                "namespace": claim.namespace,
                "labels": {SNAPSHOT_LABEL: "true"},
            },
            "spec": {
                "volumeSnapshotClassName": snapshot_class(seen, settings, claim),
                "source": {"persistentVolumeClaimName": claim.name},
            },
        }
        path = f"/apis/{SNAPSHOTS}/namespaces/{claim.namespace}/volumesnapshots"
        yield Change(f"make a snapshot of {claim.text()}", CREATE, path, body)


def is_ours(snapshot: Object) -> bool:
    """Made by a teardown."""
    return SNAPSHOT_LABEL in (snapshot["metadata"].get("labels") or {})


def _claims(seen: Seen, claims: t.Sequence[Claim]) -> t.Iterator[Change]:
    """Claims that stay must survive the cascade; those of nobody that go are removed here."""
    body: Object
    objects = {(item["metadata"]["namespace"], item["metadata"]["name"]): item for item in seen.claims}
    for claim in claims:
        item = objects[claim.namespace, claim.name]
        if claim.policy == RETAIN:
            yield from _kept(f"the {claim.text()}", claim.path, item)
            if item["metadata"].get("ownerReferences"):
                body = {"metadata": {"ownerReferences": None}}
                yield Change(f"let the {claim.text()} outlive its owner", MERGE, claim.path, body)
        elif (item["metadata"].get("annotations") or {}).get(KEPT):
            yield Change(f"let the {claim.text()} go with its application", MERGE, claim.path, _mark(item, False))
        if claim.policy in WITHOUT_CLAIMS and not claim.node:
            yield Change(f"delete the {claim.text()}, which no application uses", DELETE_OBJECT, claim.path)
    retained = {claim.namespace for claim in claims if claim.policy == RETAIN}
    with_data = retained | {claim.namespace for claim in claims if claim.policy == SNAPSHOT}
    for name, namespace in sorted(seen.namespaces.items()):
        if ("v1", "Namespace", "", name) not in seen.paths:
            continue  # no application has it among its resources, so none takes it along
        path, is_kept = f"/api/v1/namespaces/{name}", (namespace["metadata"].get("annotations") or {}).get(KEPT)
        if name in with_data:
            yield from _kept(f"the Namespace {name}", path, namespace)
        elif is_kept:
            yield Change(f"let the Namespace {name} go with its application", MERGE, path, _mark(namespace, False))
    for item in seen.stateful_sets:
        metadata, policy = item["metadata"], item["spec"].get("persistentVolumeClaimRetentionPolicy") or {}
        if metadata["namespace"] in retained and policy.get("whenDeleted") == "Delete":
            path = f"/apis/apps/v1/namespaces/{metadata['namespace']}/statefulsets/{metadata['name']}"
            body = {"spec": {"persistentVolumeClaimRetentionPolicy": {**policy, "whenDeleted": "Retain"}}}
            text = f"let the StatefulSet {metadata['namespace']}/{metadata['name']} leave its claims behind"
            yield Change(text, MERGE, path, body)


def _kept(what: str, path: str, item: Object) -> t.Iterator[Change]:
    if not (item["metadata"].get("annotations") or {}).get(KEPT):
        yield Change(f"keep {what}", MERGE, path, _mark(item, True))


def _mark(item: Object, keep: bool) -> Object:
    """Argo CD reads from the object itself whether it may delete it."""
    text = (item["metadata"].get("annotations") or {}).get(SYNC_OPTIONS) or ""
    options = [option for option in filter(None, text.split(",")) if option not in ("Delete=false", "Prune=false")]
    options += ["Delete=false", "Prune=false"] if keep else []
    return {"metadata": {"annotations": {SYNC_OPTIONS: ",".join(options) or None, KEPT: "true" if keep else None}}}


def _operations(seen: Seen, plan: Plan, settings: Settings) -> t.Iterator[Change]:
    """Argo CD's own syncs, which wait under the authority for ever: no request to end one reaches it there."""
    for name in application_names(plan):
        operation = seen.applications.get(name, {}).get("operation") or {}
        if (operation.get("initiatedBy") or {}).get("automated"):
            path = f"{ARGO}/namespaces/{settings.argocd_namespace}/applications/{name}"
            yield Change(f"end the automatic sync of {name}", MERGE, path, {"operation": None})


def _detachment(seen: Seen, plan: Plan, settings: Settings) -> t.Iterator[Change]:
    argocd = f"{ARGO}/namespaces/{settings.argocd_namespace}"
    removed = [name for name in application_names(plan) if name in seen.applications]
    if plan["scope"] == "platform":
        for name in parents(seen, removed):
            app = seen.applications[name]
            body: Object = {}
            if app["metadata"].get("finalizers"):
                body["metadata"] = {"finalizers": None}
            if is_automated(app):
                body["spec"] = {"syncPolicy": {"automated": None}}
            if body:
                text = f"detach {name}: it neither restores nor takes its Applications with it"
                yield Change(text, MERGE, f"{argocd}/applications/{name}", body)
    sets = {item["metadata"]["name"]: item for item in seen.application_sets}
    for name in application_sets(seen, removed):
        path = f"{argocd}/applicationsets/{name}"
        if sets[name]["metadata"].get("finalizers"):
            yield Change(f"detach the ApplicationSet {name}", MERGE, path, {"metadata": {"finalizers": None}})
        yield Change(f"remove the ApplicationSet {name}, without its Applications", ORPHAN, path)
