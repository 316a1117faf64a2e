# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the machine must offer, what `up` changes on it outside its own folders, and how `down` puts that back."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterable
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
# Folders whose place is fixed in kubelet, containerd or libcni; removed by `down` if `up` found none.
FIXED_FOLDERS = ("/run/containerd", "/var/lib/kubelet", "/var/log/containers", "/var/lib/cni", "/var/lib/dockershim")


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
    _remove_own_entries(where)
    for name in record.get("absent_folders", []):
        shutil.rmtree(name, ignore_errors=True)


def _remove_own_entries(where: Layout) -> None:
    """Our files in folders that were there before us, and that others may use."""
    for address in (where.containerd_state / "io.containerd.runtime.v2.task").glob("*/*/address"):
        Path(address.read_text().removeprefix("unix://")).unlink(missing_ok=True)
    for link in _entries("/var/log/containers"):
        if link.is_symlink() and os.readlink(link).startswith(str(where.state)):
            link.unlink()
    for result in _entries("/var/lib/cni/results"):
        if result.name.startswith(f"{layout.NAME}-"):
            result.unlink()


def _entries(folder: str) -> Iterable[Path]:
    path = Path(folder)
    return list(path.iterdir()) if path.is_dir() else []


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
