#!/usr/bin/python
# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
---
module: dag_order
short_description: Plan the order in which a platform is deployed or removed
version_added: 1.0.0
author:
  - ProficientNow (@proficientnow)
description:
  - Reads a dependency graph of Argo CD Applications, and refuses it with all its problems at once,
    or returns the plan that everything else follows from.
  - The plan is deterministic. The same graph and the same options give the same plan and the same digest.
  - Talks to no cluster.
extends_documentation_fragment:
  - proficientnow.deploy_ops._attributes
  - proficientnow.deploy_ops._attributes.info_module
options:
  src:
    description: Path of the file that holds the graph. Problems are then reported with their lines.
    type: path
  spec:
    description: The graph itself.
    type: dict
  scope:
    description:
      - What the plan is for. V(platform), V(stack:NAME) or V(app:NAME).
      - Dependencies outside the scope are returned in RV(requires).
    type: str
    default: platform
  strategy:
    description:
      - V(waves) goes level by level.
      - V(dag) starts each application as soon as its own dependencies are Healthy.
    type: str
    choices: [waves, dag]
    default: waves
  reverse:
    description: Plan the removal. The plan is made on the graph with every edge turned round.
    type: bool
    default: false
seealso:
  - plugin: proficientnow.deploy_ops.dag_plan
    plugin_type: filter
    description: The same plan as a filter.
  - plugin: proficientnow.deploy_ops.dag_picture
    plugin_type: filter
    description: Draw a plan.
"""

EXAMPLES = r"""
---
- name: Plan the deployment of the whole platform
  proficientnow.deploy_ops.dag_order:
    src: inventories/example/dag.yaml
  register: plan

- name: Show what would start first
  ansible.builtin.debug:
    msg: "{{ plan.waves[0] }}"

- name: Plan the removal of one stack
  proficientnow.deploy_ops.dag_order:
    src: inventories/example/dag.yaml
    scope: stack:monitoring
    reverse: true

- name: Plan a graph that is written in place
  proficientnow.deploy_ops.dag_order:
    strategy: dag
    spec:
      version: 1
      stacks:
        infrastructure:
          applications:
            metallb: {}
            ingress-nginx: {depends_on: [metallb]}
"""

RETURN = r"""
---
action:
  description: V(deploy), or V(teardown) when O(reverse=true).
  returned: success
  type: str
  sample: deploy
scope:
  description: The scope that was asked for.
  returned: success
  type: str
  sample: platform
strategy:
  description: The strategy that was asked for.
  returned: success
  type: str
  sample: waves
order:
  description:
    - Names of all nodes in an order that respects every dependency.
    - With O(strategy=waves) wave by wave, with O(strategy=dag) what the longest chain waits for comes first.
  returned: success
  type: list
  elements: str
  sample: [metallb, ceph-operator, ceph-cluster]
waves:
  description: The nodes level by level. A node is in the first wave in which all that it depends on has come before.
  returned: success
  type: list
  elements: list
  sample: [[metallb], [ceph-operator, ingress-nginx], [ceph-cluster]]
edges:
  description: Pairs of names inside the scope. The first must be done before the second starts.
  returned: success
  type: list
  elements: list
  sample: [[metallb, ceph-operator], [ceph-operator, ceph-cluster]]
nodes:
  description: Every node of the scope by its name, with everything resolved.
  returned: success
  type: dict
  contains:
    name:
      description: The node's name.
      type: str
      returned: success
    kind:
      description: V(application) or V(resource).
      type: str
      returned: success
    stack:
      description: The stack that it belongs to.
      type: str
      returned: success
    type:
      description: The type that its defaults come from.
      type: str
      returned: success
    application:
      description: Name of the Argo CD Application. Empty for a resource.
      type: str
      returned: success
    managed_by:
      description: V(argocd), or V(bootstrap) for what is verified and never deployed.
      type: str
      returned: success
    depends_on:
      description: All direct dependencies, those of the stack included.
      type: list
      elements: str
      returned: success
    sync_timeout_seconds:
      description: How long the sync may take.
      type: int
      returned: success
    health_timeout_seconds:
      description: How long it may take to become Healthy after the sync.
      type: int
      returned: success
    retries:
      description:
        - C(attempts) is how often it is tried in all.
        - C(backoff_seconds) is the pause after the first failure. It doubles from there.
      type: dict
      returned: success
    expected_seconds:
      description: How long it usually takes, for estimates.
      type: int
      returned: success
  sample:
    metallb:
      name: metallb
      kind: application
      stack: infrastructure
      type: simple
      application: metallb
      managed_by: argocd
      depends_on: []
      sync_timeout_seconds: 300
      health_timeout_seconds: 300
      retries: {attempts: 3, backoff_seconds: 10}
      expected_seconds: 120
requires:
  description:
    - Names outside the scope that the scope depends on, and resources that no application of the graph provides.
    - They are verified Healthy before anything starts, and not deployed.
    - When O(reverse=true), the applications outside the scope that depend on it.
      They must be gone before anything is removed.
  returned: success
  type: list
  elements: str
  sample: [metallb]
required_nodes:
  description: The nodes in RV(requires) that belong to the graph, in the form of RV(nodes).
  returned: success
  type: dict
  sample: {}
critical_path:
  description: The chain that takes longest by expected durations, and the seconds that it takes.
  returned: success
  type: dict
  sample: {nodes: [metallb, ceph-operator, ceph-cluster], seconds: 1500}
estimated_seconds:
  description: The expected time in all, for both strategies.
  returned: success
  type: dict
  sample: {waves: 1620, dag: 1500}
digest:
  description:
    - SHA-256 over all that the plan follows from.
    - The same graph, scope, strategy and direction give the same digest.
  returned: success
  type: str
  sample: aad538a993b6e7f31685505a9db683edf3a50ee96c9b0e31a70871c84c157ba3
problems:
  description: What is wrong with the graph, a sentence each, with the place in the file.
  returned: when the graph is refused
  type: list
  elements: str
  sample:
    - 'dag.yaml:9: stacks.storage.applications.pg.depends_on[0]: unknown dependency "cephh", did you mean "ceph"?'
"""

from ansible.module_utils.basic import AnsibleModule

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.plan import STRATEGIES, make_plan
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.problems import DagError
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.reader import read_graph
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.source import Source, read_file


def main() -> None:
    module = AnsibleModule(
        argument_spec={
            "src": {"type": "path"},
            "spec": {"type": "dict"},
            "scope": {"type": "str", "default": "platform"},
            "strategy": {"type": "str", "choices": list(STRATEGIES), "default": "waves"},
            "reverse": {"type": "bool", "default": False},
        },
        mutually_exclusive=[("src", "spec")],
        required_one_of=[("src", "spec")],
        supports_check_mode=True,
    )
    options = module.params
    try:
        source = read_file(options["src"]) if options["src"] is not None else Source("spec", options["spec"])
        plan = make_plan(
            read_graph(source), options["scope"], options["strategy"], "teardown" if options["reverse"] else "deploy"
        )
    except DagError as error:
        module.fail_json(msg=error.text(), problems=error.lines())
    module.exit_json(changed=False, **plan)


if __name__ == "__main__":
    main()
