# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A truly bare cluster: phase 0 calls it ready, check mode leaves it bare, and a bootstrap that is killed converges.

In this order, and before every other test: what the last test leaves is what the others begin with.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from deployment import INVENTORY, ROOT, eventually
from killing import kill_tree

COMPONENTS = ("sealed_secrets", "argocd", "argo_workflows", "argo_events")
# Releases in the order in which the bootstrap installs them, with their namespaces.
RELEASES = {
    "sealed-secrets": "kube-system",
    "argocd": "argocd",
    "argo-workflows": "argo",
    "argo-events": "argo-events",
    "event-bus": "argo-events",
}


def everything(kubectl: Callable[..., str]) -> list[str]:
    """What an installation would add to."""
    kinds = "namespaces,customresourcedefinitions,clusterroles,deployments,secrets,configmaps"
    return sorted(kubectl("get", kinds, "--all-namespaces", "--output=name").split())


@pytest.fixture
def bare(kubectl: Callable[..., str]) -> None:
    traces = kubectl("get", "namespaces,customresourcedefinitions", "--output=name")
    if "argo" in traces or "bitnami" in traces:
        subprocess.run([ROOT / "testbed" / "testbed", "reset"], check=True)


def is_pending(kubectl: Callable[..., str], release: str) -> bool:
    selector = f"--selector=owner=helm,name={release},status=pending-install"
    return bool(kubectl("get", "secrets", selector, f"--namespace={RELEASES[release]}", "--output=name"))


def converges(playbook: Any) -> None:
    run = playbook("playbooks/bootstrap.yml")
    assert run.code == 0, run
    for component in COMPONENTS:
        assert f"{component}: success" in run.output, run
    again = playbook("playbooks/bootstrap.yml")
    assert (again.code, again.changed) == (0, 0), again


def test_phase0_calls_it_ready(bare: None, playbook: Any, tmp_path: Path) -> None:
    run = playbook("proficientnow.deploy_ops.phase0", INVENTORY, phase0_report_dir=str(tmp_path))
    report = json.loads((tmp_path / "phase0-report.json").read_text())
    assert run.code == 0, run
    assert report["ready"], run
    failed = [check for check in report["validation"] if check["status"] == "failed"]
    assert "cluster.workers" in [check["id"] for check in failed], "it has one node, and is told so"
    assert {check["severity"] for check in failed} == {"warning"}, failed
    assert not [check for check in report["validation"] if check["id"].startswith("leftovers") and check in failed]


def test_check_mode_leaves_it_bare(bare: None, playbook: Any, kubectl: Callable[..., str]) -> None:
    before = everything(kubectl)
    run = playbook("playbooks/bootstrap.yml", "--check")
    assert run.code == 0, run
    assert run.changed > 0
    assert everything(kubectl) == before


@pytest.mark.long
def test_killed_while_argocd_is_installed(bare: None, playbook: Any, kubectl: Callable[..., str]) -> None:
    process = playbook.start("playbooks/bootstrap.yml")
    eventually(lambda: is_pending(kubectl, "argocd"), "Argo CD's installation begins", 180)
    kill_tree(process)
    assert is_pending(kubectl, "argocd")
    converges(playbook)
