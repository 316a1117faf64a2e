# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The testbed's own cgroup: what runs in it is ours, whatever became of the pid files."""

from __future__ import annotations

import os
from pathlib import Path

from deploy_ops_testbed.cluster.layout import NAME
from deploy_ops_testbed.errors import TestbedError

# Control plane and shims; the pods are below `kubepods`, which kubelet makes.
COMPONENTS = "components"
# Where cgroup v2 is mounted when it is the only one; a v2 beside v1 hierarchies has no controllers for us.
UNIFIED = Path("/sys/fs/cgroup")
NEEDED_CONTROLLERS = ("cpu", "cpuset", "memory", "pids")


def roots() -> list[Path]:
    """Every mounted cgroup hierarchy: one with cgroup v2, one for each controller with v1."""
    found = []
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        fields, _, kind = line.partition(" - ")
        if kind.split()[0] in ("cgroup", "cgroup2"):
            found.append(Path(fields.split()[4]))
    return found


def check() -> None:
    """Raise when the kernel does not offer what kubelet needs."""
    mounted = roots()
    if UNIFIED in mounted:
        offered = set((UNIFIED / "cgroup.controllers").read_text().split())
    else:
        offered = {name for root in mounted for name in root.name.split(",")}
    missing = [name for name in NEEDED_CONTROLLERS if name not in offered]
    if missing:
        raise TestbedError(
            f"The cgroup controllers {', '.join(missing)} are missing",
            "kubelet cannot run pods without them; /proc/self/mountinfo shows "
            + (", ".join(map(str, mounted)) or "no cgroup file system"),
            "mount them, or boot a kernel that has them; inside a container, run it privileged",
        )
    if not any(os.access(root, os.W_OK) for root in mounted):
        raise TestbedError(
            "The cgroup file system is read-only",
            f"{mounted[0]} cannot be written",
            "run on the machine itself or in a privileged container",
        )


def prepare() -> None:
    """Make our cgroup in every hierarchy: kubelet wants its root to exist before it starts."""
    for root in roots():
        top = root / NAME
        components = top / COMPONENTS
        components.mkdir(parents=True, exist_ok=True)
        if (root / "cpuset.cpus").exists():
            _copy_cpuset(root, top)
            _copy_cpuset(top, components)
        elif root == UNIFIED:
            _delegate(root)
            _delegate(top)


def _copy_cpuset(parent: Path, child: Path) -> None:
    for name in ("cpuset.cpus", "cpuset.mems"):
        (child / name).write_text((parent / name).read_text())


def _delegate(group: Path) -> None:
    """Let the groups below have the controllers that kubelet needs."""
    enabled = (group / "cgroup.subtree_control").read_text().split()
    missing = [name for name in NEEDED_CONTROLLERS if name not in enabled]
    if missing:
        (group / "cgroup.subtree_control").write_text(" ".join(f"+{name}" for name in missing))


def component_groups() -> list[Path]:
    """The files to which a process writes its pid to enter our cgroup, and with it all that it will start."""
    files = [root / NAME / COMPONENTS / "cgroup.procs" for root in roots()]
    return [file for file in files if file.exists()]


def members(below: str = "") -> set[int]:
    """The processes of our cgroup, or of the part of it that is named."""
    pids: set[int] = set()
    for root in roots():
        for group in _tree(root / NAME / below):
            try:
                pids.update(int(pid) for pid in (group / "cgroup.procs").read_text().split())
            except OSError:
                # Removed by kubelet meanwhile: then it holds no process.
                continue
    return pids


def remove() -> None:
    """Remove our cgroup from every hierarchy; its processes have to be gone."""
    for root in roots():
        for group in reversed(_tree(root / NAME)):
            try:
                group.rmdir()
            except FileNotFoundError:
                continue


def left_over() -> list[Path]:
    return [root / NAME for root in roots() if (root / NAME).exists()]


def _tree(top: Path) -> list[Path]:
    """The group and all below it, parents first."""
    if not top.is_dir():
        return []
    return [Path(folder) for folder, _, _ in os.walk(top)]
