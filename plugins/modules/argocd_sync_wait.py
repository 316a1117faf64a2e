#!/usr/bin/python
# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
---
module: argocd_sync_wait
short_description: Sync Argo CD Applications and wait until they are Healthy
version_added: 1.0.0
author:
  - ProficientNow (@proficientnow)
description:
  - Syncs each Application that does not already stand at what its target resolves to now,
    and waits until it is Synced and Healthy.
  - An Application that already stands costs one request and no sync.
  - A Healthy from before the sync is never accepted. Argo CD has to compare after the sync, with the current spec,
    and the result has to hold for O(settle) seconds.
  - A sync that exceeds O(sync_timeout) is terminated. An operation that somebody else has started never is.
  - Several Applications are handled at once. Dependencies between them are not looked at,
    see M(proficientnow.deploy_ops.dag_order).
extends_documentation_fragment:
  - proficientnow.deploy_ops._attributes
attributes:
  check_mode:
    support: full
    details:
      - Argo CD is asked to compare anew, as without check mode. Nothing is synced.
  diff_mode:
    support: none
  idempotent:
    support: full
options:
  applications:
    description: Names of the Applications.
    type: list
    elements: str
    required: true
  project:
    description: The AppProject that they belong to.
    type: str
    required: true
  server:
    description:
      - URL of the Argo CD server.
      - Taken from the environment variable E(ARGOCD_SERVER) when it is not given.
    type: str
  token:
    description:
      - API token of an Argo CD account that may C(get) and C(sync) the Applications.
      - Taken from the environment variable E(ARGOCD_TOKEN) when it is not given. O(token_file) wins over both.
    type: str
  token_file:
    description: File that holds the token. It is read again when the token is no longer accepted.
    type: path
  ca_file:
    description: Certificates to trust, for a server whose certificate is not publicly trusted.
    type: path
  validate_certs:
    description: Whether to verify the certificate of the server.
    type: bool
    default: true
  revision:
    description:
      - The revision that this run is for. For an Application with several sources, separated by commas.
      - An Application that is pinned to another commit fails.
        One whose target has moved on is accepted at what its target resolves to now, and reported as mixed.
    type: str
    default: ""
  sync:
    description: Whether to sync what does not stand. Without it, anything that is not Healthy now fails.
    type: bool
    default: true
  prune:
    description: Whether a sync deletes what is no longer in Git.
    type: bool
    default: true
  wait:
    description: Whether to wait. Otherwise syncs are only started.
    type: bool
    default: true
  wait_for:
    description: V(synced) does not wait for health, as is right for an Application of Applications.
    type: str
    choices: [healthy, synced]
    default: healthy
  wait_timeout:
    description: How many seconds to wait for all of it. Without it, the other timeouts and attempts are the limit.
    type: int
  sync_timeout:
    description: How many seconds a sync may take.
    type: int
    default: 300
  health_timeout:
    description: How many seconds it may take from the end of the sync until the Application is Healthy.
    type: int
    default: 300
  settle:
    description: For how many seconds Healthy has to hold.
    type: int
    default: 5
  grace:
    description: For how many seconds a bad state, such as Degraded, may last before it counts.
    type: int
    default: 60
  attempts:
    description: How often a sync is tried in all. What no second try can mend, such as an invalid manifest, is not.
    type: int
    default: 1
  backoff:
    description: How many seconds to pause after the first failure. The pause doubles from there.
    type: int
    default: 10
  run:
    description:
      - Names this run. Operations carry it, so that a second call with the same name finds what the first one started.
      - Unique to each call when it is not given.
    type: str
seealso:
  - module: proficientnow.deploy_ops.dag_order
"""

EXAMPLES = r"""
---
- name: Deploy one application
  proficientnow.deploy_ops.argocd_sync_wait:
    server: https://argocd.example.com
    token_file: ~/.config/argocd/token
    project: platform
    applications: [ingress-nginx]

- name: Deploy a wave at the commit that was just pushed
  proficientnow.deploy_ops.argocd_sync_wait:
    project: platform
    applications: [metallb, cert-manager, ceph-operator]
    revision: 8d1f6c1c2a0f4a5bb7c1d6a4f8e2a9e3b5c7d901
    health_timeout: 900
    attempts: 3
  register: wave

- name: Verify that a platform stands
  proficientnow.deploy_ops.argocd_sync_wait:
    project: platform
    applications: "{{ plan.requires }}"
    sync: false
"""

RETURN = r"""
---
applications:
  description: What has become of each Application, by name.
  returned: always, unless the options are refused
  type: dict
  contains:
    verdict:
      description:
        - V(Healthy), V(Degraded), V(Failed) or V(Unknown).
        - V(Synced) when O(wait_for=synced), V(Progressing) when O(wait=false) or in check mode.
      type: str
      returned: always
    reason:
      description: One word for the verdict's reason, such as V(HealthTimeout).
      type: str
      returned: always
    message:
      description: The verdict in words.
      type: str
      returned: always
    revision:
      description: The revision that Argo CD compared with last. Separated by commas for several sources.
      type: str
      returned: always
    mixed:
      description: Whether that is another one than O(revision).
      type: bool
      returned: always
    synced:
      description: Whether this call has asked for a sync, or would have in check mode.
      type: bool
      returned: always
    attempts:
      description: How many syncs this run has made.
      type: int
      returned: always
    started:
      description: When the last sync started.
      type: str
      returned: always
    sync_seconds:
      description: How long it took.
      type: int
      returned: always
    health_seconds:
      description: How long it took from there until Healthy, or until now.
      type: int
      returned: always
    unhealthy:
      description:
        - The resources that keep it from being Healthy.
        - Each with C(kind), C(namespace), C(name), C(status) and C(message).
      type: list
      elements: dict
      returned: always
  sample:
    ingress-nginx:
      verdict: Healthy
      reason: Healthy
      message: Healthy at 8d1f6c1
      revision: 8d1f6c1c2a0f4a5bb7c1d6a4f8e2a9e3b5c7d901
      mixed: false
      synced: true
      attempts: 1
      started: "2026-11-16T10:00:01Z"
      sync_seconds: 4
      health_seconds: 11
      unhealthy: []
mixed:
  description: Whether some Applications stand at another revision than O(revision).
  returned: always, unless the options are refused
  type: bool
  sample: false
"""

import traceback
import typing as t
import uuid

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.common.parameters import env_fallback

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.many import Outcome, deploy, look
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.outputs import blockers
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.request import BadRequest, parse_request
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.retry import Clock
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.settings import (
    BadSettings,
    Settings,
    connect,
)
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.verdict import PROGRESSING, SYNC
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.wish import Wish

ARGUMENT_SPEC: dict[str, t.Any] = {
    "applications": {"type": "list", "elements": "str", "required": True},
    "project": {"type": "str", "required": True},
    "server": {"type": "str", "fallback": (env_fallback, ["ARGOCD_SERVER"])},
    "token": {"type": "str", "no_log": True, "fallback": (env_fallback, ["ARGOCD_TOKEN"])},
    "token_file": {"type": "path", "no_log": False},
    "ca_file": {"type": "path"},
    "validate_certs": {"type": "bool", "default": True},
    "revision": {"type": "str", "default": ""},
    "sync": {"type": "bool", "default": True},
    "prune": {"type": "bool", "default": True},
    "wait": {"type": "bool", "default": True},
    "wait_for": {"type": "str", "choices": ["healthy", "synced"], "default": "healthy"},
    "wait_timeout": {"type": "int"},
    "sync_timeout": {"type": "int", "default": 300},
    "health_timeout": {"type": "int", "default": 300},
    "settle": {"type": "int", "default": 5},
    "grace": {"type": "int", "default": 60},
    "attempts": {"type": "int", "default": 1},
    "backoff": {"type": "int", "default": 10},
    "run": {"type": "str"},
}


def wishes(options: dict[str, t.Any]) -> list[Wish]:
    """What is asked for, held to the same rules as a request from a workflow."""
    run = options["run"] or f"ansible-{uuid.uuid4()}"
    common = {
        "do": "sync" if options["sync"] else "verify",
        "project": options["project"],
        "revision": options["revision"],
        "prune": options["prune"],
        "wait_for": options["wait_for"],
        "attempts": options["attempts"],
        **{
            f"{name}_seconds": options[name]
            for name in ("sync_timeout", "health_timeout", "settle", "grace", "backoff")
        },
    }
    return [parse_request({**common, "application": name}, run).wish for name in dict.fromkeys(options["applications"])]


def as_result(outcome: Outcome) -> dict[str, t.Any]:
    verdict = outcome.verdict
    return {
        "verdict": verdict.verdict,
        "reason": verdict.reason,
        "message": verdict.message,
        "revision": verdict.revision,
        "mixed": verdict.mixed,
        "synced": outcome.has_synced or (not verdict.is_final and verdict.call == SYNC),
        "attempts": verdict.attempt,
        "started": verdict.started,
        "sync_seconds": verdict.sync_seconds,
        "health_seconds": verdict.health_seconds,
        "unhealthy": blockers(verdict),
    }


def run(options: dict[str, t.Any], check: bool) -> dict[str, t.Any]:
    asked = wishes(options)
    if not options["token"] and not options["token_file"]:
        raise BadSettings("give token or token_file, or set ARGOCD_TOKEN: an Argo CD token is needed")
    argocd = connect(
        Settings(
            options["server"] or "",
            options["token"] or "",
            options["token_file"] or "",
            options["ca_file"] or "",
            validate_certs=options["validate_certs"],
        )
    )
    if check or not options["wait"]:
        outcomes = look(argocd, asked, act=not check)
    else:
        outcomes = deploy(argocd, asked, Clock(), options["wait_timeout"])
    results = {name: as_result(outcome) for name, outcome in outcomes.items()}
    bad = {
        name: result["message"]
        for name, result in results.items()
        if not outcomes[name].verdict.is_good and result["verdict"] != PROGRESSING
    }
    answer = {
        "changed": any(result["synced"] for result in results.values()),
        "applications": results,
        "mixed": any(result["mixed"] for result in results.values()),
        "failed": bool(bad),
    }
    if bad:
        lines = "\n".join(f"- {name}: {message}" for name, message in bad.items())
        answer["msg"] = (
            f"{len(bad)} of {len(results)} applications are not {options['wait_for'].capitalize()}:\n{lines}"
        )
    return answer


def main() -> None:
    module = AnsibleModule(argument_spec=ARGUMENT_SPEC, supports_check_mode=True)
    try:
        result = run(module.params, module.check_mode)
    except (BadSettings, BadRequest) as error:
        module.fail_json(msg=str(error))
    except Exception as error:
        # The message of an unforeseen error may hold a secret, which no_log does not keep back. Its place holds none.
        frames = traceback.extract_tb(error.__traceback__)
        place = " < ".join(f"{frame.name}:{frame.lineno}" for frame in reversed(frames[-4:]))
        module.fail_json(msg=f"The gate broke: {type(error).__name__} in {place}. This is a bug of the collection.")
    if result.pop("failed"):
        module.fail_json(**result)
    module.exit_json(**result)


if __name__ == "__main__":
    main()
