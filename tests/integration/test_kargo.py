# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The role kargo with a stand-in chart: Kargo itself cannot be had here (no package registry has its chart or images).

What is proven is the role: what it needs, how it waits, the six phases, the values and Secrets that it hands over, and
that the chart is taken from an OCI registry, where Kargo's lives. Not proven is Kargo.
"""

from __future__ import annotations

import base64
import json
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

# Off by default, and a stand-in: not in every run.
pytestmark = pytest.mark.long

CHART = Path(__file__).parent / "charts" / "kargo"
VERSION = "1.10.9"
# From a registry without TLS; "bcrypt of a password", and a key, that nobody may see.
HASH = "$2a$10$kargo-canary-kargo-canary-kargo-canary-kargo-canary"
KEY = "kargo-canary-signing-key"
CERTIFICATES = "certificates.cert-manager.io"


@pytest.fixture(scope="module", autouse=True)
def argocd(playbook: Any) -> None:
    run = playbook("playbooks/argocd.yml")
    assert run.code == 0, run


@pytest.fixture(scope="module")
def chart(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The stand-in, in the embedded cluster's registry."""
    folder = tmp_path_factory.mktemp("charts")
    registry = f"oci://{os.environ['TESTBED_REGISTRY']}/charts"
    subprocess.run(["helm", "package", CHART, "--destination", folder], check=True)
    archive = folder / f"kargo-{VERSION}.tgz"
    subprocess.run(["helm", "push", "--plain-http", archive, registry], check=True)
    return registry


@pytest.fixture
def cert_manager(kubectl: Callable[..., str], tmp_path: Path) -> Callable[[], None]:
    """Brings the one kind of cert-manager's that the role looks for."""

    def bring() -> None:
        schema = {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}
        body = {
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {"name": CERTIFICATES},
            "spec": {
                "group": "cert-manager.io",
                "scope": "Namespaced",
                "names": {"kind": "Certificate", "plural": "certificates"},
                "versions": [{"name": "v1", "served": True, "storage": True, "schema": schema}],
            },
        }
        (tmp_path / "crd.json").write_text(json.dumps(body))
        kubectl("apply", f"--filename={tmp_path}/crd.json")

    return bring


@pytest.fixture
def variables(chart: str, namespace: str, kubectl: Callable[..., str]) -> Iterator[dict[str, Any]]:
    without_cert_manager(kubectl)
    yield {
        "kargo_namespace": namespace,
        "deploy_ops_charts": chart,
        "kargo_values": {
            "image": {"repository": "docker.io/library/python", "tag": "3.13-slim"},
            "api": {"tls": {"enabled": False}},
        },
        "kargo_timeout": 90,
        "kargo_admin_password_hash": HASH,
        "kargo_token_signing_key": KEY,
    }
    without_cert_manager(kubectl)
    subprocess.run(
        ["helm", "uninstall", "kargo", f"--namespace={namespace}", "--wait"], capture_output=True, check=False
    )


def without_cert_manager(kubectl: Callable[..., str]) -> None:
    kubectl("delete", "customresourcedefinition", CERTIFICATES, "--ignore-not-found")


def test_waits_for_cert_manager_then_installs_then_changes_nothing(
    playbook: Any,
    variables: dict[str, Any],
    cert_manager: Callable[[], None],
    kubectl: Callable[..., str],
    tmp_path: Path,
) -> None:
    namespace = variables["kargo_namespace"]
    waiting = playbook("playbooks/kargo.yml", kargo_may_wait=True, **variables)
    assert (waiting.code, waiting.changed) == (0, 0), waiting
    assert "kargo: waits for cert-manager" in waiting.output
    refused = playbook(
        "playbooks/kargo.yml", **{**variables, "kargo_admin_password_hash": "", "kargo_token_signing_key": ""}
    )
    assert refused.code != 0
    assert f"missing: CustomResourceDefinition {CERTIFICATES}: create or install them first" in refused.output, refused
    assert namespace not in kubectl("get", "namespaces", "--output=name")

    cert_manager()
    first = playbook("playbooks/kargo.yml", "-vvvv", "--diff", **variables)
    assert first.code == 0, first.output[-5000:]
    again = playbook("playbooks/kargo.yml", **variables)
    assert (again.code, again.changed) == (0, 0), again

    stored = json.loads(kubectl("get", "secret", "kargo-admin", f"--namespace={namespace}", "--output=json"))["data"]
    assert base64.b64decode(stored["ADMIN_ACCOUNT_PASSWORD_HASH"]).decode() == HASH
    release = subprocess.run(
        ["helm", "get", "all", "kargo", f"--namespace={namespace}"], capture_output=True, text=True, check=True
    ).stdout
    for secret in (HASH, KEY):
        for spelling in (secret, base64.b64encode(secret.encode()).decode()):
            assert spelling not in first.output + release
    assert "deploy-ops-probe" not in kubectl("get", "namespaces,projects.kargo.akuity.io", "--output=name")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"kargo_token_signing_key": ""}, "kargo_token_signing_key is missing"),
        ({"kargo_admin_password_hash": ""}, "kargo_admin_password_hash is missing"),
        ({"kargo_admin_password_hash": "secret"}, "kargo_admin_password_hash is no bcrypt hash"),
    ],
)
def test_half_an_account_is_refused(
    playbook: Any, variables: dict[str, Any], kubectl: Callable[..., str], given: dict[str, str], words: str
) -> None:
    run = playbook("playbooks/kargo.yml", **{**variables, **given})
    assert run.code != 0
    assert words in run.output, run
    assert variables["kargo_namespace"] not in kubectl("get", "namespaces", "--output=name")


def test_chart_that_the_registry_does_not_have(
    playbook: Any, variables: dict[str, Any], cert_manager: Callable[[], None]
) -> None:
    cert_manager()
    run = playbook("playbooks/kargo.yml", **{**variables, "kargo_chart_version": "99.0.0"})
    assert run.code != 0
    assert "chart kargo 99.0.0" in run.output, run
    assert "kargo_chart_version" in run.output, run
