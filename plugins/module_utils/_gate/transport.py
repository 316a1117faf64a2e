# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""One HTTP request to an API that speaks JSON: bounded in time and size, and judged by its status."""

from __future__ import annotations

import datetime
import http.client
import json
import math
import socket
import ssl
import typing as t
import urllib.error
import urllib.parse
import urllib.request

from .errors import Absent, ApiError, Forbidden, Refused, Unauthenticated, Unavailable
from .moments import Moment, parse_http_date
from .safe_text import safe_text

_TRANSIENT = (408, 429, 500, 502, 503, 504)
_LARGEST_ANSWER = 64 * 1024 * 1024
_USER_AGENT = "proficientnow.deploy_ops gate"


class Answer(t.NamedTuple):
    content: t.Any
    # The server's clock when it answered
    now: Moment


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """urllib would hand the Authorization header on to wherever a server points."""

    def redirect_request(self, *_arguments: t.Any) -> None:
        return None


class Transport:
    """`name` is what messages call the server; `read_token` is asked again when a token is no longer accepted."""

    def __init__(
        self,
        name: str,
        url: str,
        read_token: t.Callable[[], str],
        context: ssl.SSLContext | None = None,
    ) -> None:
        self.name = name
        self._url = url.rstrip("/")
        self._read_token = read_token
        self._token = ""
        self._opener = urllib.request.build_opener(_NoRedirects(), urllib.request.HTTPSHandler(context=context))

    def request(self, method: str, path: str, query: dict[str, str], body: t.Any, timeout: float) -> Answer:
        """Raises an ApiError for everything but a usable answer. A token that is refused is read anew, once."""
        is_fresh = not self._token
        if is_fresh:
            self._token = self._read_token()
        try:
            return self._send(method, path, query, body, timeout)
        except Unauthenticated:
            token = self._read_token()
            if is_fresh and token == self._token:
                raise
            self._token = token
            return self._send(method, path, query, body, timeout)

    def _send(self, method: str, path: str, query: dict[str, str], body: t.Any, timeout: float) -> Answer:
        url = self._url + path + ("?" + urllib.parse.urlencode(query) if query else "")
        # Argo CD compares the whole header, wants it on DELETE too, and answers 415 to a charset.
        headers = {"User-Agent": _USER_AGENT, "Content-Type": "application/json", "Accept": "application/json"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        data = None if body is None else json.dumps(body).encode()
        try:
            request = urllib.request.Request(url, data=data, method=method, headers=headers)
            with self._opener.open(request, timeout=timeout) as response:
                return self._answer(response)
        except urllib.error.HTTPError as error:
            with error:
                raise self._refusal(error) from None
        except (OSError, http.client.HTTPException) as error:
            raise self._no_answer(error, timeout) from None
        except ValueError:
            raise Refused(f"{self.name}: its address or the token holds characters that HTTP does not allow") from None

    def _answer(self, response: t.Any) -> Answer:
        raw = response.read(_LARGEST_ANSWER)
        try:
            content = json.loads(raw)
        except ValueError:
            text = f"{self.name} answered with something else than JSON: is a proxy or a login page in between?"
            raise Unavailable(text, response.status) from None
        return Answer(content, server_time(response.headers.get("Date")))

    def _refusal(self, error: urllib.error.HTTPError) -> ApiError:
        status = error.code
        if status in _TRANSIENT:
            retry_after = _seconds(error.headers.get("Retry-After"), error.headers.get("Date"))
            return Unavailable(f"{self.name} answered {status}", status, retry_after)
        if 300 <= status < 400:
            return Refused(f"{self.name} answered with a redirect: give the address that it points to", status)
        told = _told(error)
        if status == 401:
            return Unauthenticated(f"{self.name} does not accept the token (401): renew it, then run again", status)
        if status == 403:
            return Forbidden(told or "permission denied", status)
        if status == 404:
            return Absent(f"{self.name} does not know it (404)", status)
        return Refused(f"{self.name} answered {status}" + (f": {told}" if told else ""), status)

    def _no_answer(self, error: Exception, timeout: float) -> ApiError:
        cause: t.Any = error.reason if isinstance(error, urllib.error.URLError) else error
        if isinstance(cause, ssl.SSLCertVerificationError):
            return Refused(f"{self.name}: its certificate is not trusted: {cause.verify_message}")
        return Unavailable(f"{self.name} {_why(cause, timeout)}")


def server_time(date: str | None) -> Moment:
    return parse_http_date(date) or datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)


def _why(cause: t.Any, timeout: float) -> str:
    """In words, and never the text of the error: it may quote the URL."""
    if isinstance(cause, socket.gaierror):
        return "cannot be found: its name does not resolve"
    if isinstance(cause, (socket.timeout, TimeoutError)):
        return f"did not answer within {timeout:.0f} s"
    if isinstance(cause, ConnectionRefusedError):
        return "refuses connections"
    if isinstance(cause, ssl.SSLError):
        return "does not speak TLS"
    if isinstance(cause, (ConnectionError, http.client.HTTPException)):
        return "closed the connection without an answer"
    return f"does not answer ({type(cause).__name__})"


def _told(error: urllib.error.HTTPError) -> str:
    """The message of an error in the API's own form; of anything else, such as a proxy's page, nothing."""
    try:
        content = json.loads(error.read(65536))
    except (ValueError, OSError, http.client.HTTPException):
        return ""
    return safe_text(content.get("message"), 300) if isinstance(content, dict) else ""


def _seconds(retry_after: str | None, date: str | None) -> float:
    """Retry-After comes as a number of seconds or as a date."""
    if not retry_after:
        return 0.0
    try:
        seconds = float(retry_after)
        return seconds if math.isfinite(seconds) and seconds > 0 else 0.0
    except ValueError:
        moment = parse_http_date(retry_after)
        return max(0.0, (moment - server_time(date)).total_seconds()) if moment else 0.0
