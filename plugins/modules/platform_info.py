#!/usr/bin/python
# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
---
module: platform_info
short_description: Health and compliance of a platform, as it is now
version_added: 1.0.0
author:
  - ProficientNow (@proficientnow)
description:
  - Judges every node of the graph, every stack and the platform by what Argo CD and Kubernetes say of them now.
  - Checks what the orchestration relies on, such as hooks that wait for other applications, sync waves, Applications
    outside the graph, health checks, pinned revisions, tokens and versions.
  - Names the nodes that depend on something that is not Healthy. Nothing is done to them.
  - Reads only. Not even a refresh is asked for, because Argo CD would write an annotation.
  - Does not fail for a platform that is not Healthy. RV(outcome) says it.
extends_documentation_fragment:
  - kubernetes.core.k8s_auth_options
  - proficientnow.deploy_ops._attributes
  - proficientnow.deploy_ops._attributes.info_module
options:
  src:
    description: Path of the file that holds the graph.
    type: path
  spec:
    description: The graph itself.
    type: dict
  scope:
    description: What to judge. V(platform), V(stack:NAME) or V(app:NAME).
    type: str
    default: platform
  strategy:
    description: Order in which the nodes are reported.
    type: str
    choices: [waves, dag]
    default: waves
  compliance:
    description:
      - Whether to check compliance too.
      - Without it only the health of the nodes of the graph counts, which needs fewer rights and no token of Argo CD.
    type: bool
    default: true
  environment_name:
    description: Name of the environment, for the report.
    type: str
    default: ""
  project:
    description: AppProject of the platform. Root is the Application of that name with C(-root) behind it.
    type: str
    default: platform
  argocd_namespace:
    description: Namespace of Argo CD.
    type: str
    default: argocd
  workflows_namespace:
    description: Namespace of Argo Workflows, where the tokens are.
    type: str
    default: argo
  steady_state:
    description: What happens to the next commit. What this mode makes is no finding.
    type: str
    choices: [pinned, locked, self_heal]
    default: pinned
  components:
    description:
      - What the bootstrap installed, by name, each with C(namespace) and C(release).
      - The names are those of the graph, such as V(argo-cd).
    type: dict
    default: {}
  tokens:
    description:
      - Secrets in O(workflows_namespace) with a token of Argo CD, by account.
      - The one of V(orchestrator) is used to read rendered manifests.
    type: dict
    default:
      orchestrator: deploy-ops-argocd-token
  token_warn_days:
    description: A token that expires within so many days is reported.
    type: int
    default: 14
  kinds_without_health:
    description: Custom resources for which existing is being ready, as C(group/Kind). C(*) stands for anything.
    type: list
    elements: str
    default: []
seealso:
  - module: proficientnow.deploy_ops.dag_order
"""

EXAMPLES = r"""
---
- name: Judge the whole platform
  proficientnow.deploy_ops.platform_info:
    src: inventories/production/dag.yaml
  register: platform

- name: Show what is not in order
  ansible.builtin.debug:
    msg: "{{ platform.report.summary }}"

- name: Look at the health of one stack only
  proficientnow.deploy_ops.platform_info:
    src: inventories/production/dag.yaml
    scope: stack:storage
    compliance: false
"""

RETURN = r"""
---
outcome:
  description:
    - V(Healthy), everything is Healthy and no finding blocks.
    - V(Degraded), something is Degraded, Missing, Progressing or Suspended, or a finding blocks.
    - V(Unhealthy), something Failed or is Unknown, or no application is deployed.
  returned: success
  type: str
  sample: Healthy
exit_code_hint:
  description: V(0) for Healthy, V(1) for Unhealthy, V(2) for Degraded.
  returned: success
  type: int
  sample: 0
report:
  description: The report, as the filters C(report_text), C(report_html) and C(report_junit) take it.
  returned: success
  type: dict
  sample:
    schema: 1
    kind: validate
    outcome: Healthy
    summary: ["Healthy: 41 of 41 nodes are Healthy; findings: 0 blocking, 1 warning, 0 info."]
problems:
  description: What is wrong with the graph or the options, a sentence each.
  returned: when they are refused
  type: list
  elements: str
"""

import datetime
import time
import typing as t

from ansible_collections.kubernetes.core.plugins.module_utils.args_common import AUTH_ARG_SPEC
from ansible_collections.kubernetes.core.plugins.module_utils.k8s.core import AnsibleK8SModule

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.plan import STRATEGIES, make_plan
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.problems import DagError
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.reader import read_graph
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.source import Source, read_file
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.moments import moment_text
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._kube.api import KubeError, connect
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._platform.collect import collect
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._platform.facts import STEADY_STATES
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._platform.options import (
    OptionError,
    read_settings,
)
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._platform.report import EXIT_CODES, make_report

# Seconds. Whoever asks for the state of things wants an answer, and can ask again.
PATIENCE = 10


def argument_spec() -> dict[str, t.Any]:
    return dict(
        AUTH_ARG_SPEC,
        src={"type": "path"},
        spec={"type": "dict"},
        scope={"type": "str", "default": "platform"},
        strategy={"type": "str", "choices": list(STRATEGIES), "default": "waves"},
        compliance={"type": "bool", "default": True},
        environment_name={"type": "str", "default": ""},
        project={"type": "str", "default": "platform"},
        argocd_namespace={"type": "str", "default": "argocd"},
        workflows_namespace={"type": "str", "default": "argo"},
        steady_state={"type": "str", "choices": list(STEADY_STATES), "default": "pinned"},
        components={"type": "dict", "default": {}},
        # Names of Secrets, no secrets
        tokens={"type": "dict", "default": {"orchestrator": "deploy-ops-argocd-token"}, "no_log": False},
        token_warn_days={"type": "int", "default": 14, "no_log": False},
        kinds_without_health={"type": "list", "elements": "str", "default": []},
    )


def judge(module: AnsibleK8SModule) -> dict[str, t.Any]:
    options = module.params
    began, now = time.monotonic(), datetime.datetime.now(datetime.timezone.utc)
    settings = read_settings(options, now)
    source = read_file(options["src"]) if options["src"] is not None else Source("spec", options["spec"])
    graph = read_graph(source)
    platform = make_plan(graph, "platform", options["strategy"])
    plan = make_plan(graph, options["scope"], options["strategy"])
    api = connect(module).with_patience(PATIENCE)
    facts = collect(api, settings, platform, plan)
    report = {
        **make_report(platform, plan, facts, settings),
        "environment": options["environment_name"],
        "cluster": api.server,
        "started": moment_text(now),
        "finished": moment_text(datetime.datetime.now(datetime.timezone.utc)),
        "seconds": round(time.monotonic() - began, 1),
    }
    return {"report": report, "outcome": report["outcome"], "exit_code_hint": EXIT_CODES[report["outcome"]]}


def main() -> None:
    module = AnsibleK8SModule(
        argument_spec=argument_spec(),
        mutually_exclusive=[("src", "spec")],
        required_one_of=[("src", "spec")],
        supports_check_mode=True,
    )
    try:
        module.exit_json(changed=False, **judge(module))
    except DagError as error:
        module.fail_json(msg=error.text(), problems=error.lines())
    except OptionError as error:
        module.fail_json(msg=str(error), problems=error.problems)
    except KubeError as error:
        module.fail_json(msg=f"The platform could not be judged; nothing was changed: {error}")


if __name__ == "__main__":
    main()
