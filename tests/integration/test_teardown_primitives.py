# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the bootstrap installed goes again: refused when it should be, foretold in check mode."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

sys.path.insert(0, str(Path(__file__).parent))

from deployment import INVENTORY, Deployment, bootstrap, confirmed

RECORDS = ("get", "secrets", "--all-namespaces", "--selector=owner=helm", "--output=name")


def create(kubectl: Callable[..., str], folder: Path, body: dict[str, Any]) -> None:
    file = folder / "object.yaml"
    file.write_text(yaml.safe_dump(body))
    kubectl("create", f"--filename={file}")


@pytest.fixture(scope="module")
def bootstrapped(playbook: Any, kubectl: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> None:
    """And no platform on it, whatever ran before."""
    bootstrap(playbook)
    Deployment(playbook, kubectl, tmp_path_factory.mktemp("platform"), "rfc").remove()


def test_refused_while_an_application_exists(
    bootstrapped: None, playbook: Any, kubectl: Callable[..., str], tmp_path: Path
) -> None:
    destination = {"server": "https://kubernetes.default.svc", "namespace": "default"}
    source = {"repoURL": "https://git.invalid/x.git", "path": "."}
    create(
        kubectl,
        tmp_path,
        {
            "apiVersion": "argoproj.io/v1alpha1",
            "kind": "Application",
            "metadata": {"name": "left-over", "namespace": "argocd"},
            "spec": {"project": "default", "source": source, "destination": destination},
        },
    )
    before = kubectl(*RECORDS)
    try:
        run = playbook("tests/integration/playbooks/teardown_primitives.yml", INVENTORY, **confirmed(tmp_path))
        assert run.code == 2, run
        assert "Applications still exist: Application argocd/left-over" in run.output, run
    finally:
        kubectl("delete", "application", "left-over", "--namespace=argocd")
    assert kubectl(*RECORDS) == before


def test_check_mode_tells_everything_and_changes_nothing(
    bootstrapped: None, playbook: Any, kubectl: Callable[..., str], tmp_path: Path
) -> None:
    before = kubectl(*RECORDS)
    run = playbook("proficientnow.deploy_ops.teardown", INVENTORY, "--check", **confirmed(tmp_path))
    assert run.code == 0, run
    for name in ("argo-events/event-bus", "argo/argo-workflows", "argocd/argocd", "kube-system/sealed-secrets"):
        assert f"Helm release {name}" in run.output, run
    assert "Namespace argocd" in run.output
    assert kubectl(*RECORDS) == before
