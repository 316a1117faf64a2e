#!/usr/bin/python
# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
---
module: report_files
short_description: Write a report as text, data, JUnit XML and a web page
version_added: 1.0.0
author:
  - ProficientNow (@proficientnow)
description:
  - Writes the report of a deployment, a validation or a removal into C(KIND.txt), C(KIND.json), C(KIND.xml) (JUnit)
    and C(KIND.html), on the controller.
  - Each file is replaced in one step.
options:
  report:
    description: The report. Its C(schema) (V(1)), C(kind) and C(outcome) must be there.
    type: dict
    required: true
  folder:
    description: Where the files go. It is made when it is not there.
    type: path
    required: true
seealso:
  - plugin: proficientnow.deploy_ops.report_text
    plugin_type: filter
  - plugin: proficientnow.deploy_ops.report_html
    plugin_type: filter
  - plugin: proficientnow.deploy_ops.report_junit
    plugin_type: filter
extends_documentation_fragment:
  - proficientnow.deploy_ops._attributes
attributes:
  check_mode:
    support: full
    details: Renders the report and writes nothing.
  diff_mode:
    support: none
  idempotent:
    support: full
    details: Files about a run are no change, so it never reports one.
"""

EXAMPLES = r"""
---
- name: Write the report of a run
  proficientnow.deploy_ops.report_files:
    report: "{{ run.report }}"
    folder: /srv/reports
"""

RETURN = r"""
---
files:
  description: The path of each file, by its ending.
  returned: success
  type: dict
  sample:
    html: /srv/reports/deploy.html
    json: /srv/reports/deploy.json
    txt: /srv/reports/deploy.txt
    xml: /srv/reports/deploy.xml
"""
