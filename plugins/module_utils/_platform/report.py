# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""From facts to the report: states, stacks, who is at risk, findings, and the one word for all of it."""

from __future__ import annotations

import typing as t

from .compliance import Graph, check_all, runs_at_work
from .facts import Body, Facts, Settings
from .finding import BLOCKING, Finding
from .health import FAILED, HEALTHY, MISSING, State, aggregate, judge_application, judge_component, judge_resource
from .risk import ancestors, at_risk, roots_of_trouble
from .wording import next_commands, recommendation, summary

# Stacks of the report that the graph does not have
PRIMITIVES = "primitives"
OUTSIDE = "outside the graph"

HEALTHY_OUTCOME = "Healthy"
DEGRADED_OUTCOME = "Degraded"
UNHEALTHY_OUTCOME = "Unhealthy"
# RFC 7
EXIT_CODES = {HEALTHY_OUTCOME: 0, UNHEALTHY_OUTCOME: 1, DEGRADED_OUTCOME: 2}

_EVENTS_SHOWN = 3


def make_report(
    platform: t.Mapping[str, t.Any], plan: t.Mapping[str, t.Any], facts: Facts, settings: Settings
) -> dict[str, t.Any]:
    """`platform`: the plan of the whole graph; `plan`: that of the scope."""
    all_nodes = platform["nodes"]
    applications = facts.named()
    states = {name: _judge(node, applications, facts, settings) for name, node in all_nodes.items()}
    states.update(_outside(platform, facts, settings))
    needs = {name: node["depends_on"] for name, node in all_nodes.items()}
    words = {name: state.state for name, state in states.items()}
    risks = at_risk(needs, words)
    shown = [*plan["order"], *sorted(set(states) - set(all_nodes))]
    waves = {name: number for number, wave in enumerate(plan["waves"]) for name in wave}
    nodes = [
        _node(name, all_nodes.get(name), states[name], waves.get(name, 0), risks.get(name, []), facts) for name in shown
    ]
    findings = check_all(facts, settings, graph_of(all_nodes, plan["nodes"], needs))
    outcome = judge_outcome(nodes, findings)
    roots = [name for name in roots_of_trouble(needs, words) if name in shown]
    return {
        "schema": 1,
        "kind": "validate",
        "outcome": outcome,
        "scope": plan["scope"],
        "strategy": plan["strategy"],
        "run": ", ".join(runs_at_work(facts)),
        "summary": summary(outcome, nodes, findings, roots, risks, runs_at_work(facts)),
        "nodes": nodes,
        "stacks": _stacks(nodes),
        "findings": [finding._asdict() for finding in findings],
        "metrics": _metrics(nodes, findings),
        "next": next_commands(nodes, findings, settings, plan["scope"]),
    }


def judge_outcome(nodes: t.Sequence[Body], findings: t.Iterable[Finding]) -> str:
    """Unhealthy: something Failed, or nothing is deployed. Degraded: anything else that is not as it must be."""
    whole = aggregate(node["state"] for node in nodes)
    applications = {node["state"] for node in nodes if node["kind"] == "application"}
    if whole == FAILED or applications == {MISSING}:
        return UNHEALTHY_OUTCOME
    if whole != HEALTHY or any(finding.severity == BLOCKING for finding in findings):
        return DEGRADED_OUTCOME
    return HEALTHY_OUTCOME


def graph_of(
    everything: t.Mapping[str, Body], chosen: t.Mapping[str, Body], needs: t.Mapping[str, t.Sequence[str]]
) -> Graph:
    """In the names of Applications, which are not always those of the nodes."""
    application = {
        name: node["application"]
        for name, node in everything.items()
        if node["kind"] == "application" and node["managed_by"] == "argocd"
    }
    above = ancestors(needs)
    return Graph(
        frozenset(application.values()),
        frozenset(application[name] for name in chosen if name in application),
        {
            application[name]: frozenset(application[other] for other in above[name] if other in application)
            for name in application
        },
    )


def _judge(node: Body, applications: t.Mapping[str, Body], facts: Facts, settings: Settings) -> State:
    if node["kind"] == "resource":
        return judge_resource(facts.resources.get(node["name"]))
    if node["managed_by"] == "bootstrap":
        return judge_component(facts.components.get(node["name"], []))
    name = node["application"]
    return judge_application(applications.get(name), facts.details.get(name), settings.now)


def _outside(platform: t.Mapping[str, t.Any], facts: Facts, settings: Settings) -> dict[str, State]:
    """What is no node and yet needed: resources that nobody in the graph provides, and the bootstrap's components."""
    resources = {name: judge_resource(facts.resources.get(name)) for name in platform["requires"]}
    others = {
        name: judge_component(facts.components.get(name, []))
        for name in settings.components
        if settings.compliance and name not in platform["nodes"]
    }
    return {**resources, **others}


def _node(name: str, node: Body | None, state: State, wave: int, because: list[str], facts: Facts) -> dict[str, t.Any]:
    is_resource = name.startswith("resource:")
    if node is None:
        node = {"stack": OUTSIDE if is_resource else PRIMITIVES, "depends_on": [], "managed_by": "bootstrap"}
    kind = "resource" if is_resource else "application" if node["managed_by"] == "argocd" else "bootstrap"
    message = state.message
    if because and state.state == HEALTHY:
        message = f"at risk: it depends on {', '.join(because)}. Nothing is done to it (RFC 3.7)"
    return {
        "name": name,
        "stack": node["stack"],
        "kind": kind,
        "wave": wave,
        "needs": list(node["depends_on"]),
        "state": state.state,
        "reason": state.reason,
        "sync": state.sync,
        "revision": state.revision,
        "message": message,
        "resources": [
            {**blocker._asdict(), "events": _events(blocker.name, facts.events.get(blocker.namespace, []))}
            for blocker in state.blockers
        ],
        "recommendation": recommendation(name, state),
        "because": because,
    }


def _events(name: str, events: t.Sequence[Body]) -> list[str]:
    """Of the object and of what it owns: a pod's name begins with that of its Deployment."""
    told = [
        f"{event.get('reason', '')}: {' '.join(str(event.get('message', '')).split())[:200]}"
        for event in events
        if str((event.get("involvedObject") or {}).get("name", "")).startswith(name)
    ]
    return list(dict.fromkeys(told))[-_EVENTS_SHOWN:]


def _stacks(nodes: t.Sequence[Body]) -> list[dict[str, t.Any]]:
    names = dict.fromkeys(node["stack"] for node in nodes)
    members = {stack: [node["state"] for node in nodes if node["stack"] == stack] for stack in names}
    return [
        {"name": stack, "state": aggregate(states), "nodes": len(states), "healthy": states.count(HEALTHY)}
        for stack, states in members.items()
    ]


def _metrics(nodes: t.Sequence[Body], findings: t.Sequence[Finding]) -> dict[str, int]:
    severities = [finding.severity for finding in findings]
    return {
        "nodes": len(nodes),
        "healthy": sum(node["state"] == HEALTHY for node in nodes),
        "at_risk": sum(bool(node["because"]) for node in nodes),
        **{f"findings_{severity}": severities.count(severity) for severity in ("blocking", "warning", "info")},
    }
