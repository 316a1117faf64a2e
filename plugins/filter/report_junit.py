# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
---
name: report_junit
short_description: Make JUnit XML of a report
version_added: 1.0.0
author:
  - ProficientNow (@proficientnow)
description:
  - Renders a report as JUnit XML, a test case for each node and for each finding, for continuous integration to show.
  - Refuses what is no report, and says what is missing.
options:
  _input:
    description:
      - The report of a deployment, a validation or a removal.
      - C(schema) (V(1)), C(kind) and C(outcome) must be there.
    type: dict
    required: true
seealso:
  - plugin: proficientnow.deploy_ops.report_text
    plugin_type: filter
  - plugin: proficientnow.deploy_ops.report_html
    plugin_type: filter
"""

EXAMPLES = r"""
---
- name: Write the file
  ansible.builtin.copy:
    content: "{{ report | proficientnow.deploy_ops.report_junit }}"
    dest: report.xml
    mode: "0644"
"""

RETURN = r"""
---
_value:
  description: The XML document.
  type: str
"""

import typing as t

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._report.junit import report_junit
from ansible_collections.proficientnow.deploy_ops.plugins.plugin_utils._report_filter import report_filter


class FilterModule:
    def filters(self) -> dict[str, t.Callable[..., t.Any]]:
        return {"report_junit": report_filter("report_junit", report_junit)}
