# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""HTTP with bounds: time, size, and where a credential may travel to."""

from __future__ import annotations

import base64
import http.client
import socket
import ssl
import time
import typing as t
import urllib.error
import urllib.parse
import urllib.request

from ..connectivity import Reach
from .parallel import Deadline

_USER_AGENT = "proficientnow.deploy_ops phase0_check"


class NoAnswer(Exception):
    """Nothing that speaks HTTP answered; the text is safe to show."""


class Response(t.NamedTuple):
    status: int
    headers: t.Mapping[str, str]
    body: bytes


class _SameHostRedirects(urllib.request.HTTPRedirectHandler):
    """urllib would hand the Authorization header on to wherever a server points."""

    def redirect_request(
        self, req: urllib.request.Request, fp: t.Any, code: int, msg: str, headers: t.Any, newurl: str
    ) -> urllib.request.Request | None:
        request = super().redirect_request(req, fp, code, msg, headers, newurl)
        if request is not None and _origin(req.full_url) != _origin(newurl):
            request.remove_header("Authorization")
        return request


class Http:
    """One client for all endpoints. Proxies come from the environment, as everywhere."""

    def __init__(self, timeout: float, deadline: Deadline, ca_file: str = "") -> None:
        self.timeout = timeout
        self._deadline = deadline
        context = ssl.create_default_context()
        if ca_file:
            context.load_verify_locations(cafile=ca_file)
        self._opener = urllib.request.build_opener(urllib.request.HTTPSHandler(context=context), _SameHostRedirects())

    def request(
        self, url: str, method: str = "GET", headers: t.Mapping[str, str] | None = None, limit: int = 65536
    ) -> Response:
        request = urllib.request.Request(url, method=method, headers={"User-Agent": _USER_AGENT, **(headers or {})})
        timeout = min(self.timeout, self._deadline.left)
        if timeout <= 0:
            raise NoAnswer("no time left")
        try:
            with self._opener.open(request, timeout=timeout) as answer:
                return _response(answer, limit)
        except urllib.error.HTTPError as exc:
            with exc:
                return _response(exc, limit)
        except (OSError, http.client.HTTPException, ValueError) as exc:
            raise NoAnswer(reason(exc, timeout)) from None

    def reach(self, url: str, limit: int = 65536) -> tuple[Reach, Response | None]:
        """Whether anything answers; every HTTP status is an answer."""
        start = time.monotonic()
        try:
            response = self.request(url, limit=limit)
        except NoAnswer as exc:
            return Reach(False, str(exc), time.monotonic() - start), None
        return Reach(True, f"answers ({response.status})", time.monotonic() - start), response


def basic(username: str, password: str) -> dict[str, str]:
    return {"Authorization": "Basic " + base64.b64encode(f"{username}:{password}".encode()).decode()}


def reach_port(host: str, port: int, timeout: float) -> Reach:
    start = time.monotonic()
    try:
        socket.create_connection((host, port), timeout=timeout).close()
    except OSError as exc:
        return Reach(False, reason(exc, timeout), time.monotonic() - start)
    return Reach(True, f"port {port} is open", time.monotonic() - start)


def reason(exc: BaseException, timeout: float) -> str:
    """Why nothing answered, in words. Never the text of the error: it may quote the URL."""
    cause: t.Any = exc
    if isinstance(exc, urllib.error.URLError) and isinstance(exc.reason, BaseException):
        cause = exc.reason
    if isinstance(cause, socket.gaierror):
        return "the name does not resolve"
    if isinstance(cause, ssl.SSLCertVerificationError):
        return f"its certificate is not trusted: {cause.verify_message}"
    if isinstance(cause, ssl.SSLError):
        return "it does not speak TLS"
    if isinstance(cause, (socket.timeout, TimeoutError)):
        return f"no answer within {timeout:.0f} s"
    if isinstance(cause, ConnectionRefusedError):
        return "connection refused"
    if isinstance(cause, (ConnectionError, http.client.RemoteDisconnected)):
        return "it closed the connection without an answer"
    if isinstance(cause, http.client.HTTPException):
        return "it does not speak HTTP"
    if isinstance(cause, OSError) and cause.strerror:
        return cause.strerror.lower()
    return f"no answer ({type(cause).__name__})"


def _response(answer: t.Any, limit: int) -> Response:
    headers = {key.lower(): value for key, value in answer.headers.items()}
    return Response(answer.status, headers, answer.read(limit))


def _origin(url: str) -> tuple[str, str]:
    parts = urllib.parse.urlsplit(url)
    return parts.scheme, parts.netloc
