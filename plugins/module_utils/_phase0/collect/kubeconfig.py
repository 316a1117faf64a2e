# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Reads a kubeconfig without acting on it."""

from __future__ import annotations

import base64
import binascii
import os
import stat
import typing as t

from ..identity import KubeconfigFact
from ..redact import Secrets
from .yaml_text import NotYaml
from .yaml_text import load as load_yaml


class Kubeconfig(t.NamedTuple):
    """``content`` holds secrets: it goes to the client and nowhere else."""

    fact: KubeconfigFact
    path: str
    content: dict[str, t.Any]


class _Problem(Exception):
    pass


def load(path: str, data: str, context: str, secrets: Secrets) -> Kubeconfig:
    """``data`` (the text, or the text in base64) wins over ``path``."""
    mode = None
    source = "the kubeconfig data" if data else path
    try:
        if data:
            content = _parse(_decode(data))
        else:
            content, mode = _read(path)
        _remember(content, secrets)
        return Kubeconfig(_describe(content, source, mode, context), "" if data else path, content)
    except _Problem as exc:
        return Kubeconfig(KubeconfigFact(source, problem=str(exc), mode=mode), "", {})


def default_path() -> str:
    return os.environ.get("K8S_AUTH_KUBECONFIG") or os.environ.get("KUBECONFIG") or os.path.expanduser("~/.kube/config")


def _read(path: str) -> tuple[dict[str, t.Any], int]:
    if os.pathsep in path:
        raise _Problem("names several files; name one")
    try:
        with open(path, encoding="utf-8") as file:
            mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
            return _parse(file.read()), mode
    except (OSError, UnicodeDecodeError) as exc:
        raise _Problem(f"cannot be read: {(getattr(exc, 'strerror', None) or 'not a text').lower()}") from None


def _decode(data: str) -> str:
    try:
        return base64.b64decode("".join(data.split()), validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return data


def _parse(text: str) -> dict[str, t.Any]:
    try:
        content = load_yaml(text)
    except NotYaml as exc:
        raise _Problem(str(exc)) from None
    if not isinstance(content, dict) or not isinstance(content.get("contexts"), list):
        raise _Problem("is not a kubeconfig (no contexts)")
    return content


def _describe(content: dict[str, t.Any], source: str, mode: int | None, wanted: str) -> KubeconfigFact:
    name = wanted or content.get("current-context") or ""
    if not name:
        raise _Problem("names no current-context; choose one with deploy_ops_context")
    context = _named(content, "contexts", name).get("context") or {}
    cluster = _named(content, "clusters", str(context.get("cluster"))).get("cluster") or {}
    user = _named(content, "users", str(context.get("user"))).get("user") or {}
    server = str(cluster.get("server") or "")
    if not server:
        raise _Problem(f"the cluster of context {name} has no server")
    program = ""
    if user.get("exec"):
        program = f"exec plugin {user['exec'].get('command')}"
    elif user.get("auth-provider"):
        program = f"auth provider {user['auth-provider'].get('name')}"
    insecure = bool(cluster.get("insecure-skip-tls-verify")) or not server.startswith("https://")
    return KubeconfigFact(source, "", mode, name, server, program, insecure)


def _named(content: dict[str, t.Any], kind: str, name: str) -> dict[str, t.Any]:
    for item in content.get(kind) or []:
        if isinstance(item, dict) and item.get("name") == name:
            return item
    raise _Problem(f"has no {kind[:-1]} named {name}")


def _remember(content: dict[str, t.Any], secrets: Secrets) -> None:
    for item in content.get("users") or []:
        user = item.get("user") if isinstance(item, dict) else None
        if isinstance(user, dict):
            for key in ("token", "password", "client-key-data"):
                secrets.add(user.get(key))
            secrets.add_all((user.get("exec") or {}).get("env"))
            secrets.add_all((user.get("auth-provider") or {}).get("config"))
