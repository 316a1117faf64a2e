# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""The report of a removal: what the cluster held before, and what it holds afterwards. Pure."""

from __future__ import annotations

import typing as t

Survey = t.Mapping[str, t.Any]
STACK = "primitives"


class Removal(t.NamedTuple):
    """How it went. `after` is None in check mode: nothing was removed, everything would be."""

    before: Survey
    after: Survey | None
    # Namespaces that stay: they hold what a policy keeps.
    kept: t.Sequence[str] = ()
    remove_definitions: bool = False
    remove_keys: bool = False
    held: t.Sequence[t.Mapping[str, t.Any]] = ()
    failure: str = ""


def report(removal: Removal, platform: t.Mapping[str, t.Any], facts: t.Mapping[str, t.Any]) -> dict[str, t.Any]:
    """`platform` is the report of the platform's removal, which came first; empty when there was none."""
    findings = _findings(removal)
    nodes = _nodes(removal)
    removed, retained = _removed(removal), _retained(removal)
    outcome = _outcome(removal)
    said = [*platform.get("summary", []), _summary(outcome, removed, removal), *_held_lines(removal)]
    return {
        **platform,
        **facts,
        "schema": 1,
        "kind": "teardown",
        "outcome": outcome,
        "summary": [f"Failed: {removal.failure}", *said] if removal.failure else said,
        "nodes": [*platform.get("nodes", []), *nodes],
        "stacks": [*platform.get("stacks", []), *_stack(nodes)],
        "findings": [*platform.get("findings", []), *findings],
        "removed": [*platform.get("removed", []), *removed],
        "retained": [*platform.get("retained", []), *retained],
        "orphans": [f"{one['what']}: {one['why']}" for one in (removal.after or {}).get("orphans", [])],
        "next": [] if outcome == "Complete" else [_AGAIN],
    }


_AGAIN = "The same command again: it goes on from here."


def _outcome(removal: Removal) -> str:
    if removal.failure:
        return "Failed"
    if removal.after is None:
        return "Complete"
    left = [one for one in removal.after["orphans"] if one["counts"]]
    return "Partial" if left or removal.held or _in_use(removal) or _left_namespaces(removal) else "Complete"


def _nodes(removal: Removal) -> list[dict[str, t.Any]]:
    left = _releases(removal.after) if removal.after is not None else []
    nodes: list[dict[str, t.Any]] = []
    for wave, component in enumerate(removal.before["components"]):
        for release in component["releases"]:
            name = f"{release['namespace']}/{release['name']}"
            state = "Waiting" if removal.after is None or name in left else "Removed"
            if state == "Waiting" and removal.failure and not any(node["state"] == "Failed" for node in nodes):
                state = "Failed"
            message = removal.failure if state == "Failed" else ""
            nodes.append(
                {"name": name, "stack": STACK, "kind": "release", "wave": wave, "state": state, "message": message}
            )
    return nodes


def _stack(nodes: t.Sequence[t.Mapping[str, t.Any]]) -> list[dict[str, t.Any]]:
    states = [node["state"] for node in nodes]
    state = next((one for one in ("Failed", "Waiting") if one in states), "Removed")
    return [{"name": STACK, "state": state, "nodes": len(nodes), "healthy": states.count("Removed")}] if nodes else []


def _removed(removal: Removal) -> list[str]:
    """In check mode: what would be."""
    now = _everything(removal.after) if removal.after is not None else _stays(removal)
    return [one for one in _everything(removal.before) if one not in now]


def _everything(survey: Survey) -> list[str]:
    objects = [_name(one) for component in survey["components"] for one in component["objects"]]
    return [
        *[f"Helm release {name}" for name in _releases(survey)],
        *objects,
        *[_name(one) for one in survey["secrets"]],
        *[_name(one) for one in survey["sealing_keys"]],
        *[f"CustomResourceDefinition {one['name']}" for one in survey["definitions"]],
        *[f"Namespace {one['name']}" for one in survey["namespaces"]],
    ]


def _stays(removal: Removal) -> list[str]:
    before = removal.before
    kept = [one for one in before["definitions"] if not removal.remove_definitions or one["used"] or one["foreign"]]
    return [
        *[f"CustomResourceDefinition {one['name']}" for one in kept],
        *[f"Namespace {name}" for name in removal.kept],
        *([] if removal.remove_keys else [_name(one) for one in before["sealing_keys"]]),
    ]


def _retained(removal: Removal) -> list[str]:
    now = removal.after if removal.after is not None else removal.before
    there = _everything(now)
    kept = [f"{name}: policy" for name in _stays(removal) if name in there]
    foreign = [
        f"Helm release {name}: not installed by this collection" for one in now["components"] for name in one["foreign"]
    ]
    return kept + foreign


def _findings(removal: Removal) -> list[dict[str, str]]:
    now: Survey = removal.after or {}
    found = [
        _finding(one["id"], one["severity"], one["what"], one["why"], "gone", one["fix"])
        for one in now.get("orphans", [])
        if one["what"] not in [f"Namespace {entry['namespace']}" for entry in removal.held]
    ]
    for entry in removal.held:
        for holder in entry["holders"]:
            by = f" with finalizers {', '.join(holder['finalizers'])}" if holder["finalizers"] else ""
            found.append(
                _finding(
                    "namespace.held",
                    "blocking",
                    f"Namespace {entry['namespace']}",
                    f"held by {holder['object']}{by}",
                    "gone",
                    holder["fix"],
                )
            )
    for one in _in_use(removal):
        why = f"has objects: {', '.join(one['used'][:5])}"
        fix = "Remove the objects, or keep the definition: its removal would delete them."
        found.append(
            _finding("definition.used", "warning", f"CustomResourceDefinition {one['name']}", why, "gone", fix)
        )
    for one in _left_namespaces(removal):
        why = f"holds {', '.join(one['content'][:5])}"
        option = f'{{"deploy_ops_remove_namespaces": ["{one["name"]}"]}}'
        fix = f"Look at it. To remove it with all that is in it: -e '{option}'"
        found.append(_finding("namespace.content", "warning", f"Namespace {one['name']}", why, "gone", fix))
    retained = {name.split(": ", 1)[0] for name in _retained(removal)}
    for name in now.get("additional", []):
        if name not in retained and not any(entry["where"] == name for entry in found):
            found.append(
                _finding(
                    "snapshot.additional",
                    "info",
                    name,
                    "not in phase 0's snapshot",
                    "as before the bootstrap",
                    "Remove it, if it is the platform's.",
                )
            )
    return found


def _finding(identifier: str, severity: str, where: str, found: str, wanted: str, fix: str) -> dict[str, str]:
    return {"id": identifier, "severity": severity, "where": where, "found": found, "wanted": wanted, "fix": fix}


def _summary(outcome: str, removed: t.Sequence[str], removal: Removal) -> str:
    if removal.after is None:
        return f"{len(removed)} things would be removed." if removed else "There is nothing to remove."
    if outcome == "Complete":
        return (
            f"Removed {len(removed)} things; nothing is left but what is kept."
            if removed
            else "There was nothing to remove."
        )
    return f"Removed {len(removed)} things; not everything is gone."


def _held_lines(removal: Removal) -> list[str]:
    return [
        f"Namespace {entry['namespace']} does not go: {holder['object']} holds it"
        + (f" by {', '.join(holder['finalizers'])}" if holder["finalizers"] else "")
        for entry in removal.held
        for holder in entry["holders"]
    ]


def _in_use(removal: Removal) -> list[t.Mapping[str, t.Any]]:
    """Definitions that were to go and may not."""
    now = removal.after if removal.after is not None else removal.before
    return [one for one in now["definitions"] if removal.remove_definitions and one["used"] and not one["foreign"]]


def _left_namespaces(removal: Removal) -> list[t.Mapping[str, t.Any]]:
    """Of the platform, neither kept by a policy nor empty. One that is held is told elsewhere."""
    held = [entry["namespace"] for entry in removal.held]
    now: Survey = removal.after or {}
    platform = [one for one in now.get("namespaces", []) if one["of"] == "platform"]
    return [one for one in platform if one["name"] not in removal.kept and one["name"] not in held]


def _releases(survey: Survey) -> list[str]:
    return [f"{one['namespace']}/{one['name']}" for component in survey["components"] for one in component["releases"]]


def _name(reference: t.Mapping[str, t.Any]) -> str:
    metadata = reference["metadata"]
    where = f"{metadata['namespace']}/" if metadata.get("namespace") else ""
    return f"{reference['kind']} {where}{metadata['name']}"
