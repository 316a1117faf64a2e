# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a Workflow says about a plan, and how that is told to the person who waits."""

from __future__ import annotations

import base64
import gzip
import json
import typing as t

import pytest

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._workflow.narration import (
    QUIET,
    Narrator,
    summary,
)
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._workflow.progress import progress_of

PLAN = {"order": ["metallb", "resource:ipaddresspools.metallb.io", "ingress", "portal"]}
Dict = dict[str, t.Any]


def node(path: str, phase: str, message: str = "", **more: t.Any) -> tuple[str, Dict]:
    name = f"run-1.{path}" if path else "run-1"
    return name, {"name": name, "phase": phase, "message": message, "type": "Plugin", "startedAt": "s", **more}


def outputs(**values: str) -> Dict:
    return {"parameters": [{"name": name, "value": value} for name, value in values.items()]}


def retried(path: str, phase: str, *attempts: tuple[str, str, Dict]) -> list[tuple[str, Dict]]:
    """As the controller writes it: a Retry node, and a child for each attempt."""
    children = [
        node(
            f"{path}({number})",
            state,
            message,
            outputs={"parameters": [{"name": k, "value": v} for k, v in out.items()]},
        )
        for number, (state, message, out) in enumerate(attempts)
    ]
    parent = node(path, phase, "No more retries left", type="Retry", children=[name for name, _content in children])
    return [parent, *children]


def workflow(phase: str, *nodes: tuple[str, Dict], message: str = "") -> Dict:
    return {
        "metadata": {"name": "run-1"},
        "status": {"phase": phase, "message": message, "nodes": dict([node("", phase, type="DAG"), *nodes])},
    }


SOME = [
    node("refuse-scope", "Skipped", "when false"),
    node("requirements.app-base", "Succeeded"),
    node("requirements", "Succeeded", type="DAG"),
    node("take-authority", "Succeeded"),
    node("wave-0", "Succeeded", type="DAG"),
    *retried(
        "wave-0.app-metallb", "Succeeded", ("Error", "lost", {}), ("Succeeded", "Healthy at abc", {"attempts": "1"})
    ),
    node("wave-1.resource-ipaddresspools-metallb-io", "Running", "waiting"),
]


def states(shown: Dict) -> dict[str, str]:
    return {item.name: item.state for item in progress_of(shown, PLAN).nodes}


def test_nothing_is_known_before_the_controller_has_seen_it() -> None:
    progress = progress_of({"metadata": {"name": "run-1"}}, PLAN)
    assert {item.state for item in progress.nodes} == {"waiting"}
    assert not progress.is_finished
    assert progress.outcome == ""


def test_every_node_of_the_plan_has_a_state() -> None:
    progress = progress_of(workflow("Running", *SOME), PLAN)
    assert states(workflow("Running", *SOME)) == {
        "metallb": "healthy",
        "resource:ipaddresspools.metallb.io": "running",
        "ingress": "waiting",
        "portal": "waiting",
    }
    metallb = progress.nodes[0]
    assert metallb.message == "Healthy at abc"
    assert metallb.was_synced
    assert not progress.obstacles


def test_packed_nodes_are_unpacked() -> None:
    shown = workflow("Running", *SOME)
    packed = base64.b64encode(gzip.compress(json.dumps(shown["status"].pop("nodes")).encode())).decode()
    shown["status"]["compressedNodes"] = packed
    assert states(shown) == states(workflow("Running", *SOME))


def test_a_failure_is_partial_and_its_dependents_were_not_started() -> None:
    failed = workflow(
        "Failed",
        *SOME[:-1],
        node("wave-1.resource-ipaddresspools-metallb-io", "Failed", "not there within 5 m"),
        node("wave-2", "Omitted", type="Skipped"),
    )
    progress = progress_of(failed, PLAN)
    assert progress.outcome == "Partial"
    assert summary(progress) == [
        "resource:ipaddresspools.metallb.io failed: not there within 5 m",
        "not started: ingress, portal",
    ]


def test_what_ran_when_the_workflow_was_stopped_has_failed() -> None:
    progress = progress_of(workflow("Failed", *SOME, message="Step exceeded its deadline"), PLAN)
    assert progress.nodes[1].state == "failed"


@pytest.mark.parametrize(
    ("obstacle", "line"),
    [
        (node("refuse-scope", "Failed", "no scope app:x"), "refuse-scope failed: no scope app:x"),
        (node("requirements.app-base", "Failed", "it is Degraded"), "requirement base failed: it is Degraded"),
        (node("take-authority", "Error", "refused"), "take-authority failed: refused"),
    ],
)
def test_what_fails_before_the_graph_is_named(obstacle: tuple[str, Dict], line: str) -> None:
    progress = progress_of(workflow("Failed", obstacle, node("requirements", "Failed", type="DAG")), PLAN)
    assert progress.outcome == "Failed"
    assert summary(progress)[0] == line


def test_a_workflow_that_argo_refuses_says_why() -> None:
    progress = progress_of(workflow("Error", message="templates.main: unknown template"), PLAN)
    assert summary(progress)[0] == "the workflow ended as Error: templates.main: unknown template"


def test_success_has_nothing_to_say() -> None:
    done = [
        node(f"graph.{task}", "Succeeded", outputs=outputs(attempts="0"))
        for task in ("app-metallb", "resource-ipaddresspools-metallb-io", "app-ingress", "app-portal")
    ]
    progress = progress_of(workflow("Succeeded", *done), PLAN)
    assert progress.outcome == "Succeeded"
    assert summary(progress) == []
    assert not any(item.was_synced for item in progress.nodes)


def test_each_node_is_told_once_and_the_running_ones_every_now_and_then() -> None:
    narrator = Narrator()
    progress = progress_of(workflow("Running", *SOME), PLAN)
    assert narrator.lines(progress, 3) == ["  0:03  1/4 Healthy  ok  metallb: Healthy at abc"]
    assert narrator.lines(progress, 4) == []
    assert narrator.lines(progress, 3 + QUIET) == [
        "  0:13  1/4 Healthy  running: resource:ipaddresspools.metallb.io (waiting)"
    ]
    assert narrator.lines(progress, 4 + QUIET) == []


def test_waiting_for_another_run_is_told() -> None:
    progress = progress_of(workflow("Pending", message="Waiting for argo/Mutex/platform lock"), PLAN)
    assert Narrator().lines(progress, QUIET) == ["  0:10  0/4 Healthy  waiting: Waiting for argo/Mutex/platform lock"]
    assert "0/4 gone" in Narrator("gone").lines(progress, QUIET)[0]


def test_an_outage_is_told_and_not_repeated_every_second() -> None:
    narrator = Narrator()
    assert narrator.trouble("no answer", 1) == ["  0:01  no answer; the workflow goes on by itself, asking again"]
    assert narrator.trouble("no answer", 2) == []
    assert len(narrator.trouble("no answer", 1 + QUIET)) == 1


def test_long_messages_do_not_flood_the_screen() -> None:
    shown = workflow("Running", node("graph.app-metallb", "Failed", "x\n" * 5000))
    (line,) = Narrator().lines(progress_of(shown, PLAN), 1)
    assert len(line) < 250
    assert "\n" not in line


def test_where_the_survey_found_everything_standing_no_node_was_started() -> None:
    nodes = {
        "metallb": {"application": "metallb"},
        "ingress": {"application": "ingress-nginx"},
        "resource:ipaddresspools.metallb.io": {},
    }
    found = outputs(verdict="standing", revisions='{"metallb":"abc","ingress-nginx":"def"}')
    shown = workflow(
        "Succeeded",
        node("survey", "Succeeded", "all 3 nodes stand", outputs=found),
        node("take-authority", "Skipped"),
        node("wave-0", "Omitted", type="Skipped"),
    )
    progress = progress_of(shown, {"order": list(nodes), "nodes": nodes})
    assert progress.outcome == "Succeeded"
    assert {item.state for item in progress.nodes} == {"healthy"}
    assert [item.outputs["revision"] for item in progress.nodes] == ["abc", "def", ""]
    assert not any(item.was_synced for item in progress.nodes)


def test_what_the_survey_refuses_is_an_obstacle() -> None:
    shown = workflow("Failed", node("survey", "Failed", "there is no Application portal in the AppProject platform"))
    assert summary(progress_of(shown, PLAN))[0] == (
        "survey failed: there is no Application portal in the AppProject platform"
    )


def test_mixed_revisions_are_told_whatever_the_outcome() -> None:
    mixed = outputs(attempts="1", details='{"mixed":true,"reason":"Healthy"}')
    shown = workflow("Succeeded", node("graph.app-metallb", "Succeeded", outputs=mixed))
    progress = progress_of(shown, {"order": ["metallb"]})
    assert [item.is_mixed for item in progress.nodes] == [True]
    assert summary(progress)[0].startswith("mixed revisions: the targets of metallb moved on during the run")
