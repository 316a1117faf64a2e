# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Fetching ahead. The `go` of these tests is a script that notes what it was asked."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from deploy_ops_testbed.supply import prefetch, programs, toolchain

ETCD, HELM = programs.programs()["etcd"], programs.programs()["helm"]


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What the script writes: folder, process, package; it then does what `rest` says."""
    command, asked, rest = tmp_path / "go", tmp_path / "asked", tmp_path / "rest"
    command.write_text(f'#!/bin/sh\nfor last; do :; done\necho "$(basename "$PWD") $$ $last" >> {asked}\n. {rest}\n')
    command.chmod(0o755)
    rest.write_text("")
    monkeypatch.setattr(toolchain, "go", lambda: toolchain.Go(command))
    return asked


def lines(asked: Path, number: int) -> list[list[str]]:
    deadline = time.monotonic() + 30
    while not asked.exists() or len(asked.read_text().splitlines()) < number:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return [line.split() for line in asked.read_text().splitlines()]


def test_asks_for_one_after_the_other_whatever_fails(asked: Path) -> None:
    (asked.parent / "rest").write_text("exit 1\n")
    with prefetch.Prefetch([ETCD, HELM]):
        said = lines(asked, 2)
    assert [(folder, package) for folder, _process, package in said] == [
        ("etcd", "go.etcd.io/etcd/server/v3"),
        ("helm", "helm.sh/helm/v3/cmd/helm"),
    ]


def test_ends_with_the_block(asked: Path) -> None:
    (asked.parent / "rest").write_text("exec sleep 60\n")
    with prefetch.Prefetch([ETCD, HELM]):
        said = lines(asked, 1)
    assert not Path("/proc", said[0][1]).exists()
    assert len(lines(asked, 1)) == 1


def test_does_nothing_when_nothing_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolchain, "go", lambda: pytest.fail("asked for Go"))
    with prefetch.Prefetch([]):
        pass
