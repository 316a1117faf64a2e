# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Ends the cluster and takes away everything that it has left on the machine."""

from __future__ import annotations

import shutil
import signal
import time

from deploy_ops_testbed.cluster import cgroups, components, host, mounts, network, processes
from deploy_ops_testbed.cluster.layout import NAME, Layout
from deploy_ops_testbed.errors import TestbedError

KILL_WITHIN = 20.0
# Nothing that the control plane could save at its end is kept.
GRACE = 1.0


def stop(where: Layout, keep: tuple[str, ...] = ()) -> None:
    """End all processes, undo all changes to the machine, delete the state but for what is to be kept."""
    _end_components(where)
    _kill_members()
    mounts.unmount_below(where.state)
    network.remove()
    _remove_cgroups()
    host.restore(where)
    _delete_state(where, keep)


def nothing_to_stop(where: Layout) -> bool:
    """The record is written before anything on the machine is changed, and deleted when all of it is undone."""
    return not where.host_record.exists() and not cgroups.left_over()


def left_over(where: Layout) -> list[str]:
    """What of the cluster is still on the machine: empty after a `stop` that went well."""
    return [
        *(f"process {pid} ({processes.name_of(pid)})" for pid in sorted(cgroups.members())),
        *(f"mount {point}" for point in mounts.below(where.state)),
        *network.left_over(),
        *(f"cgroup {group}" for group in cgroups.left_over()),
    ]


def _end_components(where: Layout) -> None:
    recorded = {name: processes.running(where.processes, name) for name in components.names()}
    # First the one that would start the pods again, and the one that would start the shims.
    first = [process for name in ("kubelet", "containerd") if (process := recorded.pop(name))]
    processes.end(first, GRACE)
    processes.end([process for process in recorded.values() if process], GRACE)


def _kill_members() -> None:
    """Pods, shims, and components without a record: all that is in our cgroup is ours."""
    deadline = time.monotonic() + KILL_WITHIN
    while pids := cgroups.members():
        if time.monotonic() > deadline:
            names = ", ".join(f"{pid} ({processes.name_of(pid)})" for pid in sorted(pids))
            raise TestbedError(
                "Processes of the cluster cannot be killed",
                f"{names} do not end; they may hang in the kernel, waiting for a disk",
                "run `testbed down` again; if that does not help, reboot",
            )
        processes.send(processes.identified(pids), signal.SIGKILL)
        time.sleep(0.05)


def _remove_cgroups() -> None:
    """The kernel lets go of the last process's cgroup a moment after the process is gone."""
    deadline = time.monotonic() + KILL_WITHIN
    while True:
        try:
            return cgroups.remove()
        except OSError as error:
            if time.monotonic() > deadline:
                raise TestbedError(f"Cannot remove the cgroup {NAME}", str(error), "run `testbed down` again") from None
            time.sleep(0.05)


def _delete_state(where: Layout, keep: tuple[str, ...]) -> None:
    """The logs stay: they are what is wanted when something went wrong."""
    for entry in where.state.iterdir() if where.state.is_dir() else ():
        if entry.name in ("logs", where.host_record.name, *keep):
            continue
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()
    shutil.rmtree(where.logs / "pods", ignore_errors=True)
    # The API server goes on where its audit log ends; the next cluster's story is another one.
    if where.audit_log.exists():
        processes.rotate(where.audit_log)
    # Last: as long as it is there, `stop` has something left to do.
    where.host_record.unlink(missing_ok=True)


def forget_boot(where: Layout) -> None:
    """After a reboot: what lives in the kernel's memory is gone, so its traces on the disk are lies."""
    mounts.unmount_below(where.state)
    for folder in (where.state / "run", where.processes):
        shutil.rmtree(folder, ignore_errors=True)
