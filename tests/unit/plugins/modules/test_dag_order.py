# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The module as Ansible runs it."""

from __future__ import annotations

import typing as t
from pathlib import Path

import pytest

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.plan import make_plan
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.reader import read_graph
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.source import Source
from ansible_collections.proficientnow.deploy_ops.tests.unit.plugins.modules import module_runs

ROOT = Path(__file__).resolve().parents[4]
SPEC = {"version": 1, "stacks": {"s": {"applications": {"a": {}, "b": {"depends_on": ["a"]}}}}}


def run_module(options: dict[str, t.Any], *arguments: str) -> dict[str, t.Any]:
    return module_runs.run_module("dag_order", options, *arguments).result


@pytest.mark.parametrize("check", [(), ("--check",)])
def test_the_plan_is_the_one_of_the_library_and_nothing_changes(check: tuple[str, ...]) -> None:
    result = run_module({"spec": SPEC, "scope": "app:b", "strategy": "dag"}, *check)
    expected = make_plan(read_graph(Source("spec", SPEC)), scope="app:b", strategy="dag")
    assert result["changed"] is False
    assert {key: result[key] for key in expected} == expected


def test_a_file_is_read_and_reversed() -> None:
    result = run_module({"src": str(ROOT / "inventories" / "example" / "dag.yaml"), "reverse": True})
    assert result["action"] == "teardown"
    assert (
        result["order"].index("temporal")
        < result["order"].index("postgres-temporal")
        < result["order"].index("metallb")
    )


def test_a_bad_graph_fails_with_all_problems() -> None:
    result = run_module({"spec": {"version": 3, "stacks": {"s": {"applications": {"{{ 1 }}": {}}}}}})
    assert result["changed"] is False
    assert [problem.split(":")[1].strip() for problem in result["problems"]] == [
        "version",
        'stacks.s.applications."{{ 1 }}"',
    ]
    assert result["msg"].startswith("2 problems in the graph:")


def test_a_missing_file_is_named() -> None:
    result = run_module({"src": "/nowhere/dag.yaml"})
    assert result["msg"] == "/nowhere/dag.yaml: the file does not exist; name the graph's file, for instance dag.yaml"


def test_src_and_spec_exclude_each_other() -> None:
    assert "mutually exclusive" in run_module({"src": "x", "spec": SPEC})["msg"]
    assert "one of the following is required: src, spec" in run_module({"scope": "platform"})["msg"]
