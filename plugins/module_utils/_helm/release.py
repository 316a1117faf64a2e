# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What Helm recorded about a release, read from its Secrets (no helm process, all statuses, pending ones too)."""

from __future__ import annotations

import base64
import calendar
import gzip
import json
import re
import time
import typing as t
from dataclasses import dataclass, field

from .._kube.api import KubeApi

PENDING = ("pending-install", "pending-upgrade", "pending-rollback")
DNS_LABEL = re.compile(r"[a-z0-9]([-a-z0-9]{0,51}[a-z0-9])?")


@dataclass(frozen=True)
class Revision:
    number: int
    status: str


@dataclass(frozen=True)
class Release:
    """The newest revision in full, and the status of all that Helm still keeps."""

    revision: int
    status: str
    description: str
    chart: str
    chart_version: str
    app_version: str
    values: dict[str, t.Any]
    manifest: str
    updated: float
    revisions: list[Revision] = field(default_factory=list)

    @property
    def pending(self) -> bool:
        return self.status in PENDING

    @property
    def last_deployed(self) -> int | None:
        """The newest revision that once worked, and so can be rolled back to."""
        worked = [r.number for r in self.revisions if r.status in ("deployed", "superseded")]
        return max(worked) if worked else None

    def age(self, now: float) -> float:
        return max(0.0, now - self.updated)


def name_problem(name: str) -> str | None:
    """Helm's own rule, checked here because kubernetes.core.helm splits its command line at spaces."""
    if DNS_LABEL.fullmatch(name):
        return None
    return f"{name!r} is no release name: use up to 53 lower-case letters, digits and dashes"


def read_release(api: KubeApi, namespace: str, name: str) -> Release | None:
    """None when Helm knows nothing of it."""
    secrets = f"/api/v1/namespaces/{namespace}/secrets"
    records = api.metadata_items(secrets, labelSelector=f"owner=helm,name={name}")
    revisions = sorted(
        (Revision(int(r["metadata"]["labels"]["version"]), r["metadata"]["labels"]["status"]) for r in records),
        key=lambda revision: revision.number,
    )
    revisions = [revision for revision in revisions if revision.status != "uninstalled"]
    if not revisions:
        return None
    newest = revisions[-1]
    secret = api.get(f"{secrets}/sh.helm.release.v1.{name}.v{newest.number}")
    if secret is None:  # removed between the two requests: somebody is at work on it; read again
        return read_release(api, namespace, name)
    return _release(decode_record(secret["data"]["release"]), revisions)


def decode_record(encoded: str) -> dict[str, t.Any]:
    """Kubernetes' base64 around Helm's base64 around gzip around JSON."""
    return json.loads(gzip.decompress(base64.b64decode(base64.b64decode(encoded))))


def _release(record: dict[str, t.Any], revisions: list[Revision]) -> Release:
    info = record.get("info") or {}
    metadata = (record.get("chart") or {}).get("metadata") or {}
    return Release(
        revision=record["version"],
        status=info.get("status", "unknown"),
        description=info.get("description", ""),
        chart=metadata.get("name", ""),
        chart_version=metadata.get("version", ""),
        app_version=metadata.get("appVersion", ""),
        values=record.get("config") or {},
        manifest=record.get("manifest", ""),
        updated=_seconds(info.get("last_deployed", "")),
        revisions=revisions,
    )


def _seconds(stamp: str) -> float:
    """Helm writes RFC 3339 with nanoseconds and either Z or an offset; whole seconds are enough here."""
    match = re.match(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(Z|([+-])(\d\d):(\d\d))$", stamp)
    if not match:
        return 0.0
    seconds = float(calendar.timegm(time.strptime(match.group(1), "%Y-%m-%dT%H:%M:%S")))
    if match.group(3):
        offset = int(match.group(4)) * 3600 + int(match.group(5)) * 60
        seconds -= offset if match.group(3) == "+" else -offset
    return seconds
