#!/usr/bin/python
# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: component_probe
short_description: Prove that a component does what it is for
version_added: 1.0.0
author:
  - ProficientNow (@proficientnow)
description:
  - Runs a list of steps (create a throwaway object, call a service, wait for an object) and removes all that it made.
  - Services are called through the API server's proxy, so the component is reached from wherever Ansible runs.
  - Reports no change, because nothing of it stays.
extends_documentation_fragment:
  - kubernetes.core.k8s_auth_options
attributes:
  check_mode:
    description: Does nothing in check mode.
    support: full
  diff_mode:
    description: Leaves no change to show.
    support: none
options:
  namespace:
    description: Namespace of everything that names none.
    type: str
    required: true
  component:
    description: What is probed, for the message of a failure.
    type: str
    required: true
  steps:
    description:
      - Steps in their order. Each holds one of the three.
      - With both C(request) and C(wait) the request is made again every few seconds until the wait has ended.
    type: list
    elements: dict
    required: true
    suboptions:
      create:
        description: An object to create and in the end to remove, with a fixed name.
        type: dict
      request:
        description: A request to a service, repeated until it answers as expected.
        type: dict
        suboptions:
          service: {description: Name of the service., type: str, required: true}
          port: {description: "Port of the service, by number or name.", type: str, required: true}
          scheme: {description: How to talk to it., type: str, choices: [http, https], default: http}
          method: {description: HTTP method., type: str, choices: [GET, POST], default: GET}
          path: {description: Path with query., type: str, default: /}
          body: {description: JSON body of a POST., type: dict}
          contains: {description: Text that the answer must contain., type: str, default: ""}
      wait:
        description: A field of an object to wait for.
        type: dict
        suboptions:
          api_version: {description: API version of the object., type: str, required: true}
          kind: {description: Kind of the object., type: str, required: true}
          name: {description: Name of the object., type: str}
          label_selector: {description: Labels that select the objects instead of a name., type: str}
          field: {description: "The field, written with dots.", type: str, required: true}
          values: {description: Values that end the wait., type: list, elements: str, required: true}
          explained_by:
            description: A field that explains the state, for the message of a failure.
            type: str
            default: status.message
          failures: {description: Values that end the probe as failed., type: list, elements: str, default: []}
  leftovers:
    description: Objects that the component makes during the probe, to be removed as well.
    type: list
    elements: dict
    default: []
  wait_timeout:
    description: Seconds that one attempt may take.
    type: int
    default: 120
  attempts:
    description: How often the whole probe is tried.
    type: int
    default: 2
"""

EXAMPLES = r"""
---
- name: Argo CD answers
  proficientnow.deploy_ops.component_probe:
    component: Argo CD
    namespace: argocd
    steps:
      - request:
          service: argocd-server
          port: https
          scheme: https
          path: /api/version
          contains: Version
"""

RETURN = r"""
answers:
  description: Answers of the requests, in their order.
  returned: success
  type: list
  elements: str
attempts_used:
  description: How many attempts it took.
  returned: success
  type: int
"""

import typing as t

from ansible_collections.kubernetes.core.plugins.module_utils.args_common import AUTH_ARG_SPEC
from ansible_collections.kubernetes.core.plugins.module_utils.k8s.core import AnsibleK8SModule

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._kube.api import KubeApi, KubeError, connect
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._kube.probe import Probe, ProbeError

REQUEST = {
    "service": {"type": "str", "required": True},
    "port": {"type": "str", "required": True},
    "scheme": {"type": "str", "choices": ["http", "https"], "default": "http"},
    "method": {"type": "str", "choices": ["GET", "POST"], "default": "GET"},
    "path": {"type": "str", "default": "/"},
    "body": {"type": "dict"},
    "contains": {"type": "str", "default": ""},
}
WAIT = {
    "api_version": {"type": "str", "required": True},
    "kind": {"type": "str", "required": True},
    "name": {"type": "str"},
    "label_selector": {"type": "str"},
    "field": {"type": "str", "required": True},
    "values": {"type": "list", "elements": "str", "required": True},
    "explained_by": {"type": "str", "default": "status.message"},
    "failures": {"type": "list", "elements": "str", "default": []},
}


def argument_spec() -> dict[str, t.Any]:
    steps = {
        "create": {"type": "dict"},
        "request": {"type": "dict", "options": REQUEST},
        "wait": {"type": "dict", "options": WAIT, "required_one_of": [("name", "label_selector")]},
    }
    return dict(
        AUTH_ARG_SPEC,
        namespace={"type": "str", "required": True},
        component={"type": "str", "required": True},
        steps={"type": "list", "elements": "dict", "required": True, "options": steps},
        leftovers={"type": "list", "elements": "dict", "default": []},
        wait_timeout={"type": "int", "default": 120},
        attempts={"type": "int", "default": 2},
    )


def probe(api: KubeApi, params: dict[str, t.Any]) -> dict[str, t.Any]:
    attempt = 1
    while True:
        try:
            run = Probe(api, params["namespace"], params["wait_timeout"])
            return {"answers": run.run(params["steps"], params["leftovers"]), "attempts_used": attempt}
        except (ProbeError, KubeError):
            if attempt >= params["attempts"]:
                raise
            attempt += 1


def main() -> None:
    module = AnsibleK8SModule(argument_spec=argument_spec(), supports_check_mode=True)
    if module.check_mode:
        module.exit_json(changed=False, skipped=True, msg="a probe makes objects, so check mode leaves it out")
    try:
        module.exit_json(changed=False, **probe(connect(module), module.params))
    except (ProbeError, KubeError) as error:
        module.fail_json(msg=f"{module.params['component']} does not work: {error}")


if __name__ == "__main__":
    main()
