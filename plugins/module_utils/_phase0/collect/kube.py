# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Reads from the Kubernetes API: known paths, no discovery, bounded time, a small retry.

Nothing here can write: GET, and POST to selfsubjectaccessreviews, which stores nothing.
"""

from __future__ import annotations

import json
import time
import typing as t
import urllib.parse

from ..permissions import Access
from .kubeconfig import Kubeconfig
from .parallel import Deadline

# Metadata only: the records of Helm releases weigh up to a megabyte each, and CRDs are not small either.
METADATA = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"

_REVIEWS = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"
_TRANSIENT = (408, 429, 500, 502, 503, 504)
_ATTEMPTS = 3
_PAGE = 500


class KubeError(Exception):
    """The API server did not give what was asked for; ``status`` is 0 when it did not answer."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class KubeConfigError(Exception):
    """The client library refuses the kubeconfig."""


class KubeReader:
    def __init__(self, kubeconfig: Kubeconfig, timeout: float, deadline: Deadline, connections: int = 16) -> None:
        # Imported here: the report has to say that the package is missing, and the import costs 0.2 s.
        import kubernetes.client
        import kubernetes.config
        import urllib3

        configuration = kubernetes.client.Configuration()
        configuration.connection_pool_maxsize = connections
        options = {"context": kubeconfig.fact.context, "client_configuration": configuration, "persist_config": False}
        try:
            if kubeconfig.path:
                kubernetes.config.load_kube_config(config_file=kubeconfig.path, **options)
            else:
                kubernetes.config.load_kube_config_from_dict(kubeconfig.content, **options)
        except (kubernetes.config.ConfigException, ValueError, OSError) as exc:
            raise KubeConfigError(f"the kubeconfig cannot be used ({type(exc).__name__}): is it complete?") from None
        self._configuration = configuration
        # The client's call signatures differ between its releases; its connection pool, with TLS all set, does not.
        self._pool = kubernetes.client.ApiClient(configuration).rest_client.pool_manager
        self._urllib3 = urllib3
        self._timeout = timeout
        self._deadline = deadline

    def get(self, path: str, accept: str = "application/json", **query: t.Any) -> dict[str, t.Any]:
        return self._request("GET", path, accept=accept, query=query)

    def items(self, path: str, accept: str = "application/json", **query: t.Any) -> list[dict[str, t.Any]]:
        """All items of a list, page by page."""
        found: list[dict[str, t.Any]] = []
        following = ""
        while True:
            page = {"limit": _PAGE, **({"continue": following} if following else {})}
            answer = self.get(path, accept=accept, **query, **page)
            found += answer.get("items") or []
            following = (answer.get("metadata") or {}).get("continue") or ""
            if not following:
                return found

    def allowed(self, access: Access) -> bool:
        resource, _slash, subresource = access.resource.partition("/")
        attributes = {
            "verb": access.verb,
            "group": access.group,
            "resource": resource,
            "subresource": subresource,
            "namespace": access.namespace,
        }
        body = {
            "apiVersion": "authorization.k8s.io/v1",
            "kind": "SelfSubjectAccessReview",
            "spec": {"resourceAttributes": attributes},
        }
        return bool(self._request("POST", _REVIEWS, body=body)["status"]["allowed"])

    def _request(
        self,
        method: str,
        path: str,
        accept: str = "application/json",
        query: t.Mapping[str, t.Any] | None = None,
        body: t.Any = None,
    ) -> dict[str, t.Any]:
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                return self._once(method, path, accept, query, body)
            except KubeError as exc:
                pause = 0.5 * attempt
                if attempt == _ATTEMPTS or exc.status not in (0, *_TRANSIENT) or self._deadline.left < pause:
                    raise
            time.sleep(pause)
        raise AssertionError("unreachable")

    def _once(
        self, method: str, path: str, accept: str, query: t.Mapping[str, t.Any] | None, body: t.Any
    ) -> dict[str, t.Any]:
        timeout = min(self._timeout, self._deadline.left)
        if timeout <= 0:
            raise KubeError(0, "no time left")
        headers = {"Accept": accept, "Content-Type": "application/json"}
        settings: t.Any = self._configuration.auth_settings()
        for setting in settings.values():
            headers[str(setting["key"])] = str(setting["value"])
        url = self._configuration.host.rstrip("/") + path
        if query:
            url += "?" + urllib.parse.urlencode(query)
        try:
            answer = self._pool.request(
                method,
                url,
                headers=headers,
                body=None if body is None else json.dumps(body),
                timeout=self._urllib3.Timeout(connect=timeout, read=timeout),
                retries=False,
            )
        except self._urllib3.exceptions.HTTPError as exc:
            raise KubeError(0, _reason(exc, timeout)) from None
        if answer.status >= 300:
            raise KubeError(answer.status, f"HTTP {answer.status}")
        try:
            return json.loads(answer.data)
        except ValueError:
            raise KubeError(answer.status, "the answer is not JSON") from None


def _reason(exc: Exception, timeout: float) -> str:
    """Told by the type of the error alone: its text names objects of the client library, which helps nobody."""
    names = {type(exc).__name__}
    cause: t.Any = exc
    while cause is not None and len(names) < 10:
        names.add(type(cause).__name__)
        cause = cause.__cause__ or cause.__context__
    if "SSLError" in names or "SSLCertVerificationError" in names:
        return "its certificate is not trusted by the kubeconfig's CA"
    if "NameResolutionError" in names or "gaierror" in names:
        return "its name does not resolve"
    if names & {"ConnectTimeoutError", "ReadTimeoutError", "TimeoutError"}:
        return f"no answer within {timeout:.0f} s"
    if "ConnectionRefusedError" in names:
        return "connection refused"
    return f"no answer ({type(exc).__name__})"
