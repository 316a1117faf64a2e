# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Seeding is the same everywhere; the server refuses before it looks."""

from __future__ import annotations

import base64
import subprocess
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy_ops_testbed.cluster import git_server, repositories
from deploy_ops_testbed.cluster.layout import GIT_READER, GIT_WRITER, Layout
from deploy_ops_testbed.errors import TestbedError


@pytest.fixture
def where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Layout:
    source = tmp_path / "demo" / "repository"
    source.mkdir(parents=True)
    (source / "values.yaml").write_text("a: 1\n")
    monkeypatch.setattr(repositories, "sources", lambda: {"demo": source})
    return Layout(tmp_path / "state", tmp_path / "cache")


def commit_of(where: Layout) -> str:
    command = ["git", "--git-dir", str(where.git / "demo.git"), "rev-parse", "main"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def test_the_same_content_is_the_same_commit(where: Layout) -> None:
    repositories.seed(where)
    # Known beforehand: another git, another machine or another day must not change it.
    assert commit_of(where) == "cd0dc1a8ae557170d8a84ca027b64bdef5e6bddd"


def test_what_was_pushed_survives_until_the_source_changes(where: Layout) -> None:
    repositories.seed(where)
    first = commit_of(where)
    (where.git / "demo.git" / "pushed").write_text("")
    repositories.seed(where)
    assert (where.git / "demo.git" / "pushed").exists()
    assert not repositories.outdated(where)

    (repositories.sources()["demo"] / "values.yaml").write_text("a: 2\n")
    assert repositories.outdated(where)
    repositories.seed(where)
    assert commit_of(where) != first
    assert not (where.git / "demo.git" / "pushed").exists()


def test_an_empty_source_is_refused(where: Layout) -> None:
    (repositories.sources()["demo"] / "values.yaml").unlink()
    with pytest.raises(TestbedError, match="seeding"):
        repositories.seed(where)


def test_passwords_are_for_their_owner_only_and_kept(where: Layout) -> None:
    repositories.ensure_credentials(where)
    before = where.password_file(GIT_READER).read_text()
    repositories.ensure_credentials(where)
    assert where.password_file(GIT_READER).read_text() == before
    assert where.password_file(GIT_WRITER).read_text() != before
    assert where.password_file(GIT_READER).stat().st_mode & 0o777 == 0o600


@pytest.fixture
def server(where: Layout, tmp_path: Path) -> Iterator[git_server.Server]:
    repositories.ensure_credentials(where)
    repositories.seed(where)
    charts = tmp_path / "charts"
    charts.mkdir()
    (charts / "index.yaml").write_text("entries: {}\n")
    server = git_server.Server(("127.0.0.1", 0), where.git, charts, where.credentials)
    thread = threading.Thread(target=lambda: server.serve_forever(poll_interval=0.01))
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def ask(server: git_server.Server, path: str, user: str = "", method: str = "GET", password: str | None = None) -> int:
    headers = {}
    if user:
        secret = server.passwords[user] if password is None else password
        headers["Authorization"] = "Basic " + base64.b64encode(f"{user}:{secret}".encode()).decode()
    request = urllib.request.Request(f"http://127.0.0.1:{server.server_port}{path}", method=method, headers=headers)
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=10) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


READ, WRITE = "/info/refs?service=git-upload-pack", "/info/refs?service=git-receive-pack"


@pytest.mark.parametrize(
    ("path", "user", "method", "code"),
    [
        ("/healthz", "", "GET", 200),
        ("/charts/index.yaml", "", "GET", 200),
        ("/charts/none.tgz", "", "GET", 404),
        ("/charts/../state/git/reader.password", "", "GET", 401),
        ("/charts/%2e%2e%2fgit", "", "GET", 401),
        (f"/demo.git{READ}", "", "GET", 401),
        (f"/demo.git{READ}", GIT_READER, "GET", 200),
        (f"/demo.git{WRITE}", GIT_READER, "GET", 403),
        ("/demo.git/git-receive-pack", GIT_READER, "POST", 403),
        (f"/demo.git{WRITE}", GIT_WRITER, "GET", 200),
        (f"/none.git{READ}", GIT_READER, "GET", 404),
        (f"/none.git{WRITE}", GIT_READER, "GET", 403),
        ("/reader.password", GIT_READER, "GET", 404),
        ("/demo.git/../reader.password", GIT_WRITER, "GET", 404),
        ("/demo.git", GIT_READER, "DELETE", 403),
        ("/none.git", GIT_WRITER, "DELETE", 404),
    ],
)
def test_who_may_what(server: git_server.Server, path: str, user: str, method: str, code: int) -> None:
    assert ask(server, path, user, method) == code


@pytest.mark.parametrize(("user", "password"), [(GIT_READER, ""), (GIT_READER, "wrong"), (GIT_WRITER, "é")])
def test_a_wrong_password_is_no_password(server: git_server.Server, user: str, password: str) -> None:
    assert ask(server, f"/demo.git{READ}", user, password=password) == 401


def test_a_repository_is_made_by_pushing_and_removed(server: git_server.Server, where: Layout) -> None:
    assert ask(server, f"/new.git{WRITE}", GIT_WRITER) == 200
    assert (where.git / "new.git").is_dir()
    assert ask(server, "/new.git", GIT_WRITER, "DELETE") == 204
    assert not (where.git / "new.git").exists()
