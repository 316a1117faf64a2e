# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The filters around a workflow: thin, and clear about bad input."""

from __future__ import annotations

import pytest
from ansible.errors import AnsibleFilterError

from ansible_collections.proficientnow.deploy_ops.plugins.filter.dag_plan import dag_plan
from ansible_collections.proficientnow.deploy_ops.plugins.filter.workflow_run import FilterModule as RunFilters
from ansible_collections.proficientnow.deploy_ops.plugins.filter.workflow_template import (
    FilterModule as TemplateFilters,
)

GRAPH = {"version": 1, "stacks": {"base": {"applications": {"a": {}, "b": {"depends_on": ["a"]}}}}}
workflow_template = TemplateFilters().filters()["workflow_template"]
workflow_run = RunFilters().filters()["workflow_run"]


def test_a_plan_becomes_a_template_and_a_run() -> None:
    template = workflow_template(dag_plan(GRAPH), settings={"project": "p"})
    assert template["metadata"]["name"] == "platform-bootstrap"
    run = workflow_run(template, workflows=[], scope="app:a", revision="abc")
    assert run["attach"] is False
    assert run["definition"]["metadata"]["name"] == run["name"]


@pytest.mark.parametrize(
    ("plan", "settings", "message"),
    [
        (GRAPH, {}, "the input is no plan"),
        (dag_plan(GRAPH, scope="app:a"), {}, "the plan to deploy the scope platform"),
        (dag_plan(GRAPH), {"colour": 1}, "unknown setting colour"),
    ],
)
def test_bad_input_is_refused(plan: dict, settings: dict, message: str) -> None:
    with pytest.raises(AnsibleFilterError, match=message):
        workflow_template(plan, settings=settings)
