#!/usr/bin/python
# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
---
module: workflow_watch
short_description: Wait for a deployment's Workflow and show how far it is
version_added: 1.0.0
author:
  - ProficientNow (@proficientnow)
description:
  - Waits until a Workflow that was made from a plan has ended.
  - Shows how far it is, with what runs and what failed, and about how long it will still take.
  - Goes on waiting while the API server does not answer.
  - The Workflow does not depend on being watched. Ctrl-C leaves it at work, and says how to come back.
  - Does not fail when the Workflow failed, so that the caller decides. Look at RV(outcome).
  - The cluster is that of E(K8S_AUTH_KUBECONFIG), E(K8S_AUTH_CONTEXT) and the other variables of kubernetes.core.
options:
  name:
    description: Name of the Workflow. The newest run by default.
    type: str
    default: ''
  namespace:
    description: Namespace of the Workflow.
    type: str
    required: true
  plan:
    description:
      - The plan for the scope of the run, as M(proficientnow.deploy_ops.dag_order) returns it.
      - By default the one that is stored with the Workflow, so that a kubeconfig is all that is needed.
    type: dict
  wait:
    description: Whether to wait for the end. Otherwise it looks once.
    type: bool
    default: true
  wait_timeout:
    description: Seconds after which to stop watching. The Workflow goes on.
    type: int
    default: 14400
  progress:
    description:
      - How to show how far it is. V(live) writes over the last lines of the terminal, V(lines) tells line by line,
        V(quiet) shows nothing. V(auto) is live at a terminal and line by line elsewhere.
    type: str
    choices: [auto, live, lines, quiet]
    default: auto
  environment_name:
    description: Name of the environment, for the report.
    type: str
    default: ''
  argocd_namespace:
    description: Namespace of Argo CD, for the recommendations in the report.
    type: str
    default: argocd
seealso:
  - module: proficientnow.deploy_ops.dag_order
extends_documentation_fragment:
  - proficientnow.deploy_ops._attributes
attributes:
  check_mode:
    support: full
    details: It changes nothing, in check mode or not.
  diff_mode:
    support: none
    details: It changes nothing itself.
  idempotent:
    support: full
"""

EXAMPLES = r"""
---
- name: Wait for the deployment
  proficientnow.deploy_ops.workflow_watch:
    name: platform-bootstrap-0123456789-1
    namespace: argo
    plan: "{{ plan }}"
  register: run
  failed_when: run.outcome != 'Succeeded'
"""

RETURN = r"""
---
workflow:
  description: Name of the Workflow.
  returned: success
  type: str
  sample: platform-bootstrap-0123456789-1
outcome:
  description:
    - V(Succeeded), V(Partial) when some nodes are Healthy and others are not, or V(Failed).
    - V(Running) when O(wait=false) and it has not ended.
  returned: success
  type: str
  sample: Partial
started:
  description: When it started.
  returned: success
  type: str
  sample: "2026-11-16T08:00:00Z"
finished:
  description: When it ended.
  returned: success
  type: str
  sample: "2026-11-16T08:01:00Z"
synced:
  description: The nodes that this run had to sync. Empty when the platform stood already, and then nothing changed.
  returned: success
  type: list
  elements: str
  sample: [metallb]
mixed:
  description:
    - The nodes that stand at something else than their target resolved to when the run began, because it moved on.
  returned: success
  type: list
  elements: str
  sample: []
summary:
  description: What failed and why, what was not started because of it, and mixed revisions. A sentence each.
  returned: success
  type: list
  elements: str
  sample: ["vault failed: Progressing for 15 m"]
report:
  description: >-
    The report of the run, for the filters P(proficientnow.deploy_ops.report_text#filter),
    P(proficientnow.deploy_ops.report_html#filter) and P(proficientnow.deploy_ops.report_junit#filter).
    With the resources that keep failed nodes from being Healthy, and their events.
  returned: success
  type: dict
  sample: {schema: 1, kind: deploy, outcome: Partial}
nodes:
  description: Every node of the plan by its name, with its C(state), its C(message) and what the gate measured.
  returned: success
  type: dict
  sample:
    metallb:
      state: healthy
      message: Healthy at 0123456
"""
