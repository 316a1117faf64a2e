# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""What the applications had when the teardown began, kept in a ConfigMap until it is complete. Pure.

A run that goes on after another finds applications half removed, or gone: only the record still knows what they had.
It also keeps the workflow of both runs the same, so that the second one attaches to what is at work.
"""

from __future__ import annotations

import typing as t

from .claims import Claim
from .seen import Plan, Seen, application_names, namespaces_of, resource_key, resources_of
from .settings import DELETE, ORIGINAL_RECLAIM, SNAPSHOT, WITHOUT_CLAIMS, Settings

# namespaces: names; resources: "Kind /path"; claims: by "namespace/name" the volume and whether it goes with its claim
Entry = dict[str, t.Any]
Rule = dict[str, list[str]]


def record_of(seen: Seen, plan: Plan, claims: t.Iterable[Claim]) -> dict[str, Entry]:
    """By node: what was written down before, and what is there now."""
    saved = seen.recorded.get("nodes", {})
    found: dict[str, Entry] = {name: entry for name, entry in saved.items() if name in plan["nodes"]}
    for application, node in application_names(plan).items():
        app = seen.applications.get(application)
        if app is None:
            continue
        keys = [resource_key(resource) for resource in resources_of(app)]
        resources = {f"{key[1]} {seen.paths[key]}" for key in keys if key in seen.paths}
        before = found.get(node, {})
        found[node] = {
            "namespaces": sorted(namespaces_of(app).union(before.get("namespaces", []))),
            "resources": sorted(resources.union(before.get("resources", []))),
            "claims": dict(before.get("claims", {})),
        }
    for claim in claims:
        if claim.node in found:
            entry = {"volume": claim.volume, "reclaimed": original_reclaim(seen, claim) == "Delete"}
            found[claim.node]["claims"].setdefault(f"{claim.namespace}/{claim.name}", entry)
    return found


def original_reclaim(seen: Seen, claim: Claim) -> str:
    """The policy of the volume, before a teardown changed it."""
    annotations = (seen.volumes.get(claim.volume, {}).get("metadata") or {}).get("annotations") or {}
    return annotations.get(ORIGINAL_RECLAIM) or claim.reclaim


def parameters(node: str, entry: Entry, settings: Settings) -> dict[str, str]:
    """The record as the gate wants it (_gate/removal_request.py)."""
    policy = settings.policy(node)
    claims = entry["claims"] if policy in WITHOUT_CLAIMS else {}
    volumes = [claim["volume"] for claim in claims.values() if claim["reclaimed"] and policy in (DELETE, SNAPSHOT)]
    listed = {
        "resources": entry["resources"],
        "claims": [
            "PersistentVolumeClaim /api/v1/namespaces/{}/persistentvolumeclaims/{}".format(*claim.split("/"))
            for claim in sorted(claims)
        ],
        "volumes": [f"PersistentVolume /api/v1/persistentvolumes/{volume}" for volume in sorted(filter(None, volumes))],
    }
    return {name: ";".join(items) for name, items in listed.items()}


def rules(plan: Plan, records: t.Iterable[t.Mapping[str, str]]) -> list[Rule]:
    """What the gate's service account must be allowed for this teardown, and not more."""
    verbs: dict[tuple[str, str], set[str]] = {}
    for record in records:
        for name, text in record.items():
            for item in filter(None, text.split(";")):
                wanted = {"get", "delete"} if name == "claims" else {"get"}
                verbs.setdefault(_kind_of(item.partition(" ")[2]), set()).update(wanted)
    for node in plan["nodes"].values():
        if node["kind"] == "resource" and "/" not in node["name"]:
            plural, _dot, group = node["name"].partition(":")[2].partition(".")
            verbs.setdefault((group, plural), set()).add("list")
    return [
        {"apiGroups": [group], "resources": [plural], "verbs": sorted(allowed)}
        for (group, plural), allowed in sorted(verbs.items())
    ]


def _kind_of(path: str) -> tuple[str, str]:
    """Group and plural."""
    parts = path.strip("/").split("/")
    return ("" if parts[0] == "api" else parts[1]), parts[-2]
