# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Looks for the charts where they will come from: a folder, a Helm repository, an OCI registry."""

from __future__ import annotations

import os
import tarfile
import typing as t

from .. import images
from ..check import Unknown
from ..components import Component
from ..connectivity import ChartFact, Reach
from .docker_config import Login
from .http import Http, NoAnswer
from .registry import has_manifest
from .yaml_text import NotYaml, load

# The index of a large public repository has some 10 MB.
_INDEX_LIMIT = 64 * 2**20


def probe(source: str, components: t.Sequence[Component], http: Http, logins: t.Mapping[str, Login]) -> list[ChartFact]:
    """All charts of one source in one go: an index is fetched once."""
    if source.startswith("oci://"):
        return [_oci(source, component, http, logins) for component in components]
    if source.startswith(("https://", "http://")):
        return _repository(source, components, http)
    return [_folder(source, component) for component in components]


def fact(source: str, component: Component, reach: Reach, found: bool | Unknown, app_version: str = "") -> ChartFact:
    return ChartFact(component.name, f"{component.chart}-{component.version}", source, reach, found, app_version)


def _folder(source: str, component: Component) -> ChartFact:
    if not os.path.isdir(source):
        return fact(source, component, Reach(False, "no such folder"), Unknown("no such folder", reported=True))
    reach = Reach(True, "a folder on this host")
    path = os.path.join(source, f"{component.chart}-{component.version}.tgz")
    try:
        with tarfile.open(path) as archive:
            member = archive.extractfile(f"{component.chart}/Chart.yaml")
            metadata = load(member.read(2**20)) if member else {}
    except FileNotFoundError:
        return fact(source, component, reach, False)
    except (OSError, tarfile.TarError, KeyError, NotYaml):
        return fact(source, component, reach, Unknown(f"{path} is not a chart archive"))
    return fact(source, component, reach, True, str((metadata or {}).get("appVersion") or ""))


def _repository(source: str, components: t.Sequence[Component], http: Http) -> list[ChartFact]:
    reach, entries = _index(source, http)
    if isinstance(entries, Unknown):
        return [fact(source, component, reach, entries) for component in components]
    facts = []
    for component in components:
        releases = entries.get(component.chart) or []
        match = [release for release in releases if str(release.get("version")) == component.version]
        facts.append(
            fact(source, component, reach, bool(match), str(match[0].get("appVersion") or "") if match else "")
        )
    return facts


def _index(source: str, http: Http) -> tuple[Reach, dict[str, t.Any] | Unknown]:
    url = f"{source.rstrip('/')}/index.yaml"
    reach, response = http.reach(url, limit=_INDEX_LIMIT)
    if response is None:
        return reach, Unknown(reach.detail, reported=True)
    if response.status != 200:
        unusable = f"HTTP {response.status} for index.yaml"
        return reach._replace(reachable=False, detail=unusable), Unknown(unusable, reported=True)
    try:
        entries = load(response.body)["entries"]
        if not isinstance(entries, dict):
            raise TypeError
    except (NotYaml, KeyError, TypeError):
        unusable = "its index.yaml is not the index of a Helm repository"
        return reach._replace(reachable=False, detail=unusable), Unknown(unusable, reported=True)
    return reach._replace(detail=f"index with {len(entries)} charts"), entries


def _oci(source: str, component: Component, http: Http, logins: t.Mapping[str, Login]) -> ChartFact:
    # Helm writes the + of a version as _ in a tag, which has no +.
    tag = component.version.replace("+", "_")
    image = images.parse(f"{source[len('oci://') :].rstrip('/')}/{component.chart}:{tag}")
    reach, _response = http.reach(f"{images.api_url(image.registry, image.plain_http)}/v2/")
    if not reach.reachable:
        return fact(source, component, reach, Unknown(reach.detail, reported=True))
    try:
        return fact(source, component, reach, has_manifest(http, image, logins.get(image.registry)))
    except NoAnswer as exc:
        return fact(source, component, reach, Unknown(str(exc)))
