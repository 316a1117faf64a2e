# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
---
name: teardown_template
short_description: Make the Argo WorkflowTemplate that carries out a teardown
version_added: 1.1.0
author:
  - ProficientNow (@proficientnow)
description:
  - Turns a teardown plan into the WorkflowTemplate C(platform-teardown). Each application is removed when everything
    that depends on it is gone.
options:
  _input:
    description: The plan that M(proficientnow.deploy_ops.dag_order) makes with C(reverse=true).
    type: dict
    required: true
  records:
    description: What the Applications have, as M(proficientnow.deploy_ops.teardown_info) returns it.
    type: dict
    required: true
  settings:
    description: Any of the settings of P(proficientnow.deploy_ops.workflow_template#filter).
    type: dict
    default: {}
seealso:
  - module: proficientnow.deploy_ops.teardown_info
  - plugin: proficientnow.deploy_ops.workflow_run
    plugin_type: filter
"""

EXAMPLES = r"""
---
- name: Show the workflow of a teardown
  ansible.builtin.debug:
    msg: "{{ plan | proficientnow.deploy_ops.teardown_template(records=info.records) }}"
"""

RETURN = r"""
---
_value:
  description: The WorkflowTemplate.
  type: dict
"""

import typing as t

from ansible.errors import AnsibleFilterError
from ansible.utils.unsafe_proxy import wrap_var

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._workflow.settings import (
    WorkflowError,
    settings_from,
)
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._workflow.teardown import teardown_template
from ansible_collections.proficientnow.deploy_ops.plugins.plugin_utils._plan_input import check_plan


def teardown_template_filter(plan: t.Any, records: t.Any, settings: t.Any = None) -> t.Any:
    check_plan("teardown_template", plan)
    try:
        chosen = settings_from({"name": "platform-teardown", **(settings or {})})
        return wrap_var(teardown_template(plan, records, chosen))
    except WorkflowError as error:
        raise AnsibleFilterError(f"proficientnow.deploy_ops.teardown_template: {error}") from error


class FilterModule:
    def filters(self) -> dict[str, t.Callable[..., t.Any]]:
        return {"teardown_template": teardown_template_filter}
