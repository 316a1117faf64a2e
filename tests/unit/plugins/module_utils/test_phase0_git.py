# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Git credentials, tried on real Git: git-http-backend behind a server that asks for a password, and git daemon."""

from __future__ import annotations

import base64
import os
import socket
import subprocess
import time

import pytest

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.collect import git
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.collect.git import Repository
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.collect.http import Http
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.collect.parallel import Deadline

READER, WRITER = ("reader", "reader-password"), ("writer", "writer-password")


@pytest.fixture(scope="module")
def projects(tmp_path_factory):
    """A folder with the bare repository platform.git: branch main, tag v1, one commit."""
    folder = tmp_path_factory.mktemp("projects")
    work = folder / "work"
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}
    for command in (
        ["git", "init", "-q", "-b", "main", str(work)],
        [
            "git",
            "-C",
            str(work),
            "-c",
            "user.name=t",
            "-c",
            "user.email=t@t",
            "commit",
            "-q",
            "--allow-empty",
            "-m",
            "1",
        ],
        ["git", "-C", str(work), "tag", "v1"],
        ["git", "clone", "-q", "--bare", str(work), str(folder / "platform.git")],
    ):
        subprocess.run(command, check=True, env=environment)
    commit = subprocess.check_output(["git", "-C", str(work), "rev-parse", "HEAD"], text=True).strip()
    return folder, commit


@pytest.fixture
def http():
    return Http(timeout=10, deadline=Deadline(60))


def over_http(projects_folder):
    """The protocol is git-http-backend's own; who may do what is decided here, as a forge does."""

    def answer(request):
        path, _mark, query = request.path.partition("?")
        user = {basic(*READER): "reader", basic(*WRITER): "writer"}.get(request.headers.get("Authorization", ""))
        if user is None:
            return 401, {"WWW-Authenticate": 'Basic realm="git"'}, b""
        if "git-receive-pack" in request.path and user != "writer":
            return 403, {}, b"read only"
        environment = {
            "PATH": os.environ["PATH"],
            "GIT_PROJECT_ROOT": str(projects_folder),
            "GIT_HTTP_EXPORT_ALL": "1",
            "REQUEST_METHOD": request.command,
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "CONTENT_TYPE": request.headers.get("Content-Type", ""),
            "GIT_PROTOCOL": request.headers.get("Git-Protocol", ""),
            "REMOTE_USER": user,
        }
        output = subprocess.run(
            ["git", "http-backend"], input=request.body, env=environment, stdout=subprocess.PIPE, check=True
        ).stdout
        head, _blank, body = output.partition(b"\r\n\r\n")
        headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n"))
        return int(headers.pop("Status", "200 OK").split()[0]), headers, body

    return answer


def basic(username, password):
    return "Basic " + base64.b64encode(f"{username}:{password}".encode()).decode()


def ask(http, server, who=READER, path="platform.git", revision="main"):
    return git.probe(Repository(f"{server.url}/{path}", revision, *who), http)


def test_reader_reads_and_cannot_push(http, serve_http, projects):
    folder, commit = projects
    fact = ask(http, serve_http(over_http(folder)))
    assert (fact.reach.reachable, fact.readable, fact.commit, fact.writable) == (True, True, commit, False)


def test_writer_is_found_out_without_a_push(http, serve_http, projects):
    folder, commit = projects
    server = serve_http(over_http(folder))
    assert ask(http, server, WRITER).writable is True
    assert not [path for method, path in server.asked if method == "POST" and "receive-pack" in path]
    refs = subprocess.check_output(["git", "-C", str(folder / "platform.git"), "show-ref"], text=True)
    assert refs.split() == [commit, "refs/heads/main", commit, "refs/tags/v1"]


def test_wrong_password_is_a_refusal(http, serve_http, projects):
    fact = ask(http, serve_http(over_http(projects[0])), ("reader", "wrong"))
    assert fact.reach.reachable
    assert fact.readable is False


def test_missing_repository_is_not_readable(http, serve_http, projects):
    assert ask(http, serve_http(over_http(projects[0])), path="nothing.git").readable is False


@pytest.mark.parametrize(("revision", "there"), [("main", True), ("v1", True), ("HEAD", True), ("nope", False)])
def test_revisions(http, serve_http, projects, revision, there):
    assert bool(ask(http, serve_http(over_http(projects[0])), revision=revision).commit) is there


def test_full_commit_is_taken_at_its_word(http, serve_http, projects):
    assert ask(http, serve_http(over_http(projects[0])), revision="a" * 40).commit == "a" * 40


def test_dead_server(http):
    fact = git.probe(Repository("http://127.0.0.1:9/platform.git"), http)
    assert (fact.reach.reachable, fact.reach.detail) == (False, "connection refused")
    assert fact.readable.reported


def test_server_that_breaks_at_the_push_question_proves_nothing(http, serve_http, projects):
    real = over_http(projects[0])
    server = serve_http(lambda request: (500, {}, b"") if "receive-pack" in request.path else real(request))
    assert "500" in ask(http, server).writable.reason


@pytest.fixture(params=[False, True], ids=["read only", "writable"])
def daemon(request, projects):
    """git daemon: the way of asking that is used for SSH too (git push --dry-run)."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = ["git", "daemon", "--export-all", "--reuseaddr", "--listen=127.0.0.1", f"--port={port}"]
    command += [f"--base-path={projects[0]}", *(["--enable=receive-pack"] if request.param else [])]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            except OSError:
                assert process.poll() is None
                time.sleep(0.02)
        yield f"git://127.0.0.1:{port}/platform.git", request.param
        process.terminate()


def test_push_is_tried_dry(http, daemon, projects):
    url, writable = daemon
    fact = git.probe(Repository(url, "main"), http)
    assert (fact.readable, fact.commit) == (True, projects[1])
    assert fact.writable is writable
    refs = subprocess.check_output(["git", "-C", str(projects[0] / "platform.git"), "show-ref"], text=True)
    assert "phase0-probe" not in refs


FAKE_SSH = """#!/bin/sh
# Not ssh: records how it was called, then fails as a server does that refuses a key.
{ printf '%s\\n' "$@"; env; } > "$(dirname "$0")/called"
while [ $# -gt 0 ]; do [ "$1" = -i ] && { stat -c 'mode %a' "$2"; cat "$2"; } >> "$(dirname "$0")/called"; shift; done
echo 'git@127.0.0.1: Permission denied (publickey).' >&2
exit 255
"""


def test_ssh_key_travels_in_a_private_file_only(http, tmp_path, monkeypatch):
    ssh = tmp_path / "ssh"
    ssh.write_text(FAKE_SSH)
    ssh.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"ssh://git@127.0.0.1:{listener.getsockname()[1]}/platform.git"
        fact = git.probe(Repository(url, ssh_private_key="SECRET KEY", ssh_known_hosts="host key"), http)
    assert fact.readable is False
    called = (tmp_path / "called").read_text()
    arguments_and_environment, _mode, key_file = called.partition("mode 600\n")
    assert key_file == "SECRET KEY\n"
    assert "SECRET KEY" not in arguments_and_environment
    for option in ("BatchMode=yes", "StrictHostKeyChecking=yes", "IdentitiesOnly=yes"):
        assert option in arguments_and_environment


def test_unknown_host_key_is_told(http, tmp_path, monkeypatch):
    ssh = tmp_path / "ssh"
    # Not ssh: says what ssh says.
    ssh.write_text("#!/bin/sh\necho 'No ED25519 host key is known for 127.0.0.1' >&2\nexit 255\n")
    ssh.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        fact = git.probe(Repository(f"ssh://git@127.0.0.1:{listener.getsockname()[1]}/platform.git"), http)
    assert "host key is known" in fact.readable.reason


def test_nothing_stays_behind(http, serve_http, projects, tmp_path, monkeypatch):
    monkeypatch.setattr(git.tempfile, "tempdir", str(tmp_path))
    ask(http, serve_http(over_http(projects[0])))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://git.example.com/a/b.git", ("git.example.com/a/b.git", "https", "git.example.com", 0)),
        ("git@git.example.com:a/b.git", ("git.example.com:a/b.git", "ssh", "git.example.com", 22)),
        ("ssh://git@git.example.com:2222/a", ("git.example.com:2222/a", "ssh", "git.example.com", 2222)),
        ("git://git.example.com/a", ("git.example.com/a", "git", "git.example.com", 9418)),
    ],
)
def test_addresses(url, expected):
    assert git.address(url) == expected


@pytest.mark.parametrize(
    "url", ["https://u:p@host/x", "https://token@host/x", "file:///etc", "/etc", "--upload-pack=x", ""]
)
def test_bad_addresses(url):
    with pytest.raises(ValueError, match="credential|URL"):
        git.address(url)


def test_host_without_git(http, serve_http, projects, monkeypatch):
    server = serve_http(over_http(projects[0]))
    monkeypatch.setattr(git.shutil, "which", lambda _name: None)
    assert "git is not installed" in ask(http, server).readable.reason
