# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
---
name: report_html
short_description: Make a web page of a report
version_added: 1.0.0
author:
  - ProficientNow (@proficientnow)
description:
  - Renders a report as one HTML page that needs no other file and no network, with the graph and a timeline.
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
  - plugin: proficientnow.deploy_ops.report_junit
    plugin_type: filter
"""

EXAMPLES = r"""
---
- name: Write the page
  ansible.builtin.copy:
    content: "{{ report | proficientnow.deploy_ops.report_html }}"
    dest: report.html
    mode: "0644"
"""

RETURN = r"""
---
_value:
  description: The page.
  type: str
"""

import typing as t

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._report.page import report_html
from ansible_collections.proficientnow.deploy_ops.plugins.plugin_utils._report_filter import report_filter


class FilterModule:
    def filters(self) -> dict[str, t.Callable[..., t.Any]]:
        return {"report_html": report_filter("report_html", report_html)}
