#!/usr/bin/python
# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: leftover_info
short_description: Tell what a removal of the primitives would meet, and what one has left behind
version_added: 1.0.0
author:
  - ProficientNow (@proficientnow)
description:
  - Lists every object of the cluster by name, whatever kinds operators have added, and says of each what concerns the
    removal of the components of the bootstrap. No content of a Secret is read.
  - Names orphans, each with the reason and the way out.
extends_documentation_fragment:
  - kubernetes.core.k8s_auth_options
  - proficientnow.deploy_ops._attributes
  - proficientnow.deploy_ops._attributes.info_module
options:
  components:
    description: What the bootstrap installed.
    type: list
    elements: dict
    required: true
    suboptions:
      name:
        description: The role that installed it.
        type: str
        required: true
      namespace:
        description: Namespace of its releases.
        type: str
        required: true
      releases:
        description: Names of its Helm releases.
        type: list
        elements: str
        required: true
  platform_namespaces:
    description: Namespaces of the platform's applications.
    type: list
    elements: str
    default: []
  platform_definitions:
    description: CustomResourceDefinitions that the platform's applications brought.
    type: list
    elements: str
    default: []
  snapshot:
    description: The C(snapshot) of phase 0's report, to compare with.
    type: dict
"""

EXAMPLES = r"""
---
- name: What would go with Argo Workflows?
  proficientnow.deploy_ops.leftover_info:
    components:
      - name: argo_workflows
        namespace: argo
        releases: [argo-workflows]
  register: survey
"""

RETURN = r"""
components:
  description:
    - Every component with the releases that are there, its C(objects) that go with its namespace, and its
      C(dependents), objects of others that only its controller can end.
  returned: always
  type: list
  elements: dict
applications:
  description: Argo CD Applications and ApplicationSets, without Root.
  returned: always
  type: list
  elements: str
unfinished_workflows:
  description: Workflows that have not ended.
  returned: always
  type: list
  elements: str
namespaces:
  description: Namespaces of the primitives that are marked as ours, and those of the platform, with what they hold.
  returned: always
  type: list
  elements: dict
definitions:
  description:
    - CustomResourceDefinitions of the components and of the platform, whose they are if not ours (C(foreign)), and the
      objects outside of our namespaces that would go with them (C(used)).
  returned: always
  type: list
  elements: dict
secrets:
  description: Secrets of ours in namespaces that are not ours.
  returned: always
  type: list
  elements: dict
sealing_keys:
  description: Secrets that hold a key of Sealed Secrets.
  returned: always
  type: list
  elements: dict
orphans:
  description: What should not be there once the components are gone.
  returned: always
  type: list
  elements: dict
  contains:
    id: {description: The rule., type: str, returned: always, sample: orphan.webhook}
    what: {description: The object., type: str, returned: always}
    why: {description: Why it counts as left behind., type: str, returned: always}
    fix: {description: What to do about it., type: str, returned: always}
    severity: {description: How much it matters., type: str, returned: always}
    counts: {description: Whether a complete removal would not have left it., type: bool, returned: always}
additional:
  description: Namespaces, CustomResourceDefinitions, storage classes and releases that the snapshot does not have.
  returned: when O(snapshot) is given
  type: list
  elements: str
unanswered:
  description: APIs that nobody answers for, so that what they hold is unknown.
  returned: always
  type: list
  elements: str
"""

import typing as t

from ansible_collections.kubernetes.core.plugins.module_utils.args_common import AUTH_ARG_SPEC
from ansible_collections.kubernetes.core.plugins.module_utils.k8s.core import AnsibleK8SModule

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._kube.api import KubeError, connect
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._leftovers.catalog import read, read_contents
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._leftovers.orphans import orphans
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._leftovers.survey import (
    Component,
    Wanted,
    additional,
    survey,
)


def argument_spec() -> dict[str, t.Any]:
    return dict(
        AUTH_ARG_SPEC,
        components={
            "type": "list",
            "elements": "dict",
            "required": True,
            "options": {
                "name": {"type": "str", "required": True},
                "namespace": {"type": "str", "required": True},
                "releases": {"type": "list", "elements": "str", "required": True},
            },
        },
        platform_namespaces={"type": "list", "elements": "str", "default": []},
        platform_definitions={"type": "list", "elements": "str", "default": []},
        snapshot={"type": "dict"},
    )


def main() -> None:
    module = AnsibleK8SModule(argument_spec=argument_spec(), supports_check_mode=True)
    params = module.params
    components = [Component(one["name"], one["namespace"], tuple(one["releases"])) for one in params["components"]]
    wanted = Wanted(components, params["platform_namespaces"], params["platform_definitions"])
    try:
        api = connect(module)
        catalog, contents = read(api), read_contents(api)
    except KubeError as error:
        module.fail_json(msg=str(error))
    found = survey(catalog, wanted)
    found["orphans"] = [one._asdict() for one in orphans(catalog, contents, wanted.ours(catalog))]
    if params["snapshot"] is not None:
        found["additional"] = additional(catalog, params["snapshot"])
    module.exit_json(changed=False, unanswered=catalog.unanswered, **found)


if __name__ == "__main__":
    main()
