# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
---
name: report_text
short_description: Tell a report in words
version_added: 1.0.0
author:
  - ProficientNow (@proficientnow)
description:
  - Renders a report for a terminal.
  - What is wrong comes with its reason and what to do; what is in order is only counted.
  - Refuses what is no report, and says what is missing.
options:
  _input:
    description:
      - The report of a deployment, a validation or a removal.
      - C(schema) (V(1)), C(kind) and C(outcome) must be there.
    type: dict
    required: true
seealso:
  - plugin: proficientnow.deploy_ops.report_html
    plugin_type: filter
  - plugin: proficientnow.deploy_ops.report_junit
    plugin_type: filter
"""

EXAMPLES = r"""
---
- name: Show it
  ansible.builtin.debug:
    msg: "{{ (report | proficientnow.deploy_ops.report_text).splitlines() }}"
"""

RETURN = r"""
---
_value:
  description: The text, in lines of at most 120 characters where its words allow it.
  type: str
"""

import typing as t

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._report.text import report_text
from ansible_collections.proficientnow.deploy_ops.plugins.plugin_utils._report_filter import report_filter


class FilterModule:
    def filters(self) -> dict[str, t.Callable[..., t.Any]]:
        return {"report_text": report_filter("report_text", report_text)}
