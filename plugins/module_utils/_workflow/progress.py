# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""What a Workflow object says about the nodes of a plan. Pure."""

from __future__ import annotations

import base64
import gzip
import json
import typing as t
from types import MappingProxyType

from .._dag.names import task_name
from .run import FINISHED

WAITING = "waiting"
RUNNING = "running"
HEALTHY = "healthy"
FAILED = "failed"
SKIPPED = "skipped"

_STATES = {"Succeeded": HEALTHY, "Failed": FAILED, "Error": FAILED, "Omitted": SKIPPED, "Running": RUNNING}

StatusNode = dict[str, t.Any]


class NodeState(t.NamedTuple):
    """How far one node of the plan (or a step around it) has come."""

    name: str
    state: str
    message: str = ""
    started: str = ""
    finished: str = ""
    outputs: t.Mapping[str, str] = MappingProxyType({})

    @property
    def was_synced(self) -> bool:
        """Whether this run made a change: what stood already costs no attempt."""
        return self.outputs.get("attempts", "0") not in ("", "0")

    @property
    def is_mixed(self) -> bool:
        """Whether it stands at something else than its target resolved to when the run began."""
        return bool(self.details.get("mixed"))

    @property
    def details(self) -> dict[str, t.Any]:
        """What the gate has to say beyond its verdict; nothing where another version has written something else."""
        try:
            details = json.loads(self.outputs.get("details") or "{}")
        except ValueError:
            return {}
        return details if isinstance(details, dict) else {}


class Progress(t.NamedTuple):
    workflow: str
    # Argo's phase; empty before the controller has seen the Workflow
    phase: str
    message: str
    started: str
    finished: str
    nodes: list[NodeState]
    # What failed around the graph: the scope, a requirement, the authority
    obstacles: list[NodeState]

    @property
    def is_finished(self) -> bool:
        return self.phase in FINISHED

    @property
    def outcome(self) -> str:
        """RFC 6.3: Succeeded, Partial or Failed; empty while it runs."""
        if not self.is_finished:
            return ""
        if self.phase == "Succeeded":
            return "Succeeded"
        return "Partial" if self.having(HEALTHY) else "Failed"

    def having(self, *states: str) -> list[NodeState]:
        return [node for node in self.nodes if node.state in states]


def progress_of(workflow: t.Mapping[str, t.Any], plan: t.Mapping[str, t.Any]) -> Progress:
    """Plan is the plan for the scope of the run."""
    status = workflow.get("status") or {}
    is_finished = status.get("phase") in FINISHED
    graph, around = _steps(_status_nodes(status))
    survey = _outputs(around.get("survey") or {})
    if survey.get("verdict") == "standing":
        nodes = [_standing(name, plan, around["survey"], json.loads(survey["revisions"])) for name in plan["order"]]
    else:
        nodes = [_state(name, graph.get(task_name(name)), is_finished) for name in plan["order"]]
    return Progress(
        workflow["metadata"]["name"],
        status.get("phase") or "",
        status.get("message") or "",
        status.get("startedAt") or "",
        status.get("finishedAt") or "",
        nodes,
        [
            _state(name, step, is_finished)
            for name, step in sorted(around.items())
            if _STATES.get(step.get("phase", "")) == FAILED
        ],
    )


def _status_nodes(status: t.Mapping[str, t.Any]) -> dict[str, StatusNode]:
    """Above a certain size the controller packs the nodes."""
    packed = status.get("compressedNodes")
    if packed:
        return json.loads(gzip.decompress(base64.b64decode(packed)))
    return status.get("nodes") or {}


def _steps(nodes: dict[str, StatusNode]) -> tuple[dict[str, StatusNode], dict[str, StatusNode]]:
    """The tasks of the graph by name, and what stands around it: <workflow>.<stage>.<task> and <workflow>.<task>."""
    graph: dict[str, StatusNode] = {}
    around: dict[str, StatusNode] = {}
    for node in nodes.values():
        _workflow, *path = node["name"].split(".")
        if not path or "(" in path[-1]:
            continue  # the workflow itself, or an attempt of a step that is here as well
        stage, task = path[0], path[-1]
        if _is_graph(stage):
            if len(path) == 2:
                graph[task] = _with_attempt(node, nodes)
        elif stage.startswith("requirements"):
            if len(path) == 2:
                around["requirement " + task.partition("-")[2]] = _with_attempt(node, nodes)
        else:
            around[task] = _with_attempt(node, nodes)
    return graph, around


def _with_attempt(node: StatusNode, nodes: dict[str, StatusNode]) -> StatusNode:
    """A step that may be tried again has its news in its last attempt."""
    if node.get("type") != "Retry":
        return node
    attempts = [nodes[child] for child in node.get("children") or [] if child in nodes]
    attempts = [attempt for attempt in attempts if attempt["name"].startswith(node["name"] + "(")]
    if not attempts:
        return node
    last = max(attempts, key=lambda attempt: int(attempt["name"].rpartition("(")[2].rstrip(")")))
    return {
        **node,
        "message": last.get("message") or node.get("message") or "",
        "outputs": last.get("outputs") or node.get("outputs"),
    }


def _is_graph(stage: str) -> bool:
    return stage == "graph" or stage.startswith("wave-")


def _state(name: str, step: StatusNode | None, is_finished: bool) -> NodeState:
    if step is None:
        return NodeState(name, SKIPPED if is_finished else WAITING)
    state = _STATES.get(step.get("phase", ""), WAITING)
    if state in (WAITING, RUNNING) and is_finished:
        state = FAILED  # the deadline, or somebody, stopped the workflow under it
    return NodeState(
        name,
        state,
        step.get("message") or "",
        step.get("startedAt") or "",
        step.get("finishedAt") or "" if state in (HEALTHY, FAILED) else "",
        _outputs(step),
    )


def _standing(name: str, plan: t.Mapping[str, t.Any], survey: StatusNode, revisions: t.Mapping[str, str]) -> NodeState:
    """A node that was not started, because the survey found that everything stands."""
    application = plan["nodes"][name].get("application", "")
    return NodeState(
        name,
        HEALTHY,
        "already stands, nothing to do",
        survey.get("startedAt") or "",
        survey.get("finishedAt") or "",
        {"attempts": "0", "verdict": "Healthy", "revision": revisions.get(application, "")},
    )


def _outputs(step: StatusNode) -> dict[str, str]:
    parameters = (step.get("outputs") or {}).get("parameters") or []
    return {item["name"]: str(item.get("value") or "") for item in parameters}
