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
  - Waits until a Workflow that was made from a plan has ended, and shows a line whenever a node of the plan is done.
  - Goes on waiting while the API server does not answer. The Workflow does not depend on being watched.
  - Does not fail when the Workflow failed, so that the caller decides. Look at RV(outcome).
  - The cluster is that of E(K8S_AUTH_KUBECONFIG), E(K8S_AUTH_CONTEXT) and the other variables of kubernetes.core.
options:
  name:
    description: Name of the Workflow.
    type: str
    required: true
  namespace:
    description: Namespace of the Workflow.
    type: str
    required: true
  plan:
    description: The plan for the scope of the run, as M(proficientnow.deploy_ops.dag_order) returns it.
    type: dict
    required: true
  wait_timeout:
    description: Seconds after which to stop watching. The Workflow goes on.
    type: int
    default: 14400
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
  description: V(Succeeded), V(Partial) when some nodes are Healthy and others are not, or V(Failed).
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
nodes:
  description: Every node of the plan by its name, with its C(state), its C(message) and what the gate measured.
  returned: success
  type: dict
  sample:
    metallb:
      state: healthy
      message: Healthy at 0123456
"""
