# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
---
name: dag_plan
short_description: Make a plan from a dependency graph
version_added: 1.0.0
author:
  - ProficientNow (@proficientnow)
description:
  - Turns a dependency graph of Argo CD Applications into the plan that M(proficientnow.deploy_ops.dag_order) returns.
options:
  _input:
    description: The graph, as it stands in C(dag.yaml).
    type: dict
    required: true
  scope:
    description: What the plan is for. V(platform), V(stack:NAME) or V(app:NAME).
    type: str
    default: platform
  strategy:
    description:
      - V(waves) goes level by level.
      - V(dag) starts each application as soon as its own dependencies are Healthy.
    type: str
    choices: [waves, dag]
    default: waves
  action:
    description: V(teardown) makes the plan on the graph with every edge turned round.
    type: str
    choices: [deploy, teardown]
    default: deploy
seealso:
  - module: proficientnow.deploy_ops.dag_order
"""

EXAMPLES = r"""
---
- name: Show in which order the platform is removed
  ansible.builtin.debug:
    msg: "{{ (dag | proficientnow.deploy_ops.dag_plan(action='teardown')).order }}"
  vars:
    dag: "{{ lookup('ansible.builtin.file', 'dag.yaml') | from_yaml }}"
"""

RETURN = r"""
---
_value:
  description: The plan, with the keys that M(proficientnow.deploy_ops.dag_order) documents.
  type: dict
"""

import typing as t

from ansible.errors import AnsibleFilterError

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.plan import make_plan
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.problems import DagError
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.reader import read_graph
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.source import Source


def dag_plan(dag: t.Any, scope: str = "platform", strategy: str = "waves", action: str = "deploy") -> dict[str, t.Any]:
    try:
        return make_plan(read_graph(Source("dag", dag)), scope, strategy, action)
    except DagError as error:
        raise AnsibleFilterError(f"proficientnow.deploy_ops.dag_plan: {error.text()}") from error


class FilterModule:
    def filters(self) -> dict[str, t.Callable[..., t.Any]]:
        return {"dag_plan": dag_plan}
