# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Signature Version 4 for a GET without a body: what it takes to try an AWS credential without AWS' libraries."""

from __future__ import annotations

import datetime
import hashlib
import hmac
import urllib.parse

_ALGORITHM = "AWS4-HMAC-SHA256"
_SIGNED_HEADERS = "host;x-amz-date"


def headers(
    url: str,
    access_key_id: str,
    secret_access_key: str,
    service: str,
    now: datetime.datetime,
    region: str = "us-east-1",
) -> dict[str, str]:
    parts = urllib.parse.urlsplit(url)
    time = now.strftime("%Y%m%dT%H%M%SZ")
    scope = f"{time[:8]}/{region}/{service}/aws4_request"
    query = urllib.parse.urlencode(sorted(urllib.parse.parse_qsl(parts.query)), quote_via=urllib.parse.quote)
    request = "\n".join(
        [
            "GET",
            parts.path or "/",
            query,
            f"host:{parts.netloc}",
            f"x-amz-date:{time}",
            "",
            _SIGNED_HEADERS,
            _digest(""),
        ]
    )
    text = "\n".join([_ALGORITHM, time, scope, _digest(request)])
    key = f"AWS4{secret_access_key}".encode()
    for step in scope.split("/"):
        key = _sign(key, step)
    signature = _sign(key, text).hex()
    return {
        "X-Amz-Date": time,
        "Authorization": f"{_ALGORITHM} Credential={access_key_id}/{scope}, SignedHeaders={_SIGNED_HEADERS}, "
        f"Signature={signature}",
    }


def _sign(key: bytes, text: str) -> bytes:
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
