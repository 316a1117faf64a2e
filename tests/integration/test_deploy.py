# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""From the bootstrapped cluster to a Healthy platform; again; and on from a failure.

Order is judged by the API server's timestamps, and syncs are counted in Argo CD's history: not by what we say.
"""

from __future__ import annotations

import pytest
from deployment import Deployment, eventually


@pytest.fixture
def platform(bare: Deployment) -> Deployment:
    """Root is on a branch of this test."""
    bare.hand_over()
    return bare


# test_deploy_trouble.py deploys with dag.
@pytest.mark.parametrize("strategy", ["waves", pytest.param("dag", marks=pytest.mark.long)])
def test_the_platform_comes_up_in_order_and_a_second_run_changes_nothing(platform: Deployment, strategy: str) -> None:
    """INV-1, INV-6."""
    first = platform.deploy(deploy_ops_strategy=strategy)
    assert first.code == 0, first
    assert platform.violations() == []
    assert platform.healthy() == set(platform.applications())
    assert not platform.is_locked()
    assert set(platform.syncs().values()) == {1}

    second = platform.deploy(deploy_ops_strategy=strategy)
    assert second.code == 0, second
    assert second.changed == 0, second
    assert set(platform.syncs().values()) == {1}
    assert [item["status"]["phase"] for item in platform.workflows()] == ["Succeeded", "Succeeded"]
    for item in platform.workflows():
        assert len(platform.agent_pods(item["metadata"]["name"])) == 1


def test_one_never_ready_then_fixed(platform: Deployment) -> None:
    """INV-4; dependents never start, in waves no later wave starts; the resume syncs nothing twice."""
    platform.change_graph("postgres-platform", health_timeout="20s", retries=1)
    platform.behave("postgres-platform", "never-ready")
    failed = platform.deploy()
    assert failed.code != 0, failed
    assert "Partial" in failed.output
    assert "postgres-platform failed" in failed.output
    assert "ansible-playbook proficientnow.deploy_ops.deploy" in failed.output
    synced = {name for name, count in platform.syncs().items() if count}
    waves = platform.plan()["waves"]
    number = next(number for number, wave in enumerate(waves) if "postgres-platform" in wave)
    assert synced == {name for wave in waves[: number + 1] for name in wave if name in platform.applications()}
    assert "backstage" not in synced
    assert platform.is_locked()

    platform.behave("postgres-platform", "clear")
    resumed = platform.deploy()
    assert resumed.code == 0, resumed
    assert platform.violations() == []
    # The failed one is synced again or found Healthy; nothing else is.
    again = {name for name, count in platform.syncs().items() if count > 1}
    assert again <= {"postgres-platform"}
    assert not platform.is_locked()


@pytest.mark.long
def test_in_dag_independent_branches_finish(platform: Deployment) -> None:
    platform.change_graph("postgres-platform", health_timeout="20s", retries=1)
    platform.behave("postgres-platform", "never-ready")
    failed = platform.deploy(deploy_ops_strategy="dag")
    assert failed.code != 0, failed
    assert platform.healthy() == set(platform.applications()) - {"postgres-platform", "backstage"}
    assert platform.syncs()["backstage"] == 0


@pytest.mark.long
def test_an_update_is_ordered_and_a_commit_in_mid_run_waits(platform: Deployment) -> None:
    """INV-2: pinned. A new commit reaches the cluster through a run only, and then in order."""
    assert platform.deploy().code == 0
    first = platform.repository.commit
    wanted = platform.repository.release("2")
    running = platform.start("deploy")
    eventually(lambda: platform.syncs()["metallb"] == 2, "the update has begun", 120)
    platform.repository.release("3")
    updated = platform.finish(running)
    assert updated.code == 0, updated
    assert platform.violations() == []
    applications = platform.applications()
    assert {item["spec"]["source"]["targetRevision"] for item in applications.values()} == {wanted} != {first}
    assert {item["status"]["sync"]["revision"] for item in applications.values()} == {wanted}
