# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the cluster is made of: programs, images and charts, built once and kept in the cache."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from deploy_ops_testbed import packages
from deploy_ops_testbed.errors import TestbedError
from deploy_ops_testbed.progress import Step, Steps
from deploy_ops_testbed.supply import assembly, charts, debian, programs, registry, rootfs
from deploy_ops_testbed.supply.assembly import Image
from deploy_ops_testbed.supply.prefetch import Prefetch

__all__ = [
    "Image",
    "binary",
    "charts_dir",
    "cni_dir",
    "ensure",
    "ensure_everything",
    "images",
    "plan",
    "planned",
    "push_images",
]

IMAGES = "images"


def binary(name: str) -> Path:
    """The path of a program that `ensure` has brought."""
    if name in packages.DAEMONS:
        path = debian.place() / packages.DAEMONS[name][1]
    else:
        path = programs.program_of(name).place / name
    return _there(path, name)


def cni_dir() -> Path:
    """The folder with the CNI plugins."""
    return _there(debian.place() / packages.CNI_PLUGINS[1], "the CNI plugins")


def charts_dir() -> Path:
    """The folder with the chart archives and their index.yaml."""
    return _there(charts.place(), "the chart repository")


def images() -> list[Image]:
    """Every image that the cluster can pull."""
    return [Image(image.ref, _there(image.place, image.ref)) for image in assembly.definitions()]


def push_images(address: str, step: Step) -> None:
    """Put into the registry at `host:port` what it does not have yet."""
    registry.push(images(), address, step)


def plan() -> list[str]:
    """Everything that the cluster needs, in the order in which it is built."""
    return [name for name in _buildable() if name not in _on_request()]


def ensure_everything(steps: Steps) -> None:
    """Build all that is missing."""
    ensure(plan(), steps)


def planned(names: Iterable[str]) -> list[str]:
    """What of all that can be built these stand for: its own names, or binaries (`kubelet`)."""
    wanted = {name if name in _buildable() else _owner(name) for name in names}
    return [name for name in _buildable() if name in wanted]


def _buildable() -> list[str]:
    bases = [f"base-{name}" for name in rootfs.bases()]
    return [debian.NAME, *programs.programs(), *bases, IMAGES, charts.NAME]


def _on_request() -> set[str]:
    return {name for name, program in programs.programs().items() if program.on_request}


def ensure(names: Iterable[str], steps: Steps) -> None:
    """Build what is missing of these: names of `plan()`, or binaries."""
    wanted = planned(names)
    coming = [program for name, program in programs.programs().items() if name in wanted]
    unbuilt = [program for program in coming if not program.place.is_dir()]
    programs.check_room(unbuilt)
    with Prefetch(unbuilt[1:]):
        for name in wanted:
            built, text, make = _work(name)
            if built:
                steps.skip(name)
                continue
            with steps.step(name, text) as step:
                make(step)


def _owner(binary_name: str) -> str:
    return debian.NAME if binary_name in packages.DAEMONS else programs.program_of(binary_name).name


def _work(name: str) -> tuple[bool, str, Callable[[Step], object]]:
    """Whether it is there, what making it is called, and how it is made."""
    if name == debian.NAME:
        return debian.place().is_dir(), "unpack containerd, runc, the registry and the CNI plugins", debian.unpack
    if name == charts.NAME:
        return charts.place().is_dir(), "package the charts", charts.package
    if name == IMAGES:
        lacking = assembly.missing()
        return not lacking, f"assemble {len(lacking)} images", lambda step: _assemble(lacking, step)
    if name.startswith("base-"):
        base = rootfs.bases()[name.removeprefix("base-")]
        return (
            base.layer.exists(),
            f"assemble {base.name} {base.suite} for the images",
            lambda step: rootfs.make(base, step),
        )
    program = programs.programs()[name]
    return program.place.is_dir(), f"build {name} {program.version}", lambda step: programs.build(program, step)


def _assemble(lacking: list[assembly.Definition], step: Step) -> None:
    for definition in lacking:
        assembly.assemble(definition, step)


def _there(path: Path, name: str) -> Path:
    if not path.exists():
        raise TestbedError(f"{name} is not built", f"there is no {path}", "run `testbed build`")
    return path
