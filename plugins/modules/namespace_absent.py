#!/usr/bin/python
# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: namespace_absent
short_description: Remove namespaces, and name what holds one that does not go
version_added: 1.0.0
author:
  - ProficientNow (@proficientnow)
description:
  - Deletes namespaces with all that is in them, and waits until they are gone.
  - One that is still there after O(wait_timeout) is returned in RV(held), with the objects and finalizers that hold it
    and the way out. The module does not fail then, and it never removes a finalizer.
extends_documentation_fragment:
  - kubernetes.core.k8s_auth_options
  - proficientnow.deploy_ops._attributes
attributes:
  check_mode:
    support: full
  diff_mode:
    support: none
  idempotent:
    support: full
options:
  names:
    description: The namespaces.
    type: list
    elements: str
    required: true
  wait_timeout:
    description: Seconds after which waiting ends.
    type: int
    default: 120
"""

EXAMPLES = r"""
---
- name: Remove the namespaces of the primitives
  proficientnow.deploy_ops.namespace_absent:
    names: [argo, argo-events, argocd]
  register: namespaces
"""

RETURN = r"""
removed:
  description: Namespaces that this call has deleted and that are gone. In check mode those that would be deleted.
  returned: always
  type: list
  elements: str
held:
  description: Namespaces that are still there.
  returned: always
  type: list
  elements: dict
  contains:
    namespace: {description: Its name., type: str, returned: always}
    complaints: {description: What Kubernetes says about it., type: list, elements: str, returned: always}
    holders:
      description: Each object that holds it, its finalizers and the way out.
      type: list
      elements: dict
      returned: always
"""

import time
import typing as t

from ansible_collections.kubernetes.core.plugins.module_utils.args_common import AUTH_ARG_SPEC
from ansible_collections.kubernetes.core.plugins.module_utils.k8s.core import AnsibleK8SModule

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._kube.api import KubeApi, KubeError, connect
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._leftovers.catalog import read
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._leftovers.namespaces import (
    complaints,
    holders,
)

PAUSE = 1.0


def argument_spec() -> dict[str, t.Any]:
    return dict(
        AUTH_ARG_SPEC,
        names={"type": "list", "elements": "str", "required": True},
        wait_timeout={"type": "int", "default": 120},
    )


def existing(api: KubeApi, names: t.Sequence[str]) -> dict[str, dict[str, t.Any]]:
    bodies = {name: api.get(f"/api/v1/namespaces/{name}") for name in names}
    return {name: body for name, body in bodies.items() if body is not None}


def remove(api: KubeApi, names: t.Sequence[str], seconds: float) -> dict[str, t.Any]:
    there = existing(api, names)
    for name, body in there.items():
        if "deletionTimestamp" not in body["metadata"]:
            api.delete(f"/api/v1/namespaces/{name}")
    deadline = time.monotonic() + seconds
    left = existing(api, list(there))
    while left and time.monotonic() < deadline:
        time.sleep(PAUSE)
        left = existing(api, list(left))
    catalog = read(api) if left else None
    held = [
        {"namespace": name, "complaints": complaints(body), "holders": holders(body, catalog)}
        for name, body in left.items()
        if catalog is not None
    ]
    fresh = any("deletionTimestamp" not in body["metadata"] for body in there.values())
    gone = [name for name in there if name not in left]
    return {"changed": fresh or bool(gone), "removed": gone, "held": held}


def main() -> None:
    module = AnsibleK8SModule(argument_spec=argument_spec(), supports_check_mode=True)
    names = module.params["names"]
    try:
        api = connect(module)
        if module.check_mode:
            there = list(existing(api, names))
            module.exit_json(changed=bool(there), removed=there, held=[])
        module.exit_json(**remove(api, names, module.params["wait_timeout"]))
    except KubeError as error:
        module.fail_json(msg=str(error))


if __name__ == "__main__":
    main()
