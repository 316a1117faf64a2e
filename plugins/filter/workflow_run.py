# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
---
name: workflow_run
short_description: Find the Workflow that carries a run, or make the next one
version_added: 1.0.0
author:
  - ProficientNow (@proficientnow)
description:
  - A run is known by its template, its scope and its revision. The same run that is already at work is attached to.
  - Otherwise the definition of the next attempt is made.
options:
  _input:
    description: The WorkflowTemplate that P(proficientnow.deploy_ops.workflow_template#filter) makes.
    type: dict
    required: true
  workflows:
    description: The Workflows that exist in the namespace.
    type: list
    elements: dict
    required: true
  scope:
    description: What the run is for. V(platform), V(stack:NAME) or V(app:NAME).
    type: str
    default: platform
  revision:
    description: The commit that the run is for. Empty for whatever the Applications want.
    type: str
    default: ''
seealso:
  - plugin: proficientnow.deploy_ops.workflow_template
    plugin_type: filter
"""

EXAMPLES = r"""
---
- name: Show the name of the next Workflow
  ansible.builtin.debug:
    msg: "{{ (template | proficientnow.deploy_ops.workflow_run(workflows=found.resources)).name }}"
"""

RETURN = r"""
---
_value:
  description: The C(name) of the Workflow, whether to C(attach) to it, and else its C(definition).
  type: dict
"""

import typing as t

from ansible.utils.unsafe_proxy import wrap_var

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._workflow.run import next_run


def workflow_run(
    template: dict[str, t.Any], workflows: list[dict[str, t.Any]], scope: str = "platform", revision: str = ""
) -> t.Any:
    return wrap_var(next_run(template, scope, revision, workflows)._asdict())


class FilterModule:
    def filters(self) -> dict[str, t.Callable[..., t.Any]]:
        return {"workflow_run": workflow_run}
