# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The whole bootstrap on the embedded cluster: what stands afterwards, and that no secret shows anywhere.

The first run installs what is missing, so it takes minutes on a bare cluster and seconds on one that has it all.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
import subprocess
import urllib.parse
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

CANARY = "canary/of+the=bootstrap"
PULL_SECRET = "deploy-ops-registry"
PULLING = ("argocd", "argo", "argo-events", "kube-system")
COMPONENTS = ("sealed_secrets", "argocd", "argo_workflows", "argo_events")


@pytest.fixture(scope="module")
def secrets() -> dict[str, Any]:
    """Credentials to deliver, with a value that must show up nowhere but in the cluster's Secrets."""
    return {
        "credentials_git": [{"url": "https://canary.invalid/", "username": "reader", "password": CANARY}],
        "deploy_ops_registry_auth": {"auths": {"canary.invalid": {"username": "reader", "password": CANARY}}},
        "deploy_ops_dns_provider": {"provider": "cloudflare", "credentials": {"token": CANARY}},
        "deploy_ops_dns_secret": {"namespace": "argocd", "name": "canary-dns"},
        "credentials_secrets": [{"namespace": "argocd", "name": "canary", "data": {"token": CANARY}}],
    }


def spellings(secret: str) -> list[str]:
    """As it is, and as a careless program might still show it."""
    encoded = base64.b64encode(secret.encode()).decode()
    login = base64.b64encode(f"reader:{secret}".encode()).decode()
    return [secret, encoded, login, urllib.parse.quote(secret, safe=""), json.dumps(secret)[1:-1]]


def recorded(release: str) -> str:
    """All that Helm keeps of a revision: values and manifest above all."""
    return gzip.decompress(base64.b64decode(base64.b64decode(release))).decode()


@pytest.fixture(scope="module")
def bootstrapped(playbook: Any, secrets: dict[str, Any]) -> Any:
    run = playbook("playbooks/bootstrap.yml", **secrets)
    assert run.code == 0, run
    return run


def test_everything_stands_and_a_second_run_changes_nothing(
    bootstrapped: Any, playbook: Any, secrets: dict[str, Any], kubectl: Callable[..., str]
) -> None:
    for component in COMPONENTS:
        assert f"{component}: success" in bootstrapped.output, bootstrapped
    again = playbook("playbooks/bootstrap.yml", **secrets)
    assert (again.code, again.changed) == (0, 0), again
    assert "deploy-ops" not in kubectl("get", "leases", "--namespace=kube-system", "--output=name")


def test_check_mode_changes_nothing_and_does_not_fail(
    bootstrapped: Any, playbook: Any, secrets: dict[str, Any], kubectl: Callable[..., str]
) -> None:
    before = kubectl("get", "secrets", "--all-namespaces", "--selector=owner=helm", "--output=name")
    run = playbook("playbooks/bootstrap.yml", "--check", argocd_values={"server": {"replicas": 3}}, **secrets)
    assert run.code == 0, run
    assert run.changed > 0
    assert kubectl("get", "secrets", "--all-namespaces", "--selector=owner=helm", "--output=name") == before


def test_no_secret_shows_at_any_verbosity(
    playbook: Any, secrets: dict[str, Any], kubectl: Callable[..., str], tmp_path: Path
) -> None:
    """Not in the output, not in what a failing run says, not in Helm's records, not in any pod."""
    run = playbook("playbooks/bootstrap.yml", "-vvvv", "--diff", **secrets)
    broken = playbook("playbooks/bootstrap.yml", "-vvvv", "--diff", argocd_values={"global": 1}, **secrets)
    assert run.code == 0, run.output[-3000:]
    assert broken.code != 0
    releases = json.loads(kubectl("get", "secrets", "--all-namespaces", "--selector=owner=helm", "--output=json"))
    assert len(releases["items"]) >= len(COMPONENTS)
    values = "".join(recorded(item["data"]["release"]) for item in releases["items"])
    pods = kubectl("get", "pods,configmaps,events", "--all-namespaces", "--output=json")
    for spelling in spellings(CANARY):
        for where, text in {"output": run.output, "failure": broken.output, "helm": values, "pods": pods}.items():
            assert spelling not in text, f"{spelling} is in {where}"
    for name in ("canary", "canary-dns"):
        stored = kubectl("get", "secret", name, "--namespace=argocd", "--output=jsonpath={.data.token}")
        assert base64.b64decode(stored).decode() == CANARY
    for namespace in PULLING:
        assert pull_secret(kubectl, namespace)["auths"]["canary.invalid"]["password"] == CANARY


def pull_secret(kubectl: Callable[..., str], namespace: str) -> dict[str, Any]:
    found = json.loads(kubectl("get", "secret", PULL_SECRET, f"--namespace={namespace}", "--output=json"))
    assert found["type"] == "kubernetes.io/dockerconfigjson"
    return json.loads(base64.b64decode(found["data"][".dockerconfigjson"]))


def test_rotation_replaces_the_tokens_and_shows_none(
    bootstrapped: Any, playbook: Any, kubectl: Callable[..., str]
) -> None:
    def token() -> str:
        read = ("get", "secret", "deploy-ops-argocd-token", "--namespace=argo", "--output=jsonpath={.data.token}")
        return base64.b64decode(kubectl(*read)).decode()

    def accepted(value: str) -> bool:
        """Asked by a pod's way, not by ours: Argo CD's own service, with the token as its clients send it."""
        address = kubectl(
            "get", "service", "argocd-server", "--namespace=argocd", "--output=jsonpath={.spec.clusterIP}"
        )
        command = ["curl", "--silent", "--insecure", "--noproxy", "*", "--header", "@-", "--output", "/dev/null"]
        command += ["--write-out", "%{http_code}", f"https://{address}/api/v1/account/orchestrator"]
        given = f"Authorization: Bearer {value}"
        return subprocess.run(command, input=given, capture_output=True, text=True, check=True).stdout == "200"

    old = token()
    assert accepted(old)
    run = playbook("playbooks/rotate_credentials.yml", "-vvvv")
    assert run.code == 0, run
    new = token()
    assert new != old
    assert accepted(new)
    assert not accepted(old)
    for value in (old, new):
        assert value not in run.output
        assert value.rsplit(".", 1)[1] not in run.output
    assert "Only you can rotate" in run.output


def test_there_is_no_initial_password(bootstrapped: Any, kubectl: Callable[..., str]) -> None:
    assert "argocd-initial-admin-secret" not in kubectl("get", "secrets", "--namespace=argocd", "--output=name")


def test_a_rebuilt_cluster_opens_what_was_sealed_before(
    bootstrapped: Any, playbook: Any, kubectl: Callable[..., str], tmp_path: Path
) -> None:
    """The exported keys are what the next cluster takes: the same names, so bringing them changes nothing here."""
    exported = tmp_path / "keys.yml"
    run = playbook("playbooks/export_sealing_keys.yml", "-vvvv", sealed_secrets_export_file=str(exported))
    assert run.code == 0, run
    assert exported.stat().st_mode & 0o777 == 0o600
    private = re.findall(r"PRIVATE KEY-----\n\s+(\S+)", exported.read_text())
    assert private
    assert private[0] not in run.output

    keys = ("get", "secrets", "--namespace=kube-system", "--selector=sealedsecrets.bitnami.com/sealed-secrets-key")
    before = len(kubectl(*keys, "--output=name").split())
    brought = playbook("playbooks/sealed_secrets.yml", "-vvvv", "--extra-vars", f"@{exported}")
    assert brought.code == 0, brought.output[-3000:]
    assert private[0] not in brought.output
    names = kubectl(*keys, "--output=name").split()
    assert len(names) > before
    for name in names:
        if "sealed-secrets-key-" in name:
            kubectl("delete", name, "--namespace=kube-system")
