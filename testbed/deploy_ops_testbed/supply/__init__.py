# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the cluster is made of: programs, images and charts, built once and kept in the cache."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from deploy_ops_testbed import packages
from deploy_ops_testbed.errors import TestbedError
from deploy_ops_testbed.progress import Steps
from deploy_ops_testbed.supply import debian, programs

__all__ = ["binary", "cni_dir", "ensure"]


def binary(name: str) -> Path:
    """The path of a program that `ensure` has brought."""
    folder = debian.place() if name in packages.DAEMONS else programs.program_of(name).place
    path = folder / (packages.DAEMONS[name][1] if name in packages.DAEMONS else name)
    if not path.exists():
        raise TestbedError(f"{name} is not built", f"there is no {path}", "run `testbed build`")
    return path


def cni_dir() -> Path:
    """The folder with the CNI plugins."""
    return debian.place() / packages.CNI_PLUGINS[1]


def ensure(names: Iterable[str], steps: Steps) -> None:
    """Build the programs (`etcd`), or those that bring the binaries (`kubelet`), that are not there yet."""
    wanted = {_owner(name) for name in names}
    for key in (debian.NAME, *programs.programs()):
        if key in wanted:
            _ensure_one(key, steps)


def _owner(name: str) -> str:
    if name == debian.NAME or name in programs.programs():
        return name
    return debian.NAME if name in packages.DAEMONS else programs.program_of(name).name


def _ensure_one(key: str, steps: Steps) -> None:
    if key == debian.NAME:
        if debian.place().is_dir():
            return steps.skip(key)
        with steps.step(key, "unpack containerd, runc, the registry and the CNI plugins") as step:
            debian.unpack(step)
        return None
    program = programs.programs()[key]
    if program.place.is_dir():
        return steps.skip(key)
    with steps.step(key, f"build {key} {program.version}") as step:
        programs.build(program, step)
    return None
