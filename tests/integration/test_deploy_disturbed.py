# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A platform whose graph, manifests, time or scope is not as it should be, and runs that meet."""

from __future__ import annotations

import os
import signal

import pytest
from deployment import Deployment, eventually

pytestmark = pytest.mark.long


def test_ansible_killed_in_mid_wait_and_two_runs_at_once(bare: Deployment) -> None:
    """The run outlives Ansible; whoever comes next watches the same Workflow."""
    bare.hand_over()
    # Until both have attached: without it a fast run could be over before they come.
    bare.behave("ceph-cluster", "never-ready")
    killed = bare.start("deploy")
    eventually(lambda: bare.syncs().get("ceph-cluster") == 1, "ceph-cluster was synced", 240)
    os.killpg(killed.pid, signal.SIGKILL)
    killed.wait(timeout=30)
    two = [bare.start("deploy"), bare.start("deploy")]
    for process in two:
        attached = f"process {process.pid} watches"
        eventually(lambda process=process: "running: ceph-cluster" in bare.output(process), attached, 240)
    bare.behave("ceph-cluster", "clear")
    for done in [bare.finish(process) for process in two]:
        assert done.code == 0, done
    (workflow,) = bare.workflows()
    assert workflow["status"]["phase"] == "Succeeded"
    assert set(bare.syncs().values()) == {1}
    assert bare.violations() == []


def test_two_first_runs_at_once_are_one(bare: Deployment) -> None:
    """Both find everything to do: Root, the template, the run. One prepares, both watch."""
    bare.hand_over()
    for done in [bare.finish(process) for process in [bare.start("deploy"), bare.start("deploy")]]:
        assert done.code == 0, done
    assert len(bare.workflows()) == 1
    assert set(bare.syncs().values()) == {1}
    assert bare.violations() == []
