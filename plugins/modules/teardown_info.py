#!/usr/bin/python
# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
---
module: teardown_info
short_description: Tell what a teardown would do, and what it has left
version_added: 1.1.0
author:
  - ProficientNow (@proficientnow)
description:
  - Looks at the Applications of a teardown plan, what they have, their volume claims and what would restore them.
  - Lists everything that speaks against the teardown. Reads only.
extends_documentation_fragment:
  - kubernetes.core.k8s_auth_options
  - proficientnow.deploy_ops._teardown
  - proficientnow.deploy_ops._attributes
  - proficientnow.deploy_ops._attributes.info_module
options:
  left:
    description: Also look which of the recorded objects still exist. For after the teardown.
    type: bool
    default: false
seealso:
  - module: proficientnow.deploy_ops.teardown_prepare
  - module: proficientnow.deploy_ops.dag_order
"""

EXAMPLES = r"""
---
- name: Plan the removal of the platform
  proficientnow.deploy_ops.dag_order:
    src: dag.yaml
    reverse: true
  register: plan

- name: Tell what it would do
  proficientnow.deploy_ops.teardown_info:
    plan: "{{ plan }}"
    volumes: retain
"""

RETURN = r"""
---
applications:
  description: The Applications of the plan that exist, by the name of their node.
  returned: success
  type: dict
  sample: {vault: vault}
idle:
  description: Whether there is nothing to remove.
  returned: success
  type: bool
problems:
  description: Everything that speaks against the teardown, each with the way out. Empty when it may begin.
  returned: success
  type: list
  elements: str
  sample: ["grafana depends on prometheus and is still deployed: remove it first"]
changes:
  description: What is changed before the first Application is removed, a sentence each.
  returned: success
  type: list
  elements: str
  sample: [take the authority over platform]
records:
  description: By node, everything that its Application had when the teardown began, in the form that the gate takes.
  returned: success
  type: dict
  sample:
    vault: {resources: StatefulSet /apis/apps/v1/namespaces/security/statefulsets/vault, claims: '', volumes: ''}
rules:
  description: Rules of a ClusterRole that allow the gate to look at exactly these objects.
  returned: success
  type: list
  elements: dict
  sample: [{apiGroups: [apps], resources: [statefulsets], verbs: [get]}]
claims:
  description:
    - The volume claims, each with its C(namespace), C(name), C(node), C(policy), C(volume), C(reclaim) and C(size).
  returned: success
  type: list
  elements: dict
  sample: [{namespace: security, name: data-vault-0, node: vault, policy: retain, volume: pvc-1, reclaim: Delete}]
volumes:
  description: What becomes of each claim, in words.
  returned: success
  type: list
  elements: str
  sample: ["PersistentVolumeClaim security/data-vault-0 (volume pvc-1, 1Gi) of vault: goes, its volume stays"]
namespaces:
  description: Namespaces that the applications are in.
  returned: success
  type: list
  elements: str
  sample: [security]
kept_namespaces:
  description: Those that hold claims or snapshots that stay.
  returned: success
  type: list
  elements: str
  sample: [security]
definitions:
  description: CustomResourceDefinitions that the applications brought. Argo CD never deletes them.
  returned: success
  type: list
  elements: str
  sample: [postgresqls.acid.zalan.do]
left:
  description:
    - Recorded objects that still exist, each with its C(node), C(kind), C(namespace), C(name), C(status),
      C(message) and whether it is C(kept) on purpose.
  returned: when O(left=true)
  type: list
  elements: dict
  sample: []
"""

from ansible_collections.kubernetes.core.plugins.module_utils.k8s.core import AnsibleK8SModule

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._kube.api import KubeError, connect
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._teardown.aftermath import left_of
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._teardown.options import (
    argument_spec,
    settings_from,
)
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._teardown.outlook import outlook
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._teardown.seen import see


def main() -> None:
    module = AnsibleK8SModule(
        argument_spec=dict(argument_spec(), left={"type": "bool", "default": False}), supports_check_mode=True
    )
    settings, plan = settings_from(module.params), module.params["plan"]
    try:
        api = connect(module)
        found = outlook(see(api, plan, settings), plan, settings)
        if module.params["left"]:
            found["left"] = left_of(api, found["records"])
    except KubeError as error:
        module.fail_json(msg=str(error))
    module.exit_json(changed=False, **found)


if __name__ == "__main__":
    main()
