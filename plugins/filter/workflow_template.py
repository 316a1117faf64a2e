# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
---
name: workflow_template
short_description: Make the Argo WorkflowTemplate that carries out a plan
version_added: 1.0.0
author:
  - ProficientNow (@proficientnow)
description:
  - Turns the plan of a whole platform into the WorkflowTemplate C(platform-bootstrap).
  - The scope is a parameter of the template, so that it can be started for a part of the platform as well.
  - Refuses a graph that is too large for Argo Workflows, with the number.
options:
  _input:
    description: The plan that M(proficientnow.deploy_ops.dag_order) makes for the scope V(platform).
    type: dict
    required: true
  settings:
    description:
      - What does not follow from the graph. Any of C(name), C(namespace), C(project), C(service_account),
        C(steady_state), C(settle_seconds), C(overall_timeout_seconds), C(seconds_kept_after_success),
        C(seconds_kept_after_failure) and C(bootstrap).
      - C(bootstrap) says of each component that the bootstrap installs in which C(namespace) its C(release) is.
    type: dict
    default: {}
seealso:
  - module: proficientnow.deploy_ops.dag_order
  - plugin: proficientnow.deploy_ops.workflow_run
    plugin_type: filter
"""

EXAMPLES = r"""
---
- name: Show the workflow of a platform
  ansible.builtin.debug:
    msg: "{{ plan | proficientnow.deploy_ops.workflow_template(settings={'project': 'platform'}) }}"
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
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._workflow.template import workflow_template
from ansible_collections.proficientnow.deploy_ops.plugins.plugin_utils._plan_input import check_plan


def workflow_template_filter(plan: t.Any, settings: t.Any = None) -> t.Any:
    check_plan("workflow_template", plan)
    try:
        template = workflow_template(plan, settings_from(settings or {}))
    except WorkflowError as error:
        raise AnsibleFilterError(f"proficientnow.deploy_ops.workflow_template: {error}") from error
    # Argo's own expressions look like Jinja's.
    return wrap_var(template)


class FilterModule:
    def filters(self) -> dict[str, t.Callable[..., t.Any]]:
        return {"workflow_template": workflow_template_filter}
