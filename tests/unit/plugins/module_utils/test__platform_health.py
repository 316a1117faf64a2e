# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Health of one, of many, and who is at risk."""

from __future__ import annotations

import pytest

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.check import Unknown
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._platform.health import (
    DRIFT,
    LEFT_OVER,
    PENDING,
    aggregate,
    difference,
    judge_application,
    judge_component,
    judge_resource,
)
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._platform.risk import at_risk, roots_of_trouble
from ansible_collections.proficientnow.deploy_ops.tests.unit.plugins.module_utils.platform_objects import (
    NOW,
    OTHER_COMMIT,
    application,
    resource,
    workload,
)

ERROR = {"type": "ComparisonError", "message": "no chart", "lastTransitionTime": "2026-11-16T11:00:00Z"}
FAILED_SYNC = {"phase": "Failed", "message": "one or more objects failed", "finishedAt": "2026-11-16T11:00:00Z"}
OUT = resource(name="settings", kind="ConfigMap", group="", status="OutOfSync")


@pytest.mark.parametrize(
    ("children", "parent"),
    [
        (["Healthy", "Healthy"], "Healthy"),
        (["Healthy", "Failed", "Degraded"], "Failed"),
        (["Healthy", "Unknown"], "Failed"),
        (["Healthy", "Degraded", "Progressing"], "Degraded"),
        (["Healthy", "Missing"], "Degraded"),
        (["Healthy", "Progressing"], "Progressing"),
        (["Healthy", "Suspended"], "Progressing"),
        ([], "Healthy"),
    ],
)
def test_the_table_of_the_rfc(children: list[str], parent: str) -> None:
    assert aggregate(children) == parent
    assert aggregate(reversed(children)) == parent


@pytest.mark.parametrize(
    ("changes", "state", "reason"),
    [
        ({}, "Healthy", ""),
        ({"health": "Degraded"}, "Degraded", "Degraded"),
        ({"health": "Progressing"}, "Progressing", "Progressing"),
        ({"health": "Suspended"}, "Suspended", "Suspended"),
        ({"health": "Missing", "sync": "OutOfSync", "history": []}, "Missing", "Missing"),
        ({"health": "Unknown"}, "Unknown", "HealthUnknown"),
        ({"health": "something new"}, "Unknown", "HealthUnknown"),
        ({"sync": "Unknown"}, "Unknown", "SyncUnknown"),
        ({"sync": ""}, "Unknown", "SyncUnknown"),
        ({"conditions": [ERROR]}, "Failed", "ComparisonError"),
        ({"sync": "OutOfSync", "operationState": FAILED_SYNC}, "Failed", "SyncFailed"),
        ({"operationState": FAILED_SYNC}, "Healthy", ""),
        ({"sync": "OutOfSync", "resources": [OUT]}, "Degraded", "OutOfSync"),
        ({"sync": "OutOfSync", "resources": [OUT], "deployed": OTHER_COMMIT}, "Healthy", ""),
        ({"sync": "OutOfSync", "resources": [{**OUT, "requiresPruning": True}]}, "Healthy", ""),
        ({"deleting": True}, "Degraded", "Deleting"),
    ],
)
def test_an_application(changes: dict[str, object], state: str, reason: str) -> None:
    judged = judge_application(application(**changes), None, NOW)
    assert (judged.state, judged.reason) == (state, reason)
    assert bool(judged.message) == (state != "Healthy")


def test_an_application_that_is_not_there_or_says_nothing() -> None:
    assert judge_application(None, None, NOW).state == "Missing"
    for nothing in ({}, {"metadata": {"name": "x"}}, {"metadata": {}, "spec": None, "status": None}):
        assert judge_application(nothing, None, NOW).state == "Unknown"


def test_details_name_the_resource_and_hide_credentials() -> None:
    told = {"status": "Degraded", "message": "cannot pull https://user:hunter2@registry.example.com/x"}
    detail = application(resources=[resource(name="vault", health=told)])
    judged = judge_application(application(health="Degraded"), detail, NOW)
    assert "Deployment default/vault is Degraded" in judged.message
    assert "hunter2" not in judged.message
    assert [blocker.name for blocker in judged.blockers] == ["vault"]
    assert judge_application(application(health="Degraded"), Unknown("no token"), NOW).state == "Degraded"


def test_kinds_of_difference() -> None:
    assert difference(application()) == ""
    assert difference(application(sync="OutOfSync", resources=[OUT])) == DRIFT
    assert difference(application(sync="OutOfSync", resources=[OUT], deployed=OTHER_COMMIT)) == PENDING
    assert difference(application(sync="OutOfSync", resources=[OUT], history=[])) == PENDING
    assert difference(application(sync="OutOfSync", resources=[{**OUT, "requiresPruning": True}])) == LEFT_OVER


def test_a_component() -> None:
    assert judge_component([workload()]).state == "Healthy"
    assert judge_component([]).state == "Failed"
    assert judge_component([workload(), workload(ready=0, name="repo-server")]).state == "Failed"
    assert "repo-server" in judge_component([workload(ready=0, name="repo-server")]).message
    assert judge_component([workload(ready=1, wanted=2)]).state == "Degraded"
    assert judge_component([workload(), workload(ready=0, wanted=0)]).state == "Failed"
    assert "scaled to 0" in judge_component([workload(ready=0, wanted=0)]).message
    assert judge_component(Unknown("403")).state == "Unknown"


def test_a_resource() -> None:
    assert judge_resource({"status": {"conditions": [{"type": "Established", "status": "True"}]}}).state == "Healthy"
    assert judge_resource({"status": {"conditions": [{"type": "Ready", "status": "False"}]}}).state == "Progressing"
    assert judge_resource({}).state == "Healthy"
    assert judge_resource(None).state == "Missing"
    assert judge_resource(Unknown("403")).state == "Unknown"


def test_who_is_at_risk() -> None:
    needs = {"a": [], "b": ["a"], "c": ["b", "resource:x"], "d": []}
    states = {"a": "Healthy", "b": "Degraded", "c": "Healthy", "d": "Healthy"}
    assert at_risk(needs, states) == {"c": ["b"]}
    assert roots_of_trouble(needs, states) == ["b"]
    both = {**states, "a": "Failed"}
    assert at_risk(needs, both) == {"b": ["a"], "c": ["a", "b"]}
    assert roots_of_trouble(needs, both) == ["a"]


def test_a_long_chain_does_not_exhaust_the_stack() -> None:
    needs = {f"n{number}": [f"n{number - 1}"] if number else [] for number in range(2000)}
    states = dict.fromkeys(needs, "Healthy")
    assert len(at_risk(needs, {**states, "n0": "Failed"})) == 1999
