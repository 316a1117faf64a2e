#!/usr/bin/python
# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: phase0_check
short_description: Check everything that the bootstrap needs, and change nothing
version_added: 1.0.0
author:
  - ProficientNow (@proficientnow)
description:
  - Checks this host (tools, Python packages, collections), the cluster (API, rights, nodes, DNS, capacity, disk), the
    endpoints (registries and images, Git, charts), the credentials (by using them), the versions to be installed and
    what an earlier installation left behind.
  - All checks always run, endpoints in parallel and within bounded time. One report comes back, whatever was found.
  - Reads only. The one POST that it makes to the cluster is SelfSubjectAccessReview, which stores nothing.
  - A credential that is given for Git must not be able to push. That is found out without pushing.
requirements:
  - kubernetes (a finding of the report when it is missing)
  - pyyaml (a finding of the report when it is missing)
  - git, where O(git_repositories) is given
extends_documentation_fragment:
  - proficientnow.deploy_ops._attributes
  - proficientnow.deploy_ops._attributes.info_module
attributes:
  check_mode:
    details:
      - Does the same in check mode, O(report_dir) included.
options:
  kubeconfig:
    description:
      - Path of the kubeconfig.
      - Without it and without O(kubeconfig_data), E(K8S_AUTH_KUBECONFIG), then E(KUBECONFIG), then C(~/.kube/config).
    type: path
  kubeconfig_data:
    description: The kubeconfig itself, its text or the text in base64. Wins over O(kubeconfig).
    type: str
  context:
    description: Context in the kubeconfig to use instead of its current one.
    type: str
  cluster_server:
    description: URL of the API server that the kubeconfig must point at.
    type: str
  cluster_uid:
    description: UID of the namespace C(kube-system), by which a cluster is told from every other.
    type: str
  allow_kubeconfig_exec:
    description: Whether the kubeconfig may name a program to run.
    type: bool
    default: false
  allow_insecure_tls:
    description: Whether the kubeconfig may leave the API server's certificate unverified.
    type: bool
    default: false
  components:
    description: What the bootstrap will install.
    type: list
    elements: dict
    default: []
    suboptions:
      name:
        description: The component.
        type: str
        required: true
        choices: [sealed_secrets, argocd, argo_workflows, argo_events, argo_rollouts, kargo]
      namespace:
        description: Namespace of its Helm release.
        type: str
        required: true
      release:
        description: Name of its Helm release.
        type: str
        required: true
      chart:
        description: Name of its chart.
        type: str
        required: true
      version:
        description: Explicit version of its chart.
        type: str
        required: true
      app_version:
        description: Version of the software, where it is not the one that the chart brings along.
        type: str
      repository:
        description:
          - Where the chart comes from. A folder with CHART-VERSION.tgz on this host, the C(https://) URL of a Helm
            repository, or an C(oci://) path.
        type: str
      cpu:
        description: CPU that its pods request together, as a Kubernetes quantity.
        type: str
        default: "0"
      memory:
        description: Memory that its pods request together, as a Kubernetes quantity.
        type: str
        default: "0"
  images:
    description: Images that the bootstrap uses. Their registries are asked for the manifests.
    type: list
    elements: str
    default: []
  image_mirror:
    description:
      - The registry that has all images instead (air gap), C(host[:port][/prefix]), C(http://) in front for plain HTTP.
      - An image keeps its path there. C(quay.io/argoproj/argocd:v3.5.2) becomes C(MIRROR/argoproj/argocd:v3.5.2).
    type: str
  git_repositories:
    description: Git repositories that Argo CD will read, each with the credential that Argo CD will get.
    type: list
    elements: dict
    default: []
    suboptions:
      url:
        description: URL without a credential, for https, ssh (also as C(git@host:path)) or git.
        type: str
        required: true
      revision:
        description: Branch, tag or full commit that must exist.
        type: str
        default: HEAD
      username:
        description: User of the password or token.
        type: str
      password:
        description: Password or token.
        type: str
      password_file:
        description: File on this host that holds the password or token.
        type: path
      ssh_private_key:
        description: SSH private key.
        type: str
      ssh_private_key_file:
        description: File on this host that holds the SSH private key.
        type: path
      ssh_known_hosts:
        description: Keys of the server, in the format of C(known_hosts). Without it the user's own file counts.
        type: str
  allow_git_write:
    description: Whether a Git credential may be able to push.
    type: bool
    default: false
  registry_auth:
    description: Credentials of registries, a Docker config JSON or the same in base64.
    type: str
  registry_auth_file:
    description: File on this host that holds the Docker config JSON.
    type: path
  dns_provider:
    description: The DNS provider and its credential.
    type: dict
    suboptions:
      provider:
        description: The provider. The first five are tried with a call that reads, the others checked for completeness.
        type: str
        required: true
        choices: [cloudflare, digitalocean, hetzner, linode, route53, azure, google, rfc2136]
      credentials:
        description: Parts of the credential by name, for instance C(token).
        type: dict
      credential_files:
        description: Files on this host that hold parts of the credential, by name.
        type: dict
      api_url:
        description: URL to try the credential at, instead of the provider's public one.
        type: str
  ca_file:
    description: Certificates of a private authority, for the HTTPS endpoints (not for the cluster).
    type: path
  platform_namespaces:
    description: Namespaces of the platform's applications, which must not exist before the first bootstrap.
    type: list
    elements: str
    default: []
  minimum_disk:
    description: Disk that every node must have, and must have free, as a Kubernetes quantity.
    type: str
    default: 10Gi
  collections_paths:
    description: Where Ansible looks for collections. Python's own path is searched as well.
    type: list
    elements: path
    default: []
  report_dir:
    description:
      - Folder on this host that gets the report, C(phase0-report.json) and C(phase0-report.txt), both of mode 0600.
      - It is made when it is missing.
    type: path
  fail_on:
    description: What makes the module fail. It fails once, with every problem in its message.
    type: str
    choices: [blocking, warning, never]
    default: blocking
  timeout:
    description: Seconds after which the report is made, whoever has not answered.
    type: int
    default: 30
  request_timeout:
    description: Seconds that one endpoint has for one answer.
    type: int
    default: 5
seealso:
  - name: Phase 0
    description: All checks, what is ours and what is a left-over, and how long it takes.
    link: https://github.com/proficientnow/deploy_ops/blob/main/docs/phase0.md
"""

EXAMPLES = r"""
---
- name: Check everything before the bootstrap
  proficientnow.deploy_ops.phase0_check:
    kubeconfig: /config/kubeconfig
    cluster_server: https://api.production.example.com:6443
    components:
      - name: argocd
        namespace: argocd
        release: argocd
        chart: argo-cd
        version: 10.8.0
        app_version: v3.5.2
        repository: https://argoproj.github.io/argo-helm
    images:
      - quay.io/argoproj/argocd:v3.5.2
    git_repositories:
      - url: https://git.example.com/platform.git
        username: argocd
        password_file: /secrets/git/token
    registry_auth_file: /secrets/registry/config.json
    report_dir: /var/log/deploy_ops

- name: Look, and decide later
  proficientnow.deploy_ops.phase0_check:
    fail_on: never
  register: phase0
"""

RETURN = r"""
exit_code_hint:
  description:
    - What an executor should exit with. V(0) ready, V(3) something blocks on this host or in the inventory (a tool, a
      package, a version, the kubeconfig, an option of this module), V(1) something else blocks.
  returned: always
  type: int
  sample: 0
report:
  description: All that was found. Also there when the module fails because of it.
  returned: always, unless the options themselves are wrong
  type: dict
  contains:
    ready:
      description: Whether nothing blocks the bootstrap.
      type: bool
      sample: true
    exit_code_hint:
      description: The same as RV(exit_code_hint).
      type: int
      sample: 0
    summary:
      description: Number of checks that passed, block, warn, were skipped.
      type: dict
      sample: {passed: 40, blocking: 0, warnings: 1, skipped: 4}
    validation:
      description: Every check, with id, title, severity, status, found, wanted, fix and (when skipped) reason.
      type: list
      elements: dict
      sample:
        - id: tools.kubectl
          title: kubectl (access to the Kubernetes API)
          severity: blocking
          status: failed
          found: not on PATH
          wanted: kubectl 1.28 or newer on PATH
          fix: Install kubectl 1.28 or newer and put it on the PATH of the host that runs the playbook.
          reason: ""
    inventory:
      description: The cluster, its version, nodes and capacity, storage classes and sealing keys.
      type: dict
    connectivity:
      description: Every endpoint, whether it answered this host, and how fast.
      type: list
      elements: dict
    credentials:
      description: Every credential, verified, refused or not verified.
      type: list
      elements: dict
    snapshot:
      description: Namespaces, CRDs, Helm releases, nodes and storage classes for later comparison, with a digest.
      type: dict
    taken_at:
      description: When the checks ran, in UTC.
      type: str
      sample: "2026-11-16T08:20:00Z"
    duration_seconds:
      description: How long they took.
      type: float
      sample: 2.1
text:
  description: The same report for people.
  returned: always, unless the options themselves are wrong
  type: str
report_files:
  description: Paths of the report.
  returned: when O(report_dir) is given
  type: list
  elements: str
"""

import tempfile
import traceback
import typing as t

from ansible.module_utils.basic import AnsibleModule

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.phase import run
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.redact import Secrets

COMPONENT_SPEC = {
    "name": {
        "type": "str",
        "required": True,
        "choices": ["sealed_secrets", "argocd", "argo_workflows", "argo_events", "argo_rollouts", "kargo"],
    },
    "namespace": {"type": "str", "required": True},
    "release": {"type": "str", "required": True},
    "chart": {"type": "str", "required": True},
    "version": {"type": "str", "required": True},
    "app_version": {"type": "str"},
    "repository": {"type": "str"},
    "cpu": {"type": "str", "default": "0"},
    "memory": {"type": "str", "default": "0"},
}

GIT_SPEC = {
    "url": {"type": "str", "required": True},
    "revision": {"type": "str", "default": "HEAD"},
    "username": {"type": "str"},
    "password": {"type": "str", "no_log": True},
    "password_file": {"type": "path", "no_log": False},
    "ssh_private_key": {"type": "str", "no_log": True},
    "ssh_private_key_file": {"type": "path", "no_log": False},
    "ssh_known_hosts": {"type": "str"},
}

DNS_SPEC = {
    "provider": {
        "type": "str",
        "required": True,
        "choices": ["cloudflare", "digitalocean", "hetzner", "linode", "route53", "azure", "google", "rfc2136"],
    },
    "credentials": {"type": "dict", "no_log": True},
    "credential_files": {"type": "dict", "no_log": False},
    "api_url": {"type": "str"},
}

ARGUMENT_SPEC: dict[str, t.Any] = {
    "kubeconfig": {"type": "path"},
    # Text, not a structure: of a structure Ansible would mask every part, the server's address and all names included.
    "kubeconfig_data": {"type": "str", "no_log": True},
    "context": {"type": "str"},
    "cluster_server": {"type": "str"},
    "cluster_uid": {"type": "str"},
    "allow_kubeconfig_exec": {"type": "bool", "default": False},
    "allow_insecure_tls": {"type": "bool", "default": False},
    "components": {"type": "list", "elements": "dict", "default": [], "options": COMPONENT_SPEC},
    "images": {"type": "list", "elements": "str", "default": []},
    "image_mirror": {"type": "str"},
    "git_repositories": {"type": "list", "elements": "dict", "default": [], "options": GIT_SPEC},
    "allow_git_write": {"type": "bool", "default": False},
    "registry_auth": {"type": "str", "no_log": True},
    "registry_auth_file": {"type": "path", "no_log": False},
    "dns_provider": {"type": "dict", "options": DNS_SPEC},
    "ca_file": {"type": "path"},
    "platform_namespaces": {"type": "list", "elements": "str", "default": []},
    "minimum_disk": {"type": "str", "default": "10Gi"},
    "collections_paths": {"type": "list", "elements": "path", "default": []},
    "report_dir": {"type": "path"},
    "fail_on": {"type": "str", "choices": ["blocking", "warning", "never"], "default": "blocking"},
    "timeout": {"type": "int", "default": 30},
    "request_timeout": {"type": "int", "default": 5},
}


def main() -> None:
    module = AnsibleModule(argument_spec=ARGUMENT_SPEC, supports_check_mode=True)
    # Ansible removes this folder with all that a killed probe may leave in it.
    tempfile.tempdir = module.tmpdir
    secrets = Secrets()
    try:
        result = run(module.params, secrets)
    except Exception as exc:
        # The message of an unforeseen error may hold a secret, which no_log does not keep back. Its place holds none.
        frames = traceback.extract_tb(exc.__traceback__)
        place = " < ".join(f"{frame.name}:{frame.lineno}" for frame in reversed(frames[-4:]))
        message = f"Phase 0 broke: {type(exc).__name__} in {place}. This is a bug of the collection."
        result = {"failed": True, "msg": message, "exit_code_hint": 1}
    # Ansible repeats the options in the result; a secret may have been put into one that is not no_log (a URL).
    module.no_log_values.update(secrets.forms)
    if result.pop("failed", False):
        module.fail_json(**result)
    module.exit_json(**result)


if __name__ == "__main__":
    main()
