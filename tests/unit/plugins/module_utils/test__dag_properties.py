# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What holds for every graph: checked on random ones, and against a slow and obvious second implementation."""

from __future__ import annotations

import itertools
import random
import typing as t

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.plan import ACTIONS, STRATEGIES, make_plan
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.reader import read_graph
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.source import Source

Spec = dict[str, t.Any]


@st.composite
def specs(draw: st.DrawFn, most: int = 9) -> Spec:
    """A valid graph: applications in a hidden order, dependencies only backwards, stacks as runs of that order."""
    count = draw(st.integers(1, most))
    names = draw(st.permutations([f"a{number}" for number in range(count)]))
    borders = sorted(draw(st.sets(st.integers(1, count - 1), max_size=3))) if count > 1 else []
    spans = list(itertools.pairwise([0, *borders, count]))
    stacks: Spec = {}
    provided: list[str] = []
    for number, (start, end) in enumerate(spans):
        applications: Spec = {}
        for position in range(start, end):
            earlier = [*names[:position], *provided, "resource:nodes"]
            settings: Spec = {"depends_on": draw(st.lists(st.sampled_from(earlier), unique=True, max_size=4))}
            if draw(st.booleans()):
                settings["expected_duration"] = f"{draw(st.integers(0, 20))}s"
            if draw(st.integers(0, 3)) == 0:
                settings["provides"] = [f"resource:things.example.org/{names[position]}"]
                provided.append(settings["provides"][0])
            applications[names[position]] = settings
        needs = draw(st.lists(st.sampled_from(range(number)), unique=True, max_size=2)) if number else []
        stacks[f"s{number}"] = {"depends_on": [f"s{need}" for need in needs], "applications": applications}
    return {"version": 1, "stacks": stacks}


def planned(spec: Spec, **choices: str) -> Spec:
    return make_plan(read_graph(Source("spec", spec)), **choices)


def scopes(spec: Spec) -> list[str]:
    applications = [name for stack in spec["stacks"].values() for name in stack["applications"]]
    return ["platform", *(f"stack:{name}" for name in spec["stacks"]), *(f"app:{name}" for name in applications)]


def shuffled(value: t.Any, shuffle: random.Random) -> t.Any:
    """The same graph, written in another order."""
    if isinstance(value, dict):
        items = [(key, shuffled(item, shuffle)) for key, item in value.items()]
        shuffle.shuffle(items)
        return dict(items)
    if isinstance(value, list):
        return shuffle.sample(value, len(value))
    return value


choices = pytest.mark.parametrize(
    ("strategy", "action"), [(strategy, action) for strategy in STRATEGIES for action in ACTIONS]
)


@choices
@given(spec=specs())
def test_order_respects_every_edge(spec: Spec, strategy: str, action: str) -> None:
    plan = planned(spec, strategy=strategy, action=action)
    position = {name: number for number, name in enumerate(plan["order"])}
    assert sorted(position) == sorted(plan["nodes"]) == sorted(plan["order"])
    assert all(position[first] < position[second] for first, second in plan["edges"])


@choices
@given(spec=specs())
def test_waves_are_minimal(spec: Spec, strategy: str, action: str) -> None:
    plan = planned(spec, strategy=strategy, action=action)
    wave = {name: number for number, names in enumerate(plan["waves"]) for name in names}
    for name in plan["nodes"]:
        before = [wave[first] for first, second in plan["edges"] if second == name]
        assert wave[name] == max(before, default=-1) + 1


@given(spec=specs())
def test_teardown_never_lists_a_node_before_one_that_depends_on_it(spec: Spec) -> None:
    deploy, teardown = planned(spec), planned(spec, action="teardown")
    position = {name: number for number, name in enumerate(teardown["order"])}
    for name, node in deploy["nodes"].items():
        for dependency in node["depends_on"]:
            assert position.get(dependency, len(position)) > position[name]
    assert sorted(map(tuple, teardown["edges"])) == sorted((second, first) for first, second in deploy["edges"])


@choices
@given(spec=specs(), seed=st.integers(0, 1000))
def test_result_does_not_depend_on_the_order_of_the_input(spec: Spec, seed: int, strategy: str, action: str) -> None:
    for scope in scopes(spec):
        plan = planned(spec, scope=scope, strategy=strategy, action=action)
        again = planned(shuffled(spec, random.Random(seed)), scope=scope, strategy=strategy, action=action)
        assert again == plan
        assert list(again["nodes"]) == list(plan["nodes"])


@given(spec=specs(), data=st.data())
def test_digest_changes_with_anything_that_matters(spec: Spec, data: st.DataObject) -> None:
    stack = data.draw(st.sampled_from(list(spec["stacks"].values())))
    settings = stack["applications"][data.draw(st.sampled_from(list(stack["applications"])))]
    before = planned(spec)["digest"]
    assert planned(spec, strategy="dag")["digest"] != before
    assert planned(spec, action="teardown")["digest"] != before
    settings["health_timeout"] = "77m"
    assert planned(spec)["digest"] != before


@pytest.mark.parametrize("action", ACTIONS)
@given(spec=specs())
def test_scope_and_what_it_requires_cover_every_dependency(spec: Spec, action: str) -> None:
    everything = planned(spec, action=action)
    before: dict[str, set[str]] = {name: set() for name in everything["nodes"]}
    for first, second in everything["edges"]:
        before[second].add(first)
    for scope in scopes(spec):
        plan = planned(spec, scope=scope, action=action)
        inside, required = set(plan["nodes"]), set(plan["requires"])
        assert not inside & required
        assert set(plan["required_nodes"]) == required & set(everything["nodes"])
        for name in inside:
            assert before[name] <= inside | required
            if action == "deploy":
                assert set(plan["nodes"][name]["depends_on"]) <= inside | required
        assert all(any(name in before[other] for other in inside) for name in plan["required_nodes"])


def oracle(spec: Spec) -> Spec:
    """The plan of a whole platform by the most obvious means: recursion, and looking at all chains."""
    applications = {
        name: (stack, settings)
        for stack, content in spec["stacks"].items()
        for name, settings in content["applications"].items()
    }
    needs: dict[str, set[str]] = {}
    seconds: dict[str, int] = {}
    for name, (stack, settings) in applications.items():
        inherited = {
            other for other, (of, _settings) in applications.items() if of in spec["stacks"][stack]["depends_on"]
        }
        needs[name] = {*settings["depends_on"], *inherited}
        seconds[name] = int(settings.get("expected_duration", "120s")[:-1])
        for resource in settings.get("provides", ()):
            needs.setdefault(resource, set()).add(name)
            seconds[resource] = 0

    def wave(name: str) -> int:
        return max((wave(need) + 1 for need in needs[name] if need in needs), default=0)

    def chains(name: str) -> t.Iterator[list[str]]:
        yield [name]
        for need in needs[name]:
            if need in needs:
                yield from ([*chain, name] for chain in chains(need))

    depth = max(map(wave, needs))
    waves = [sorted(name for name in needs if wave(name) == level) for level in range(depth + 1)]
    longest = max(sum(seconds[link] for link in chain) for name in needs for chain in chains(name))
    return {
        "waves": waves,
        "edges": sorted([need, name] for name in needs for need in needs[name] if need in needs),
        "requires": sorted({need for name in needs for need in needs[name] if need not in needs}),
        "estimated_seconds": {"waves": sum(max(seconds[name] for name in names) for names in waves), "dag": longest},
    }


@given(spec=specs(most=7))
def test_plan_equals_the_oracle(spec: Spec) -> None:
    plan = planned(spec)
    expected = oracle(spec)
    assert {key: plan[key] for key in expected} == expected
    chain = plan["critical_path"]["nodes"]
    assert plan["critical_path"]["seconds"] == expected["estimated_seconds"]["dag"]
    assert all([first, second] in plan["edges"] for first, second in itertools.pairwise(chain))
    assert sum(plan["nodes"][name]["expected_seconds"] for name in chain) == plan["critical_path"]["seconds"]


@given(spec=specs())
def test_networkx_agrees(spec: Spec) -> None:
    plan = planned(spec, strategy="dag")
    graph = nx.DiGraph(plan["edges"])
    graph.add_nodes_from(plan["nodes"])
    assert [sorted(generation) for generation in nx.topological_generations(graph)] == plan["waves"]
    position = {name: number for number, name in enumerate(plan["order"])}
    assert nx.is_directed_acyclic_graph(graph)
    assert all(position[first] < position[second] for first, second in graph.edges)


def test_a_chain_of_100000_nodes_needs_no_recursion() -> None:
    names = [f"a{number:06d}" for number in range(100_000)]
    applications = {name: {"depends_on": [before]} for before, name in itertools.pairwise(names)}
    spec = {"version": 1, "stacks": {"s": {"applications": {names[0]: {}, **applications}}}}
    plan = planned(spec, strategy="dag")
    assert plan["order"] == names
    assert plan["critical_path"] == {"nodes": names, "seconds": 120 * len(names)}
