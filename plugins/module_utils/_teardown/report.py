# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""The report of a teardown, in the form that all reports have. Pure."""

from __future__ import annotations

import json
import typing as t

from .._report.moments import between
from .settings import DELETE, RETAIN, RETAIN_VOLUMES, SNAPSHOT

Data = t.Mapping[str, t.Any]

COMPLETE = "Complete"
PARTIAL = "Partial"
FAILED = "Failed"

_STATES = {"healthy": "Removed", "failed": "Failed", "skipped": "Skipped", "running": "Waiting", "waiting": "Waiting"}


def teardown_report(
    plan: Data, before: Data, after: Data, run: Data, about: Data, dry_run: bool = False
) -> dict[str, t.Any]:
    """Before and after are what teardown_info returns, run what workflow_watch does (empty: nothing was run).

    A dry run reports what a complete teardown would: nothing is known that speaks against it.
    """
    if dry_run:
        after = {**after, "applications": {}, "claims": [one for one in after["claims"] if one["policy"] == RETAIN]}
    nodes = [_node(number, name, plan, before, run) for number, wave in enumerate(plan["waves"]) for name in wave]
    existing = before["applications"].items()
    removed = [f"Application {app}" for node, app in existing if node not in after["applications"]]
    claims_left = {(claim["namespace"], claim["name"]) for claim in after["claims"]}
    gone = [claim for claim in before["claims"] if (claim["namespace"], claim["name"]) not in claims_left]
    removed += [f"PersistentVolumeClaim {claim['namespace']}/{claim['name']}" for claim in gone]
    left = [item for item in after.get("left", []) if not item["kept"]]
    return {
        "schema": 1,
        "kind": "teardown",
        "outcome": _outcome(after, run, left, removed),
        **about,
        "scope": plan["scope"],
        "strategy": plan["strategy"],
        "run": run.get("workflow", ""),
        "started": run.get("started", ""),
        "finished": run.get("finished", ""),
        "summary": [*(["Dry run: nothing was changed"] if dry_run else []), *_summary(before, after, run)],
        "nodes": nodes,
        "removed": removed,
        "retained": [*_retained_claims(before, after), *_kept(after)],
        "findings": [_finding(item) for item in left],
        "metrics": _metrics(plan, run, len(removed)),
    }


def _outcome(after: Data, run: Data, left: t.Sequence[Data], removed: t.Sequence[str]) -> str:
    is_done = run.get("outcome", "Succeeded") == "Succeeded" and not after["applications"] and not left
    return COMPLETE if is_done else PARTIAL if removed else FAILED


def _metrics(plan: Data, run: Data, removed: int) -> dict[str, float]:
    """The longest chain of nodes, by what each took, is what no schedule could beat."""
    chains: dict[str, float] = {}
    before: dict[str, list[str]] = {}
    for dependent, dependency in plan["edges"]:
        before.setdefault(dependency, []).append(dependent)
    for name in plan["order"]:
        node = run.get("nodes", {}).get(name, {})
        took = between(node.get("started", ""), node.get("finished", "")) or 0.0
        chains[name] = took + max((chains[other] for other in before.get(name, [])), default=0.0)
    found = {"removed": float(removed), "critical_path_seconds": max(chains.values(), default=0.0)}
    makespan = between(run.get("started", ""), run.get("finished", ""))
    return found if makespan is None else {**found, "workflow_seconds": makespan}


def _summary(before: Data, after: Data, run: Data) -> list[str]:
    total, remaining = len(before["applications"]), len(after["applications"])
    if not total:
        return ["Nothing to remove: none of the Applications exists", *run.get("summary", [])]
    return [f"{total - remaining} of {total} Applications removed", *run.get("summary", [])]


def _node(number: int, name: str, plan: Data, before: Data, run: Data) -> dict[str, t.Any]:
    node, seen = plan["nodes"][name], run.get("nodes", {}).get(name, {})
    state = _STATES.get(seen.get("state", "waiting"), "Waiting")
    if node["managed_by"] == "bootstrap":
        state = "Retained"
    elif not run and name not in before["applications"]:
        state = "Removed"
    needs = [dependent for dependent, dependency in plan["edges"] if dependency == name]
    details = _details(seen.get("details", ""))
    return {
        "name": name,
        "stack": node["stack"],
        "kind": node["kind"],
        "wave": number,
        "needs": needs,
        "state": state,
        "started": seen.get("started", ""),
        "finished": seen.get("finished", ""),
        "message": seen.get("message", ""),
        "resources": details.get("unhealthy", []),
        "because": [other for other in needs if _is_stuck(other, run)] if state == "Skipped" else [],
        "recommendation": _recommendation(details),
    }


def _is_stuck(name: str, run: Data) -> bool:
    return run["nodes"].get(name, {}).get("state") in ("failed", "skipped")


def _details(text: str) -> dict[str, t.Any]:
    try:
        return json.loads(text or "{}")
    except ValueError:
        return {}


def _recommendation(details: Data) -> str:
    held = [item for item in details.get("unhealthy", []) if "finalizer" in item.get("message", "")]
    if not held:
        return ""
    item = held[0]
    return (
        f"{item['kind']} {item['namespace']}/{item['name']} is {item['message']}: the controller that should remove it "
        "does not. Bring that controller back, or remove the finalizer when you know what it protects; then run again"
    )


def _retained_claims(before: Data, after: Data) -> t.Iterator[str]:
    left = {(claim["namespace"], claim["name"]): claim for claim in after["claims"]}
    claims = {(claim["namespace"], claim["name"]): claim for claim in [*before["claims"], *after["claims"]]}
    for place, claim in sorted(claims.items()):
        name = f"{claim['namespace']}/{claim['name']}"
        volume = f"PersistentVolume {claim['volume']} ({claim['size']})"
        if claim["policy"] == RETAIN and place in left:
            yield f"PersistentVolumeClaim {name} with {volume}: the next deployment uses it again"
        elif claim["policy"] in (RETAIN, RETAIN_VOLUMES) and place not in left and claim["volume"]:
            yield f"{volume} of the claim {name}. To bind it again, before the next deployment: {bind(claim['volume'])}"
        elif claim["policy"] == SNAPSHOT:
            yield f"VolumeSnapshot {claim['namespace']}/teardown-{claim['name']}"
        elif claim["policy"] == DELETE and place in left:
            yield f"PersistentVolumeClaim {name} with {volume}: not removed"


def bind(volume: str) -> str:
    """Reserved for a claim of the same name and namespace, and free for it."""
    patch = '{"spec":{"claimRef":{"uid":null,"resourceVersion":null}}}'
    return f"kubectl patch persistentvolume {volume} --type merge --patch '{patch}'"


def _kept(after: Data) -> t.Iterator[str]:
    for item in after.get("left", []):
        if item["kept"] and item["kind"] != "PersistentVolumeClaim":
            place = "/".join(filter(None, (item["namespace"], item["name"])))
            yield f"{item['kind']} {place}, which {item['node']} brought"


def _finding(item: Data) -> dict[str, str]:
    place = "/".join(filter(None, (item["namespace"], item["name"])))
    return {
        "id": "left-behind",
        "severity": "blocking",
        "where": f"{item['kind']} {place}",
        "found": f"{item['status']}{': ' + item['message'] if item['message'] else ''}",
        "wanted": f"gone with {item['node']}",
        "fix": "find out who holds it, then run the teardown again",
    }
