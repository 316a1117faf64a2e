# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
---
name: dag_picture
short_description: Draw a plan
version_added: 1.0.0
author:
  - ProficientNow (@proficientnow)
description:
  - Renders a plan as text that Mermaid or Graphviz turns into a picture.
  - Stacks are frames, the critical path is red. Arrows that follow from other arrows are left out.
requirements:
  - networkx
options:
  _input:
    description: A plan, from M(proficientnow.deploy_ops.dag_order) or P(proficientnow.deploy_ops.dag_plan#filter).
    type: dict
    required: true
  form:
    description: V(mermaid) for Markdown pages, V(dot) for Graphviz.
    type: str
    choices: [mermaid, dot]
    default: mermaid
seealso:
  - module: proficientnow.deploy_ops.dag_order
  - plugin: proficientnow.deploy_ops.dag_plan
    plugin_type: filter
"""

EXAMPLES = r"""
---
- name: Write the picture of a graph
  ansible.builtin.copy:
    content: "{{ dag | proficientnow.deploy_ops.dag_plan | proficientnow.deploy_ops.dag_picture('dot') }}"
    dest: platform.dot
    mode: "0644"
  vars:
    dag: "{{ lookup('ansible.builtin.file', 'dag.yaml') | from_yaml }}"
"""

RETURN = r"""
---
_value:
  description: The picture as text.
  type: str
"""

import typing as t

from ansible.errors import AnsibleFilterError

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.picture import FORMATS, draw
from ansible_collections.proficientnow.deploy_ops.plugins.plugin_utils._plan_input import check_plan


def dag_picture(plan: t.Any, form: str = "mermaid") -> str:
    check_plan("dag_picture", plan)
    if form not in FORMATS:
        raise AnsibleFilterError(
            f"proficientnow.deploy_ops.dag_picture: form must be one of {', '.join(FORMATS)}, not {form!r}"
        )
    try:
        return draw(plan, form)
    except ImportError as error:
        raise AnsibleFilterError(
            "proficientnow.deploy_ops.dag_picture needs the Python package networkx on the controller"
        ) from error


class FilterModule:
    def filters(self) -> dict[str, t.Callable[..., t.Any]]:
        return {"dag_picture": dag_picture}
