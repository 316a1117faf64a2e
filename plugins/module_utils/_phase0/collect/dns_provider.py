# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Tries the credential of a DNS provider with a call that reads, where the provider has one."""

from __future__ import annotations

import datetime
import typing as t

from ..check import Unknown
from ..credentials import DnsFact
from . import aws_signature
from .http import Http, NoAnswer

Credentials = t.Mapping[str, str]


def _bearer(credentials: Credentials, _url: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {credentials['token']}"}


def _hetzner(credentials: Credentials, _url: str) -> dict[str, str]:
    return {"Auth-API-Token": credentials["token"]}


def _aws(credentials: Credentials, url: str) -> dict[str, str]:
    now = datetime.datetime.now(datetime.timezone.utc)
    return aws_signature.headers(url, credentials["access_key_id"], credentials["secret_access_key"], "route53", now)


class Provider(t.NamedTuple):
    """``parts``: what the credential consists of. ``url``: where it can be tried, with what ``headers`` makes of it."""

    parts: tuple[str, ...]
    url: str = ""
    headers: t.Callable[[Credentials, str], dict[str, str]] = _bearer


# A provider without url is checked for completeness only, and the report says so.
PROVIDERS: dict[str, Provider] = {
    "cloudflare": Provider(("token",), "https://api.cloudflare.com/client/v4/user/tokens/verify"),
    "digitalocean": Provider(("token",), "https://api.digitalocean.com/v2/account"),
    "hetzner": Provider(("token",), "https://dns.hetzner.com/api/v1/zones", _hetzner),
    "linode": Provider(("token",), "https://api.linode.com/v4/profile"),
    "route53": Provider(
        ("access_key_id", "secret_access_key"), "https://route53.amazonaws.com/2013-04-01/hostedzone?maxitems=1", _aws
    ),
    "azure": Provider(("tenant_id", "subscription_id", "client_id", "client_secret")),
    "google": Provider(("service_account_json",)),
    "rfc2136": Provider(("server", "tsig_keyname", "tsig_secret")),
}


def probe(name: str, credentials: Credentials, api_url: str, http: Http) -> DnsFact:
    provider = PROVIDERS[name]
    missing = tuple(part for part in provider.parts if not credentials.get(part))
    if missing:
        return DnsFact(name, missing)
    if not provider.url:
        return DnsFact(name)
    url = api_url or provider.url
    try:
        status = http.request(url, headers=provider.headers(credentials, url)).status
    except NoAnswer as exc:
        return DnsFact(name, accepted=Unknown(str(exc)))
    if status in (400, 401, 403):
        return DnsFact(name, accepted=False)
    return DnsFact(name, accepted=True if status == 200 else Unknown(f"HTTP {status}"))
