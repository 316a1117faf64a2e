# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The invariants of RFC 2.4: each is attacked, on a real platform, and has to hold.

The attacks of INV-1, INV-4 and INV-8 are those of troubled.py; the platform that it leaves standing takes the others.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml
from conftest import ROOT, Run
from deployment import INVENTORY, Deployment, eventually
from troubled import BROKEN, HOOKED, VARIABLES, Stage, Troubled

TRACES_OF_HOOKS = ("argocd.argoproj.io/hook", "argocd.argoproj.io/sync-wave")


class Repetition(NamedTuple):
    """The same deployment once more, and what it left as it was."""

    run: Run
    before: dict[str, Any]
    after: dict[str, Any]
    workflows: list[str]


@pytest.fixture(scope="module")
def platform(troubled: Troubled, mended: Stage) -> Deployment:
    """It stands."""
    return troubled.platform


@pytest.fixture(scope="module")
def repetition(platform: Deployment, mended: Stage, tmp_path_factory: pytest.TempPathFactory) -> Repetition:
    """From another place, by somebody with another environment, with every trace of earlier runs removed."""
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "home").mkdir()
    (elsewhere / "dag.yaml").write_text("stacks: {a-graph-that-nobody-asked-for: {applications: {metallb: {}}}}")
    platform.kubectl("delete", "workflows.argoproj.io", "--all", "--namespace=argo")
    before = _state(platform)
    run = _run_elsewhere(platform, elsewhere)
    return Repetition(run, before, _state(platform), [item["metadata"]["name"] for item in platform.workflows()])


def test_inv_1_dependency_satisfaction(troubled: Troubled, platform: Deployment, failed: Stage, mended: Stage) -> None:
    """INV-1: "An application MUST NOT begin deployment until all applications it depends on report Healthy status.
    'Healthy' means the application is fully operational, not merely synced."

    Attack: ceph-cluster is Synced and not ready, everything behind it wants to sync by itself, Argo CD is asked to look
    at all of it again. Fails when a sync is enough to go on, or when the authority over the platform is not taken.
    """
    moment = troubled.merely_synced
    assert moment is not None, "it was never seen Synced and not Healthy"
    assert moment.status("ceph-cluster")["sync"]["status"] == "Synced"
    behind = _behind(platform, "ceph-cluster")
    assert {"storage-classes", "vault", "backstage"} <= behind
    for name in behind:
        assert moment.applications[name]["spec"]["syncPolicy"]["automated"]["selfHeal"]
        assert moment.operation(name) == {}, name
    assert len(platform.application_edges()) > 10
    assert troubled.violations(failed, mended) == []


def test_inv_2_single_deployment_path(platform: Deployment, refused: Stage, mended: Stage) -> None:
    """INV-2: "All platform deployments MUST flow through the orchestration system."

    Attack: a commit that changes everything, and Argo CD, with automatic sync and self-healing, asked to look at it.
    Before the first run, and when the platform stands. Fails when Argo CD deploys anything by itself.
    """
    assert all("automated" in item["spec"]["syncPolicy"] for item in refused.applications.values())
    assert set(refused.syncs.values()) == {0}

    deployed = platform.repository.commit
    pushed = platform.repository.release("bypass")
    platform.refresh()
    sync = platform.root()["status"]["sync"]
    assert (sync["revision"], sync["status"]) == (pushed, "OutOfSync")
    applications = platform.applications()
    assert {item["spec"]["source"]["targetRevision"] for item in applications.values()} == {deployed}
    assert {item["status"]["sync"]["revision"] for item in applications.values()} == {deployed}
    assert platform.healthy() == set(applications)
    assert platform.syncs() == mended.syncs

    platform.repository.rewind(deployed)
    platform.refresh()
    assert platform.root()["status"]["sync"]["status"] == "Synced"


def test_inv_3_no_implicit_state(repetition: Repetition, mended: Stage) -> None:
    """INV-3: "Local files, environment variables not passed to the executor, or cached state from previous runs
    MUST NOT affect behavior."

    Attack: another folder with a dag.yaml of its own, an empty home, variables that name other servers, scopes and
    strategies, no workflow left of any earlier run. Fails when one of them is used, or one of the removed is missed.
    """
    assert repetition.run.code == 0, repetition.run
    assert "a-graph-that-nobody-asked-for" not in repetition.run.output
    # The name follows from what the run is made of, and nothing else: it is the first attempt of the very same run.
    assert repetition.workflows == [mended.workflows[-1]["metadata"]["name"]]
    assert repetition.after["template"] == repetition.before["template"]


def test_inv_4_failure_visibility(platform: Deployment, failed: Stage) -> None:
    """INV-4: "If any application fails to deploy or become healthy: The failure MUST be reported. Dependent
    applications MUST NOT attempt deployment. The system MUST NOT mask the failure as success."

    Attack: four failures of different kinds in one run, while its other branches succeed. Fails when one of them is not
    named, when anything behind one is synced, or when exit code, workflow or authority look like success.
    """
    for name in BROKEN:
        assert failed.told(name)
        for dependent in _behind(platform, name):
            assert failed.operation(dependent) == {}, f"{dependent} depends on {name}"
    assert failed.run.code != 0
    assert failed.workflows[-1]["status"]["phase"] == "Failed"
    assert "Succeeded: " not in failed.run.output
    assert failed.is_locked


def test_inv_6_idempotent_execution(platform: Deployment, repetition: Repetition, mended: Stage) -> None:
    """INV-6: "Running the same action multiple times with identical inputs MUST produce identical results.
    Deploy on already-deployed platform: no changes."

    Attack: the same deployment again. Fails when anything is synced, replaced, restarted or written differently.
    """
    assert repetition.run.code == 0, repetition.run
    assert repetition.run.changed == 0, repetition.run
    assert platform.syncs() == mended.syncs
    assert len(repetition.before["objects"]) > 40
    assert repetition.after == repetition.before


def test_inv_7_health_verification_accuracy(platform: Deployment) -> None:
    """INV-7: "Health status MUST reflect actual operational state. Custom health checks MUST be defined for:
    CephCluster, PostgreSQL clusters, Vault (sealed vs unsealed), any CRD where sync completion does not indicate
    readiness."

    Attack: three applications fail behind Argo CD's back, with nothing in Git or in their specs changed. Fails without
    the health checks of the role argocd: a custom resource without one is Healthy as soon as it exists.
    """
    lies = {"ceph-cluster": "Degraded", "postgres-platform": "Degraded", "vault": "Progressing"}
    for name, health in lies.items():
        # Vault answers its probe as a sealed one does.
        platform.behave(name, "degraded" if health == "Degraded" else "never-ready")
    eventually(lambda: {name: _health(platform, name) for name in lies} == lies, f"Argo CD says {lies}")
    applications = platform.applications()
    assert {applications[name]["status"]["sync"]["status"] for name in lies} == {"Synced"}
    verified = platform.run("verify")
    assert verified.code != 0, verified
    # The one that the others wait for is told first, and each with the object that is not well.
    assert "ceph-cluster is Degraded" in verified.output
    assert "Not Healthy either, behind something that is not: vault, postgres-platform" in verified.output
    for name in lies:
        assert re.search(rf"^ +kubectl -n \S+ describe \S+ {name}$", verified.output, re.MULTILINE), verified

    for name in lies:
        platform.behave(name, "clear")
    eventually(lambda: platform.healthy() == set(applications), "all are Healthy again")


def test_inv_8_hook_prohibition(platform: Deployment, mended: Stage) -> None:
    """INV-8: "PreSync and PostSync hooks MUST NOT be used for dependency orchestration. Hooks MAY remain for
    application-internal tasks (migrations, initialization)."

    The order of INV-1 came about without them: the only hooks of the deployment are the two migrations of troubled.py,
    which run and are seen here. Fails when a hook or a sync wave is added to Root, to a chart of this collection, or to
    what it installs.
    """
    hooks = {
        (name, item["kind"], item["name"])
        for name in mended.applications
        for item in mended.operation(name)["syncResult"]["resources"]
        if item.get("hookType")
    }
    assert hooks == {(name, "Job", f"{name}-migration") for name in HOOKED}
    installed = [*platform.applications().values(), platform.root()]
    installed += platform.objects("workflowtemplates,configmaps", "argo")
    installed += platform.objects("appprojects,configmaps", "argocd")
    annotations = [key for item in installed for key in item["metadata"].get("annotations") or {}]
    assert not set(annotations) & set(TRACES_OF_HOOKS)
    shipped = [path for path in (ROOT / "roles").rglob("*") if path.is_file()]
    assert len(shipped) > 50
    assert [path for path in shipped if any(trace in path.read_text() for trace in TRACES_OF_HOOKS)] == []


def _behind(platform: Deployment, name: str) -> set[str]:
    """All applications that depend on it, through whatever others."""
    found: set[str] = set()
    reached = {name}
    while reached:
        reached = {dependent for dependency, dependent in platform.application_edges() if dependency in reached} - found
        found |= reached
    return found


def _health(platform: Deployment, application: str) -> str:
    return platform.applications()[application]["status"]["health"]["status"]


def _state(platform: Deployment) -> dict[str, Any]:
    """What a run could change: every object of the platform with its identity and content, and our own template."""
    objects = {
        key: (item["metadata"]["uid"], item.get("spec"), item.get("data")) for key, item in platform.contents().items()
    }
    template = platform.objects("workflowtemplates", "argo")
    return {"objects": objects, "template": [item["metadata"]["resourceVersion"] for item in template]}


def _run_elsewhere(platform: Deployment, elsewhere: Path) -> Run:
    given = elsewhere / "given.yaml"
    given.write_text(yaml.safe_dump({**platform.variables(), **VARIABLES}))
    misleading = {
        "HOME": str(elsewhere / "home"),
        "ARGOCD_SERVER": "argocd.example.com",
        "ARGOCD_AUTH_TOKEN": "none",
        "ARGO_NAMESPACE": "default",
        "ARGO_SERVER": "argo.example.com:2746",
        "DEPLOY_OPS_SCOPE": "app:metallb",
        "DEPLOY_OPS_STRATEGY": "waves",
        "HELM_NAMESPACE": "default",
    }
    # Explicitly provided: where the collection is, the inventory, the variables; KUBECONFIG stands in the environment.
    command = ["ansible-playbook", "proficientnow.deploy_ops.deploy", "--extra-vars", f"@{given}"]
    command += [INVENTORY.replace("=", f"={ROOT}/")]
    done = subprocess.run(
        command,
        cwd=elsewhere,
        env={**os.environ, **misleading, "PWD": str(elsewhere), "ANSIBLE_CONFIG": str(ROOT / "ansible.cfg")},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=600,
    )
    return Run(done.returncode, done.stdout)
