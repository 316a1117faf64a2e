# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Image references, read as the container runtimes read them."""

from __future__ import annotations

import ipaddress
import re
import typing as t

_REFERENCE = re.compile(
    r"^(?P<name>[a-zA-Z0-9][a-zA-Z0-9.:_/\[\]-]*?)(?::(?P<tag>\w[\w.-]{0,127}))?(?:@(?P<digest>sha256:[a-f0-9]{64}))?$"
)
DOCKER_HUB = "docker.io"
# The name on Docker Hub's API is not the one in references.
_API_HOSTS = {DOCKER_HUB: "registry-1.docker.io"}


class Image(t.NamedTuple):
    """``registry`` is host[:port], ``reference`` a tag or a digest."""

    registry: str
    repository: str
    reference: str
    plain_http: bool = False

    @property
    def text(self) -> str:
        return f"{self.registry}/{self.repository}{'@' if ':' in self.reference else ':'}{self.reference}"


class Mirror(t.NamedTuple):
    registry: str
    prefix: str
    plain_http: bool


def parse(text: str) -> Image:
    """ValueError for what no runtime would pull, and for a missing version: nothing is installed as «latest»."""
    match = _REFERENCE.match(text.strip())
    if match is None:
        raise ValueError(f"«{text}» is not an image reference")
    reference = match.group("digest") or match.group("tag")
    if not reference:
        raise ValueError(f"«{text}» has neither tag nor digest")
    first, slash, rest = match.group("name").partition("/")
    if slash and ("." in first or ":" in first or first == "localhost"):
        return Image(first, rest, reference, is_loopback(first))
    name = match.group("name")
    return Image(DOCKER_HUB, name if slash else f"library/{name}", reference)


def parse_mirror(text: str) -> Mirror:
    """host[:port][/prefix]; http:// in front for plain HTTP."""
    plain = text.startswith("http://")
    host, _slash, prefix = re.sub(r"^https?://", "", text).rstrip("/").partition("/")
    if not host or not re.match(r"^[a-zA-Z0-9.\[\]:-]+$", host):
        raise ValueError(f"«{text}» is not host[:port][/prefix]")
    return Mirror(host, prefix, plain or is_loopback(host))


def through(mirror: Mirror, image: Image) -> Image:
    """The same image, at the mirror: its registry is replaced, its repository stays."""
    repository = f"{mirror.prefix}/{image.repository}" if mirror.prefix else image.repository
    return Image(mirror.registry, repository, image.reference, mirror.plain_http)


def api_url(registry: str, plain_http: bool) -> str:
    return f"{'http' if plain_http else 'https'}://{_API_HOSTS.get(registry, registry)}"


def is_loopback(host: str) -> bool:
    """Container runtimes speak plain HTTP with registries on their own machine."""
    name = host.rpartition(":")[0] if re.search(r":\d+$", host) else host
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return False
