# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The Go programs: what `modules/programs.toml` says, and how one is built."""

from __future__ import annotations

import os
import re
import shutil
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from deploy_ops_testbed import paths
from deploy_ops_testbed.errors import TestbedError, disk_full
from deploy_ops_testbed.progress import Step
from deploy_ops_testbed.supply import store, toolchain

# Debug information is dropped when linking anyway: not to make it saves time and room in Go's cache.
FLAGS = ("-mod=readonly", "-trimpath", "-p=2", "-gcflags=all=-dwarf=false")


# What a program takes in the cache on average, with its modules and what was compiled for it: 13.5 GiB for all.
ROOM = 2**30


@dataclass(frozen=True)
class Program:
    """A module of `testbed/modules/` and the binaries that are built from it."""

    name: str
    module: str
    version: str
    binaries: dict[str, str]
    # Values of string variables that upstream's own build sets, mostly the version.
    variables: dict[str, str] = field(default_factory=dict)
    # Files that the build needs and the module archive lacks: `upstream:PATH` in it, or `ours:PATH` beside go.mod.
    additions: dict[str, str] = field(default_factory=dict)
    # Built only when it is named: the cluster is complete without it.
    on_request: bool = False

    @property
    def folder(self) -> Path:
        return paths.testbed_dir() / "modules" / self.name

    def recipe(self) -> dict[str, object]:
        """Everything that decides what comes out of the build."""
        sources = sorted(path for path in self.folder.rglob("*") if path.suffix in (".mod", ".sum", ".go"))
        return {
            "version": self.version,
            "binaries": self.binaries,
            "variables": self.variables,
            "additions": self.additions,
            "flags": FLAGS,
            "sources": {str(path.relative_to(self.folder)): store.digest_of(path) for path in sources},
        }

    @property
    def place(self) -> Path:
        return store.place_of(self.name, store.key_of(self.recipe()))


@cache
def programs() -> dict[str, Program]:
    """All programs, in the order in which they are built."""
    table = tomllib.loads((paths.testbed_dir() / "modules" / "programs.toml").read_text())
    return {
        name: Program(
            name=name,
            module=entry["module"],
            version=entry["version"],
            binaries=entry["binaries"],
            variables={key: value.format(**entry) for key, value in entry.get("variables", {}).items()},
            additions=entry.get("additions", {}),
            on_request=entry.get("on_request", False),
        )
        for name, entry in table.items()
    }


def program_of(binary: str) -> Program:
    """The program that a binary belongs to."""
    for program in programs().values():
        if binary in program.binaries:
            return program
    known = ", ".join(sorted(name for program in programs().values() for name in program.binaries))
    raise TestbedError(
        f"The testbed builds no program called {binary}", f"it builds: {known}", "see testbed/modules/programs.toml"
    )


def check_room(unbuilt: Sequence[Program]) -> None:
    """Refuse at once what would end with a full disk half an hour later."""
    cache_dir = paths.cache_dir()
    there = next(folder for folder in (cache_dir, *cache_dir.parents) if folder.exists())
    free, needed = shutil.disk_usage(there).free, ROOM * len(unbuilt)
    if free < needed:
        raise disk_full(
            f"{cache_dir} has {free / 2**30:.1f} GiB left, and {len(unbuilt)} programs that are still to be built need "
            f"about {needed / 2**30:.0f}"
        )


def build(program: Program, step: Step) -> Path:
    """The folder with the program's binaries."""

    def make(target: Path) -> None:
        go = toolchain.go()
        folder = _with_additions(program, go, target / "source") if program.additions else program.folder
        # All in one call: the linker of one binary runs beside the compiler of the next.
        step.run(
            [
                go.command,
                "build",
                *FLAGS,
                "-ldflags",
                _ldflags(program),
                "-o",
                f"{target}/",
                *program.binaries.values(),
            ],
            cwd=folder,
            env=go.environment(),
            way_out="when a download failed, run the same command again; when the module proxy refuses a version, "
            f"choose one that it serves in testbed/modules/{program.name}/go.mod",
        )
        for name, package in program.binaries.items():
            (target / _default_name(package)).rename(target / name)
        store.remove(target / "source")

    return store.produce(program.name, program.place.name, make)


def _default_name(package: str) -> str:
    """What `go build` calls the binary of a package: the last part of its path that is not a major version."""
    parts = package.split("/")
    return parts[-2] if re.fullmatch(r"v[0-9]+", parts[-1]) else parts[-1]


def _ldflags(program: Program) -> str:
    assignments = [f"-X {variable}={value}" for variable, value in program.variables.items()]
    return " ".join(["-s", "-w", *assignments])


def source(program: Program) -> Path:
    """The folder with the files of the program's upstream module."""
    sums = (program.folder / "go.sum").read_text()
    pinned = re.search(rf"^{re.escape(program.module)} {re.escape(program.version)} (h1:\S+)$", sums, re.MULTILINE)
    if not pinned:
        raise TestbedError(
            f"{program.name}: go.sum has no hash for {program.module} {program.version}",
            "programs.toml and go.mod do not name the same version",
            f"run `go mod tidy` in {program.folder}",
        )
    return toolchain.go().download(program.module, program.version, pinned[1])


def _with_additions(program: Program, go: toolchain.Go, work: Path) -> Path:
    """A copy of the consumer module that uses a copy of the upstream module, completed."""
    shutil.copytree(program.folder, work)
    upstream = work / "upstream"
    # Module caches may be read-only, also their folders: content is copied, permissions are not.
    shutil.copytree(source(program), upstream, copy_function=shutil.copyfile)
    for folder, _names, _files in os.walk(upstream):
        os.chmod(folder, 0o755)
    for path, source_of in program.additions.items():
        origin, _, original = source_of.partition(":")
        shutil.copyfile((upstream if origin == "upstream" else work) / original, upstream / path)
    with (work / "go.mod").open("a") as module:
        module.write(f"\nreplace {program.module} => ./upstream\n")
    return work
