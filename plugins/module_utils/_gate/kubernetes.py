# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""The few things that the gate reads from Kubernetes itself, with its own service account."""

from __future__ import annotations

import typing as t
import urllib.parse

from .errors import Absent, Forbidden, Refused
from .resource_tree import Reference
from .retry import Retry
from .transport import Transport
from .verdict import Blocker

_TIMEOUT = 10.0
_WORKLOADS = (("deployments", "Deployment"), ("statefulsets", "StatefulSet"), ("daemonsets", "DaemonSet"))


class Kubernetes:
    def __init__(self, transport: Transport, retry: Retry) -> None:
        self._transport = transport
        self._retry = retry

    def workloads(self, namespace: str, release: str) -> list[Blocker]:
        """The workloads of a Helm release, each Healthy or not."""
        selector = {"labelSelector": f"app.kubernetes.io/instance={release}"}
        return [
            _workload(kind, item)
            for plural, kind in _WORKLOADS
            for item in self._get(f"/apis/apps/v1/namespaces/{_quoted(namespace)}/{plural}", selector).get("items")
            or []
        ]

    def resource(self, reference: Reference) -> Blocker | None:
        """One object, or the definition of a kind. None when it does not exist."""
        try:
            return _object(self._get(self._path(reference), {}))
        except Absent:
            return None

    def objects(self, reference: Reference) -> list[dict[str, t.Any]]:
        """All objects of a kind, in whatever namespace; none when the kind is not served."""
        try:
            group = self._get(f"/apis/{_quoted(reference.group)}", {})
            version = group["preferredVersion"]["groupVersion"]
            return self._get(f"/apis/{version}/{reference.plural}", {}).get("items") or []
        except Absent:
            return []

    def read(self, path: str) -> dict[str, t.Any] | None:
        try:
            return self._get(path, {})
        except Absent:
            return None

    def exists(self, path: str) -> bool:
        return self.read(path) is not None

    def delete(self, path: str) -> None:
        """Ask for the deletion of one object; one that is gone is what was wanted."""
        try:
            self._transport.request("DELETE", path, {}, None, _TIMEOUT)
        except Absent:
            return
        except Forbidden as error:
            raise Refused(f"the gate's service account may not delete {path}", error.status) from None

    def _path(self, reference: Reference) -> str:
        if not reference.name:
            return f"/apis/apiextensions.k8s.io/v1/customresourcedefinitions/{_quoted(reference.definition)}"
        base = "/api/v1"
        if reference.group:
            group = self._get(f"/apis/{_quoted(reference.group)}", {})
            base = f"/apis/{group['preferredVersion']['groupVersion']}"
        place = f"/namespaces/{_quoted(reference.namespace)}" if reference.namespace else ""
        return f"{base}{place}/{reference.plural}/{_quoted(reference.name)}"

    def _get(self, path: str, query: dict[str, str]) -> dict[str, t.Any]:
        try:
            return self._retry.call(lambda: self._transport.request("GET", path, query, None, _TIMEOUT)).content
        except Forbidden as error:
            raise Refused(f"the gate's service account may not read {path}", error.status) from None


def _workload(kind: str, item: dict[str, t.Any]) -> Blocker:
    metadata, spec, status = item.get("metadata") or {}, item.get("spec") or {}, item.get("status") or {}
    if kind == "DaemonSet":
        wanted, ready = status.get("desiredNumberScheduled", 0), status.get("numberReady", 0)
        updated = status.get("updatedNumberScheduled", 0)
    else:
        wanted, ready = spec.get("replicas", 1), status.get("readyReplicas", 0)
        updated = status.get("updatedReplicas", 0)
    seen = status.get("observedGeneration", 0) >= metadata.get("generation", 0)
    is_ready = seen and ready >= wanted and updated >= wanted
    message = "" if is_ready else f"{ready} of {wanted} pods ready"
    return Blocker(
        kind, metadata.get("name", ""), metadata.get("namespace", ""), "Healthy" if is_ready else "Progressing", message
    )


def _object(item: dict[str, t.Any]) -> Blocker:
    """Healthy when it exists and none of the usual conditions says no."""
    metadata = item.get("metadata") or {}
    conditions = (item.get("status") or {}).get("conditions") or []
    no = [one for one in conditions if one.get("type") in _READY_CONDITIONS and one.get("status") != "True"]
    status = "Progressing" if no else "Healthy"
    message = f"{no[0].get('type')} is {no[0].get('status')}" if no else ""
    return Blocker(item.get("kind", ""), metadata.get("name", ""), metadata.get("namespace", ""), status, message)


_READY_CONDITIONS = ("Ready", "Available", "Established")


def _quoted(text: str) -> str:
    return urllib.parse.quote(text, safe="")
