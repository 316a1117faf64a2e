#!/usr/bin/python
# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
---
module: orchestration_info
short_description: Look at what a run finds in the cluster before it starts
version_added: 1.0.0
author:
  - ProficientNow (@proficientnow)
description:
  - Reads the Root Application, the Applications, the WorkflowTemplate and the runs so far in one go.
  - Lets Argo CD compare Root with its repository first, because it remembers for minutes what a branch pointed to.
extends_documentation_fragment:
  - kubernetes.core.k8s_auth_options
  - proficientnow.deploy_ops._attributes
  - proficientnow.deploy_ops._attributes.info_module
options:
  root:
    description: Name of the Root Application.
    type: str
    required: true
  argocd_namespace:
    description: Namespace of the Applications.
    type: str
    default: argocd
  namespace:
    description: Namespace of the workflows.
    type: str
    default: argo
  template:
    description: The WorkflowTemplate that P(proficientnow.deploy_ops.workflow_template#filter) made.
    type: dict
    required: true
  refresh_timeout:
    description: Seconds that Argo CD has to compare Root anew. With V(0), and in check mode, Root is taken as it is.
    type: int
    default: 300
seealso:
  - plugin: proficientnow.deploy_ops.workflow_template
    plugin_type: filter
  - plugin: proficientnow.deploy_ops.workflow_run
    plugin_type: filter
"""

EXAMPLES = r"""
---
- name: Look at the platform
  proficientnow.deploy_ops.orchestration_info:
    root: platform-root
    template: "{{ plan | proficientnow.deploy_ops.workflow_template }}"
  register: found
"""

RETURN = r"""
---
root:
  description: The Root Application. Null when there is none.
  returned: success
  type: dict
applications:
  description: The project of every Application, by its name.
  returned: success
  type: dict
  sample: {metallb: platform, platform-root: platform-root}
installed:
  description: Whether the WorkflowTemplate in the cluster is the given one.
  returned: success
  type: bool
  sample: true
missing_templates:
  description: Templates that it refers to and that no ClusterWorkflowTemplate in the cluster has.
  returned: success
  type: list
  elements: str
  sample: [survey/survey]
workflows:
  description: The runs so far, with C(metadata.name), C(metadata.labels) and C(status.phase).
  returned: success
  type: list
  elements: dict
"""

import typing as t

from ansible_collections.kubernetes.core.plugins.module_utils.args_common import AUTH_ARG_SPEC
from ansible_collections.kubernetes.core.plugins.module_utils.k8s.core import AnsibleK8SModule

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._kube.api import KubeError, connect
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._workflow.surroundings import Places, look


def argument_spec() -> dict[str, t.Any]:
    return dict(
        AUTH_ARG_SPEC,
        root={"type": "str", "required": True},
        argocd_namespace={"type": "str", "default": "argocd"},
        namespace={"type": "str", "default": "argo"},
        template={"type": "dict", "required": True},
        refresh_timeout={"type": "int", "default": 300},
    )


def main() -> None:
    module = AnsibleK8SModule(argument_spec=argument_spec(), supports_check_mode=True)
    params = module.params
    places = Places(params["argocd_namespace"], params["root"], params["namespace"])
    timeout = 0 if module.check_mode else params["refresh_timeout"]
    try:
        found = look(connect(module), places, params["template"], timeout)
    except KubeError as error:
        module.fail_json(msg=str(error))
    module.exit_json(changed=False, **found)


if __name__ == "__main__":
    main()
