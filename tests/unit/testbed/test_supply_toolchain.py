# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The Go toolchain. The `go` of these tests is a script: it shows what a machine without a new enough one would."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from deploy_ops_testbed.errors import TestbedError
from deploy_ops_testbed.supply import toolchain

OLD = """#!/bin/sh
if [ "$1" = version ]; then echo "go version {version} linux/amd64"; exit; fi
cat <<'ANSWER'
{answer}
ANSWER
exit {code}
"""

Machine = Callable[..., Path]


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A machine whose `go` has a version and gives one answer to `go mod download`."""

    def with_go(version: str, answer: dict[str, str], code: int = 0) -> Path:
        command = tmp_path / "go"
        command.write_text(OLD.format(version=version, answer=json.dumps(answer), code=code))
        command.chmod(0o755)
        return command

    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setenv("DEPLOY_OPS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(toolchain.platform, "machine", lambda: "x86_64")
    toolchain.go.cache_clear()
    yield with_go
    toolchain.go.cache_clear()


@pytest.fixture
def fetched(tmp_path: Path) -> Path:
    """A toolchain as it comes out of a module archive: nothing in it may be run."""
    folder = tmp_path / "toolchain"
    for program in ("bin/go", "pkg/tool/linux_amd64/compile"):
        (folder / program).parent.mkdir(parents=True)
        (folder / program).write_text("")
        (folder / program).chmod(0o444)
    return folder


def test_uses_the_machines_own_when_it_is_new_enough(machine: Machine) -> None:
    command = machine("go1.99.0", {})
    assert toolchain.go() == toolchain.Go(command)


def test_fetches_another_with_an_old_one(machine: Machine, fetched: Path) -> None:
    machine("go1.19.8", {"Dir": str(fetched), "Sum": toolchain.FETCHED_SUMS["amd64"]})
    go = toolchain.go()
    assert go.command == fetched / "bin/go"
    assert go.environment()["GOROOT"] == str(fetched)
    assert (fetched / "bin/go").stat().st_mode & 0o111
    assert (fetched / "pkg/tool/linux_amd64/compile").stat().st_mode & 0o111


def test_refuses_one_that_was_not_published(machine: Machine, fetched: Path) -> None:
    machine("go1.19.8", {"Dir": str(fetched), "Sum": "h1:other="})
    with pytest.raises(TestbedError, match="not the one that was published") as error:
        toolchain.go()
    assert "h1:other=" in error.value.why
    assert not (fetched / "bin/go").stat().st_mode & 0o111


def test_says_what_the_proxy_refuses(machine: Machine) -> None:
    machine("go1.19.8", {"Error": "403 Forbidden: This module version is not available."}, code=1)
    with pytest.raises(TestbedError, match=r"golang.org/toolchain v0.0.1-go") as error:
        toolchain.go()
    assert "403 Forbidden" in error.value.why


def test_says_so_on_a_machine_of_an_unknown_kind(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolchain.platform, "machine", lambda: "riscv64")
    machine("go1.19.8", {})
    with pytest.raises(TestbedError, match="riscv64"):
        toolchain.go()


def test_caches_are_the_testbeds_own_unless_the_machine_names_others(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GOCACHE", raising=False)
    monkeypatch.setenv("GOMODCACHE", "/somewhere/else")
    environment = toolchain.Go(tmp_path / "go").environment()
    assert environment["GOCACHE"] == str(tmp_path / "cache" / "go" / "build")
    assert environment["GOMODCACHE"] == "/somewhere/else"
