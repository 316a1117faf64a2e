# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The Go programs: what `modules/programs.toml` says, and how one is built."""

from __future__ import annotations

import re
import shutil
import tomllib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from deploy_ops_testbed import paths
from deploy_ops_testbed.errors import TestbedError
from deploy_ops_testbed.progress import Step
from deploy_ops_testbed.supply import store, toolchain

# Debug information is dropped when linking anyway: not making it saves a seventh of the compile time.
FLAGS = ("-mod=readonly", "-trimpath", "-p=2", "-gcflags=all=-dwarf=false")


@dataclass(frozen=True)
class Program:
    """A module of `testbed/modules/` and the binaries that are built from it."""

    name: str
    module: str
    version: str
    binaries: dict[str, str]
    # Values of string variables that upstream's own build sets, mostly the version.
    variables: dict[str, str] = field(default_factory=dict)
    # Files that upstream keeps as symlinks: module archives leave those out, and the build would miss them.
    symlinks: dict[str, str] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        return paths.testbed_dir() / "modules" / self.name

    def recipe(self) -> dict[str, object]:
        """Everything that decides what comes out of the build."""
        sources = sorted(path for path in self.folder.iterdir() if path.suffix in (".mod", ".sum", ".go"))
        return {
            "version": self.version,
            "binaries": self.binaries,
            "variables": self.variables,
            "symlinks": self.symlinks,
            "flags": FLAGS,
            "sources": {path.name: store.digest_of(path) for path in sources},
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
            symlinks=entry.get("symlinks", {}),
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


def build(program: Program, step: Step) -> Path:
    """The folder with the program's binaries."""

    def make(target: Path) -> None:
        go = toolchain.go()
        folder = program.folder
        if program.symlinks:
            folder = _with_symlinks(program, go, target / "source", step)
        # All in one call: the linker of one binary runs beside the compiler of the next.
        step.run(
            [go.command, "build", *FLAGS, "-ldflags", _ldflags(program), "-o", f"{target}/", *program.binaries.values()],
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


def _with_symlinks(program: Program, go: toolchain.Go, work: Path, step: Step) -> Path:
    """A copy of the consumer module that replaces the program's module by a copy in which the links are files."""
    work.mkdir()
    for file in program.folder.iterdir():
        shutil.copy(file, work)
    original = go.download(program.module, program.version)
    upstream = work / "upstream"
    shutil.copytree(original, upstream)
    step.run(["chmod", "-R", "u+w", upstream])
    for link, target in program.symlinks.items():
        shutil.copy(upstream / target, upstream / link)
    step.run(
        [go.command, "mod", "edit", f"-replace={program.module}=./upstream"], cwd=work, env=go.environment()
    )
    return work
