# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Bad days: `status` tells the truth about what is broken, and `up` heals it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
# One of each kind: the control plane, the runtime below the pods, the network, and a program of our own.
KILLED = ("kube-scheduler", "containerd", "kube-proxy", "storage")


@pytest.fixture(autouse=True)
def healthy_afterwards(testbed: Any) -> Iterator[None]:
    testbed("up")
    yield
    testbed("up")


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("component", KILLED)
def test_a_killed_component_is_seen_and_started_again(testbed: Any, component: str, wait_until: Any) -> None:
    before = testbed.pids()
    kill(before[component])
    wait_until(lambda: testbed.states()[component] == "dead", f"status sees that {component} is dead")
    told = testbed.run("status")
    assert told.returncode == 1
    assert f"{component}: its process is gone" in told.stdout
    assert "last log lines:" in told.stdout
    assert f"`testbed logs {component}`" in told.stdout

    testbed("up")
    after = testbed.pids()
    assert testbed.run("status").returncode == 0
    assert after.pop(component) != before.pop(component)
    assert after == before, "what was healthy has not been touched"


def test_running_pods_survive_a_restart_of_containerd(testbed: Any, kubectl: Any, wait_until: Any) -> None:
    def container() -> str:
        return kubectl("get", "pods", "--namespace=kube-system", "--selector=k8s-app=kube-dns",
                       "--output=jsonpath={.items[*].status.containerStatuses[*].containerID}")  # fmt: skip

    before = container()
    kill(testbed.pids()["containerd"])
    testbed("up")
    assert container() == before


def test_a_component_that_hangs_is_not_called_ready(testbed: Any, wait_until: Any) -> None:
    """Stopped, not ended: its process is there and does nothing."""
    pid = testbed.pids()["kube-scheduler"]
    os.kill(pid, signal.SIGSTOP)
    try:
        wait_until(lambda: testbed.states()["kube-scheduler"] == "not ready", "status sees that it hangs")
    finally:
        os.kill(pid, signal.SIGCONT)


def test_a_stale_record_is_not_believed(testbed: Any, environment: dict[str, str], wait_until: Any) -> None:
    """The pid of a record belongs to another process now: that one is neither taken for ours nor killed."""
    record = Path(environment["KUBECONFIG"]).parent / "processes" / "kube-scheduler.json"
    kill(testbed.pids()["kube-scheduler"])
    stranger = subprocess.Popen(["sleep", "600"])
    try:
        record.write_text(json.dumps({**json.loads(record.read_text()), "pid": stranger.pid}))
        assert testbed.states()["kube-scheduler"] == "dead"
        testbed("up")
        assert testbed.states()["kube-scheduler"] == "running"
        assert stranger.poll() is None
    finally:
        stranger.kill()
        stranger.wait()


def test_a_process_without_a_record_is_replaced(testbed: Any, environment: dict[str, str]) -> None:
    """As after an `up` that was killed between the start of a component and the record of it."""
    lost = testbed.pids()["kube-scheduler"]
    (Path(environment["KUBECONFIG"]).parent / "processes" / "kube-scheduler.json").unlink()
    testbed("up")
    assert testbed.pids()["kube-scheduler"] != lost
    # Of a process that has ended and is not collected yet, the program is gone first.
    assert not Path(f"/proc/{lost}/exe").exists()


def test_a_taken_port_is_named_with_its_holder(testbed: Any, wait_until: Any) -> None:
    kill(testbed.pids()["kube-scheduler"])
    wait_until(lambda: testbed.states()["kube-scheduler"] == "dead", "the scheduler is dead")
    with socket.create_server(("127.0.0.1", 10259)):
        refused = testbed.run("up")
    assert refused.returncode == 1
    assert "kube-scheduler cannot start: port 127.0.0.1:10259 is taken" in refused.stderr
    assert f"pid {os.getpid()}" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_an_up_that_is_killed_can_be_repeated(testbed: Any, wait_until: Any) -> None:
    for component in ("kube-apiserver", "kube-scheduler", "kubelet"):
        kill(testbed.pids()[component])
    before = testbed.pids()
    interrupted = subprocess.Popen([str(ROOT / "testbed" / "testbed"), "up"], stdout=subprocess.DEVNULL)
    wait_until(
        lambda: testbed.pids().get("kube-apiserver", 0) not in (0, before.get("kube-apiserver")), "up is at work"
    )
    interrupted.kill()
    interrupted.wait()
    testbed("up")
    assert testbed.run("status").returncode == 0


def test_a_lost_bridge_comes_back(testbed: Any) -> None:
    subprocess.run(["ip", "link", "delete", "dops0"], check=True)
    told = testbed.run("status")
    assert told.returncode == 1
    assert "the interface dops0 is missing" in told.stdout
    testbed("up")
    assert testbed.run("status").returncode == 0


def test_two_ups_at_once_do_not_fight(testbed: Any) -> None:
    kill(testbed.pids()["kube-scheduler"])
    command = [str(ROOT / "testbed" / "testbed"), "up"]
    both = [subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for _ in range(2)]
    assert [process.wait(timeout=300) for process in both] == [0, 0]
    assert testbed.run("status").returncode == 0


def test_another_checkout_with_its_own_state_is_refused(testbed: Any, tmp_path: Path) -> None:
    before = testbed.pids()
    command = [str(ROOT / "testbed" / "testbed"), "up"]
    variables = {**os.environ, "DEPLOY_OPS_STATE": str(tmp_path)}
    refused = subprocess.run(command, env=variables, capture_output=True, text=True, check=False, timeout=300)
    assert refused.returncode == 1
    assert "Another testbed runs on this machine" in refused.stderr
    assert str(ROOT) in refused.stderr
    assert testbed.pids() == before


def test_logs_shows_what_a_component_said(testbed: Any) -> None:
    assert "kube-apiserver" in testbed("logs")
    assert len(testbed("logs", "kubelet", "--lines=5").splitlines()) == 5


def test_logs_of_a_cluster_that_never_ran(tmp_path: Path) -> None:
    command = [str(ROOT / "testbed" / "testbed"), "logs", "etcd"]
    variables = {**os.environ, "DEPLOY_OPS_STATE": str(tmp_path)}
    refused = subprocess.run(command, env=variables, capture_output=True, text=True, check=False, timeout=60)
    assert refused.returncode == 1
    assert "etcd has no log yet" in refused.stderr
