# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""From a Workflow to the report of a deployment."""

from __future__ import annotations

import json
import typing as t

import pytest

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._kube.api import KubeError
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._report.advice import advice
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._report.deploy import (
    Circumstances,
    blockers,
    deploy_report,
)
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._report.events import event_lines, read_events
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._report.page import report_html
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._report.text import report_text
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._workflow.progress import NodeState, Progress

Dict = dict[str, t.Any]
AROUND = Circumstances("staging", "https://10.0.0.1:6443", "argocd", 1794816090.0, "resume it", "look at it")
UNHEALTHY = {"kind": "StatefulSet", "namespace": "base", "name": "vault", "status": "Progressing", "message": "0 of 3"}


def planned(name: str, stack: str, *needs: str) -> Dict:
    kind = "resource" if name.startswith("resource:") else "application"
    return {"name": name, "stack": stack, "kind": kind, "application": name, "depends_on": list(needs)}


PLAN = {
    "scope": "platform",
    "strategy": "waves",
    "order": ["metallb", "dns", "vault", "portal", "wiki"],
    "waves": [["metallb", "dns"], ["vault"], ["portal", "wiki"]],
    "nodes": {
        "metallb": planned("metallb", "network"),
        "dns": planned("dns", "network"),
        "vault": planned("vault", "base", "metallb"),
        "portal": planned("portal", "apps", "vault", "something outside"),
        "wiki": planned("wiki", "apps", "dns"),
    },
}


def healthy(name: str, started: str, finished: str, attempts: str = "1") -> NodeState:
    outputs = {"attempts": attempts, "sync_seconds": "3", "health_seconds": "4", "revision": "0123", "details": "{}"}
    return NodeState(
        name, "healthy", "Healthy at 0123", f"2026-11-16T08:00:{started}Z", f"2026-11-16T08:00:{finished}Z", outputs
    )


def failed(reason: str = "HealthTimeout", **details: t.Any) -> NodeState:
    outputs = {"attempts": "2", "details": json.dumps({"reason": reason, "unhealthy": [UNHEALTHY], **details})}
    return NodeState("vault", "failed", "Progressing for 1m", "2026-11-16T08:00:12Z", "2026-11-16T08:01:12Z", outputs)


def progress(
    *nodes: NodeState, phase: str = "Failed", message: str = "", obstacles: t.Sequence[NodeState] = ()
) -> Progress:
    finished = "2026-11-16T08:01:30Z" if phase != "Running" else ""
    return Progress("run-1", phase, message, "2026-11-16T08:00:00Z", finished, list(nodes), list(obstacles))


PARTIAL = progress(
    healthy("metallb", "00", "10"),
    healthy("dns", "00", "05", attempts="0"),
    failed(log=["08:00:12 Progressing", "08:01:12 Failed"]),
    NodeState("portal", "skipped"),
    NodeState("wiki", "skipped"),
)


def node(report: Dict, name: str) -> Dict:
    return next(item for item in report["nodes"] if item["name"] == name)


def test_a_partial_run_has_all_that_a_person_on_call_asks_for() -> None:
    events = {("StatefulSet", "base", "vault"): ["Warning FailedMount: no such secret"]}
    report = deploy_report(PARTIAL, PLAN, AROUND, events)
    assert (report["outcome"], report["seconds"], report["next"]) == ("Partial", 90, ["resume it"])
    vault = node(report, "vault")
    assert vault["resources"] == [{**UNHEALTHY, "events": ["Warning FailedMount: no such secret"]}]
    assert vault["recommendation"].startswith("look at `kubectl describe statefulset vault --namespace base`, mend it")
    assert (vault["wave"], vault["attempts"], vault["log"][1]) == (1, 2, "08:01:12 Failed")
    assert node(report, "metallb")["sync_seconds"] == 3
    assert report["summary"][:2] == ["2 of 5 nodes are Healthy.", "vault failed: Progressing for 1m"]
    assert report["stacks"][0] == {"name": "apps", "state": "Skipped", "nodes": 2, "healthy": 0}
    assert "no such secret" in report_text(report)
    assert "no such secret" in report_html(report)


def test_what_was_not_started_names_the_failure_it_waits_for() -> None:
    report = deploy_report(PARTIAL, PLAN, AROUND, {})
    assert node(report, "portal")["because"] == ["vault"]
    assert node(report, "wiki")["because"] == ["vault"], "it depends on nothing that failed, but its wave comes later"
    assert node(report, "portal")["needs"] == ["vault"], "what is outside the scope is no node of it"


def test_the_numbers_are_those_of_the_run() -> None:
    assert deploy_report(PARTIAL, PLAN, AROUND, {})["metrics"] == {
        "nodes": 5,
        "healthy": 2,
        "syncs": 2,
        "attempts": 3,
        "makespan_seconds": 90,
        "critical_path_seconds": 70,
        "critical_path_ratio": 1.29,
        "dispatch_median_seconds": 2,
    }


def test_a_run_at_work_says_what_it_does_and_how_to_look_again() -> None:
    running = NodeState("vault", "running", "Progressing: 1 of 3", "2026-11-16T08:00:12Z")
    nodes = [healthy("metallb", "00", "10"), healthy("dns", "00", "05"), running, NodeState("portal", "waiting")]
    report = deploy_report(progress(*nodes, phase="Running"), PLAN, AROUND, {})
    assert (report["outcome"], report["next"], report["finished"]) == ("Running", ["look at it"], "")
    assert report["seconds"] == 90
    assert "At work: vault." in report["summary"]


def test_a_success_has_nothing_to_do_next() -> None:
    report = deploy_report(progress(*PARTIAL.nodes[:2], phase="Succeeded"), PLAN, AROUND, {})
    assert report["next"] == []
    assert report["summary"] == ["2 of 2 nodes are Healthy; 1 had to be synced, the others stood already."]


def test_what_stood_before_the_graph_is_a_finding_and_the_reason_of_the_rest() -> None:
    obstacle = NodeState("requirement base", "failed", "base is Degraded")
    report = deploy_report(progress(NodeState("vault", "skipped"), obstacles=[obstacle]), PLAN, AROUND, {})
    assert report["outcome"] == "Failed"
    assert report["findings"][0]["found"] == "base is Degraded"
    assert node(report, "vault")["message"] == "the run ended before the graph: requirement base failed"


def test_a_workflow_that_argo_refused_says_why() -> None:
    report = deploy_report(progress(NodeState("vault", "skipped"), phase="Error", message="bad spec"), PLAN, AROUND, {})
    assert "The workflow ended as Error: bad spec" in report["summary"]


def test_a_teardown_that_is_looked_at_is_told_as_one() -> None:
    teardown = {**PLAN, "action": "teardown"}
    report = deploy_report(progress(healthy("dns", "00", "05"), phase="Succeeded"), teardown, AROUND, {})
    assert (report["kind"], report["outcome"], node(report, "dns")["state"]) == ("teardown", "Complete", "Removed")
    assert report["summary"][0].startswith("1 of 1 nodes are Removed")
    assert "COMPLETE" in report_text(report)


def test_a_target_that_moved_on_is_a_warning() -> None:
    moved = healthy("dns", "00", "05")._replace(outputs={"details": '{"mixed": true}', "revision": "0456"})
    (finding,) = deploy_report(progress(moved, phase="Succeeded"), PLAN, AROUND, {})["findings"]
    assert (finding["severity"], finding["where"]) == ("warning", "dns")
    assert "0456" in finding["found"]


def test_where_everything_stood_there_is_no_chain_to_measure() -> None:
    nodes = [healthy(name, "00", "02", attempts="0") for name in PLAN["order"]]
    measured = deploy_report(progress(*nodes, phase="Succeeded"), PLAN, AROUND, {})["metrics"]
    assert measured["syncs"] == 0
    assert "critical_path_ratio" not in measured


@pytest.mark.parametrize("details", ["no JSON", "[]", '{"unhealthy": ["x"], "log": [1]}', ""])
def test_outputs_of_another_version_do_no_harm(details: str) -> None:
    state = failed()._replace(outputs={"details": details, "attempts": "many"})
    report = deploy_report(progress(state), PLAN, AROUND, {})
    assert report_html(report)
    assert node(report, "vault")["recommendation"]


def test_only_failures_have_something_in_the_way() -> None:
    assert blockers(failed()) == [UNHEALTHY]
    assert blockers(failed()._replace(state="healthy")) == []


@pytest.mark.parametrize(
    ("reason", "resources", "words"),
    [
        ("HealthTimeout", [UNHEALTHY], "raise health_timeout of vault in dag.yaml"),
        ("SyncTimeout", [], "raise sync_timeout of vault in dag.yaml"),
        ("Degraded", [], "look at `kubectl describe application vault --namespace cd`"),
        ("Unreachable", [], "kubectl get pods --namespace cd"),
        ("", [], "look at `kubectl describe application vault"),
    ],
)
def test_the_advice_fits_the_reason(reason: str, resources: list[Dict], words: str) -> None:
    assert words in advice(PLAN["nodes"]["vault"], reason, resources, "cd")


def event(name: str, kind: str = "Pod", **more: t.Any) -> Dict:
    return {
        "involvedObject": {"kind": kind, "name": name},
        "reason": "Why",
        "message": "text",
        "type": "Normal",
        **more,
    }


def test_events_are_those_of_the_object_and_of_what_it_owns() -> None:
    found = event_lines(
        [
            event("other", type="Warning"),
            event("vault-0", message="older", type="Warning", lastTimestamp="2026-11-16T08:00:00Z"),
            event("vault-1", message="newer", type="Warning", lastTimestamp="2026-11-16T08:00:09Z", count=7),
            event("vault", "StatefulSet", message="created"),
            event("vaulted", message="not ours"),
        ],
        "vault",
    )
    assert found == [
        "7 times Warning Why (Pod vault-1): newer",
        "Warning Why (Pod vault-0): older",
        "Normal Why (StatefulSet vault): created",
    ]


def test_events_are_few_and_without_secrets() -> None:
    many = [event(f"vault-{number}", message=f"password=hunter2 {number}") for number in range(50)]
    found = event_lines(many, "vault")
    assert len(found) == 5
    assert "hunter2" not in "".join(found)


def test_events_are_read_once_for_each_namespace_and_their_lack_is_told() -> None:
    class Api:
        asked: t.ClassVar[list[str]] = []

        def items(self, path: str) -> list[Dict]:
            self.asked.append(path)
            if "default" in path:
                raise KubeError("you may not", 403)
            return [event("vault-0")]

    wanted = [UNHEALTHY, {**UNHEALTHY, "name": "x"}, {**UNHEALTHY, "namespace": "", "name": "crd"}]
    found = read_events(t.cast(t.Any, Api()), wanted)
    assert Api.asked == ["/api/v1/namespaces/base/events", "/api/v1/namespaces/default/events"]
    assert found[("StatefulSet", "base", "vault")] == ["Normal Why (Pod vault-0): text"]
    assert found[("StatefulSet", "", "crd")] == ["Note Unreadable: you may not"]
