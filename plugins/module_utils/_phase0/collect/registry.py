# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Asks a registry for manifests, as a node would before it pulls (OCI distribution, Docker token authentication)."""

from __future__ import annotations

import json
import re
import typing as t
import urllib.parse

from .. import images
from ..check import Unknown
from ..connectivity import Reach, RegistryFact
from ..images import Image
from .docker_config import Login
from .http import Http, NoAnswer, Response, basic

_MANIFEST_TYPES = (
    "application/vnd.oci.image.index.v1+json, application/vnd.oci.image.manifest.v1+json, "
    "application/vnd.docker.distribution.manifest.list.v2+json, application/vnd.docker.distribution.manifest.v2+json"
)
_PARAMETER = re.compile(r'(\w+)="([^"]*)"')


class Refused(Exception):
    """The registry does not accept the credential."""


def probe(http: Http, host: str, plain_http: bool, wanted: t.Sequence[Image], login: Login | None) -> RegistryFact:
    base = images.api_url(host, plain_http)
    reach, response = http.reach(f"{base}/v2/")
    if response is not None and response.status not in (200, 401, 403):
        reach = Reach(False, f"answers {response.status} to /v2/: not a registry", reach.seconds)
    if not reach.reachable or response is None:
        return RegistryFact(host, reach, dict.fromkeys((image.text for image in wanted), Unknown("not asked", True)))
    found = {image.text: _has_manifest(http, base, image, login) for image in wanted}
    return RegistryFact(host, reach, found, _accepted(http, base, response, login))


def has_manifest(http: Http, image: Image, login: Login | None) -> bool | Unknown:
    return _has_manifest(http, images.api_url(image.registry, image.plain_http), image, login)


def _has_manifest(http: Http, base: str, image: Image, login: Login | None) -> bool | Unknown:
    url = f"{base}/v2/{image.repository}/manifests/{image.reference}"
    headers = {"Accept": _MANIFEST_TYPES}
    try:
        response = http.request(url, "HEAD", headers)
        if response.status == 401:
            authorization = _authorize(http, base, response, login)
            response = http.request(url, "HEAD", {**headers, **authorization})
    except NoAnswer as exc:
        return Unknown(str(exc))
    except Refused:
        return Unknown("the registry refuses the credential")
    if response.status in (200, 404):
        return response.status == 200
    if response.status in (401, 403):
        return Unknown("private, or not there: the registry does not tell" if login is None else "access denied")
    return Unknown(f"HTTP {response.status}")


def _accepted(http: Http, base: str, response: Response, login: Login | None) -> bool | Unknown | None:
    """Whether the login is any good, without an image in question. An open registry cannot tell."""
    if login is None:
        return None
    if response.status == 200:
        return Unknown("the registry asks nobody for a credential", reported=True)
    try:
        authorization = _authorize(http, base, response, login)
        if authorization["Authorization"].startswith("Basic "):
            status = http.request(f"{base}/v2/", headers=authorization).status
            return status not in (401, 403) if status < 500 else Unknown(f"HTTP {status}")
    except NoAnswer as exc:
        return Unknown(str(exc))
    except Refused:
        return False
    # A token was issued: the login is known.
    return True


def _authorize(http: Http, base: str, challenge: Response, login: Login | None) -> dict[str, str]:
    """The header that answers a 401: Basic at once, Bearer with a token fetched from where the registry points."""
    scheme, _space, rest = challenge.headers.get("www-authenticate", "").partition(" ")
    if scheme.lower() != "bearer":
        if login is None:
            raise Refused
        return basic(*login)
    parameters = dict(_PARAMETER.findall(rest))
    realm = parameters.pop("realm", "")
    if not realm.startswith("https://") and not (base.startswith("http://") and realm.startswith("http://")):
        raise NoAnswer("it wants the password sent unencrypted")
    query = urllib.parse.urlencode({key: parameters[key] for key in ("service", "scope") if key in parameters})
    response = http.request(f"{realm}{'&' if '?' in realm else '?'}{query}", headers=basic(*login) if login else None)
    if response.status in (400, 401, 403):
        raise Refused
    try:
        content = json.loads(response.body)
        return {"Authorization": f"Bearer {content.get('token') or content['access_token']}"}
    except (ValueError, KeyError, AttributeError):
        raise NoAnswer(f"its token service answers {response.status} without a token") from None
