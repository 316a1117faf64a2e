#!/usr/bin/python
# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: helm_release_info
short_description: Look at a Helm release, its objects and its surroundings
version_added: 1.0.0
author:
  - ProficientNow (@proficientnow)
description:
  - Reads in one task all that the phases of the role P(proficientnow.deploy_ops.helm_release#role) need to know,
    namely the release as Helm recorded it (pending and failed ones too, which M(kubernetes.core.helm_info) may hide),
    whether it already is what is wanted, which of its objects exist and are ready, and, when they are not, why.
  - Starts no helm process and changes nothing.
extends_documentation_fragment:
  - kubernetes.core.k8s_auth_options
attributes:
  check_mode:
    description: Reads only, so check mode makes no difference.
    support: full
  diff_mode:
    description: Changes nothing, so there is no difference to show.
    support: none
options:
  name:
    description: Name of the release.
    type: str
    required: true
  namespace:
    description: Namespace of the release.
    type: str
    required: true
  chart:
    description: Name of the chart that is wanted. Without it nothing is compared.
    type: str
  chart_version:
    description: Version of the chart that is wanted.
    type: str
  chart_folder:
    description: Folder of an unpacked chart. Its digest is returned and compared with the one in the release's values.
    type: path
  values:
    description: Values that are wanted.
    type: dict
    default: {}
  required_objects:
    description: Objects that have to be there, whose absence is returned in RV(missing_objects).
    type: list
    elements: dict
    default: []
    suboptions:
      kind:
        description: Kind of the object.
        type: str
        choices: [Secret, ConfigMap, CustomResourceDefinition]
        required: true
      name:
        description: Name of the object.
        type: str
        required: true
      namespace:
        description: Namespace of the object, by default that of the release.
        type: str
  expected_counts:
    description: How many objects of a kind the release must have at least, for example V(Deployment) V(5).
    type: dict
    default: {}
  expected_kinds:
    description: Custom kinds that the API server must serve, written as V(group/version/Kind).
    type: list
    elements: str
    default: []
  wait_for:
    description:
      - V(ready) waits until every expected object exists and is ready.
      - V(settled) waits until no helm process on this machine works on the release any more, and keeps the evidence
        of the meantime, which Helm's atomic mode removes.
    type: str
    choices: [ready, settled]
  wait_start:
    description: Seconds within which a helm process may still start. Used with O(wait_for=settled).
    type: int
    default: 0
  wait_timeout:
    description: Seconds after which waiting ends. The module does not fail then, RV(ready) tells.
    type: int
    default: 300
  wait_sleep:
    description: Seconds between two looks.
    type: int
    default: 2
"""

EXAMPLES = r"""
---
- name: Is Argo CD there, up to date and ready?
  proficientnow.deploy_ops.helm_release_info:
    name: argocd
    namespace: argocd
    chart: argo-cd
    chart_version: 10.8.0
  register: argocd_release
"""

RETURN = r"""
release:
  description: The newest revision as Helm recorded it, without its manifest and values. Null when there is none.
  returned: always
  type: dict
  contains:
    revision: {description: Number of the newest revision., type: int, returned: always}
    status: {description: Helm's word for its state., type: str, returned: always}
    pending: {description: Whether an operation on it never ended or still runs., type: bool, returned: always}
    age: {description: Seconds since that operation began., type: int, returned: always}
    helm_processes: {description: Local helm processes at work on it., type: list, elements: int, returned: always}
    last_deployed: {description: Newest revision that once worked., type: int, returned: always}
    description: {description: Helm's description of the revision., type: str, returned: always}
    chart: {description: Name of the chart., type: str, returned: always}
    chart_version: {description: Version of the chart., type: str, returned: always}
    app_version: {description: Version of what the chart installs., type: str, returned: always}
differences:
  description: What an upgrade would change, in words and without any value. Empty when the release is as wanted.
  returned: when O(chart) is given
  type: list
  elements: str
chart_digest:
  description: Digest of the files in O(chart_folder), empty without it.
  returned: always
  type: str
namespace:
  description: Whether it exists, is terminating, can be created, and its labels.
  returned: always
  type: dict
schedulable_nodes:
  description: Number of nodes that are Ready, not cordoned and under no pressure.
  returned: always
  type: int
missing_objects:
  description: Objects of O(required_objects) that are not there.
  returned: always
  type: list
  elements: str
ready:
  description: Whether the release is deployed and everything expected of it exists and is ready.
  returned: always
  type: bool
counts:
  description: Number of the release's objects in the cluster by kind.
  returned: always
  type: dict
shortfalls:
  description: What is missing of the release.
  returned: always
  type: list
  elements: str
unready:
  description: Objects that are there but not ready, each with the reason.
  returned: always
  type: list
  elements: str
evidence:
  description: Reasons, last log lines and warnings of the namespace's pods. Empty when the release is ready.
  returned: always
  type: list
  elements: str
"""

import time
import typing as t

from ansible_collections.kubernetes.core.plugins.module_utils.args_common import AUTH_ARG_SPEC
from ansible_collections.kubernetes.core.plugins.module_utils.k8s.core import AnsibleK8SModule

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._helm.evidence import evidence
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._helm.observe import Observer
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._helm.processes import helm_processes
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._helm.release import Release, name_problem
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._helm.wanted import (
    DIGEST_VALUE,
    chart_digest,
    differences,
)
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._kube.api import KubeError, connect


def argument_spec() -> dict[str, t.Any]:
    required_object = {
        "kind": {"type": "str", "required": True, "choices": ["Secret", "ConfigMap", "CustomResourceDefinition"]},
        "name": {"type": "str", "required": True},
        "namespace": {"type": "str"},
    }
    return dict(
        AUTH_ARG_SPEC,
        name={"type": "str", "required": True},
        namespace={"type": "str", "required": True},
        chart={"type": "str"},
        chart_version={"type": "str"},
        chart_folder={"type": "path"},
        values={"type": "dict", "default": {}},
        required_objects={"type": "list", "elements": "dict", "default": [], "options": required_object},
        expected_counts={"type": "dict", "default": {}},
        expected_kinds={"type": "list", "elements": "str", "default": []},
        wait_for={"type": "str", "choices": ["ready", "settled"]},
        wait_start={"type": "int", "default": 0},
        wait_timeout={"type": "int", "default": 300},
        wait_sleep={"type": "int", "default": 2},
    )


def look(observer: Observer, params: dict[str, t.Any]) -> dict[str, t.Any]:
    """Wait as asked, then describe what is there."""
    kept: list[str] = []
    if params["wait_for"] == "settled":
        kept = observer.wait_until_settled(params["wait_start"], params["wait_timeout"], params["wait_sleep"])

    minimum = {kind: int(number) for kind, number in params["expected_counts"].items()}
    release = observer.release()
    seen: dict[str, t.Any] = {"counts": {}, "shortfalls": [], "unready": []}
    if release and params["wait_for"] == "ready":
        seen.update(
            observer.wait_until_ready(minimum, params["expected_kinds"], params["wait_timeout"], params["wait_sleep"])
        )
    elif release:
        seen.update(observer.objects(release, minimum, params["expected_kinds"]))
    ready = bool(release and release.status == "deployed" and not seen["shortfalls"] and not seen["unready"])

    result = dict(seen, ready=ready, release=describe(release, observer.name), **observer.surroundings())
    result["missing_objects"] = observer.missing(params["required_objects"])
    result["evidence"] = kept or ([] if ready or release is None else evidence(observer.api, observer.namespace))
    result["chart_digest"] = chart_digest(params["chart_folder"]) if params["chart_folder"] else ""
    if params["chart"]:
        values = dict(params["values"])
        if result["chart_digest"]:
            values[DIGEST_VALUE] = result["chart_digest"]
        result["differences"] = differences(release, params["chart"], params["chart_version"], values)
    return result


def describe(release: Release | None, name: str) -> dict[str, t.Any] | None:
    if release is None:
        return None
    return {
        "revision": release.revision,
        "status": release.status,
        "pending": release.pending,
        "age": int(release.age(time.time())),
        "helm_processes": helm_processes(name) if release.pending else [],
        "last_deployed": release.last_deployed,
        "description": release.description,
        "chart": release.chart,
        "chart_version": release.chart_version,
        "app_version": release.app_version,
    }


def main() -> None:
    module = AnsibleK8SModule(
        argument_spec=argument_spec(),
        required_together=[("chart", "chart_version")],
        supports_check_mode=True,
    )
    problem = name_problem(module.params["name"])
    if problem:
        module.fail_json(msg=problem)
    try:
        observer = Observer(connect(module), module.params["namespace"], module.params["name"])
        module.exit_json(changed=False, **look(observer, module.params))
    except KubeError as error:
        module.fail_json(msg=f"release {module.params['name']} in namespace {module.params['namespace']}: {error}")


if __name__ == "__main__":
    main()
