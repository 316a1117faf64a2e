# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The few Kubernetes requests that the bootstrap modules need, by path and without discovery.

The connection itself (kubeconfig, token, client certificate, proxy) is kubernetes.core's, so every
module of a play reaches the cluster in the same way.
"""

from __future__ import annotations

import json
import random
import time
import typing as t

RETRIED_STATUSES = (408, 429, 500, 502, 503, 504)
REQUEST_TIMEOUT = 30
# Seconds to connect and to answer where the client asks on its own account; urllib3 tries four times
CLIENT_TIMEOUT = (5, REQUEST_TIMEOUT)
WAYS_OUT = {
    401: "The kubeconfig's credential is not valid (any more): get a new one",
    403: "Use a kubeconfig with cluster-admin rights; phase 0 lists what is needed",
}


class KubeError(Exception):
    """A request that the API server refused, or that did not reach it; safe to show."""

    def __init__(self, message: str, status: int = 0) -> None:
        super().__init__(message)
        self.status = status


class Request(t.Protocol):
    """What kubernetes' DynamicClient.request does; a test passes a function of its own."""

    def __call__(self, method: str, path: str, body: t.Any = None, **params: t.Any) -> t.Any: ...


class KubeApi:
    """Reads are retried until `patience` seconds have passed; writes are made once."""

    def __init__(self, request: Request, patience: float = 30, server: str = "") -> None:
        self.server = server
        self._request = request
        self._patience = patience
        self._plurals: dict[str, dict[str, tuple[str, bool]]] = {}

    def with_patience(self, seconds: float) -> KubeApi:
        """The same cluster, asked with another patience."""
        return KubeApi(self._request, seconds, self.server)

    def get(self, path: str, **query: str) -> dict[str, t.Any] | None:
        """The object or list at `path`, None when there is none."""
        raw = self._read(path, query, "application/json")
        return None if raw is None else json.loads(raw)

    def items(self, path: str, **query: str) -> list[dict[str, t.Any]]:
        return (self.get(path, **query) or {}).get("items") or []

    def metadata_items(self, path: str, **query: str) -> list[dict[str, t.Any]]:
        """As `items`, without the content: a Helm release record may weigh a megabyte."""
        raw = self._read(path, query, "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1")
        return (json.loads(raw) if raw else {}).get("items") or []

    def metadata_exists(self, path: str) -> bool:
        """Whether there is an object at `path`; its content (a Secret's, say) does not travel."""
        return self._read(path, {}, "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1") is not None

    def text(self, path: str, headers: dict[str, str] | None = None, **query: str) -> str:
        """Any text: a log, or the answer of a service behind the API server's proxy."""
        return self._read(path, query, "*/*", headers) or ""

    def create(self, path: str, body: dict[str, t.Any]) -> dict[str, t.Any]:
        return json.loads(self._send("post", path, body=body))

    def post_text(self, path: str, body: t.Any) -> str:
        """For a service behind the API server's proxy, whose answer may be any text."""
        return self._send("post", path, body=body, header_params={"Accept": "*/*"})

    def replace(self, path: str, body: dict[str, t.Any]) -> dict[str, t.Any]:
        return json.loads(self._send("put", path, body=body))

    def merge(self, path: str, body: dict[str, t.Any]) -> dict[str, t.Any]:
        return json.loads(self._send("patch", path, body=body, content_type="application/merge-patch+json"))

    def delete(self, path: str, propagation: str = "Background") -> bool:
        """True when there was something to delete."""
        try:
            self._send("delete", path, body={"propagationPolicy": propagation})
        except KubeError as error:
            if error.status == 404:
                return False
            raise
        return True

    def path_of(self, api_version: str, kind: str, namespace: str = "", name: str = "") -> str | None:
        """The path of an object (or, without a name, of its collection); None for a kind that is not served."""
        root = f"/apis/{api_version}" if "/" in api_version else f"/api/{api_version}"
        if api_version not in self._plurals:
            served = (self.get(root) or {}).get("resources") or []
            self._plurals[api_version] = {
                entry["kind"]: (entry["name"], entry["namespaced"]) for entry in served if "/" not in entry["name"]
            }
        if kind not in self._plurals[api_version]:
            return None
        plural, namespaced = self._plurals[api_version][kind]
        scope = f"/namespaces/{namespace}" if namespaced and namespace else ""
        return f"{root}{scope}/{plural}" + (f"/{name}" if name else "")

    def _read(self, path: str, query: dict[str, str], accept: str, headers: dict[str, str] | None = None) -> str | None:
        deadline = time.monotonic() + self._patience
        pause = 0.5
        while True:
            try:
                return self._send(
                    "get", path, query_params=list(query.items()), header_params=dict(headers or {}, Accept=accept)
                )
            except KubeError as error:
                if error.status == 404:
                    return None
                transient = error.status == 0 or error.status in RETRIED_STATUSES
                if not transient or time.monotonic() + pause > deadline:
                    raise
            time.sleep(pause)
            pause = min(8.0, random.uniform(0.5, pause * 3))

    def _send(self, method: str, path: str, **params: t.Any) -> str:
        try:
            response = self._request(method, path, serialize=False, _request_timeout=REQUEST_TIMEOUT, **params)
        except Exception as error:  # the client lets urllib3's, ssl's and its own exceptions through
            raise _translated(method, path, error) from None
        return response.data.decode("utf-8", "replace")


def _translated(method: str, path: str, error: Exception) -> KubeError:
    status = getattr(error, "status", None)
    if not isinstance(status, int) or status == 0:
        return KubeError(
            f"the Kubernetes API did not answer ({type(error).__name__}) on {method.upper()} {path}: "
            "check the network and the API server, then run again"
        )
    try:
        reason = json.loads(getattr(error, "body", b"") or b"{}").get("message", "")
    except ValueError:
        reason = ""
    message = f"the Kubernetes API answered {status} on {method.upper()} {path}: {reason}".rstrip(": ")
    return KubeError(f"{message}. {WAYS_OUT[status]}" if status in WAYS_OUT else message, status)


def connect(module: t.Any, patience: float = 30) -> KubeApi:
    """The cluster that the module's kubernetes.core connection options (or K8S_AUTH_*, KUBECONFIG) name."""
    from ansible_collections.kubernetes.core.plugins.module_utils.k8s.client import get_api_client
    from ansible_collections.kubernetes.core.plugins.module_utils.k8s.exceptions import CoreException

    _never_wait_for_ever()
    try:
        client = get_api_client(module)
        return KubeApi(client.client.request, patience, client.configuration.host)
    except CoreException as error:
        raise KubeError(str(error)) from None
    except Exception as error:  # kubernetes.core discovers while it connects and lets urllib3's errors through
        pool = getattr(error, "pool", None)
        where = f" at {pool.host}:{pool.port}" if pool is not None else ""
        raise KubeError(
            f"no connection to the cluster{where} ({type(error).__name__}): check that the API server of your "
            "kubeconfig is up and reachable from here, then run again"
        ) from None


def _never_wait_for_ever() -> None:
    """The client discovers the cluster without a time limit of its own: a silent server would hold it for ever."""
    from kubernetes.client.rest import RESTClientObject

    request: t.Any = RESTClientObject.request

    def limited(self: t.Any, *arguments: t.Any, _request_timeout: t.Any = None, **more: t.Any) -> t.Any:
        return request(self, *arguments, _request_timeout=_request_timeout or CLIENT_TIMEOUT, **more)

    t.cast(t.Any, RESTClientObject).request = limited
