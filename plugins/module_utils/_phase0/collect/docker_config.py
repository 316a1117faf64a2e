# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Credentials of registries in the format of ~/.docker/config.json."""

from __future__ import annotations

import base64
import binascii
import re
import typing as t

from ..images import DOCKER_HUB
from ..redact import Secrets
from .yaml_text import NotYaml
from .yaml_text import load as load_yaml

_DOCKER_HUB_NAMES = ("index.docker.io", "registry-1.docker.io", "docker.io")


class Login(t.NamedTuple):
    username: str
    password: str


class DockerConfig(t.NamedTuple):
    logins: t.Mapping[str, Login]
    problem: str = ""


def load(data: str, secrets: Secrets) -> DockerConfig:
    """The logins by registry host. ``data``: JSON, or JSON in base64 (as in a Secret)."""
    if not data:
        return DockerConfig({})
    try:
        # Old ansible-core turns text that looks like JSON into a structure and back into what only YAML can read.
        content = load_yaml(_decode(data))
    except NotYaml:
        return DockerConfig({}, "is not JSON")
    auths = content.get("auths") if isinstance(content, dict) else None
    if not isinstance(auths, dict) or not auths:
        return DockerConfig({}, "has no auths (a credential helper or store works on no node)")
    logins = {}
    for name, entry in auths.items():
        login = _login(entry if isinstance(entry, dict) else {})
        if login is None:
            return DockerConfig({}, f"the entry for {_host(name)} has neither auth nor username and password")
        secrets.add_pair(login.username, login.password)
        logins[_host(name)] = login
    return DockerConfig(logins)


def _decode(data: str) -> str:
    try:
        return base64.b64decode("".join(data.split()), validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return data


def _login(entry: t.Mapping[str, t.Any]) -> Login | None:
    if entry.get("username") and entry.get("password"):
        return Login(str(entry["username"]), str(entry["password"]))
    try:
        username, colon, password = base64.b64decode(str(entry.get("auth") or "")).decode("utf-8").partition(":")
    except (binascii.Error, UnicodeDecodeError):
        return None
    return Login(username, password) if colon and username and password else None


def _host(name: str) -> str:
    """Keys are hosts, or URLs as Docker Hub's https://index.docker.io/v1/."""
    host = re.sub(r"^https?://", "", str(name)).split("/", 1)[0]
    return DOCKER_HUB if host in _DOCKER_HUB_NAMES else host
