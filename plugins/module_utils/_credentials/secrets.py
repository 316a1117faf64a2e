# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The Secrets that carry the credentials of the user into the cluster; pure."""

from __future__ import annotations

import base64
import hashlib
import json
import typing as t

OWNER = {"deploy-ops.proficientnow.com/owner": "deploy-ops"}
Body = dict[str, t.Any]


class CredentialError(ValueError):
    """Names the entry and what is wrong with it, never its content."""


def git_secrets(repositories: t.Sequence[Body], namespace: str) -> list[Body]:
    """Credential templates of Argo CD: one serves every repository whose URL begins with its own."""
    found = [_git_secret(place, repository, namespace) for place, repository in enumerate(repositories)]
    return [entry for entry in found if entry is not None]


def _git_secret(place: int, repository: Body, namespace: str) -> Body | None:
    where = f"credentials_git[{place}]"
    url = _text(repository, "url", where)
    content = {"type": "git", "url": url}
    key, password = _given(repository, "ssh_private_key", where), _given(repository, "password", where)
    if key:
        content["sshPrivateKey"] = key.rstrip("\n") + "\n"
    elif password:
        content["username"] = _text(repository, "username", where)
        content["password"] = password.rstrip("\n")
    else:
        return None  # a repository that everybody may read
    if "@" in url.split("://", 1)[-1].split("/", 1)[0] and "://" in url and not url.startswith("ssh://"):
        raise CredentialError(f"{where}.url carries credentials itself: give them as username and password")
    name = "git-" + hashlib.sha256(url.encode()).hexdigest()[:12]
    return secret(namespace, name, content, labels={"argocd.argoproj.io/secret-type": "repo-creds"})


def registry_secrets(docker_config: t.Any, namespaces: t.Sequence[str], name: str) -> list[Body]:
    """One image pull Secret for each namespace; the configuration is text or a structure."""
    try:
        if not isinstance(docker_config, str):
            docker_config = json.dumps(docker_config)
        entries = json.loads(docker_config)["auths"]
    except (KeyError, TypeError, ValueError):
        raise CredentialError('credentials_registry is no Docker config: JSON with "auths" is expected') from None
    if not entries:
        raise CredentialError("credentials_registry names no registry")
    content = {".dockerconfigjson": docker_config}
    return [secret(namespace, name, content, kind="kubernetes.io/dockerconfigjson") for namespace in namespaces]


def other_secrets(wanted: t.Sequence[Body]) -> list[Body]:
    found = []
    for place, entry in enumerate(wanted):
        where = f"credentials_secrets[{place}]"
        if not isinstance(entry.get("data"), dict) or not entry["data"]:
            raise CredentialError(f"{where}.data has to hold at least one key with its value")
        content = {key: _text(entry["data"], key, f"{where}.data") for key in entry["data"]}
        found.append(secret(_text(entry, "namespace", where), _text(entry, "name", where), content))
    return found


def dns_secret(provider: Body, target: Body) -> list[Body]:
    """The parts of the DNS provider's credential under their names; none where no Secret is named to hold them."""
    files, given = provider.get("credential_files") or {}, provider.get("credentials") or {}
    if not target or not (files or given):
        return []
    where = "deploy_ops_dns_provider"
    parts = {f"{key}_file": path for key, path in files.items()}
    content = {key: _given(parts, key, f"{where}.credential_files").strip() for key in files}
    content.update({key: _text(given, key, f"{where}.credentials") for key in given})
    place = "deploy_ops_dns_secret"
    return [secret(_text(target, "namespace", place), _text(target, "name", place), content)]


def secret(
    namespace: str, name: str, content: dict[str, str], labels: dict[str, str] | None = None, kind: str = "Opaque"
) -> Body:
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "type": kind,
        "metadata": {"name": name, "namespace": namespace, "labels": dict(OWNER, **(labels or {}))},
        "data": {key: base64.b64encode(value.encode()).decode() for key, value in content.items()},
    }


def _given(entry: Body, key: str, where: str) -> str:
    """The value itself, or the content of the file that <key>_file names; empty when neither is given."""
    if entry.get(key):
        return _text(entry, key, where)
    path = entry.get(f"{key}_file")
    if not path:
        return ""
    try:
        with open(path, encoding="utf-8") as stream:
            return stream.read()
    except (OSError, UnicodeDecodeError) as error:
        raise CredentialError(f"{where}.{key}_file {path} cannot be read: {type(error).__name__}") from None


def _text(entry: Body, key: str, where: str) -> str:
    value = entry.get(key)
    if not isinstance(value, str) or not value:
        raise CredentialError(f"{where}.{key} has to be a text that is not empty")
    return str(value)
