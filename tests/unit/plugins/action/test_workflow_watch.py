# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Watching a Workflow, with an API server that is made of answers."""

from __future__ import annotations

import typing as t
from unittest.mock import MagicMock

import pytest

from ansible_collections.proficientnow.deploy_ops.plugins.action import workflow_watch
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._kube.api import KubeError

PLAN = {
    "scope": "platform",
    "strategy": "dag",
    "order": ["metallb"],
    "waves": [["metallb"]],
    "nodes": {"metallb": {"expected_seconds": 60, "depends_on": [], "stack": "base", "kind": "application"}},
}


def seen(phase: str, node_phase: str = "Running", attempts: str = "1") -> dict[str, t.Any]:
    node = {
        "name": "run-1.graph.app-metallb",
        "phase": node_phase,
        "message": "a message",
        "outputs": {"parameters": [{"name": "attempts", "value": attempts}]},
    }
    return {"metadata": {"name": "run-1"}, "status": {"phase": phase, "nodes": {"n": node}}}


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> t.Callable[..., tuple[dict[str, t.Any], list[str]]]:
    def _watch(*answers: t.Any, wait_timeout: int = 60) -> tuple[dict[str, t.Any], list[str]]:
        clock = iter(range(1000))
        lines: list[str] = []
        api = MagicMock()
        api.get.side_effect = answers
        monkeypatch.setattr(workflow_watch.time, "sleep", lambda _seconds: None)
        monkeypatch.setattr(workflow_watch.time, "monotonic", lambda: float(next(clock)))
        monkeypatch.setattr(workflow_watch, "Display", lambda: MagicMock(display=lines.append))
        action = workflow_watch.ActionModule.__new__(workflow_watch.ActionModule)
        options = {"namespace": "argo", "wait_timeout": wait_timeout, "progress": "lines"}
        try:
            return workflow_watch._result(action._watch(api, "run-1", PLAN, options)), lines
        except KubeError as error:
            return {"failed": True, "msg": str(error)}, lines

    return _watch


def test_it_ends_with_the_workflow_and_tells_each_node_once(watch: t.Any) -> None:
    result, lines = watch(seen("Running"), seen("Running", "Succeeded"), seen("Succeeded", "Succeeded"))
    assert lines == ["  0:02  1/1 Healthy  ok  metallb: a message"]
    assert result["outcome"] == "Succeeded"
    assert result["changed"] is True
    assert result["synced"] == ["metallb"]
    assert result["summary"] == []


def test_what_stood_already_is_no_change(watch: t.Any) -> None:
    result, _lines = watch(seen("Succeeded", "Succeeded", attempts="0"))
    assert result["changed"] is False


def test_an_outage_is_survived(watch: t.Any) -> None:
    result, lines = watch(KubeError("no answer"), KubeError("too many requests", 429), seen("Succeeded", "Succeeded"))
    assert result["outcome"] == "Succeeded"
    assert "no answer; the workflow goes on by itself" in lines[0]


@pytest.mark.parametrize("status", [401, 403])
def test_what_will_not_heal_ends_the_watching(watch: t.Any, status: int) -> None:
    result, _lines = watch(KubeError("you may not", status))
    assert result == {"failed": True, "msg": "you may not"}


def test_a_deleted_workflow_is_told(watch: t.Any) -> None:
    result, _lines = watch(None)
    assert "the Workflow run-1 is gone" in result["msg"]


def test_the_watching_ends_at_its_own_deadline_and_the_workflow_does_not(watch: t.Any) -> None:
    result, _lines = watch(*[seen("Running")] * 20, wait_timeout=5)
    assert "has not ended within 5 s. It goes on by itself" in result["msg"]


def test_a_failure_is_returned_and_not_raised(watch: t.Any) -> None:
    result, lines = watch(seen("Failed", "Failed"))
    assert "failed" not in result
    assert result["outcome"] == "Failed"
    assert result["summary"] == ["metallb failed: a message"]
    assert "FAILED  metallb: a message" in lines[0]
