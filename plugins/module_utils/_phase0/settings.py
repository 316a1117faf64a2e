# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""The module's options, read, completed and checked: all that is wrong with them at once."""

from __future__ import annotations

import re
import ssl
import typing as t

from . import images, quantity
from .collect.git import Repository, address
from .components import Component
from .identity import Expected
from .redact import Secrets

_NAME = re.compile(r"^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$")
_VERSION = re.compile(r"^v?\d+\.\d+\.\d+([-+][0-9A-Za-z.+-]+)?$")


class SettingsError(Exception):
    def __init__(self, problems: t.Sequence[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = list(problems)


class Dns(t.NamedTuple):
    provider: str
    credentials: t.Mapping[str, str]
    api_url: str


class Settings(t.NamedTuple):
    kubeconfig: str
    kubeconfig_data: str
    context: str
    expected: Expected
    components: tuple[Component, ...]
    images: tuple[images.Image, ...]
    repositories: tuple[Repository, ...]
    allow_git_write: bool
    registry_auth: str
    dns: Dns | None
    ca_file: str
    platform_namespaces: tuple[str, ...]
    minimum_disk: str
    collections_paths: tuple[str, ...]
    timeout: float
    request_timeout: float


def from_params(params: t.Mapping[str, t.Any], secrets: Secrets) -> Settings:
    problems: list[str] = []
    settings = Settings(
        kubeconfig=params["kubeconfig"] or "",
        kubeconfig_data=params["kubeconfig_data"] or "",
        context=params["context"] or "",
        expected=Expected(
            server=params["cluster_server"] or "",
            uid=params["cluster_uid"] or "",
            allow_exec=params["allow_kubeconfig_exec"],
            allow_insecure=params["allow_insecure_tls"],
        ),
        components=tuple(_component(entry, problems) for entry in params["components"]),
        images=tuple(_images(params["images"], params["image_mirror"] or "", problems)),
        repositories=tuple(_repositories(params["git_repositories"], secrets, problems)),
        allow_git_write=params["allow_git_write"],
        registry_auth=_registry_auth(params, problems),
        dns=_dns(params["dns_provider"], secrets, problems),
        ca_file=params["ca_file"] or "",
        platform_namespaces=tuple(params["platform_namespaces"]),
        minimum_disk=params["minimum_disk"],
        collections_paths=tuple(params["collections_paths"]),
        timeout=params["timeout"],
        request_timeout=params["request_timeout"],
    )
    _quantity(settings.minimum_disk, "minimum_disk", problems)
    _certificates(settings.ca_file, problems)
    problems += [f"{name}: is at least 1 s" for name in ("timeout", "request_timeout") if params[name] < 1]
    if problems:
        raise SettingsError(problems)
    return settings


def _component(entry: t.Mapping[str, t.Any], problems: list[str]) -> Component:
    component = Component(**{key: entry[key] or "" for key in Component._fields if key not in ("cpu", "memory")})
    component = component._replace(cpu=entry["cpu"] or "0", memory=entry["memory"] or "0")
    place = f"components: {component.name}"
    for key in ("namespace", "release"):
        if not _NAME.match(getattr(component, key)):
            problems.append(f"{place}: {key} «{getattr(component, key)}» is not a Kubernetes name (a-z, 0-9, -)")
    if not _VERSION.match(component.version):
        problems.append(f"{place}: version «{component.version}» is not an explicit chart version such as 10.8.0")
    if component.repository.startswith("oci://"):
        try:
            images.parse(f"{component.repository[len('oci://') :]}/{component.chart}:1")
        except ValueError:
            problems.append(f"{place}: repository «{component.repository}» is not oci://host/path")
    _quantity(component.cpu, f"{place}: cpu", problems)
    _quantity(component.memory, f"{place}: memory", problems)
    return component


def _certificates(path: str, problems: list[str]) -> None:
    try:
        ssl.create_default_context(cafile=path or None)
    except ssl.SSLError:
        problems.append(f"ca_file: {path} holds no certificates")
    except OSError as exc:
        problems.append(f"ca_file: {path}: {(exc.strerror or 'cannot be read').lower()}")


def _quantity(text: str, place: str, problems: list[str]) -> None:
    try:
        quantity.parse(text)
    except ValueError as exc:
        problems.append(f"{place}: {exc}")


def _images(texts: t.Sequence[str], mirror_text: str, problems: list[str]) -> t.Iterator[images.Image]:
    mirror = None
    try:
        mirror = images.parse_mirror(mirror_text) if mirror_text else None
    except ValueError as exc:
        problems.append(f"image_mirror: {exc}")
    for text in texts:
        try:
            image = images.parse(text)
        except ValueError as exc:
            problems.append(f"images: {exc}")
        else:
            yield image if mirror is None else images.through(mirror, image)


def _repositories(
    entries: t.Sequence[t.Mapping[str, t.Any]], secrets: Secrets, problems: list[str]
) -> t.Iterator[Repository]:
    seen: set[str] = set()
    for number, entry in enumerate(entries, start=1):
        place = f"git_repositories: entry {number}"
        password = entry["password"] or _file(entry["password_file"], f"{place}: password_file", problems)
        key = entry["ssh_private_key"] or _file(
            entry["ssh_private_key_file"], f"{place}: ssh_private_key_file", problems
        )
        secrets.add_pair(entry["username"] or "git", password)
        secrets.add(key)
        try:
            name = address(entry["url"]).name
        except ValueError as exc:
            # The URL itself may be the credential: it is not shown.
            secrets.add(entry["url"])
            problems.append(f"{place}: the URL {exc}")
            continue
        if name in seen:
            problems.append(f"{place}: {name} is listed twice")
        seen.add(name)
        yield Repository(
            entry["url"], entry["revision"], entry["username"] or "", password, key, entry["ssh_known_hosts"] or ""
        )


def _registry_auth(params: t.Mapping[str, t.Any], problems: list[str]) -> str:
    return params["registry_auth"] or _file(params["registry_auth_file"], "registry_auth_file", problems)


def _dns(entry: t.Mapping[str, t.Any] | None, secrets: Secrets, problems: list[str]) -> Dns | None:
    if not entry:
        return None
    files = {
        key: _file(path, f"dns_provider: credential_files: {key}", problems)
        for key, path in (entry["credential_files"] or {}).items()
    }
    credentials = {**files, **{key: str(value) for key, value in (entry["credentials"] or {}).items()}}
    secrets.add_all(list(credentials.values()))
    return Dns(entry["provider"], credentials, entry["api_url"] or "")


def _file(path: str | None, place: str, problems: list[str]) -> str:
    if not path:
        return ""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read().strip()
    except (OSError, UnicodeDecodeError) as exc:
        problems.append(f"{place}: {path}: {(getattr(exc, 'strerror', None) or 'not a text').lower()}")
        return ""
