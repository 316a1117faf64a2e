# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
---
name: teardown_report
short_description: Say what a teardown removed, what stays, and what is in its way
version_added: 1.1.0
author:
  - ProficientNow (@proficientnow)
description:
  - Makes the report of a teardown from its plan and from what was seen before and after it.
options:
  _input:
    description: The plan that M(proficientnow.deploy_ops.dag_order) makes with C(reverse=true).
    type: dict
    required: true
  before:
    description: What M(proficientnow.deploy_ops.teardown_info) returned before the first change.
    type: dict
    required: true
  after:
    description: What it returned at the end. In a dry run the same as before.
    type: dict
    required: true
  run:
    description: What M(proficientnow.deploy_ops.workflow_watch) returned. Empty when no workflow was run.
    type: dict
    default: {}
  about:
    description: The C(environment) and the C(cluster) that the report is about.
    type: dict
    default: {}
  dry_run:
    description: Whether nothing was done. Then the report says what would be.
    type: bool
    default: false
seealso:
  - module: proficientnow.deploy_ops.teardown_info
"""

EXAMPLES = r"""
---
- name: Show how it ended
  ansible.builtin.debug:
    msg: "{{ (plan | proficientnow.deploy_ops.teardown_report(before=before, after=after, run=watched)).outcome }}"
"""

RETURN = r"""
---
_value:
  description:
    - The report. Its C(outcome) is V(Complete), V(Partial) or V(Failed); C(removed), C(retained) and C(nodes) say
      what became of everything.
  type: dict
"""

import typing as t

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._teardown.report import teardown_report
from ansible_collections.proficientnow.deploy_ops.plugins.plugin_utils._plan_input import check_plan


def teardown_report_filter(
    plan: t.Any, before: t.Any, after: t.Any, run: t.Any = None, about: t.Any = None, dry_run: bool = False
) -> t.Any:
    check_plan("teardown_report", plan)
    return teardown_report(plan, before, after, run or {}, about or {}, dry_run)


class FilterModule:
    def filters(self) -> dict[str, t.Callable[..., t.Any]]:
        return {"teardown_report": teardown_report_filter}
