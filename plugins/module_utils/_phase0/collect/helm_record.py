# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Helm's own record of a release: a Secret with gzipped JSON, twice in base64."""

from __future__ import annotations

import base64
import json
import typing as t
import zlib

from ..components import OWNER, OWNER_LABEL
from ..view import Release
from .kube import KubeReader

_GZIP = 16 + zlib.MAX_WBITS
# The API server stores at most 1 MiB; 32 times that is more than any chart, and stops a bomb.
_LIMIT = 32 * 2**20


def is_ours(reader: KubeReader, release: Release) -> bool:
    """Whether the values of the release carry our label. Nothing else of the record is kept."""
    name = f"sh.helm.release.v1.{release.name}.v{release.revision}"
    secret = reader.get(f"/api/v1/namespaces/{release.namespace}/secrets/{name}")
    return carries_label((secret.get("data") or {}).get("release", ""))


def carries_label(record: str) -> bool:
    values = _values(record)
    labels = values.get("commonLabels")
    return isinstance(labels, dict) and labels.get(OWNER_LABEL) == OWNER


def _values(record: str) -> t.Mapping[str, t.Any]:
    try:
        packed = base64.b64decode(base64.b64decode(record))
        text = zlib.decompressobj(_GZIP).decompress(packed, _LIMIT)
        values = json.loads(text).get("config")
    except (ValueError, zlib.error, AttributeError):
        return {}
    return values if isinstance(values, dict) else {}
