# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A Kubernetes API client of a few lines: enough for the testbed itself, with the standard library alone."""

from __future__ import annotations

import json
import ssl
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from deploy_ops_testbed.cluster import layout

TIMEOUT = 10.0


class ApiError(Exception):
    """The API server refused; `code` is the HTTP status."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class Api:
    """Talks to the cluster's API server as one of the holders of a certificate."""

    def __init__(self, pki: Path, user: str, server: str = layout.API_URL) -> None:
        self._server = server
        context = ssl.create_default_context(cafile=str(pki / "ca.crt"))
        context.load_cert_chain(pki / f"{user}.crt", pki / f"{user}.key")
        # No proxy of the user's environment may come between the machine and itself.
        self._opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=context)
        )

    def get(self, path: str) -> dict[str, Any]:
        return self._json("GET", path)

    def text(self, path: str) -> str:
        with self._open("GET", path, None, TIMEOUT) as answer:
            return answer.read().decode()

    def create(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        return self._json("POST", path, body)

    def delete(self, path: str) -> dict[str, Any]:
        return self._json("DELETE", path)

    def watch(self, path: str, version: str, seconds: int) -> Iterator[dict[str, Any]]:
        """Events since a version of a list, until the server ends the watch."""
        query = f"{path}?watch=1&resourceVersion={version}&timeoutSeconds={seconds}"
        with self._open("GET", query, None, seconds + TIMEOUT) as answer:
            for line in answer:
                yield json.loads(line)

    def _json(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        with self._open(method, path, body, TIMEOUT) as answer:
            return json.load(answer)

    def _open(self, method: str, path: str, body: dict[str, Any] | None, timeout: float) -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        request = urllib.request.Request(self._server + path, data=data, method=method, headers=headers)
        try:
            return self._opener.open(request, timeout=timeout)
        except urllib.error.HTTPError as error:
            raise ApiError(error.code, _message(error)) from None


def _message(error: urllib.error.HTTPError) -> str:
    text = error.read().decode(errors="replace")
    try:
        return str(json.loads(text)["message"])
    except (ValueError, KeyError, TypeError):
        return text.strip() or str(error)
