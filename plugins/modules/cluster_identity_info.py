#!/usr/bin/python
# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: cluster_identity_info
short_description: Tell which cluster the kubeconfig points at, and whether it is the expected one
version_added: 1.0.0
author:
  - ProficientNow (@proficientnow)
description:
  - Reads the server that every module of the play talks to, and the uid of its namespace C(kube-system), which no two
    clusters share.
  - Compares them with what the inventory names, by the same rules as M(proficientnow.deploy_ops.phase0_check).
extends_documentation_fragment:
  - kubernetes.core.k8s_auth_options
  - proficientnow.deploy_ops._attributes
  - proficientnow.deploy_ops._attributes.info_module
options:
  cluster_server:
    description: URL of the API server of the expected cluster.
    type: str
    default: ""
  cluster_uid:
    description: Uid of the namespace C(kube-system) of the expected cluster.
    type: str
    default: ""
seealso:
  - module: proficientnow.deploy_ops.phase0_check
"""

EXAMPLES = r"""
---
- name: Find out which cluster this is
  proficientnow.deploy_ops.cluster_identity_info:
    cluster_server: https://kubernetes.example.com:6443
  register: identity
"""

RETURN = r"""
server:
  description: URL of the API server.
  returned: always
  type: str
  sample: https://kubernetes.example.com:6443
uid:
  description: Uid of the namespace C(kube-system).
  returned: always
  type: str
  sample: 7f9b3c1e-2f61-4e63-9f0e-0f6d6c9a1a52
problems:
  description:
    - What does not match, with the way out. That nothing is expected at all is a problem, too.
    - Empty for the expected cluster.
  returned: always
  type: list
  elements: str
"""

import typing as t

from ansible_collections.kubernetes.core.plugins.module_utils.args_common import AUTH_ARG_SPEC
from ansible_collections.kubernetes.core.plugins.module_utils.k8s.core import AnsibleK8SModule

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._kube.api import KubeError, connect
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.identity import Expected, mismatches


def argument_spec() -> dict[str, t.Any]:
    return dict(
        AUTH_ARG_SPEC,
        cluster_server={"type": "str", "default": ""},
        cluster_uid={"type": "str", "default": ""},
    )


def main() -> None:
    module = AnsibleK8SModule(argument_spec=argument_spec(), supports_check_mode=True)
    expected = Expected(server=module.params["cluster_server"], uid=module.params["cluster_uid"])
    try:
        api = connect(module)
        uid = ((api.get("/api/v1/namespaces/kube-system") or {}).get("metadata") or {}).get("uid", "")
    except KubeError as error:
        module.fail_json(msg=str(error))
    problems = [
        f"found {check.found}, wanted {check.wanted}. {check.fix}" for check in mismatches(api.server, uid, expected)
    ]
    module.exit_json(changed=False, server=api.server, uid=uid, problems=problems)


if __name__ == "__main__":
    main()
