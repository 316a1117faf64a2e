# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
name: credential_secrets
short_description: Kubernetes Secrets from the credentials that a user brings
version_added: 1.0.0
author:
  - ProficientNow (@proficientnow)
description:
  - Turns the variables of the role P(proficientnow.deploy_ops.credentials#role) into Secrets, ready for
    P(kubernetes.core.k8s#module).
  - What is wrong with an entry is named by its place, never by its content.
options:
  _input:
    description:
      - Git repositories, each with C(url) and either C(ssh_private_key) or C(username) and C(password), or the file
        that holds it as C(ssh_private_key_file) or C(password_file).
      - One without any of them is public and needs no Secret.
    type: list
    elements: dict
    required: true
  argocd_namespace:
    description: Namespace of Argo CD, where the credentials of the repositories go.
    type: str
    required: true
  registry:
    description: Docker config JSON for private registries, as text or structure. Empty for none.
    type: raw
    default: ""
  registry_secret:
    description: Name of the image pull Secret.
    type: str
    default: deploy-ops-registry
  registry_namespaces:
    description: Namespaces that get it.
    type: list
    elements: str
    default: []
  dns_provider:
    description: The DNS provider's credential, with its parts in C(credentials) or, as files, in C(credential_files).
    type: dict
    default: {}
  dns_target:
    description: C(namespace) and C(name) of the Secret that gets it. Empty for none.
    type: dict
    default: {}
  secrets:
    description: Other Secrets, each with C(namespace), C(name) and C(data).
    type: list
    elements: dict
    default: []
"""

EXAMPLES = r"""
---
- name: Store the credentials
  kubernetes.core.k8s:
    definition: "{{ repositories | proficientnow.deploy_ops.credential_secrets(argocd_namespace='argocd') }}"
  no_log: true
"""

RETURN = r"""
_value:
  description: The Secrets.
  type: list
  elements: dict
"""

import typing as t

from ansible.errors import AnsibleFilterError

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._credentials.secrets import (
    CredentialError,
    dns_secret,
    git_secrets,
    other_secrets,
    registry_secrets,
)


def credential_secrets(
    git: list[dict[str, t.Any]],
    argocd_namespace: str,
    registry: t.Any = "",
    registry_secret: str = "deploy-ops-registry",
    registry_namespaces: t.Sequence[str] = (),
    secrets: t.Sequence[dict[str, t.Any]] = (),
    dns_provider: dict[str, t.Any] | None = None,
    dns_target: dict[str, t.Any] | None = None,
) -> list[dict[str, t.Any]]:
    try:
        found = git_secrets(git, argocd_namespace)
        if registry:
            found += registry_secrets(registry, registry_namespaces, registry_secret)
        return found + dns_secret(dns_provider or {}, dns_target or {}) + other_secrets(secrets)
    except CredentialError as error:
        raise AnsibleFilterError(str(error)) from error


class FilterModule:
    def filters(self) -> dict[str, t.Callable[..., t.Any]]:
        return {"credential_secrets": credential_secrets}
