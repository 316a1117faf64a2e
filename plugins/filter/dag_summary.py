# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
---
name: dag_summary
short_description: Tell a plan in words
version_added: 1.0.0
author:
  - ProficientNow (@proficientnow)
description:
  - Renders a plan for the person who is about to run it.
  - Says what is touched, wave by wave, what must stand before, and how long it should take.
options:
  _input:
    description: A plan, from M(proficientnow.deploy_ops.dag_order) or P(proficientnow.deploy_ops.dag_plan#filter).
    type: dict
    required: true
seealso:
  - module: proficientnow.deploy_ops.dag_order
"""

EXAMPLES = r"""
---
- name: Show the plan
  ansible.builtin.debug:
    msg: "{{ dag | proficientnow.deploy_ops.dag_plan | proficientnow.deploy_ops.dag_summary }}"
  vars:
    dag: "{{ lookup('ansible.builtin.file', 'dag.yaml') | from_yaml }}"
"""

RETURN = r"""
---
_value:
  description: The lines of the summary.
  type: list
  elements: str
"""

import typing as t

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.summary import summarize
from ansible_collections.proficientnow.deploy_ops.plugins.plugin_utils._plan_input import check_plan


def dag_summary(plan: t.Any) -> list[str]:
    check_plan("dag_summary", plan)
    return summarize(plan)


class FilterModule:
    def filters(self) -> dict[str, t.Callable[..., t.Any]]:
        return {"dag_summary": dag_summary}
