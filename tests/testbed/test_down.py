# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""`down` leaves the machine as it was; `up`, `reset` and a reboot begin from there."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.stops_cluster

PYTHON = "docker.io/library/python:3.13-slim"
# Where kubelet, containerd, libcni and skopeo write by themselves, whatever they are told.
LISTED = ("/run", "/run/containerd", "/run/netns", "/var/lib", "/var/lib/cni", "/var/lib/kubelet",
          "/var/lib/containers", "/var/log", "/etc", "/etc/cni", "/opt", "/usr/libexec", "/dev/shm")  # fmt: skip
SETTINGS = ("net/ipv4/ip_forward", "net/ipv4/conf/all", "net/ipv4/conf/default", "net/ipv4/conf/lo", "vm",
            "kernel/panic", "kernel/panic_on_oops", "kernel/keys", "net/netfilter")  # fmt: skip
# Counters of the kernel, not settings.
COUNTERS = ("nf_conntrack_count", "stat_refresh")


@pytest.fixture(scope="module", autouse=True)
def up_afterwards(testbed: Any) -> Iterator[None]:
    yield
    testbed("up")


def machine(state: Path, cache: Path) -> dict[str, set[str]]:
    """All that a cluster could leave behind on a machine."""
    return {
        "processes": processes_of(state, cache),
        "mounts": set(Path("/proc/self/mounts").read_text().splitlines()),
        "links": {line.split(":")[1] for line in output("ip", "-oneline", "link").splitlines()},
        "addresses": set(output("ip", "-brief", "address").splitlines()),
        "routes": set(output("ip", "route", "show", "table", "all").splitlines()),
        "rules": set(output("ip", "rule").splitlines()),
        "nftables": set(output("nft", "list", "ruleset").splitlines()),
        "iptables": set(output("iptables-save").splitlines()) if shutil.which("iptables-save") else set(),
        "namespaces": set(output("lsns", "--noheadings", "--type=net", "--output=NS").split()),
        "cgroups": {folder for folder, _, _ in os.walk("/sys/fs/cgroup")},
        "settings": set(settings()),
        "files": {f"{folder}/{name}" for folder in LISTED if Path(folder).is_dir() for name in os.listdir(folder)},
    }


def processes_of(state: Path, cache: Path) -> set[str]:
    """Everything that runs a program of the testbed or works on its state; other people's come and go."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            program = os.readlink(folder / "exe")
            words = (folder / "cmdline").read_bytes().decode(errors="replace")
            root = os.readlink(folder / "root")
        except OSError:
            continue
        if program.startswith(str(cache / "builds")) or str(state) in words or root != "/":
            found.add(f"{folder.name} {words}")
    return found


def settings() -> Iterator[str]:
    for name in SETTINGS:
        top = Path("/proc/sys") / name
        for path in [top, *top.rglob("*")]:
            if path.is_file() and path.name not in COUNTERS and os.access(path, os.R_OK):
                try:
                    yield f"{path} {path.read_text().strip()}"
                except OSError:
                    continue


def output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def difference(before: dict[str, set[str]], after: dict[str, set[str]]) -> dict[str, list[str]]:
    return {key: sorted(before[key] ^ after[key]) for key in before if before[key] != after[key]}


def busy(kubectl: Any, make_pod: Any, wait_until: Any) -> None:
    """A pod with everything that leaves traces: network, a volume, secrets, shared memory, a cgroup."""
    claim = {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": "busy"},
        "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Mi"}}},
    }
    pod = make_pod(
        "busy",
        PYTHON,
        *("python3", "-c", "import signal; signal.pause()"),
        container={
            "volumeMounts": [{"name": "data", "mountPath": "/data"}, {"name": "memory", "mountPath": "/memory"}],
            "resources": {"limits": {"memory": "64Mi"}},
        },
        volumes=[
            {"name": "data", "persistentVolumeClaim": {"claimName": "busy"}},
            {"name": "memory", "emptyDir": {"medium": "Memory"}},
        ],
    )
    kubectl.apply("default", claim, pod)
    phase = ("get", "pod", "busy", "--namespace=default", "--output=jsonpath={.status.phase}")
    wait_until(lambda: kubectl(*phase) == "Running", "the pod runs")


@pytest.fixture(scope="module")
def folders(environment: dict[str, str]) -> tuple[Path, Path]:
    state = Path(environment["KUBECONFIG"]).parent
    return state, Path(environment["TESTBED_CHARTS"]).parents[2]


def test_down_leaves_the_machine_as_it_was(
    testbed: Any, kubectl: Any, make_pod: Any, wait_until: Any, folders: tuple[Path, Path]
) -> None:
    testbed("down")
    before = machine(*folders)
    assert before["processes"] == set()
    assert not any("dops0" in link for link in before["links"])
    assert testbed.run("status").returncode == 3

    testbed("up")
    busy(kubectl, make_pod, wait_until)
    while_up = machine(*folders)
    for key in ("processes", "mounts", "links", "nftables", "namespaces", "cgroups"):
        assert while_up[key] > before[key], f"the comparison would not see {key}"

    testbed("down")
    # The kernel takes away namespaces and the last of a killed process a moment later.
    wait_until(lambda: not difference(before, machine(*folders)), "nothing is left", seconds=10)
    assert difference(before, machine(*folders)) == {}
    assert "nothing to do" in testbed("down")


def test_an_up_from_nothing_after_a_kill_of_everything(
    testbed: Any, kubectl: Any, make_pod: Any, wait_until: Any, folders: tuple[Path, Path]
) -> None:
    """A reboot as far as it can be played here: no process, no mount, no interface, another boot in the records."""
    testbed("up")
    busy(kubectl, make_pod, wait_until)
    state, cache = folders
    for group in Path("/sys/fs/cgroup").rglob("deploy-ops-testbed/**/cgroup.procs"):
        for pid in group.read_text().split():
            os.kill(int(pid), signal.SIGKILL)
    wait_until(lambda: not processes_of(state, cache), "all processes are gone", seconds=10)
    for line in reversed(Path("/proc/self/mounts").read_text().splitlines()):
        if line.split()[1].startswith(str(state)):
            subprocess.run(["umount", "--lazy", line.split()[1]], check=True)
    subprocess.run(["ip", "link", "delete", "dops0"], check=True)
    for record in (state / "host.json", *(state / "processes").glob("*.json")):
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        record.write_text(record.read_text().replace(boot, "00000000-0000-0000-0000-000000000000"))
    assert testbed.run("status").returncode == 1

    testbed("up")
    assert testbed.run("status").returncode == 0
    pod = ("get", "pod", "busy", "--namespace=default", "--output=jsonpath={.status.phase}")
    wait_until(lambda: kubectl(*pod) in ("Failed", "Running", "Succeeded"), "the API server still knows the pod")


def test_reset_gives_a_bare_cluster_with_the_same_credentials(testbed: Any, kubectl: Any, folders: Any) -> None:
    files = ("kubeconfig", "credentials/reader.password", "credentials/writer.password")
    before = [(folders[0] / name).read_text() for name in files]
    kubectl("create", "namespace", "to-be-wiped")
    testbed("reset")
    assert testbed.run("status").returncode == 0
    assert "to-be-wiped" not in kubectl("get", "namespaces", "--output=name")
    assert [(folders[0] / name).read_text() for name in files] == before
