# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a run leaves behind for people: while it runs, after Ctrl-C, after a failure, from another machine."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from conftest import ROOT, Playbook
from deployment import Deployment, bootstrap, eventually


@pytest.fixture(scope="module")
def bootstrapped(tmp_path_factory: pytest.TempPathFactory) -> None:
    bootstrap(Playbook(tmp_path_factory.mktemp("bootstrap")))


@pytest.fixture
def platform(bootstrapped: None, playbook: Any, kubectl: Callable[..., str], tmp_path: Path) -> Iterator[Deployment]:
    """Nothing of it deployed, Root on a branch of this test."""
    deployment = Deployment(playbook, kubectl, tmp_path)
    deployment.remove()
    deployment.hand_over()
    yield deployment
    deployment.remove()


class OtherMachine:
    """Another folder, no inventory, no dag.yaml: a kubeconfig and the collection."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        shutil.copy(os.environ["KUBECONFIG"], folder / "kubeconfig")
        self._environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "PWD": str(folder),
            "LC_ALL": "C.UTF-8",
            "KUBECONFIG": str(folder / "kubeconfig"),
            "ANSIBLE_COLLECTIONS_PATH": str(ROOT / ".ansible" / "collections"),
            "ANSIBLE_PYTHON_INTERPRETER": sys.executable,
        }

    def status(self, **variables: str) -> tuple[str, dict[str, Any]]:
        words = [word for name, value in variables.items() for word in ("-e", f"{name}={value}")]
        command = ["ansible-playbook", "proficientnow.deploy_ops.status", *words]
        done = subprocess.run(
            command, cwd=self.folder, env=self._environment, capture_output=True, text=True, check=False, timeout=300
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert "changed=0" in done.stdout
        return done.stdout, json.loads((self.folder / "reports" / "deploy.json").read_text())


def states(report: dict[str, Any]) -> dict[str, str]:
    return {node["name"]: node["state"] for node in report["nodes"]}


def test_ctrl_c_leaves_the_run_at_work_and_any_machine_can_look_at_it(platform: Deployment, tmp_path: Path) -> None:
    platform.behave("metallb", "never-ready")
    watching = platform.start("deploy", deploy_ops_scope="app:metallb", deploy_ops_report_folder=str(tmp_path / "here"))
    eventually(lambda: platform.syncs().get("metallb") == 1, "metallb is synced", 120)
    other = OtherMachine(tmp_path / "elsewhere")
    shown, report = other.status()
    assert report["outcome"] == "Running"
    assert states(report)["metallb"] == "Running"
    assert "UNDER WAY" in shown

    os.killpg(watching.pid, signal.SIGINT)
    interrupted = platform.finish(watching)
    assert interrupted.code != 0, interrupted
    (workflow,) = platform.workflows()
    name = workflow["metadata"]["name"]
    assert workflow["status"]["phase"] == "Running"
    assert f"The run {name} goes on in the cluster" in interrupted.output
    assert "ansible-playbook proficientnow.deploy_ops.status" in interrupted.output

    platform.behave("metallb", "clear")
    _shown, report = other.status(deploy_ops_run=name, deploy_ops_watch="true")
    assert report["outcome"] == "Succeeded"
    assert report["scope"] == "app:metallb"
    assert set(states(report).values()) == {"Healthy"}
    (node,) = (node for node in report["nodes"] if node["name"] == "metallb")
    assert node["attempts"] == 1
    assert node["revision"] == platform.repository.commit
    assert node["log"], "the gate's log outlives its pod"


@pytest.mark.long
def test_a_partial_run_tells_what_failed_why_and_what_to_do(platform: Deployment, tmp_path: Path) -> None:
    platform.change_graph("postgres-platform", health_timeout="20s", retries=1)
    platform.behave("postgres-platform", "never-ready")
    folder = tmp_path / "reports"
    failed = platform.deploy(deploy_ops_report_folder=str(folder))
    assert failed.code != 0, failed
    report = json.loads((folder / "deploy.json").read_text())
    assert report["outcome"] == "Partial"
    (node,) = (node for node in report["nodes"] if node["state"] == "Failed")
    assert node["name"] == "postgres-platform"
    assert node["resources"][0]["name"]
    assert node["recommendation"]
    skipped = {node["name"]: node["because"] for node in report["nodes"] if node["state"] == "Skipped"}
    assert skipped["backstage"] == ["postgres-platform"]
    assert report["next"][0].startswith("ansible-playbook proficientnow.deploy_ops.deploy")
    (suite,) = ElementTree.parse(folder / "deploy.xml").getroot()
    assert (suite.get("failures"), suite.get("skipped")) == ("1", str(len(skipped)))

    _shown, seen_elsewhere = OtherMachine(tmp_path / "elsewhere").status()
    assert states(seen_elsewhere) == states(report)

    platform.behave("postgres-platform", "clear")
    resumed = platform.run("deploy", "--tags=orchestrate", deploy_ops_report_folder=str(folder))
    assert resumed.code == 0, resumed
    assert json.loads((folder / "deploy.json").read_text())["outcome"] == "Succeeded"
