# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""The report of a deployment (or a teardown), from its Workflow and its plan, at any moment of it. Pure."""

from __future__ import annotations

import typing as t

from .._workflow.progress import FAILED, HEALTHY, RUNNING, SKIPPED, WAITING, NodeState, Progress
from .._workflow.remaining import waits_for
from .advice import advice
from .measures import metrics
from .model import SCHEMA, Node, Report
from .moments import between, text_of

Plan = t.Mapping[str, t.Any]
Events = t.Mapping[tuple[str, str, str], list[str]]

_DEPLOY = {HEALTHY: "Healthy", FAILED: "Failed", SKIPPED: "Skipped", RUNNING: "Running", WAITING: "Waiting"}
_STATES = {"deploy": _DEPLOY, "teardown": {**_DEPLOY, HEALTHY: "Removed"}}
_OUTCOMES: t.Mapping[str, t.Mapping[str, str]] = {"deploy": {}, "teardown": {"Succeeded": "Complete"}}
# A stack is as its worst node is.
_WORST_FIRST = ("Failed", "Skipped", "Running", "Waiting", "Healthy", "Removed")
_MOST_NAMES = 12


class Circumstances(t.NamedTuple):
    """What neither the Workflow nor the plan knows."""

    environment: str = ""
    cluster: str = ""
    argocd_namespace: str = "argocd"
    # Seconds since the epoch
    now: float = 0.0
    # The commands to go on after a failure, and to look again while it runs
    resume: str = ""
    status: str = ""


def blockers(state: NodeState) -> list[dict[str, t.Any]]:
    """The resources in the way, as the gate has found them."""
    return [_resource(item) for item in state.details.get("unhealthy") or []] if state.state == FAILED else []


def deploy_report(progress: Progress, plan: Plan, around: Circumstances, events: Events) -> Report:
    nodes = _nodes(progress, plan, around, events)
    finished = progress.finished or (text_of(around.now) if progress.started else "")
    action = plan.get("action", "deploy")
    outcome = _OUTCOMES[action].get(progress.outcome, progress.outcome) or "Running"
    return {
        "schema": SCHEMA,
        "kind": action,
        "outcome": outcome,
        "environment": around.environment,
        "cluster": around.cluster,
        "scope": plan["scope"],
        "strategy": plan["strategy"],
        "run": progress.workflow,
        "started": progress.started,
        "finished": progress.finished,
        "seconds": between(progress.started, finished),
        "summary": _summary(progress, nodes, outcome, _STATES[action][HEALTHY]),
        "nodes": nodes,
        "stacks": _stacks(nodes),
        "findings": [*map(_obstacle, progress.obstacles), *_mixed(progress)],
        "metrics": metrics(nodes, between(progress.started, finished)),
        "next": _next(outcome, around),
    }


def _nodes(progress: Progress, plan: Plan, around: Circumstances, events: Events) -> list[Node]:
    waves = {name: number for number, wave in enumerate(plan["waves"]) for name in wave}
    needs = waits_for(plan)
    failed = [state.name for state in progress.nodes if state.state == FAILED]
    nodes = []
    for state in progress.nodes:
        planned = plan["nodes"][state.name]
        node = _measured(state)
        node.update(
            state=_STATES[plan.get("action", "deploy")][state.state],
            name=state.name,
            stack=planned["stack"],
            kind=planned["kind"],
            wave=waves[state.name],
            needs=needs[state.name],
        )
        if state.state == FAILED:
            node["resources"] = [
                {**found, "events": list(events.get((found["kind"], found["namespace"], found["name"]), []))}
                for found in blockers(state)
            ]
            reason = str(state.details.get("reason") or "")
            node["recommendation"] = advice(planned, reason, node["resources"], around.argocd_namespace)
        if state.state == SKIPPED:
            node["because"] = _failed_before(state.name, needs, set(failed)) or failed
            node["message"] = node["message"] or _why_skipped(node["because"], progress)
        nodes.append(node)
    return nodes


def _measured(state: NodeState) -> Node:
    outputs = state.outputs
    return {
        "started": state.started if state.state != SKIPPED else "",
        "finished": state.finished,
        "sync_seconds": _number(outputs.get("sync_seconds")),
        "health_seconds": _number(outputs.get("health_seconds")),
        "attempts": _number(outputs.get("attempts")),
        "synced": state.was_synced,
        "revision": outputs.get("revision", ""),
        "message": state.message,
        "log": [str(line) for line in state.details.get("log") or []],
    }


def _failed_before(name: str, needs: t.Mapping[str, list[str]], failed: set[str]) -> list[str]:
    """The failures that the node waits for, at whatever distance."""
    found: set[str] = set()
    seen = {name}
    waiting = [name]
    while waiting:
        for other in needs[waiting.pop()]:
            if other not in seen:
                seen.add(other)
                waiting.append(other)
                if other in failed:
                    found.add(other)
    return sorted(found)


def _why_skipped(because: list[str], progress: Progress) -> str:
    if because:
        return ""
    if progress.obstacles:
        return f"the run ended before the graph: {progress.obstacles[0].name} failed"
    return f"the workflow ended before its turn: {progress.message}" if progress.message else ""


def _summary(progress: Progress, nodes: list[Node], outcome: str, done: str) -> list[str]:
    synced = sum(bool(node["synced"]) for node in nodes)
    lines = [
        f"{len(_in(nodes, done))} of {len(nodes)} nodes are {done}"
        + (f"; {synced} had to be synced, the others stood already." if outcome == "Succeeded" else ".")
    ]
    lines += [f"{obstacle.name} failed: {obstacle.message or 'no reason given'}" for obstacle in progress.obstacles]
    lines += [f"{node['name']} failed: {node['message'] or 'no reason given'}" for node in _in(nodes, "Failed")]
    if outcome in ("Failed", "Partial") and len(lines) == 1:
        lines.append(f"The workflow ended as {progress.phase}: {progress.message or 'no reason given'}")
    skipped = [node["name"] for node in _in(nodes, "Skipped")]
    if skipped:
        more = len(skipped) - _MOST_NAMES
        names = ", ".join(skipped[:_MOST_NAMES]) + (f" and {more} more" if more > 0 else "")
        lines.append(f"Not started because of that: {names}.")
    if outcome in ("Failed", "Partial") and done == "Healthy":
        lines.append("What is Healthy stays so. Argo CD syncs nothing by itself until a run has succeeded.")
    running = [node["name"] for node in _in(nodes, "Running")]
    if running:
        lines.append(f"At work: {', '.join(running[:_MOST_NAMES])}.")
    elif outcome == "Running" and progress.message:
        lines.append(f"The workflow waits: {progress.message}")
    return lines


def _stacks(nodes: list[Node]) -> list[dict[str, t.Any]]:
    stacks: dict[str, list[str]] = {}
    for node in nodes:
        stacks.setdefault(node["stack"], []).append(node["state"])
    return [
        {
            "name": name,
            "state": min(states, key=_WORST_FIRST.index),
            "nodes": len(states),
            "healthy": states.count("Healthy"),
        }
        for name, states in sorted(stacks.items())
    ]


def _mixed(progress: Progress) -> list[dict[str, str]]:
    return [
        {
            "id": f"mixed-{state.name}",
            "severity": "warning",
            "where": state.name,
            "found": f"its target moved on during the run: it stands at {state.outputs.get('revision', 'another')}",
            "wanted": "one revision for the whole run",
            "fix": "run again, to bring everything to the new revision",
        }
        for state in progress.nodes
        if state.is_mixed
    ]


def _obstacle(obstacle: NodeState) -> dict[str, str]:
    is_requirement = obstacle.name.startswith("requirement ")
    return {
        "id": obstacle.name.replace(" ", "-"),
        "severity": "blocking",
        "where": obstacle.name,
        "found": obstacle.message or "no reason given",
        "wanted": "Healthy before this scope starts" if is_requirement else "",
        "fix": "deploy it first, or its stack, or the whole platform" if is_requirement else "",
    }


def _next(outcome: str, around: Circumstances) -> list[str]:
    command = {"Running": around.status, "Partial": around.resume, "Failed": around.resume}.get(outcome, "")
    return [command] if command else []


def _in(nodes: list[Node], state: str) -> list[Node]:
    return [node for node in nodes if node["state"] == state]


def _resource(item: t.Any) -> dict[str, t.Any]:
    given = item if isinstance(item, dict) else {}
    return {key: str(given.get(key) or "") for key in ("kind", "namespace", "name", "status", "message")}


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isdigit() else None
