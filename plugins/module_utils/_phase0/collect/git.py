# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Tries a Git credential: can it read, and can it not push. Nothing is written, here or there.

Credentials reach git through files of mode 0600 in a private folder that is gone afterwards: never by argument,
URL or environment, where others could see them.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import typing as t
import urllib.parse

from ..check import Unknown
from ..connectivity import GitFact
from .http import Http, NoAnswer, basic, reach_port
from .process import Result, run

_ASKPASS = """#!/bin/sh
case "$1" in
  Username*) cat "$DEPLOY_OPS_GIT_FOLDER/username" ;;
  *) cat "$DEPLOY_OPS_GIT_FOLDER/password" ;;
esac
"""
_SCP_LIKE = re.compile(r"^(?:[\w.-]+@)?([\w.-]+):(?!//)(.+)$")
_PORTS = {"ssh": 22, "git": 9418}
# What git and the usual servers say when the answer is no, as against «could not ask».
_DENIALS = re.compile(
    r"authentication failed|could not read (username|password)|permission denied|access denied|not permitted|read.?only"
    r"|repository not found|not found|unauthorized|forbidden|returned error: 40[134]|service not enabled"
    r"|does not have (write|push)|not allowed|denied to|terminal prompts disabled",
    re.IGNORECASE,
)
_PASSED_ON = ("PATH", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy", "SSL_CERT_FILE")


class Repository(t.NamedTuple):
    url: str
    revision: str = "HEAD"
    username: str = ""
    password: str = ""
    ssh_private_key: str = ""
    ssh_known_hosts: str = ""


class Address(t.NamedTuple):
    """Where a URL leads; ``name`` is the URL without user and password."""

    name: str
    scheme: str
    host: str
    port: int


def address(url: str) -> Address:
    """ValueError for what is not the URL of a remote repository, or carries a password."""
    match = None if "://" in url else _SCP_LIKE.match(url)
    if match is not None:
        return Address(f"{match.group(1)}:{match.group(2)}", "ssh", match.group(1), 22)
    parts = urllib.parse.urlsplit(url)
    if parts.scheme not in ("http", "https", "ssh", "git") or not parts.hostname:
        raise ValueError("is not an https, http, ssh or git URL")
    if parts.password or (parts.username and parts.scheme in ("http", "https")):
        raise ValueError("carries a credential; give it as username and password")
    port = parts.port or _PORTS.get(parts.scheme, 0)
    netloc = parts.netloc.rpartition("@")[2]
    return Address(f"{netloc}{parts.path}", parts.scheme, parts.hostname, port)


def probe(repository: Repository, http: Http, ca_file: str = "") -> GitFact:
    where = address(repository.url)
    over_http = where.scheme in ("http", "https")
    if over_http:
        reach, _response = http.reach(_advertisement(repository.url, "git-upload-pack"))
    else:
        reach = reach_port(where.host, where.port, http.timeout)
    fact = GitFact(where.name, reach, Unknown("not tried", reported=True), repository.revision)
    if not reach.reachable:
        return fact
    with tempfile.TemporaryDirectory(prefix="deploy_ops_git_") as folder:
        git = _Git(repository, folder, http.timeout * 2, ca_file)
        fact = _read(fact, git)
        if fact.readable is not True:
            return fact
        writable = _pushes_over_http(repository, http) if over_http else git.pushes()
        return fact._replace(writable=writable)


def _read(fact: GitFact, git: _Git) -> GitFact:
    result = git.run("ls-remote", "--", git.url)
    if result.problem:
        return fact._replace(readable=Unknown(result.problem))
    if result.code != 0:
        denied = _DENIALS.search(result.stderr)
        return fact._replace(readable=False if denied else Unknown(_words(result)))
    return fact._replace(readable=True, commit=_commit(result.stdout, fact.revision))


def _words(result: Result) -> str:
    """What git or ssh gave as the reason."""
    lines = [line.strip() for line in result.stderr.splitlines() if line.strip()]
    return lines[0][:160] if lines else f"git exits with {result.code}"


def _commit(listing: str, revision: str) -> str:
    lines = (line.partition("\t") for line in listing.splitlines())
    refs = {name: commit for commit, _tab, name in lines}
    for name in (revision, f"refs/heads/{revision}", f"refs/tags/{revision}^{{}}", f"refs/tags/{revision}"):
        if name in refs:
            return refs[name]
    # A commit that no ref points at may still be there; the server does not list those.
    return revision if re.fullmatch(r"[0-9a-f]{40}", revision) else ""


def _advertisement(url: str, service: str) -> str:
    return f"{url.rstrip('/')}/info/refs?service={service}"


def _pushes_over_http(repository: Repository, http: Http) -> bool | Unknown:
    """A server announces its refs to a pusher only if it would take the push."""
    headers = basic(repository.username or "git", repository.password) if repository.password else None
    try:
        response = http.request(_advertisement(repository.url, "git-receive-pack"), headers=headers, limit=1024)
    except NoAnswer as exc:
        return Unknown(str(exc))
    if response.status == 200:
        return b"git-receive-pack" in response.body
    if response.status in (401, 403, 404):
        return False
    return Unknown(f"the server answers {response.status} to the question whether it takes a push")


class _Git:
    """git with one credential and no other: no user configuration, no agent, no helper."""

    def __init__(self, repository: Repository, folder: str, timeout: float, ca_file: str) -> None:
        self.url = repository.url
        self._folder = folder
        self._timeout = timeout
        self._env = {key: os.environ[key] for key in _PASSED_ON if key in os.environ}
        self._env.update(
            HOME=folder,
            LC_ALL="C",
            GIT_CONFIG_NOSYSTEM="1",
            GIT_TERMINAL_PROMPT="0",
            GIT_HTTP_LOW_SPEED_LIMIT="1",
            GIT_HTTP_LOW_SPEED_TIME=str(max(1, int(timeout / 2))),
            GIT_ASKPASS=self._write("askpass", _ASKPASS, 0o700),
            GIT_SSH_COMMAND=self._ssh(repository, timeout / 2),
            DEPLOY_OPS_GIT_FOLDER=folder,
        )
        self._write("username", repository.username or "git")
        self._write("password", repository.password)
        if ca_file:
            self._env["GIT_SSL_CAINFO"] = ca_file

    def run(self, *arguments: str) -> Result:
        if shutil.which("git") is None:
            return Result(-1, "", "", "git is not installed on this host")
        return run(["git", *arguments], self._timeout, self._env, self._folder)

    def pushes(self) -> bool | Unknown:
        """Over SSH the question needs a real push, of which --dry-run leaves out the last step."""
        author = ("-c", "user.name=phase0", "-c", "user.email=phase0@localhost")
        for preparation in (("init", "-q", "."), (*author, "commit", "-q", "--allow-empty", "-m", "probe")):
            result = self.run(*preparation)
            if result.problem or result.code != 0:
                return Unknown(result.problem or f"git {preparation[0]} exits with {result.code}")
        result = self.run("push", "-q", "--dry-run", "--", self.url, "HEAD:refs/heads/deploy-ops-phase0-probe")
        if result.problem:
            return Unknown(result.problem)
        if result.code == 0:
            return True
        return False if _DENIALS.search(result.stderr) else Unknown(_words(result))

    def _ssh(self, repository: Repository, timeout: float) -> str:
        options = ["ssh", "-F", "/dev/null", "-o", "BatchMode=yes", "-o", f"ConnectTimeout={max(1, int(timeout))}"]
        options += ["-o", "StrictHostKeyChecking=yes", "-o", "IdentitiesOnly=yes"]
        if repository.ssh_private_key:
            options += ["-i", self._write("key", repository.ssh_private_key.rstrip("\n") + "\n")]
        if repository.ssh_known_hosts:
            options += ["-o", f"UserKnownHostsFile={self._write('known_hosts', repository.ssh_known_hosts)}"]
        return " ".join(options)

    def _write(self, name: str, content: str, mode: int = 0o600) -> str:
        path = os.path.join(self._folder, name)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "w", encoding="utf-8") as file:
            file.write(content)
        return path
