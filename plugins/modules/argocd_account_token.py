#!/usr/bin/python
# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: argocd_account_token
short_description: Keep a valid token of an Argo CD account in a Secret
version_added: 1.0.0
author:
  - ProficientNow (@proficientnow)
description:
  - Makes a token for a local account with the capability C(apiKey), with an expiry, and stores it in a Secret.
  - Leaves a token alone that Argo CD accepts and that is not about to expire, unless O(rotate) is set.
  - After a new token was proven to work, takes the old ones from the account and proves that Argo CD refuses them.
  - The token itself is never returned.
extends_documentation_fragment:
  - kubernetes.core.k8s_auth_options
  - proficientnow.deploy_ops._attributes
attributes:
  check_mode:
    support: full
  diff_mode:
    support: none
    details:
      - The difference would be a secret.
  idempotent:
    support: partial
    details:
      - Not with O(rotate=true).
options:
  account:
    description: Name of the account.
    type: str
    required: true
  argocd_namespace:
    description: Namespace of Argo CD.
    type: str
    default: argocd
  secret_name:
    description: Name of the Secret that gets the token, under the key C(token).
    type: str
    required: true
  secret_namespace:
    description: Namespace of that Secret.
    type: str
    required: true
  lifetime:
    description: Seconds until a new token expires.
    type: int
    default: 7776000
  renew_before:
    description: Seconds before its expiry from which on a token is replaced.
    type: int
    default: 2592000
  rotate:
    description: Replace the token in any case.
    type: bool
    default: false
"""

EXAMPLES = r"""
---
- name: A token for the workflows
  proficientnow.deploy_ops.argocd_account_token:
    account: orchestrator
    secret_name: argocd-orchestrator
    secret_namespace: argo
"""

RETURN = r"""
token_id:
  description: Id of the token that is in the Secret now.
  returned: always
  type: str
  sample: deploy-ops-1c2f5a9be044
expires:
  description: When it expires, in seconds since the epoch.
  returned: always
  type: int
revoked:
  description: Ids of tokens that were taken from the account and are proven dead.
  returned: always
  type: list
  elements: str
reason:
  description: Why there is a new token. Empty when there is none.
  returned: always
  type: str
  sample: it expires in 3 days
"""

import time
import typing as t

from ansible_collections.kubernetes.core.plugins.module_utils.args_common import AUTH_ARG_SPEC
from ansible_collections.kubernetes.core.plugins.module_utils.k8s.core import AnsibleK8SModule

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._credentials.token import (
    AccountToken,
    Claims,
    TokenError,
    read_claims,
)
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._kube.api import KubeError, connect


def argument_spec() -> dict[str, t.Any]:
    return dict(
        AUTH_ARG_SPEC,
        account={"type": "str", "required": True},
        argocd_namespace={"type": "str", "default": "argocd"},
        secret_name={"type": "str", "required": True, "no_log": False},
        secret_namespace={"type": "str", "required": True, "no_log": False},
        lifetime={"type": "int", "default": 7776000},
        renew_before={"type": "int", "default": 2592000},
        rotate={"type": "bool", "default": False},
    )


def why_new(account: AccountToken, token: str, claims: Claims | None, params: dict[str, t.Any]) -> str:
    if claims is None:
        return "there is no token yet"
    if params["rotate"]:
        return "rotation was asked for"
    left = claims.expires - time.time()
    if left < params["renew_before"]:
        return f"it expires in {left / 86400:.0f} days" if left > 0 else "it has expired"
    return "" if account.accepted(token) else "Argo CD does not accept it"


def ensure(account: AccountToken, params: dict[str, t.Any], check_mode: bool) -> dict[str, t.Any]:
    old = account.stored()
    claims = read_claims(old)
    reason = why_new(account, old, claims, params)
    revoked: list[str] = []
    if reason and not check_mode:
        claims = account.issue(params["lifetime"])
        revoked = account.revoke_others(claims.token_id)
        if old:
            account.wait_until(old, accepted=False)
    return {
        "changed": bool(reason),
        "reason": reason,
        "revoked": revoked,
        "token_id": claims.token_id if claims else "",
        "expires": claims.expires if claims else 0,
    }


def main() -> None:
    module = AnsibleK8SModule(argument_spec=argument_spec(), supports_check_mode=True)
    params = module.params
    try:
        account = AccountToken(
            connect(module),
            params["argocd_namespace"],
            params["account"],
            params["secret_namespace"],
            params["secret_name"],
        )
        module.exit_json(**ensure(account, params, module.check_mode))
    except (TokenError, KubeError) as error:
        module.fail_json(msg=str(error))
    except Exception as error:  # a traceback could show the token that a local variable holds
        module.fail_json(msg=f"unexpected {type(error).__name__} while making the token of account {params['account']}")


if __name__ == "__main__":
    main()
