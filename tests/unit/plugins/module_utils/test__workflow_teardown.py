# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The workflow of a teardown: every node waits for exactly those that depend on it."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.names import task_name
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.plan import make_plan
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.reader import read_graph
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.source import Source
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._workflow.settings import Settings, WorkflowError
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._workflow.teardown import teardown_template

SETTINGS = Settings(name="platform-teardown")
GRAPH = {
    "version": 1,
    "stacks": {
        "base": {"applications": {"metallb": {}, "sealed-secrets": {"managed_by": "bootstrap"}}},
        "storage": {
            "applications": {
                "operator": {"provides": ["resource:clusters.example.com"]},
                "cluster": {"depends_on": ["metallb", "resource:clusters.example.com"], "health_timeout": "90s"},
            }
        },
        "apps": {"applications": {"portal": {"depends_on": ["cluster", "sealed-secrets"], "application": "web"}}},
    },
}
RECORDS = {"portal": {"resources": "Deployment /apis/apps/v1/namespaces/apps/deployments/web"}}


def plan(strategy: str, scope: str = "platform", action: str = "teardown", graph: t.Any = None) -> dict[str, t.Any]:
    return make_plan(read_graph(Source("dag", graph or GRAPH)), scope, strategy, action)


def tasks(template: dict[str, t.Any], name: str) -> dict[str, dict[str, t.Any]]:
    (found,) = (one for one in template["spec"]["templates"] if one["name"] == name)
    return {task["name"]: task for task in found["dag"]["tasks"]}


def test_each_waits_for_its_dependents_and_nothing_else() -> None:
    graph = tasks(teardown_template(plan("dag"), RECORDS, SETTINGS), "graph")
    waits = {name: task.get("depends", "") for name, task in graph.items()}
    assert waits == {
        "app-portal": "",
        "app-cluster": "app-portal.Succeeded",
        "app-sealed-secrets": "app-portal.Succeeded",
        "resource-clusters-example-com": "app-cluster.Succeeded",
        "app-metallb": "app-cluster.Succeeded",
        "app-operator": "resource-clusters-example-com.Succeeded",
    }


def test_each_node_is_handled_by_what_it_is() -> None:
    graph = tasks(teardown_template(plan("dag"), RECORDS, SETTINGS), "graph")
    used = {name: task["templateRef"]["template"] for name, task in graph.items()}
    assert used["app-portal"] == "remove"
    assert used["resource-clusters-example-com"] == "vacant"
    assert used["app-sealed-secrets"] == "keep"
    given = {one["name"]: one["value"] for one in graph["app-portal"]["arguments"]["parameters"]}
    assert given["application"] == "web"
    assert given["resources"] == RECORDS["portal"]["resources"]
    timeouts = {one["name"]: one["value"] for one in graph["app-cluster"]["arguments"]["parameters"]}
    assert timeouts["delete_timeout_seconds"] == "90"


def test_waves_follow_each_other() -> None:
    template = teardown_template(plan("waves"), RECORDS, SETTINGS)
    main = tasks(template, "main")
    assert [task.get("depends", "") for task in main.values()] == [
        "",
        "wave-0.Succeeded",
        "wave-1.Succeeded",
        "wave-2.Succeeded",
    ]
    named = [set(tasks(template, f"wave-{number}")) for number in range(4)]
    assert named == [{task_name(name) for name in wave} for wave in plan("waves")["waves"]]


def test_only_a_teardown_plan_is_taken() -> None:
    with pytest.raises(WorkflowError, match="teardown plan"):
        teardown_template(plan("dag", action="deploy"), {}, SETTINGS)


def test_what_is_too_large_is_refused_with_the_way_out() -> None:
    many = {"version": 1, "stacks": {"s": {"applications": {f"a{number}": {} for number in range(201)}}}}
    with pytest.raises(WorkflowError, match=r"201 tasks.*Use the strategy waves"):
        teardown_template(plan("dag", graph=many), {}, SETTINGS)
    assert teardown_template(plan("waves", graph=many), {}, SETTINGS)
