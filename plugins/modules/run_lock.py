#!/usr/bin/python
# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: run_lock
short_description: Let only one run work on a cluster at a time
version_added: 1.0.0
author:
  - ProficientNow (@proficientnow)
description:
  - Takes or gives back a Lease that names its holder, down to the process.
  - A run that died on the same machine is recognised at once and its lock taken over. One that died elsewhere is
    recognised when its lease has expired, or taken over with O(takeover).
  - Reports no change, because the lock is gone when the run is.
extends_documentation_fragment:
  - kubernetes.core.k8s_auth_options
  - proficientnow.deploy_ops._attributes
attributes:
  check_mode:
    support: full
    details:
      - Takes no lock in check mode, because nothing is changed under it.
  diff_mode:
    support: none
  idempotent:
    support: full
options:
  state:
    description: Whether this run should hold the lock.
    type: str
    choices: [held, released]
    default: held
  name:
    description: Name of the Lease.
    type: str
    default: deploy-ops
  namespace:
    description: Namespace of the Lease, one that exists in every cluster.
    type: str
    default: kube-system
  lease_duration:
    description: Seconds after which a lock that was never given back counts as abandoned.
    type: int
    default: 7200
  takeover:
    description: Take the lock from whoever holds it.
    type: bool
    default: false
"""

EXAMPLES = r"""
---
- name: Work on the cluster alone
  block:
    - name: Take the lock
      proficientnow.deploy_ops.run_lock:
      register: deploy_ops_lock
  always:
    - name: Give it back
      proficientnow.deploy_ops.run_lock:
        state: released
"""

RETURN = r"""
abandoned:
  description: Whether the lock was taken from a run that never gave it back. What it left pending is nobody's.
  returned: always
  type: bool
previous_holder:
  description: That run.
  returned: when RV(abandoned)
  type: str
  sample: oncall@bastion, process 4711
"""

import typing as t

from ansible_collections.kubernetes.core.plugins.module_utils.args_common import AUTH_ARG_SPEC
from ansible_collections.kubernetes.core.plugins.module_utils.k8s.core import AnsibleK8SModule

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._kube.api import KubeError, connect
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._kube.lock import Holder, Lock, LockHeld


def argument_spec() -> dict[str, t.Any]:
    return dict(
        AUTH_ARG_SPEC,
        state={"type": "str", "choices": ["held", "released"], "default": "held"},
        name={"type": "str", "default": "deploy-ops"},
        namespace={"type": "str", "default": "kube-system"},
        lease_duration={"type": "int", "default": 7200},
        takeover={"type": "bool", "default": False},
    )


def main() -> None:
    module = AnsibleK8SModule(argument_spec=argument_spec(), supports_check_mode=True)
    params = module.params
    if module.check_mode:
        module.exit_json(changed=False, abandoned=False)
    try:
        lock = Lock(connect(module), params["namespace"], params["name"], Holder.this_run())
        if params["state"] == "released":
            lock.release()
            module.exit_json(changed=False, abandoned=False)
        previous = lock.hold(params["lease_duration"], params["takeover"])
        found = {"previous_holder": previous} if previous else {}
        module.exit_json(changed=False, abandoned=previous is not None, **found)
    except (LockHeld, KubeError) as error:
        module.fail_json(msg=str(error))


if __name__ == "__main__":
    main()
