# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The workflow of a plan: the plan's edges and nothing else, in every scope, inside Argo's limits."""

from __future__ import annotations

import itertools
import json
import re
import typing as t

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.names import task_name
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.plan import make_plan
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.reader import read_graph
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.source import Source
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.request import parse_request
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._workflow.settings import (
    Release,
    Settings,
    WorkflowError,
    settings_from,
)
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._workflow.template import workflow_template

Dict = dict[str, t.Any]
SETTINGS = Settings(bootstrap={"sealed-secrets": Release("kube-system", "sealed-secrets")})
DEMO: Dict = {
    "version": 1,
    "stacks": {
        "base": {
            "applications": {
                "metallb": {},
                "sealed-secrets": {"managed_by": "bootstrap"},
                "ingress": {"depends_on": ["metallb", "sealed-secrets", "resource:gateways.example.com"]},
            }
        },
        "storage": {
            "applications": {
                "ceph-operator": {"type": "operator", "provides": ["resource:cephclusters.ceph.rook.io"]},
                "ceph": {"type": "ceph", "depends_on": ["ceph-operator", "resource:cephclusters.ceph.rook.io"]},
            }
        },
        "apps": {
            "depends_on": ["base"],
            "applications": {"portal": {"depends_on": ["ceph"], "application": "developer-portal", "retries": 5}},
        },
    },
}


def plan_of(spec: Dict, strategy: str, scope: str = "platform") -> Dict:
    return make_plan(read_graph(Source("spec", spec)), scope, strategy)


def template_of(spec: Dict, strategy: str, settings: Settings = SETTINGS) -> Dict:
    return workflow_template(plan_of(spec, strategy), settings)


def dags(template: Dict) -> dict[str, list[Dict]]:
    return {part["name"]: part["dag"]["tasks"] for part in template["spec"]["templates"]}


def arguments(task: Dict) -> dict[str, str]:
    return {item["name"]: item["value"] for item in task["arguments"]["parameters"]}


def runs_in(task: Dict, scope: str) -> bool:
    """What Argo's expression language makes of the task's condition, for the one form of it that is generated."""
    match = re.fullmatch(r"\{\{= \(workflow\.parameters\.scope in \[(.*)\]\) \}\}", task["when"])
    assert match
    return scope in [word.strip()[1:-1] for word in match.group(1).split(",")]


@st.composite
def specs(draw: st.DrawFn) -> Dict:
    """Dependencies only go backwards, over a few stacks, some of them on resources."""
    stacks: Dict = {}
    known: list[str] = ["resource:nodes.example.com"]
    for number in range(draw(st.integers(1, 10))):
        settings: Dict = {"depends_on": draw(st.lists(st.sampled_from(known), unique=True, max_size=4))}
        if draw(st.booleans()):
            resource = f"resource:kind{number}.example.com"
            settings["provides"] = [resource]
            known.append(resource)
        stack = stacks.setdefault(f"s{draw(st.integers(0, 2))}", {"applications": {}})
        stack["applications"][f"a{number}"] = settings
        known.append(f"a{number}")
    return {"version": 1, "stacks": stacks}


@given(specs())
def test_in_dag_the_tasks_depend_on_each_other_exactly_as_the_plan_says(spec: Dict) -> None:
    plan = plan_of(spec, "dag")
    tasks = dags(workflow_template(plan, SETTINGS))["graph"]
    edges = {
        (name, task["name"])
        for task in tasks
        for name in re.findall(r"\(([\w-]+)\.Succeeded \|\|", task.get("depends", ""))
    }
    assert edges == {(task_name(one), task_name(other)) for one, other in plan["edges"]}
    assert [task["name"] for task in tasks] == [task_name(name) for name in plan["order"]]


@given(specs())
def test_in_waves_a_wave_waits_for_the_whole_wave_before(spec: Dict) -> None:
    plan = plan_of(spec, "waves")
    found = dags(workflow_template(plan, SETTINGS))
    names = [name for name in found if name.startswith("wave-")]
    assert [[task["name"] for task in found[name]] for name in names] == [
        [task_name(node) for node in wave] for wave in plan["waves"]
    ]
    main = {task["name"]: task for task in found["main"]}
    for before, after in itertools.pairwise(["take-authority", *names]):
        assert main[after]["depends"] == f"{before}.Succeeded"
    assert main["release-authority"]["depends"] == f"take-authority.Skipped || ({names[-1]}.Succeeded)"
    assert not any("depends" in task for name in names for task in found[name])


@given(specs(), st.sampled_from(["waves", "dag"]))
def test_every_scope_deploys_its_own_plan_and_verifies_what_it_requires(spec: Dict, strategy: str) -> None:
    found = dags(template_of(spec, strategy))
    graph = [task for name, tasks in found.items() if name == "graph" or name.startswith("wave-") for task in tasks]
    stacks = spec["stacks"]
    scopes = ["platform", *(f"stack:{name}" for name in stacks)]
    scopes += [f"app:{name}" for stack in stacks.values() for name in stack["applications"]]
    for scope in scopes:
        plan = plan_of(spec, strategy, scope)
        assert {task["name"] for task in graph if runs_in(task, scope)} == {task_name(name) for name in plan["nodes"]}
        required = {task["name"] for task in found.get("requirements", []) if runs_in(task, scope)}
        assert required == {task_name(name) for name in plan["requires"]}


@pytest.mark.parametrize("strategy", ["waves", "dag"])
def test_the_tasks_carry_what_the_gate_needs(strategy: str) -> None:
    found = dags(template_of(DEMO, strategy))
    tasks = {task["name"]: task for name, part in found.items() if name != "requirements" for task in part}
    assert arguments(tasks["app-portal"]) == {
        "application": "developer-portal",
        "project": "platform",
        "resolved": "{{= fromJSON(inputs.parameters.revisions)['developer-portal'] ?? '' }}",
        "sync_timeout_seconds": "300",
        "health_timeout_seconds": "300",
        "settle_seconds": "3",
        "attempts": "5",
        "backoff_seconds": "10",
    }
    assert tasks["app-portal"]["templateRef"] == {
        "name": "sync-and-wait",
        "template": "sync-and-wait",
        "clusterScope": True,
    }
    assert arguments(tasks["app-sealed-secrets"]) == {"namespace": "kube-system", "release": "sealed-secrets"}
    resource = arguments(tasks["resource-cephclusters-ceph-rook-io"])
    assert resource["reference"] == "resource:cephclusters.ceph.rook.io"
    assert resource["providers"] == "ceph-operator"
    outside = next(task for task in found["requirements"] if task["name"] == "resource-gateways-example-com")
    assert arguments(outside)["providers"] == ""


def test_nothing_but_success_gives_the_authority_back() -> None:
    for strategy, last in (("waves", "wave-3"), ("dag", "graph")):
        main = dags(template_of(DEMO, strategy))["main"]
        assert [task["name"] for task in main][:4] == ["refuse-scope", "requirements", "survey", "take-authority"]
        assert main[3]["depends"] == "requirements.Succeeded && survey.Succeeded"
        assert main[-1]["name"] == "release-authority"
        # Skipped is: after a survey that found everything standing.
        assert main[-1]["depends"] == f"take-authority.Skipped || ({last}.Succeeded)"


@pytest.mark.parametrize("strategy", ["waves", "dag"])
def test_the_survey_looks_at_every_node_in_its_scopes_and_hands_on_what_it_found(strategy: str) -> None:
    template = template_of(DEMO, strategy)
    found = dags(template)
    survey = next(task for task in found["main"] if task["name"] == "survey")
    given = arguments(survey)
    assert (given["project"], given["scope"]) == ("platform", "{{workflow.parameters.scope}}")
    for scope in ("platform", "stack:base", "app:portal"):
        requests = parse_request({"do": "survey", **given, "scope": scope}, "uid").nodes
        wanted = plan_of(DEMO, strategy, scope)["nodes"]
        assert {request.node for request in requests} == {
            name if node["kind"] == "resource" else node["application"] for name, node in wanted.items()
        }
        assert {request.wish.settle for request in requests if request.do == "sync"} <= {3}
    for part in template["spec"]["templates"]:
        if part["name"] == "graph" or part["name"].startswith("wave-"):
            assert part["inputs"] == {"parameters": [{"name": "revisions"}]}
            (task,) = (task for task in found["main"] if task["name"] == part["name"])
            assert arguments(task) == {"revisions": "{{tasks.survey.outputs.parameters.revisions}}"}


def test_what_a_survey_finds_standing_is_not_started() -> None:
    main = {task["name"]: task for task in dags(template_of(DEMO, "waves"))["main"]}
    for task in ("take-authority", "wave-0"):
        assert main[task]["when"] == "{{= tasks.survey.outputs.parameters.verdict != 'standing' }}"
    # The later waves want the first one Succeeded.
    assert "when" not in main["wave-1"]


def test_where_the_lock_is_to_stay_it_is_taken_in_any_case() -> None:
    settings = SETTINGS._replace(steady_state="locked")
    main = {task["name"]: task for task in dags(template_of(DEMO, "dag", settings))["main"]}
    assert "when" not in main["take-authority"]
    assert main["graph"]["when"] == "{{= tasks.survey.outputs.parameters.verdict != 'standing' }}"


def test_locked_never_gives_the_authority_back() -> None:
    locked = dags(template_of(DEMO, "dag", SETTINGS._replace(steady_state="locked")))["main"]
    assert [task["name"] for task in locked][-1] == "graph"


def test_it_holds_what_every_run_needs() -> None:
    spec = template_of(DEMO, "waves")["spec"]
    assert spec["synchronization"] == {"mutexes": [{"name": "platform"}]}
    assert [parameter["name"] for parameter in spec["arguments"]["parameters"]] == ["scope", "revision"]
    assert spec["ttlStrategy"]["secondsAfterFailure"] > spec["ttlStrategy"]["secondsAfterSuccess"] > 0
    assert all(part["dag"]["failFast"] is False for part in spec["templates"])
    # Argo counts pods and dags under parallelism, and no plugin node: the limit is a semaphore of sync-and-wait.
    assert "parallelism" not in json.dumps(spec)


def test_the_same_graph_in_another_order_is_the_same_template() -> None:
    turned = {
        **DEMO,
        "stacks": {
            name: {
                **stack,
                "applications": dict(reversed(stack["applications"].items())),
            }
            for name, stack in reversed(DEMO["stacks"].items())
        },
    }
    for strategy in ("waves", "dag"):
        assert json.dumps(template_of(DEMO, strategy)) == json.dumps(template_of(turned, strategy))


def flat(count: int) -> Dict:
    return {"version": 1, "stacks": {"all": {"applications": {f"a{number}": {} for number in range(count)}}}}


def chain(count: int) -> Dict:
    applications: Dict = {"a0": {}}
    for number in range(1, count):
        applications[f"a{number}"] = {"depends_on": [f"a{number - 1}"]}
    return {"version": 1, "stacks": {"all": {"applications": applications}}}


def test_a_wide_wave_is_split_and_the_next_waits_for_all_parts() -> None:
    spec = flat(450)
    spec["stacks"]["top"] = {"depends_on": ["all"], "applications": {"last": {}}}
    found = dags(template_of(spec, "waves"))
    parts = [f"wave-0-part-{number}" for number in range(3)]
    assert [len(found[part]) for part in parts] == [200, 200, 50]
    main = {task["name"]: task for task in found["main"]}
    assert main["wave-1"]["depends"] == " && ".join(f"{part}.Succeeded" for part in parts)


def test_200_nodes_fit_and_201_are_refused_with_the_number() -> None:
    assert len(dags(template_of(flat(200), "dag"))["graph"]) == 200
    with pytest.raises(WorkflowError, match=r"201 tasks.*takes 200\. Use the strategy waves"):
        template_of(flat(201), "dag")


def test_a_chain_that_is_too_long_is_refused_with_the_number() -> None:
    with pytest.raises(WorkflowError, match="306 tasks in the dag template main"):
        template_of(chain(300), "waves")


def test_too_many_bytes_are_refused_with_the_number() -> None:
    with pytest.raises(WorkflowError, match=r"its template has \d{7} bytes"):
        template_of(flat(3000), "waves")


def test_a_component_that_nobody_installs_is_refused_by_name() -> None:
    with pytest.raises(WorkflowError, match="the bootstrap, which installs no sealed-secrets here"):
        template_of(DEMO, "dag", Settings())


@pytest.mark.parametrize("plan", [plan_of(DEMO, "dag", "stack:base"), {**plan_of(DEMO, "dag"), "action": "teardown"}])
def test_only_the_whole_platforms_deployment_becomes_a_template(plan: Dict) -> None:
    with pytest.raises(WorkflowError, match="the plan to deploy the scope platform"):
        workflow_template(plan, SETTINGS)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"colour": 1}, "unknown setting colour"),
        ({"steady_state": "frozen"}, "steady_state must be one of pinned, locked, self_heal"),
        ({"overall_timeout_seconds": 0}, "overall_timeout_seconds must be a positive number"),
        ({"overall_timeout_seconds": "soon"}, "overall_timeout_seconds must be a positive number"),
        ({"settle_seconds": -1}, "settle_seconds must be a positive number"),
    ],
)
def test_bad_settings_are_refused(options: Dict, message: str) -> None:
    with pytest.raises(WorkflowError, match=message):
        settings_from(options)


def test_good_settings_are_taken() -> None:
    settings = settings_from({"bootstrap": {"a": {"namespace": "n", "release": "r"}}, "settle_seconds": "0"})
    assert settings.bootstrap == {"a": Release("n", "r")}
    assert settings.settle_seconds == 0
