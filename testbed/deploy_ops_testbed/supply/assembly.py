# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The images of the cluster: what `images/images.toml` says, and how one is assembled."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from deploy_ops_testbed import paths
from deploy_ops_testbed.errors import TestbedError
from deploy_ops_testbed.progress import Step
from deploy_ops_testbed.supply import oci, programs, rootfs, store

PROGRAM, PLAIN = 0o755, 0o644


@dataclass(frozen=True)
class Image:
    """An image by the name that a pod gives, and the folder with its OCI layout."""

    ref: str
    archive: Path


@dataclass(frozen=True)
class Definition:
    """One `[[image]]` of images.toml."""

    ref: str
    base: str | None
    settings: oci.Settings
    files: dict[str, str]
    links: dict[str, str]
    folders: dict[str, str]

    @property
    def name(self) -> str:
        return "image-" + re.sub(r"[^A-Za-z0-9.]+", "-", self.ref)

    @property
    def key(self) -> str:
        base = rootfs.bases()[self.base].key if self.base else None
        contents = {path: _recipe(source) for path, source in self.files.items()}
        return store.key_of([self.ref, base, self.settings, contents, self.links, self.folders])

    @property
    def place(self) -> Path:
        return store.place_of(self.name, self.key)


@cache
def definitions() -> tuple[Definition, ...]:
    """All images."""
    table = tomllib.loads((paths.testbed_dir() / "images" / "images.toml").read_text())["image"]
    return tuple(
        Definition(
            ref=entry["ref"],
            base=entry.get("base"),
            settings=oci.Settings(
                entrypoint=tuple(entry.get("entrypoint", ())),
                command=tuple(entry.get("command", ())),
                user=entry.get("user", ""),
                workdir=entry.get("workdir", "/"),
                environment=tuple(entry.get("env", {}).items()),
            ),
            files=entry.get("files", {}),
            links=entry.get("links", {}),
            folders=entry.get("folders", {}),
        )
        for entry in table
    )


def missing() -> list[Definition]:
    """The images that are not there, or no longer as their definition says."""
    return [definition for definition in definitions() if not definition.place.is_dir()]


def assemble(definition: Definition, step: Step) -> None:
    """Make the image."""
    step.note(definition.ref)

    def make(target: Path) -> None:
        layer = target / "layer.tar"
        oci.write_layer(layer, _entries(definition))
        layers = [rootfs.bases()[definition.base].layer, layer] if definition.base else [layer]
        oci.write_layout(target, definition.ref, layers, definition.settings)
        layer.unlink()

    store.produce(definition.name, definition.key, make)


def _entries(definition: Definition) -> list[oci.Entry]:
    # A static program may want a place for temporary files as much as any other.
    entries = [oci.Entry("/tmp", 0o1777)]
    for path, folder in definition.folders.items():
        owner, mode = folder.split()
        entries.append(oci.Entry(path, int(mode, 8), int(owner)))
    entries += [oci.Entry(path, link=target) for path, target in definition.links.items()]
    for path, source in definition.files.items():
        if source.startswith("text:"):
            entries.append(oci.Entry(path, PLAIN, text=source.removeprefix("text:")))
            continue
        for file in _files(source):
            executable = source.startswith("binary:") or file.suffix == ".sh"
            where = path + file.name if path.endswith("/") else path
            entries.append(oci.Entry(where, PROGRAM if executable else PLAIN, source=file))
    return entries


def _files(source: str) -> list[Path]:
    """The files that a source of images.toml means."""
    kind, _, what = source.partition(":")
    if kind == "binary":
        return [programs.program_of(what).place / what]
    if kind == "module":
        program, _, pattern = what.partition(":")
        return _matching(programs.source(programs.programs()[program]), pattern)
    return _matching(paths.testbed_dir(), what)


def _matching(folder: Path, pattern: str) -> list[Path]:
    found = sorted(folder.glob(pattern))
    if not found:
        raise TestbedError(
            f"images.toml names files that do not exist: {pattern}",
            f"there are none in {folder}",
            "correct the pattern",
        )
    return found


def _recipe(source: str) -> object:
    """What decides the content of a source, without building or fetching anything."""
    kind, _, what = source.partition(":")
    if kind == "binary":
        return programs.program_of(what).place.name
    if kind == "module":
        program, _, pattern = what.partition(":")
        return [programs.programs()[program].version, pattern]
    if kind == "tree":
        return {file.name: store.digest_of(file) for file in _matching(paths.testbed_dir(), what)}
    return source
