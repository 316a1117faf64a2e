# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The filters: same result as the library, errors that name the filter."""

from __future__ import annotations

import typing as t

import pytest
from ansible.errors import AnsibleFilterError

from ansible_collections.proficientnow.deploy_ops.plugins.filter import dag_picture, dag_plan, dag_summary
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.picture import draw
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.plan import make_plan
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.reader import read_graph
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.source import Source
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.summary import summarize

SPEC = {"version": 1, "stacks": {"s": {"applications": {"a": {}, "b": {"depends_on": ["a"]}}}}}
PLAN = make_plan(read_graph(Source("dag", SPEC)))


def the_filter(module: t.Any) -> t.Callable[..., t.Any]:
    ((_name, function),) = module.FilterModule().filters().items()
    return t.cast(t.Callable[..., t.Any], function)


@pytest.mark.parametrize(
    "choices",
    [{}, {"scope": "app:b"}, {"strategy": "dag"}, {"action": "teardown"}, {"scope": "stack:s", "action": "teardown"}],
)
def test_dag_plan_is_the_plan_of_the_library(choices: dict[str, str]) -> None:
    assert the_filter(dag_plan)(SPEC, **choices) == make_plan(read_graph(Source("dag", SPEC)), **choices)


@pytest.mark.parametrize(
    ("dag", "choices", "said"),
    [
        ("text", {}, "proficientnow.deploy_ops.dag_plan: dag: a graph is a mapping"),
        (None, {}, "proficientnow.deploy_ops.dag_plan: dag: a graph is a mapping"),
        (SPEC, {"scope": "app:x"}, 'proficientnow.deploy_ops.dag_plan: scope: unknown application "x"'),
        (SPEC, {"action": "x"}, "action: must be one of deploy, teardown"),
    ],
)
def test_dag_plan_refuses_with_its_name(dag: t.Any, choices: dict[str, str], said: str) -> None:
    with pytest.raises(AnsibleFilterError) as caught:
        the_filter(dag_plan)(dag, **choices)
    assert said in str(caught.value)


def test_dag_picture_draws() -> None:
    assert the_filter(dag_picture)(PLAN) == draw(PLAN, "mermaid")
    assert the_filter(dag_picture)(PLAN, "dot") == draw(PLAN, "dot")


def test_dag_picture_refuses_an_unknown_form() -> None:
    with pytest.raises(AnsibleFilterError, match="form must be one of mermaid, dot, not 'svg'"):
        the_filter(dag_picture)(PLAN, "svg")


def test_dag_summary_tells() -> None:
    assert the_filter(dag_summary)(PLAN) == summarize(PLAN)


@pytest.mark.parametrize("module", [dag_picture, dag_summary])
@pytest.mark.parametrize("wrong", [SPEC, {}, "plan", None, [PLAN]])
def test_what_is_no_plan_is_refused_with_the_way_to_get_one(module: t.Any, wrong: t.Any) -> None:
    with pytest.raises(AnsibleFilterError, match="the input is no plan; make one with"):
        the_filter(module)(wrong)
