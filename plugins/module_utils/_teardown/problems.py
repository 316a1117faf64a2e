# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Everything that speaks against a teardown, told before the first change. Pure."""

from __future__ import annotations

import typing as t

from .claims import Claim
from .seen import Object, Plan, Seen, application_names
from .settings import DELETE, POLICIES, SNAPSHOT, Settings

_FINISHED = ("Succeeded", "Failed", "Error")
WORKFLOW = "platform-teardown"


def problems(seen: Seen, plan: Plan, settings: Settings, claims: t.Sequence[Claim]) -> list[str]:
    return [
        *_settings(plan, settings),
        *_dependents(seen, plan),
        *_foreign(seen, plan, settings),
        *_busy(seen, settings),
        *_restorers(seen, plan, settings),
        *_snapshots(seen, settings, claims),
    ]


def _settings(plan: Plan, settings: Settings) -> t.Iterator[str]:
    chosen = {"deploy_ops_volumes": settings.volumes}
    chosen.update({f"deploy_ops_volumes_overrides.{name}": policy for name, policy in settings.overrides.items()})
    for place, policy in chosen.items():
        if policy not in POLICIES:
            yield f"{place} must be one of {', '.join(POLICIES)}, not {policy!r}"
    known = {**plan["nodes"], **plan["required_nodes"]}
    for name in sorted(settings.overrides):
        if name not in known and plan["scope"] == "platform":
            yield f"deploy_ops_volumes_overrides names {name}, which is no application of the graph"
    if DELETE in chosen.values() and (not settings.environment or settings.confirm_volumes != settings.environment):
        wanted = settings.environment or "the name of the environment (deploy_ops_environment_name is not set)"
        yield (
            f"volumes would be deleted, with the data in them. That wants its own confirmation: got "
            f"{settings.confirm_volumes or 'nothing'}, give -e deploy_ops_confirm_volumes={wanted}"
        )


def _dependents(seen: Seen, plan: Plan) -> t.Iterator[str]:
    """RFC 6.5: nothing is removed while something outside the scope depends on it."""
    for name in plan["requires"]:
        node = plan["required_nodes"].get(name)
        if node is None or node["kind"] != "application" or node["managed_by"] != "argocd":
            continue
        needed = [other for other in node["depends_on"] if other in plan["nodes"]]
        if node["application"] in seen.applications:
            yield (
                f"{name} depends on {', '.join(needed)} and is still deployed: remove it first "
                f"(-e deploy_ops_scope=app:{name}), or take a scope that has both"
            )


def _foreign(seen: Seen, plan: Plan, settings: Settings) -> t.Iterator[str]:
    for name in application_names(plan):
        project = (seen.applications.get(name, {}).get("spec") or {}).get("project", settings.project)
        if project != settings.project:
            yield f"the Application {name} belongs to the AppProject {project}, not to {settings.project}"


def _busy(seen: Seen, settings: Settings) -> t.Iterator[str]:
    for workflow in seen.workflows:
        name = workflow["metadata"]["name"]
        if (workflow.get("status") or {}).get("phase") in _FINISHED or name.startswith(WORKFLOW):
            continue
        stop = f"kubectl -n {settings.workflows_namespace} patch workflow {name} --type merge"
        yield (
            f"the deployment {name} is at work: wait for its end, or stop it with: "
            f"""{stop} -p '{{"spec":{{"shutdown":"Terminate"}}}}'"""
        )


def _restorers(seen: Seen, plan: Plan, settings: Settings) -> t.Iterator[str]:
    """For a part of the platform: what would bring back at once what is removed."""
    if plan["scope"] == "platform":
        return
    removed = {name for name in application_names(plan) if name in seen.applications}
    for parent in parents(seen, removed):
        children = {child["name"] for child in _children(seen.applications[parent]) if not child.get("requiresPruning")}
        if is_automated(seen.applications[parent]) and removed & children:
            yield (
                f"{parent} syncs by itself and would create {', '.join(sorted(removed & children))} again: take them "
                "out of the repository first"
            )
    for owner in application_sets(seen, removed):
        others = sorted(set(_made_by(seen, owner)) - removed)
        if others:
            yield (
                f"the ApplicationSet {owner} would create its Applications again and makes {', '.join(others)} as "
                "well: take what you remove out of its generators first"
            )


def _snapshots(seen: Seen, settings: Settings, claims: t.Sequence[Claim]) -> t.Iterator[str]:
    wanted = [claim for claim in claims if claim.policy == SNAPSHOT]
    if SNAPSHOT not in (settings.volumes, *settings.overrides.values()):
        return
    if not seen.has_snapshots:
        yield (
            "the cluster cannot make snapshots: it has no VolumeSnapshot (snapshot.storage.k8s.io/v1). Install the "
            "snapshot controller, or choose another policy for volumes"
        )
        return
    for claim in wanted:
        if not claim.volume:
            yield f"{claim.text()} cannot be snapshotted: it is not bound"
        elif not snapshot_class(seen, settings, claim):
            yield (
                f"{claim.text()} cannot be snapshotted: no VolumeSnapshotClass is for its driver. Name one with "
                "deploy_ops_snapshot_class, or choose another policy for it"
            )


def snapshot_class(seen: Seen, settings: Settings, claim: Claim) -> str:
    if settings.snapshot_class:
        names = [item["metadata"]["name"] for item in seen.snapshot_classes]
        return settings.snapshot_class if settings.snapshot_class in names else ""
    driver = (seen.volumes[claim.volume]["spec"].get("csi") or {}).get("driver")
    return next((item["metadata"]["name"] for item in seen.snapshot_classes if item.get("driver") == driver), "")


def parents(seen: Seen, removed: t.Iterable[str]) -> list[str]:
    """Applications that have others as their resources, and are not removed themselves."""
    names = set(removed)
    return sorted(
        name
        for name, app in seen.applications.items()
        if name not in names and any(child["name"] in names for child in _children(app))
    )


def application_sets(seen: Seen, removed: t.Iterable[str]) -> list[str]:
    names = set(removed)
    existing = [item["metadata"]["name"] for item in seen.application_sets]
    return sorted(name for name in existing if names.intersection(_made_by(seen, name)))


def _made_by(seen: Seen, application_set: str) -> list[str]:
    return [
        name
        for name, app in seen.applications.items()
        for owner in app["metadata"].get("ownerReferences") or []
        if owner["kind"] == "ApplicationSet" and owner["name"] == application_set
    ]


def is_automated(app: Object) -> bool:
    """An empty policy is one."""
    return (app["spec"].get("syncPolicy") or {}).get("automated") is not None


def _children(app: Object) -> list[Object]:
    resources = (app.get("status") or {}).get("resources") or []
    return [item for item in resources if item.get("group") == "argoproj.io" and item["kind"] == "Application"]
