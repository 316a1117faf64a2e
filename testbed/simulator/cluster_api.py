# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""As much of a Kubernetes client as the simulator needs, from the standard library: list, watch, patch a status."""

from __future__ import annotations

import json
import ssl
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SERVICE_ACCOUNT = Path("/var/run/secrets/kubernetes.io/serviceaccount")
PATIENCE = 10.0
WATCH_SECONDS = 240


class ApiError(Exception):
    """The API server, or the way to it, said no."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(f"{status} {message}" if status else message)
        self.status = status


class ClusterApi:
    """The API server of the cluster that this pod runs in."""

    def __init__(self, server: str = "https://kubernetes.default.svc", account: Path = SERVICE_ACCOUNT) -> None:
        self._server = server
        self._token = account / "token"
        self._tls = ssl.create_default_context(cafile=str(account / "ca.crt"))

    def get(self, path: str, **query: str) -> dict[str, Any]:
        with self._open("GET", path, query) as reply:
            return json.load(reply)

    def watch(self, path: str, resource_version: str, **query: str) -> Iterator[dict[str, Any]]:
        """Changes since `resource_version`; ends after a while, as watches do: list again then."""
        query = {**query, "watch": "1", "resourceVersion": resource_version, "timeoutSeconds": str(WATCH_SECONDS)}
        try:
            with self._open("GET", path, query, patience=WATCH_SECONDS + PATIENCE) as reply:
                for line in reply:
                    event = json.loads(line)
                    if event["type"] == "ERROR":
                        raise ApiError(event["object"].get("code", 0), event["object"].get("message", ""))
                    yield event
        except (OSError, ValueError) as error:
            raise ApiError(0, f"watch of {path} broke off: {error}") from None

    def patch_status(self, path: str, patch: dict[str, Any]) -> dict[str, Any]:
        """Write into the status; the answer is the resource as it is then."""
        with self._open("PATCH", f"{path}/status", {}, body={"status": patch}) as reply:
            return json.load(reply)

    def _open(
        self, method: str, path: str, query: dict[str, str], *, body: Any = None, patience: float = PATIENCE
    ) -> Any:
        # The token is read anew every time, because the kubelet rotates it.
        headers = {"Authorization": f"Bearer {self._token.read_text()}", "Content-Type": "application/merge-patch+json"}
        url = f"{self._server}{path}?{urllib.parse.urlencode(query)}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(url, data=data, headers=headers, method=method)
        try:
            return urllib.request.urlopen(request, timeout=patience, context=self._tls)
        except urllib.error.HTTPError as error:
            raise ApiError(error.code, f"{method} {path}: {error.read(300).decode(errors='replace')}") from None
        except OSError as error:
            raise ApiError(0, f"{method} {path}: {error}") from None
