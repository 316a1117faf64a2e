#!/usr/bin/python
# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
---
module: teardown_prepare
short_description: Make a cluster ready for a teardown, and tidy up after it
version_added: 1.1.0
author:
  - ProficientNow (@proficientnow)
description:
  - Takes the authority over the platform, writes down what its Applications have, stops Kargo's automatic promotions,
    makes volumes safe as O(volumes) says, makes snapshots and waits for them, and detaches Root and ApplicationSets
    without cascade.
  - Refuses, and changes nothing, when something speaks against the teardown.
  - Every step is done only when it is needed, so that a run that was interrupted can be repeated.
extends_documentation_fragment:
  - kubernetes.core.k8s_auth_options
  - proficientnow.deploy_ops._teardown
  - proficientnow.deploy_ops._attributes
attributes:
  check_mode:
    support: full
  diff_mode:
    support: none
    details: The sentences in RV(changes) tell what is done.
  idempotent:
    support: full
options:
  state:
    description: Before the first Application is removed, or after the last one is gone.
    type: str
    choices: [prepared, finished]
    default: prepared
  wait_timeout:
    description: Seconds to wait for each snapshot, and for each ApplicationSet to let go of its Applications.
    type: int
    default: 600
seealso:
  - module: proficientnow.deploy_ops.teardown_info
"""

EXAMPLES = r"""
---
- name: Make everything ready for the removal of the platform
  proficientnow.deploy_ops.teardown_prepare:
    plan: "{{ plan }}"
    volumes: snapshot
"""

RETURN = r"""
---
changes:
  description: What was done, or in check mode would be, a sentence each.
  returned: success
  type: list
  elements: str
  sample: [take the authority over platform]
"""

import typing as t

from ansible_collections.kubernetes.core.plugins.module_utils.k8s.core import AnsibleK8SModule

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._kube.api import KubeApi, KubeError, connect
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._teardown.apply import apply, secure_snapshots
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._teardown.changes import (
    DELETE_OBJECT,
    Change,
    changes,
    closing_changes,
)
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._teardown.claims import claims_of
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._teardown.options import (
    argument_spec,
    settings_from,
)
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._teardown.problems import problems
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._teardown.record import record_of
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._teardown.seen import see
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._teardown.settings import SNAPSHOT


class Refusal(Exception):
    """Something speaks against the teardown."""


def prepare(api: KubeApi, params: dict[str, t.Any], check_mode: bool) -> list[str]:
    settings, plan = settings_from(params), params["plan"]
    seen = see(api, plan, settings)
    if params["state"] == "finished":
        return _done(api, closing_changes(seen, plan, settings), params, check_mode)
    claims = claims_of(seen, plan, settings)
    against = problems(seen, plan, settings, claims)
    if against:
        raise Refusal("; ".join(against))
    wanted = changes(seen, plan, settings, claims, record_of(seen, plan, claims))
    # What is deleted here waits for its snapshot, as everything else does.
    deletions = [change for change in wanted if change.how == DELETE_OBJECT]
    done = _done(api, [change for change in wanted if change not in deletions], params, check_mode)
    snapshotted = {claim.namespace for claim in claims if claim.policy == SNAPSHOT}
    if snapshotted and not check_mode:
        done += secure_snapshots(api, snapshotted, params["wait_timeout"])
    return done + _done(api, deletions, params, check_mode)


def _done(api: KubeApi, wanted: list[Change], params: dict[str, t.Any], check_mode: bool) -> list[str]:
    if not check_mode:
        apply(api, wanted, params["wait_timeout"])
    return [change.text for change in wanted]


def main() -> None:
    module = AnsibleK8SModule(
        argument_spec=dict(
            argument_spec(),
            state={"type": "str", "choices": ["prepared", "finished"], "default": "prepared"},
            wait_timeout={"type": "int", "default": 600},
        ),
        supports_check_mode=True,
    )
    try:
        done = prepare(connect(module), module.params, module.check_mode)
    except (KubeError, Refusal) as error:
        module.fail_json(msg=str(error))
    module.exit_json(changed=bool(done), changes=done)


if __name__ == "__main__":
    main()
