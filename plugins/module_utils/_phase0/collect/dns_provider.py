# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Tries the credential of a DNS provider with a call that reads, where the provider has one."""

from __future__ import annotations

import typing as t

from ..check import Unknown
from ..credentials import DnsFact
from .http import Http, NoAnswer


class Provider(t.NamedTuple):
    """``keys``: what the credential consists of. ``url``: where it can be tried, with ``header`` set to ``value``."""

    keys: tuple[str, ...]
    url: str = ""
    header: str = "Authorization"
    value: str = "Bearer {token}"


# A provider without url is checked for completeness only, and the report says so.
PROVIDERS: dict[str, Provider] = {
    "cloudflare": Provider(("token",), "https://api.cloudflare.com/client/v4/user/tokens/verify"),
    "digitalocean": Provider(("token",), "https://api.digitalocean.com/v2/account"),
    "hetzner": Provider(("token",), "https://dns.hetzner.com/api/v1/zones", "Auth-API-Token", "{token}"),
    "linode": Provider(("token",), "https://api.linode.com/v4/profile"),
    "azure": Provider(("tenant_id", "subscription_id", "client_id", "client_secret")),
    "google": Provider(("service_account_json",)),
    "rfc2136": Provider(("server", "tsig_keyname", "tsig_secret")),
    "route53": Provider(("access_key_id", "secret_access_key")),
}


def probe(name: str, credentials: t.Mapping[str, str], api_url: str, http: Http) -> DnsFact:
    provider = PROVIDERS[name]
    missing = tuple(key for key in provider.keys if not credentials.get(key))
    if missing:
        return DnsFact(name, missing)
    if not provider.url:
        return DnsFact(name)
    headers = {provider.header: provider.value.format(**credentials)}
    try:
        status = http.request(api_url or provider.url, headers=headers).status
    except NoAnswer as exc:
        return DnsFact(name, accepted=Unknown(str(exc)))
    if status in (400, 401, 403):
        return DnsFact(name, accepted=False)
    return DnsFact(name, accepted=True if status == 200 else Unknown(f"HTTP {status}"))
