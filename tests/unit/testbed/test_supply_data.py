# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the data files of the testbed say fits together."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from deploy_ops_testbed.errors import TestbedError
from deploy_ops_testbed.supply import align, assembly, programs, toolchain

PROGRAMS = programs.programs()
UPSTREAM = {name: program for name, program in PROGRAMS.items() if not program.module.startswith("deploy-ops-testbed/")}


def requirements(program: programs.Program) -> dict[str, str]:
    """Module -> version that go.mod leads to."""
    text = (program.folder / "go.mod").read_text()
    found = dict(re.findall(r"^(?:require |\t)([^\s=]+) (v\S+)", text, re.MULTILINE))
    replaced = dict(re.findall(r"^(?:replace |\t)(\S+) => \1 (v\S+)", text, re.MULTILINE))
    return {module: replaced.get(module, version) for module, version in found.items()}


@pytest.mark.parametrize("program", UPSTREAM.values(), ids=str)
def test_go_mod_asks_for_the_version_that_is_named(program: programs.Program) -> None:
    assert requirements(program)[program.module] == program.version
    sums = (program.folder / "go.sum").read_text()
    assert re.search(rf"^{re.escape(program.module)} {re.escape(program.version)} h1:", sums, re.MULTILINE)


def test_what_programs_have_in_common_has_one_version() -> None:
    """Else it is compiled once for each of them, and everything above it."""
    versions: dict[str, dict[str, list[str]]] = {}
    for name, program in UPSTREAM.items():
        if program.on_request:
            continue
        for module, version in requirements(program).items():
            versions.setdefault(module, {}).setdefault(version, []).append(name)
    assert {module: uses for module, uses in versions.items() if len(uses) > 1 and module not in align.APART} == {}


def test_every_go_directive_is_met() -> None:
    fetched = tuple(int(part) for part in toolchain.FETCHED.split("."))
    assert fetched >= toolchain.needed()


@pytest.mark.parametrize(
    ("package", "name"),
    [("k8s.io/kubernetes/cmd/kubelet", "kubelet"), ("go.etcd.io/etcd/server/v3", "server"), ("example/vv1", "vv1")],
)
def test_knows_what_go_calls_a_binary(package: str, name: str) -> None:
    assert programs._default_name(package) == name


def test_recipe_follows_the_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs.Program, "folder", property(lambda self: tmp_path))
    (tmp_path / "go.mod").write_text("module x\n")
    program = PROGRAMS["etcd"]
    before = program.place
    assert program.place == before
    (tmp_path / "go.mod").write_text("module x\n\ngo 1.26\n")
    assert program.place != before


def test_unknown_binary_is_told_with_those_there_are() -> None:
    with pytest.raises(TestbedError) as error:
        programs.program_of("kubelett")
    assert "kubelett" in error.value.what
    assert "kubelet," in error.value.why


def test_upstream_image_names_carry_the_version_of_what_is_in_them() -> None:
    """Whatever is not upstream's program at that version may not bear its name."""
    checked = 0
    for image in assembly.definitions():
        if image.ref.startswith("testbed.local/"):
            continue
        tag = image.ref.rpartition(":")[2]
        binaries = [source.removeprefix("binary:") for source in image.files.values() if source.startswith("binary:")]
        modules = [source.split(":")[1] for source in image.files.values() if source.startswith("module:")]
        versions = {programs.program_of(binary).version for binary in binaries} | {
            PROGRAMS[name].version for name in modules
        }
        if versions:
            checked += 1
            assert tag in versions or f"v{tag}" in versions, image.ref
    assert checked >= 8


def test_images_have_distinct_names_in_the_cache_and_in_the_registry() -> None:
    definitions = assembly.definitions()
    assert len({image.name for image in definitions}) == len(definitions)
    assert len({image.ref.partition("/")[2] for image in definitions}) == len(definitions)


def test_every_source_of_an_image_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    for image in assembly.definitions():
        for source in image.files.values():
            assert source.partition(":")[0] in ("binary", "module", "tree", "text"), source
        assert image.key  # names no program, base or file that does not exist


def test_a_pattern_without_a_match_is_told() -> None:
    with pytest.raises(TestbedError, match="simulator/\\*.nothing"):
        assembly._recipe("tree:simulator/*.nothing")
