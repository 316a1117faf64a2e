# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the machine must offer, what `up` changes on it outside its own folders, and how `down` puts that back."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from deploy_ops_testbed.cluster import cgroups, layout, network, processes
from deploy_ops_testbed.cluster.layout import Layout
from deploy_ops_testbed.errors import TestbedError

FREE_BYTES_NEEDED = 3 * 1024**3
FILE_SYSTEMS = ("overlay",)

# Set by kubelet, by the ptp plugin or by us.
SYSCTLS = (
    "net/ipv4/ip_forward",
    "net/ipv4/conf/all/route_localnet",
    "vm/overcommit_memory",
    "vm/panic_on_oom",
    "kernel/panic",
    "kernel/panic_on_oops",
    "kernel/keys/root_maxkeys",
    "kernel/keys/root_maxbytes",
)
# Folders whose place is fixed in kubelet, containerd, libcni or skopeo; if `up` found none, `down` leaves none.
FIXED_FOLDERS = ("/run/containerd", "/var/lib/cni", "/var/lib/containers", "/var/lib/kubelet", "/var/log/containers")


def check_root() -> None:
    if os.geteuid() != 0:
        raise TestbedError(
            "The testbed must run as root",
            "it makes a network interface, mounts and cgroups; you are uid " + str(os.geteuid()),
            "run it with `sudo -E`, so that it finds your cache",
        )


def check(where: Layout) -> None:
    """Raise one clear message for what is missing, before anything is changed."""
    cgroups.check()
    _check_file_systems()
    _check_disk(where)
    _check_foreign_cluster(where)
    _check_forwarding()


def remember(where: Layout) -> None:
    """Note how the host was, once for a cluster and a boot: a later `up` would note our own changes."""
    record = _read_record(where)
    if record.get("boot") == processes.boot_id():
        return
    folders = record.get("absent_folders") or [name for name in FIXED_FOLDERS if not Path(name).exists()]
    record = {
        "boot": processes.boot_id(),
        "absent_folders": folders,
        "sysctls": {name: _sysctl(name).read_text().strip() for name in SYSCTLS if _sysctl(name).exists()},
    }
    where.state.mkdir(parents=True, exist_ok=True)
    partial = where.host_record.with_suffix(".partial")
    partial.write_text(json.dumps(record, indent=1))
    partial.replace(where.host_record)


def rebooted(where: Layout) -> bool:
    """Whether the state is that of a cluster of an earlier boot."""
    return _read_record(where).get("boot") not in (None, processes.boot_id())


def enable_forwarding() -> None:
    _sysctl("net/ipv4/ip_forward").write_text("1")


def restore(where: Layout) -> None:
    """Put back what `remember` noted."""
    record = _read_record(where)
    if record.get("boot") == processes.boot_id():
        for name, value in record.get("sysctls", {}).items():
            if _sysctl(name).read_text().strip() != value:
                _sysctl(name).write_text(value)
    absent = record.get("absent_folders", [])
    for entry in _own_entries(where, absent):
        entry.unlink(missing_ok=True)
    for name in absent:
        _remove_if_empty(Path(name))


def _own_entries(where: Layout, absent: list[str]) -> Iterator[Path]:
    """Our files in the fixed folders, and only ours: somebody may have begun to use a folder after us."""
    for address in (where.containerd_state / "io.containerd.runtime.v2.task").glob("*/*/address"):
        yield Path(address.read_text().removeprefix("unix://"))
    for link in Path("/var/log/containers").glob("*.log"):
        if link.is_symlink() and os.readlink(link).startswith(str(where.state)):
            yield link
    for result in Path("/var/lib/cni/results").glob(f"{layout.NAME}-*"):
        sandbox = result.name.removeprefix(f"{layout.NAME}-").rpartition("-")[0]
        yield from (result, result.with_name(f"cni-loopback-{sandbox}-lo"))
    if "/var/lib/kubelet" in absent:
        yield from Path("/var/lib/kubelet/device-plugins").glob("kubelet*")
    if "/var/lib/containers" in absent:
        yield Path("/var/lib/containers/cache/blob-info-cache-v1.boltdb")


def _remove_if_empty(folder: Path) -> None:
    """Remove a tree of empty folders; one with a file in it stays."""
    for path, _, _ in os.walk(folder, topdown=False):
        with contextlib.suppress(OSError):
            os.rmdir(path)


def _read_record(where: Layout) -> dict[str, Any]:
    try:
        return json.loads(where.host_record.read_text())
    except (FileNotFoundError, ValueError):
        return {}


def _sysctl(name: str) -> Path:
    return Path("/proc/sys") / name


def _check_file_systems() -> None:
    for name in FILE_SYSTEMS:
        if not _has_file_system(name):
            subprocess.run(["modprobe", name], capture_output=True, check=False)
        if not _has_file_system(name):
            raise TestbedError(
                f"The kernel has no {name} file system",
                "containerd stacks the layers of images with it; /proc/filesystems does not name it",
                f"`modprobe {name}`, or boot a kernel that has it",
            )


def _has_file_system(name: str) -> bool:
    return name in Path("/proc/filesystems").read_text().split()


def _check_disk(where: Layout) -> None:
    where.state.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(where.state).free
    if free < FREE_BYTES_NEEDED:
        raise TestbedError(
            f"The disk of {where.state} is nearly full",
            f"{free / 1024**3:.1f} GiB are free, the cluster needs {FREE_BYTES_NEEDED / 1024**3:.0f} GiB",
            "make room (`df -h`), or set DEPLOY_OPS_STATE to a folder on a larger disk",
        )


def _check_foreign_cluster(where: Layout) -> None:
    """A kube-proxy that is not ours would rewrite our rules, and `down` would delete its tables."""
    if where.host_record.exists():
        return
    for table in network.PROXY_TABLES:
        if table in network.tables():
            raise TestbedError(
                "Another Kubernetes node runs on this machine",
                f"the nftables table `{' '.join(table)}` exists, and the testbed has not made it",
                "use a machine that is not a Kubernetes node; if it is a left-over, "
                f"`nft delete table {' '.join(table)}`",
            )


def _check_forwarding() -> None:
    walls = network.forwarding_walls()
    if walls:
        raise TestbedError(
            "This machine drops packets between its interfaces",
            f"the nftables chain {', '.join(walls)} has the policy drop (Docker does that): pods would be kept apart",
            "where Docker is, use `TESTBED=kind`; else let that chain accept packets of " + layout.POD_NETWORK,
        )
