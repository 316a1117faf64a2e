# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A run that is watched: what is left of it, and what the cluster itself knows about it."""

from __future__ import annotations

import json
import typing as t

import pytest

from ansible_collections.proficientnow.deploy_ops.plugins.filter.dag_plan import dag_plan
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._kube.api import KubeError
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._workflow import stored_plan
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._workflow.definition import PLAN_ANNOTATION
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._workflow.narration import screen
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._workflow.observed_run import find_run, plan_of
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._workflow.progress import NodeState, Progress
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._workflow.remaining import seconds_left
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._workflow.run import next_run
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._workflow.settings import Settings
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._workflow.template import workflow_template

Dict = dict[str, t.Any]
GRAPH = {
    "version": 1,
    "stacks": {
        "base": {
            "applications": {
                "a": {"expected_duration": "60s"},
                "b": {"expected_duration": "30s", "depends_on": ["a"]},
                "c": {"expected_duration": "10s"},
            }
        },
        "apps": {"applications": {"d": {"expected_duration": "100s", "depends_on": ["c"]}}},
    },
}
START = 1794816000.0  # 2026-11-16T08:00:00Z


def progress(**states: str) -> Progress:
    nodes = [NodeState(name, state, f"{name} says", "2026-11-16T08:00:00Z") for name, state in states.items()]
    return Progress("run-1", "Running", "", "2026-11-16T08:00:00Z", "", nodes, [])


@pytest.mark.parametrize(
    ("strategy", "states", "seconds"),
    [
        ("dag", {"a": "waiting", "b": "waiting", "c": "waiting", "d": "waiting"}, 110),
        ("waves", {"a": "waiting", "b": "waiting", "c": "waiting", "d": "waiting"}, 160),
        # 20 s have passed since each was started
        ("dag", {"a": "running", "b": "waiting", "c": "healthy", "d": "running"}, 80),
        ("waves", {"a": "running", "b": "waiting", "c": "running", "d": "waiting"}, 140),
        # What takes longer than expected may end at any moment.
        ("dag", {"a": "healthy", "b": "healthy", "c": "running", "d": "healthy"}, 1),
        # Nothing behind a failure is started.
        ("dag", {"a": "running", "b": "waiting", "c": "failed", "d": "waiting"}, 70),
        ("waves", {"a": "running", "b": "waiting", "c": "failed", "d": "waiting"}, 40),
        ("dag", {"a": "healthy", "b": "healthy", "c": "healthy", "d": "healthy"}, 0),
    ],
)
def test_the_time_left_is_that_of_the_longest_way(strategy: str, states: dict[str, str], seconds: float) -> None:
    assert seconds_left(progress(**states), dag_plan(GRAPH, strategy=strategy), START + 20) == seconds


def test_a_teardown_waits_for_the_dependents() -> None:
    plan = dag_plan(GRAPH, strategy="dag", action="teardown")
    assert seconds_left(progress(a="waiting", b="running", c="waiting", d="failed"), plan, START + 20) == 70


def test_the_foot_of_the_screen_has_what_runs_and_what_failed_in_lines_that_fit() -> None:
    state = progress(a="running", b="waiting", c="failed")
    lines = screen(state, 83, 190, 60, "a hint")
    assert lines == [
        "  1:23  0/3 Healthy, 1 failed, 1 running, about 3 min left",
        "        a  a says",
        "        FAILED  c  c says",
        "        a hint",
    ]
    assert max(map(len, screen(state, 83, 190, 20, "a hint"))) < 20


def test_the_foot_of_the_screen_says_what_a_run_waits_for() -> None:
    waiting = progress(a="waiting")._replace(message="Waiting for argo/Mutex/platform lock")
    assert "Waiting for argo/Mutex/platform lock" in screen(waiting, 1, 0, 100)[1]


def stored_run(scope: str) -> Dict:
    template = workflow_template(dag_plan(GRAPH), Settings())
    return json.loads(json.dumps(next_run(template, scope, "abc", []).definition))


@pytest.mark.parametrize(
    ("scope", "names"), [("platform", "acbd"), ("stack:base", "acb"), ("app:d", "d"), ("app:x", "")]
)
def test_a_run_carries_its_plan(scope: str, names: str) -> None:
    plan = plan_of(t.cast(t.Any, None), stored_run(scope))
    assert sorted(plan["order"]) == sorted(names)
    assert sorted(plan["nodes"]) == sorted(names)
    assert sorted(name for wave in plan["waves"] for name in wave) == sorted(names)
    assert (plan["scope"], plan["strategy"]) == (scope, "waves")


class Api:
    """Answers from a table, as the API server would."""

    def __init__(self, **objects: Dict) -> None:
        self._objects = objects

    def get(self, path: str) -> Dict | None:
        return self._objects.get(path.rpartition("/")[2].replace("-", "_"))

    def metadata_items(self, path: str, labelSelector: str) -> list[Dict]:
        assert labelSelector == "deploy-ops.proficientnow.com/run"
        return list(self._objects.values())


def test_a_run_that_an_event_has_started_has_its_plan_at_the_template() -> None:
    run = stored_run("app:d")
    del run["metadata"]["annotations"]
    template = workflow_template(dag_plan(GRAPH), Settings())
    assert plan_of(t.cast(t.Any, Api(platform_bootstrap=template)), run)["order"] == ["d"]
    with pytest.raises(KubeError, match="has no plan"):
        plan_of(t.cast(t.Any, Api()), run)


def test_a_plan_that_is_too_large_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_plan, "MAX_BYTES", 100)
    assert workflow_template(dag_plan(GRAPH), Settings())["metadata"]["annotations"][PLAN_ANNOTATION] == ""


def test_the_newest_run_is_found_and_its_absence_told() -> None:
    runs = {
        f"run_{day}": {"metadata": {"name": f"run-{day}", "creationTimestamp": f"2026-11-{day}T08:00:00Z"}}
        for day in (16, 18, 17)
    }
    assert find_run(t.cast(t.Any, Api(**runs)), "argo")["metadata"]["name"] == "run-18"
    with pytest.raises(KubeError, match="there is no run in the namespace argo.*the right cluster"):
        find_run(t.cast(t.Any, Api()), "argo")
    with pytest.raises(KubeError, match="there is no Workflow x in the namespace argo"):
        find_run(t.cast(t.Any, Api()), "argo", "x")
