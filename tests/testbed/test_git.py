# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The Git server as git sees it: who may read, who may write, and the charts beside it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

LARGER_THAN_ONE_POST = 3 * 1024 * 1024


@pytest.fixture
def clone(git_server: Any, repository: str, tmp_path: Path) -> Path:
    """A folder whose content was pushed; git sends this much in chunks."""
    folder = tmp_path / "clone"
    folder.mkdir()
    (folder / "large").write_bytes(os.urandom(LARGER_THAN_ONE_POST))
    git_server.push(repository, folder)
    return folder


def test_the_reader_reads_what_the_writer_pushed(git_server: Any, repository: str, clone: Path, tmp_path: Path) -> None:
    read = tmp_path / "read"
    git_server.succeed("clone", "--quiet", git_server.address(repository), str(read), user=git_server.reader)
    assert (read / "large").read_bytes() == (clone / "large").read_bytes()


def test_the_reader_cannot_push(git_server: Any, repository: str, clone: Path) -> None:
    address = git_server.address(repository)
    git_server.succeed("commit", "--quiet", "--allow-empty", "--message=second", cwd=clone)
    refused = git_server.git("push", address, "main", user=git_server.reader, cwd=clone)
    assert refused.returncode != 0
    assert "403" in refused.stderr
    listed = git_server.succeed("ls-remote", address, "main", user=git_server.reader).split()[0]
    assert listed == git_server.succeed("rev-parse", "HEAD~1", cwd=clone)


@pytest.mark.parametrize("password", ["", "wrong"])
def test_without_the_password_nothing_is_shown(git_server: Any, repository: str, clone: Path, password: str) -> None:
    address = git_server.address(repository)
    refused = git_server.git("ls-remote", address, user=git_server.reader, wrong_password=password)
    assert refused.returncode != 0
    assert "Authentication failed" in refused.stderr


def test_the_platforms_are_seeded(git_server: Any) -> None:
    for platform in ("demo", "rfc"):
        listed = git_server.succeed("ls-remote", git_server.address(platform), user=git_server.reader)
        assert "refs/heads/main" in listed


def test_an_unknown_repository_is_not_found(git_server: Any) -> None:
    refused = git_server.git("ls-remote", git_server.address("no-such"), user=git_server.reader)
    assert refused.returncode != 0
    assert "not found" in refused.stderr


def test_charts_are_served(environment: dict[str, str], testbed: Any, tmp_path: Path) -> None:
    """Unlike repositories, without credentials, as public chart repositories are."""
    pull = ("helm", "pull", "argo-cd", "--version=10.8.0", f"--repo={environment['TESTBED_CHARTS_URL']}")
    testbed("exec", "--", *pull, f"--destination={tmp_path}")
    served = (tmp_path / "argo-cd-10.8.0.tgz").read_bytes()
    assert served == (Path(environment["TESTBED_CHARTS"]) / "argo-cd-10.8.0.tgz").read_bytes()
