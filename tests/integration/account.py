# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""An account with some rights and no others, and what the API server's audit log says that it did."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import yaml

AUDIT_LOG = "TESTBED_AUDIT_LOG"


class Account:
    """A ServiceAccount in a namespace of its own, with the rules of a ClusterRole."""

    def __init__(self, name: str, rules: list[dict[str, Any]], folder: Path) -> None:
        self._name = name
        self.user = f"system:serviceaccount:{name}:{name}"
        meta = {"name": name}
        role = {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": name}
        subject = {"kind": "ServiceAccount", "name": name, "namespace": name}
        rbac = "rbac.authorization.k8s.io/v1"
        _kubectl(
            "apply",
            "--filename=-",
            given=yaml.safe_dump_all(
                [
                    {"apiVersion": "v1", "kind": "Namespace", "metadata": meta},
                    {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {**meta, "namespace": name}},
                    {"apiVersion": rbac, "kind": "ClusterRole", "metadata": meta, "rules": rules},
                    {
                        "apiVersion": rbac,
                        "kind": "ClusterRoleBinding",
                        "metadata": meta,
                        "roleRef": role,
                        "subjects": [subject],
                    },
                ]
            ),
        )
        self.kubeconfig = folder / f"kubeconfig-of-{name}"
        config = json.loads(_kubectl("config", "view", "--raw", "--minify", "--output=json"))
        token = _kubectl("create", "token", name, f"--namespace={name}").strip()
        config["users"][0]["user"] = {"token": token}
        self.kubeconfig.touch(mode=0o600)
        self.kubeconfig.write_text(yaml.safe_dump(config))

    def remove(self) -> None:
        for kind in ("clusterrolebinding", "clusterrole", "namespace"):
            _kubectl("delete", kind, self._name, "--ignore-not-found", "--wait=false")


def audit_log() -> Path:
    return Path(os.environ[AUDIT_LOG])


def requests_of(user: str, offset: int) -> list[dict[str, Any]]:
    """What the audit log has of a user, from `offset` bytes on."""
    log = audit_log()
    with log.open("rb") as file:
        file.seek(offset if log.stat().st_size >= offset else 0)
        events = [json.loads(line) for line in file]
    return [event for event in events if event["user"]["username"] == user and event["stage"] == "ResponseComplete"]


def _kubectl(*arguments: str, given: str | None = None) -> str:
    command = ["kubectl", *arguments]
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout
