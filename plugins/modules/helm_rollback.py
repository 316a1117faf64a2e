#!/usr/bin/python
# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: helm_rollback
short_description: Roll a Helm release back to an earlier revision
version_added: 1.0.0
author:
  - ProficientNow (@proficientnow)
description:
  - Rolls a release back to the newest revision that once worked, or to a given one, and waits for it.
  - Also the way out for a release that a killed process left pending, which C(helm upgrade) refuses to touch.
  - M(kubernetes.core.helm) has no such function. Options and connection are the same as there.
extends_documentation_fragment:
  - kubernetes.core.helm_common_options
attributes:
  check_mode:
    description: Reports the revision it would roll back to and changes nothing.
    support: full
  diff_mode:
    description: Returns the revision before and after.
    support: full
options:
  release_name:
    description: Name of the release.
    type: str
    required: true
    aliases: [name]
  release_namespace:
    description: Namespace of the release.
    type: str
    required: true
    aliases: [namespace]
  revision:
    description:
      - Revision to go back to.
      - By default the newest one that once was deployed, the current one excepted.
    type: int
  wait:
    description: Wait until the rolled back objects are ready.
    type: bool
    default: true
  wait_timeout:
    description: How long helm waits, in its own notation, for example V(5m0s).
    type: str
    default: 5m0s
  history_max:
    description: Number of revisions that Helm keeps, V(0) for all.
    type: int
    default: 10
requirements:
  - helm
"""

EXAMPLES = r"""
---
- name: Return to what worked before
  proficientnow.deploy_ops.helm_rollback:
    name: argocd
    namespace: argocd
    wait_timeout: 10m0s
"""

RETURN = r"""
from_revision:
  description: Newest revision before.
  returned: always
  type: int
  sample: 4
to_revision:
  description: Revision whose content was restored.
  returned: always
  type: int
  sample: 3
revision:
  description: Newest revision now. Helm makes a new one for a rollback.
  returned: always
  type: int
  sample: 5
status:
  description: Helm's status of the newest revision now.
  returned: always
  type: str
  sample: deployed
command:
  description: The helm command, with its arguments.
  returned: when changed
  type: list
  elements: str
"""

import typing as t

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.kubernetes.core.plugins.module_utils.helm import AnsibleHelmModule
from ansible_collections.kubernetes.core.plugins.module_utils.helm_args_common import (
    HELM_AUTH_ARG_SPEC,
    HELM_AUTH_MUTUALLY_EXCLUSIVE,
)

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._helm.release import name_problem
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._helm.rollback import (
    Rollback,
    RollbackError,
    plan_rollback,
)


def argument_spec() -> dict[str, t.Any]:
    return dict(
        HELM_AUTH_ARG_SPEC,
        release_name={"type": "str", "required": True, "aliases": ["name"]},
        release_namespace={"type": "str", "required": True, "aliases": ["namespace"]},
        revision={"type": "int"},
        wait={"type": "bool", "default": True},
        wait_timeout={"type": "str", "default": "5m0s"},
        history_max={"type": "int", "default": 10},
    )


def history(helm: AnsibleHelmModule, name: str) -> list[dict[str, t.Any]]:
    argv = [helm.get_helm_binary(), "history", name, "--max", "256", "--output", "json"]
    return helm.from_json(helm.run_helm_command(argv)[1])


def perform(helm: AnsibleHelmModule, plan: Rollback) -> list[str]:
    params = helm.params
    argv = [helm.get_helm_binary(), "rollback", params["release_name"], str(plan.to_revision)]
    argv += ["--history-max", str(params["history_max"]), "--timeout", params["wait_timeout"], "--cleanup-on-fail"]
    argv += ["--wait"] if params["wait"] else []
    helm.run_helm_command(argv)
    return argv


def main() -> None:
    helm = AnsibleHelmModule(
        module=AnsibleModule(
            argument_spec=argument_spec(),
            mutually_exclusive=HELM_AUTH_MUTUALLY_EXCLUSIVE,
            supports_check_mode=True,
        )
    )
    name = helm.params["release_name"]
    problem = name_problem(name)
    if problem:
        helm.fail_json(msg=problem)
    try:
        plan = plan_rollback(history(helm, name), helm.params["revision"])
    except RollbackError as error:
        helm.fail_json(msg=f"release {name} in namespace {helm.params['release_namespace']}: {error}")

    result: dict[str, t.Any] = {"changed": plan.needed}
    if plan.needed and not helm.check_mode:
        result["command"] = perform(helm, plan)
        newest = history(helm, name)[-1]
        result.update(revision=newest["revision"], status=newest["status"])
    else:
        result.update(revision=plan.from_revision, status=plan.status)
    if helm._diff:
        result["diff"] = {"before": {"revision": plan.from_revision}, "after": {"revision": result["revision"]}}
    helm.exit_json(from_revision=plan.from_revision, to_revision=plan.to_revision, **result)


if __name__ == "__main__":
    main()
