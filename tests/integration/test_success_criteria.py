# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The success criteria of RFC 2.5. The fourth, "Teardown leaves clean cluster", is proven with the teardown."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import ROOT, Run
from deployment import Deployment
from troubled import BROKEN, Stage, Troubled

README = ROOT / "README.md"


@pytest.fixture(scope="module")
def documented(kubectl: Callable[..., str], playbook: Any, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What README.md says to type, typed: on an empty cluster, with nobody at the keyboard."""
    subprocess.run([str(ROOT / "testbed" / "testbed"), "reset"], check=True, capture_output=True, timeout=300)
    folder = tmp_path_factory.mktemp("documented")
    platform = Deployment(playbook, kubectl, folder, "rfc")
    return {"platform": platform, "runs": {command: _type(command, folder) for command in documented_commands()}}


def documented_commands() -> list[str]:
    """The commands of the first block of README.md up to the one that deploys, without their comments."""
    block = re.search(r"```console\n(.*?)```", README.read_text(), re.DOTALL)
    assert block, "README.md begins without a command"
    commands = [line.partition("#")[0].strip() for line in block[1].splitlines()]
    last = next(number for number, command in enumerate(commands) if command.endswith(".site"))
    return commands[: last + 1]


@pytest.mark.long
def test_success_1_full_deployment_succeeds_without_intervention(documented: dict[str, Any]) -> None:
    """ "Starting from an empty cluster, the executor deploys all 40+ applications without any manual steps."

    Fails when a step is missing, or asks for something: the standard input is closed. Not seen yet on the cluster.
    """
    platform = documented["platform"]
    nodes = platform.plan()["nodes"].values()
    assert len([node for node in nodes if node["kind"] == "application"]) > 40
    wanted = {node["application"] for node in nodes if node["kind"] == "application" and node["managed_by"] == "argocd"}
    assert platform.healthy() == wanted
    assert platform.violations() == []


@pytest.mark.long
def test_success_5_new_engineers_can_deploy(documented: dict[str, Any]) -> None:
    """ "An engineer unfamiliar with the platform can execute deployment using only documented procedures."

    The commands are read from README.md and only the inventory is exchanged. Fails when one of them does not work as it
    stands there. Not seen yet on the cluster.
    """
    runs = documented["runs"]
    assert [shlex.split(command)[-1].rpartition(".")[2] for command in runs] == ["plan", "site"]
    for command, run in runs.items():
        assert run.code == 0, f"{command}: {run}"


@pytest.mark.long
def test_success_2_deployment_is_reproducible(troubled: Troubled, mended: Stage) -> None:
    """ "Multiple deployments to identical clusters produce identical results."

    One platform went through every trouble and was mended, the other is deployed in one go. Fails when what became of
    the platform depends on how it came about. Not seen yet on the cluster.
    """
    platform = troubled.platform
    resumed = _contents(platform)
    assert len(resumed) > 20
    platform.remove()
    platform.hand_over()
    done = platform.deploy()
    assert done.code == 0, done
    assert _contents(platform) == resumed


def test_success_3_partial_failure_is_recoverable(failed: Stage, mended: Stage) -> None:
    """ "If deployment fails at application N, resuming deployment continues from N without re-deploying 1 through N-1."

    The resume is the command that the failed run has told. Fails when it begins anew, or when an application that stood
    is touched: the time of its last sync would be another one.
    """
    told = failed.run.output.rpartition("What to do: ")[2]
    assert "ansible-playbook proficientnow.deploy_ops.deploy\n" in told, failed.run
    stood = [name for name in failed.applications if failed.operation(name).get("phase") == "Succeeded"]
    stood = [name for name in stood if name not in BROKEN]
    assert len(stood) >= 4
    for name in stood:
        assert mended.operation(name) == failed.operation(name), name
    assert mended.run.code == 0, mended.run
    assert {mended.status(name)["health"]["status"] for name in mended.applications} == {"Healthy"}


def test_success_6_dependency_violations_are_caught(troubled: Troubled, refused: Stage, tmp_path: Path) -> None:
    """ "Attempting to deploy an application before its dependencies fails with a clear error, not silent misbehavior."

    Attempt one: an application alone, before the platform is there. Attempt two: a graph in which an application needs
    itself. Fails when one of them is let through, or refused without saying why.
    """
    assert refused.run.code != 0
    for requirement in ("prometheus", "ingress-nginx"):
        assert "was never synced: deploy it first" in refused.told(f"requirement {requirement}")
    assert "deploy_ops_scope=app:grafana" in refused.run.output, "the command to go on is the one for this scope"
    assert set(refused.syncs.values()) == {0}
    assert [name for name in refused.applications if refused.operation(name)] == []

    graph = yaml.safe_load(troubled.platform.dag.read_text())
    graph["stacks"]["infrastructure"]["applications"]["metallb"] = {"depends_on": ["grafana"]}
    cyclic = tmp_path / "dag.yaml"
    cyclic.write_text(yaml.safe_dump(graph))
    before = len(troubled.platform.workflows())
    run = troubled.platform.deploy(deploy_ops_dag=str(cyclic))
    assert run.code != 0, run
    assert "dependency cycle" in run.output
    assert "metallb" in run.output.partition("dependency cycle")[2]
    assert len(troubled.platform.workflows()) == before


def _contents(platform: Deployment) -> dict[str, Any]:
    """What was asked of the cluster. Pods have names of chance; what they shall be stands in their owners."""
    return {
        key: (item.get("spec"), item.get("data"), item["metadata"]["labels"])
        for key, item in platform.contents().items()
        if item["kind"] != "Pod"
    }


def _type(command: str, folder: Path) -> Run:
    """As it stands there, for the embedded cluster and the platform of the RFC."""
    words = shlex.split(command.replace("inventories/production", "inventories/local"))
    ours = {"deploy_ops_sample": "rfc", "deploy_ops_plan_dir": str(folder), "deploy_ops_report_folder": str(folder)}
    done = subprocess.run(
        [*words, "--extra-vars", json.dumps(ours)],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if not name.startswith(("ANSIBLE_", "DEPLOY_OPS_"))},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=1200,
    )
    return Run(done.returncode, done.stdout)
