# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One report in all its forms."""

from __future__ import annotations

import typing as t
from xml.etree import ElementTree

import pytest

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._report.graph import picture
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._report.junit import report_junit
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._report.model import (
    ReportError,
    complete,
    span,
    tone,
)
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._report.moments import between, seconds_of
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._report.page import report_html
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._report.text import WIDTH, report_text
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._report.timeline import timeline
from ansible_collections.proficientnow.deploy_ops.tests.unit.plugins.module_utils.report_samples import (
    SMALLEST,
    Dict,
    node,
    partial,
)

RENDERERS = [report_text, report_junit, report_html]


@pytest.mark.parametrize("render", RENDERERS)
@pytest.mark.parametrize("report", SMALLEST, ids=lambda report: report["kind"])
def test_the_smallest_report_of_each_kind_can_be_rendered(render: t.Callable[[Dict], str], report: Dict) -> None:
    assert report["outcome"].lower() in render(report).lower()


@pytest.mark.parametrize("render", RENDERERS)
@pytest.mark.parametrize(
    ("report", "reason"),
    [
        ("text", "a report is a mapping, not str"),
        ({}, "schema must be 1, not None"),
        ({"schema": 1, "kind": "x"}, "kind must be one of deploy, validate, teardown, not x"),
        ({"schema": 1, "kind": "deploy", "outcome": "Healthy"}, "outcome of deploy must be one of Running, Succeeded"),
        ({**SMALLEST[0], "nodes": "x"}, "the report: nodes must be a list, not str"),
        ({**SMALLEST[0], "nodes": ["x"]}, "nodes: each must be a mapping, not str"),
        ({**SMALLEST[0], "metrics": []}, "the report: metrics must be a mapping, not list"),
    ],
)
def test_what_is_no_report_is_refused(render: t.Callable[[t.Any], str], report: t.Any, reason: str) -> None:
    with pytest.raises(ReportError, match=reason):
        render(report)


def test_the_text_tells_what_failed_why_and_what_to_do() -> None:
    text = report_text(partial())
    for part in (
        "deploy PARTIAL: platform (waves) of staging on https://10.0.0.1:6443",
        "took 1 min 30 s",
        "3 nodes: 1 Failed, 1 Skipped, 1 Healthy",
        "FAILED  vault  (stack base, wave 1, 2 attempts)",
        "StatefulSet base/vault is Progressing: 0 of 3 pods are ready",
        "event: Warning FailedMount: no such secret",
        "what to do: look at StatefulSet base/vault",
        "portal (waits for vault)",
        "    ansible-playbook proficientnow.deploy_ops.deploy",
    ):
        assert part in text
    assert "metallb" not in text, "what is in order is only counted"


def test_the_text_stays_short_however_much_is_wrong() -> None:
    nodes = [node(f"n{number}", "Failed", message="word " * 100) for number in range(200)]
    lines = report_text({**SMALLEST[0], "outcome": "Failed", "nodes": nodes}).splitlines()
    assert len(lines) < 100
    assert max(map(len, lines)) <= WIDTH
    assert "... and 190 more" in lines


def test_junit_has_a_case_for_each_node() -> None:
    (suite,) = ElementTree.fromstring(report_junit(partial()))
    assert {key: suite.get(key) for key in ("tests", "failures", "errors", "skipped", "time")} == {
        "tests": "3",
        "failures": "1",
        "errors": "0",
        "skipped": "1",
        "time": "90",
    }
    healthy, failed, skipped = suite.findall("testcase")
    assert (healthy.get("classname"), healthy.get("name"), healthy.get("time")) == ("base", "metallb", "18")
    failure = failed.find("failure")
    assert failure is not None
    assert failure.get("message") == "Progressing for 1 min"
    assert "Warning FailedMount: no such secret" in (failure.text or "")
    reason = skipped.find("skipped")
    assert reason is not None
    assert reason.get("message") == "Skipped: waits for vault"


def test_junit_fails_when_it_ended_before_any_node() -> None:
    _nodes, outcome = ElementTree.fromstring(report_junit({**SMALLEST[0], "outcome": "Failed", "summary": ["no Root"]}))
    failure = outcome.find("testcase/failure")
    assert failure is not None
    assert failure.get("message") == "no Root"


def test_junit_fails_for_blocking_findings_only() -> None:
    findings = [{"id": "a", "severity": "blocking", "found": "x"}, {"id": "b", "severity": "warning", "found": "y"}]
    _nodes, suite = ElementTree.fromstring(report_junit({**SMALLEST[1], "findings": findings}))
    assert [case.find("failure") is not None for case in suite.findall("testcase")] == [True, False]


def test_the_picture_has_a_column_for_each_wave_and_leaves_out_what_follows() -> None:
    nodes = [
        node("a", wave=0),
        node("b", wave=3, needs=["a"]),
        node("c", wave=7, needs=["a", "b", "somewhere else", "c"]),
    ]
    drawn = picture(complete({**SMALLEST[0], "nodes": nodes})["nodes"])
    assert [(line.before, line.after) for line in drawn.lines] == [(0, 1), (1, 2)]
    assert len(drawn.columns) == 3
    assert [box.x for box in drawn.boxes] == sorted({box.x for box in drawn.boxes})


def test_the_picture_finds_the_columns_where_no_waves_are_told() -> None:
    nodes = complete({**SMALLEST[1], "nodes": [node("c", needs=["b"]), node("b", needs=["a"]), node("a")]})["nodes"]
    assert [box.x for box in picture(nodes).boxes] == sorted((box.x for box in picture(nodes).boxes), reverse=True)


def test_no_two_boxes_overlap() -> None:
    nodes = [node(f"n{number}", wave=number % 3, needs=[f"n{number // 2}"]) for number in range(40)]
    boxes = picture(complete({**SMALLEST[0], "nodes": nodes})["nodes"]).boxes
    assert len({(box.x, box.y) for box in boxes}) == 40


def test_the_timeline_has_the_parts_of_each_node() -> None:
    drawn = timeline(complete(partial()))
    assert [item.number for item in drawn.bars] == [0, 1], "what has not started has no bar"
    vault = drawn.bars[1]
    assert round(vault.left) == 22
    assert round(vault.left + vault.width) == 100
    assert vault.sync + vault.health <= vault.width
    assert drawn.ticks[1][1] == "10 s"


def test_a_node_that_runs_lasts_to_the_end() -> None:
    running = [node("a", "Running", started="2026-11-16T08:00:00Z")]
    report = {**SMALLEST[0], "outcome": "Running", "finished": "2026-11-16T08:00:30Z", "nodes": running}
    (lasting,) = timeline(complete(report)).bars
    assert (lasting.left, lasting.width, lasting.took) == (0, 100, "30 s")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(None, ""), (0, "0 s"), (0.25, "0.25 s"), (59.6, "1 min"), (90, "1 min 30 s"), (7260, "2 h 1 min"), (1e12, "")],
)
def test_times_are_told_as_people_do(seconds: float | None, text: str) -> None:
    assert span(seconds) == text


def test_times_are_read_as_kubernetes_writes_them() -> None:
    assert seconds_of("1970-01-01T00:01:00Z") == 60
    assert seconds_of("1970-01-01T01:01:00.123456+01:00") == 60
    assert seconds_of("yesterday") is None
    assert between("1970-01-01T00:01:00Z", "1970-01-01T00:00:00Z") == 0


def test_a_state_that_nobody_knows_is_not_taken_for_good() -> None:
    assert tone("Levitating") == "warning"
