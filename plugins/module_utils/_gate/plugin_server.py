# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""The gate as an executor plugin: the agent of a workflow asks, again and again, how its nodes are doing."""

from __future__ import annotations

import hmac
import http.server
import json
import pathlib
import socket
import threading
import typing as t

from .course import Course
from .gate import Gate
from .outputs import clock, node_outputs, say
from .request import BadRequest, Request, parse_request
from .retry import Clock
from .safe_text import safe_text
from .verdict import FAILED, Verdict

PLUGIN = "deploy-ops"
PORT = 4355
TOKEN_FILE = "/var/run/argo/token"  # the agent puts it there, readable for uid 8737

_PATH = "/api/v1/template.execute"
_LARGEST_BODY = 4 * 1024 * 1024
_MOST_COURSES = 5000


class Plugin:
    """Answers requests. It keeps nothing that a new agent pod would miss."""

    def __init__(self, gate: Gate, token_file: str = TOKEN_FILE, clock: Clock | None = None) -> None:
        self._gate = gate
        self._token_file = pathlib.Path(token_file)
        self._clock = clock or Clock()
        self._courses: dict[str, Course] = {}
        self._lock = threading.Lock()

    def is_agent(self, authorization: str) -> bool:
        try:
            token = self._token_file.read_text(encoding="utf-8").strip()
        except OSError:
            return False
        return bool(token) and hmac.compare_digest(authorization.encode(), f"Bearer {token}".encode())

    def execute(self, body: t.Any) -> dict[str, t.Any] | None:
        """The reply for a node, or None when its template is not for this plugin."""
        template = _mapping(_mapping(body).get("template"))
        plugin = _mapping(template.get("plugin"))
        if PLUGIN not in plugin:
            return None
        run = str(_mapping(_mapping(_mapping(body).get("workflow")).get("metadata")).get("uid") or "")
        try:
            request = parse_request(plugin[PLUGIN], run)
        except BadRequest as error:
            return _reply(Verdict(FAILED, "BadRequest", f"deploy-ops: {safe_text(error)}"))
        course = self._course(request)
        verdict = course.advance(lambda how, looked_for: self._gate.step(request, how, looked_for))
        line = f"{verdict.verdict} {verdict.reason}: {verdict.message}"
        course.note(clock(), line)
        is_news = course.is_news(line)
        if is_news:
            say(f"{clock()} {request.node} {line}")
        if verdict.is_final:
            with self._lock:
                self._courses.pop(_key(request), None)
        return _reply(verdict, course.log, is_news)

    def _course(self, request: Request) -> Course:
        with self._lock:
            if len(self._courses) > _MOST_COURSES:
                self._courses.clear()
            return self._courses.setdefault(_key(request), Course(self._clock))


def serve(plugin: Plugin, port: int = PORT) -> None:
    """Listen on every address, IPv6 first: `localhost` may be ::1."""
    with _Server(("::", port), _handler(plugin)) as server:
        server.serve_forever()


class _Server(http.server.ThreadingHTTPServer):
    address_family = socket.AF_INET6
    daemon_threads = True
    request_queue_size = 128

    def server_bind(self) -> None:
        self.socket.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        super().server_bind()


def _handler(plugin: Plugin) -> type[http.server.BaseHTTPRequestHandler]:
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = 60

        def do_POST(self) -> None:
            length = self.headers.get("Content-Length", "")
            if not length.isdigit() or int(length) > _LARGEST_BODY:
                self.close_connection = True
                return self._answer(413)
            raw = self.rfile.read(int(length))
            if self.path != _PATH:
                return self._answer(404)
            if not plugin.is_agent(self.headers.get("Authorization", "")):
                return self._answer(403)
            try:
                body = json.loads(raw)
            except ValueError:
                return self._answer(400)
            reply = plugin.execute(body)
            return self._answer(404) if reply is None else self._answer(200, reply)

        def _answer(self, status: int, reply: t.Any = None) -> None:
            data = b"" if reply is None else json.dumps(reply).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_arguments: t.Any) -> None:
            """The verdicts are the log."""

    return Handler


def _reply(verdict: Verdict, log: t.Sequence[str] = (), is_news: bool = True) -> dict[str, t.Any]:
    """Error is what a workflow may try again; Failed is final.

    Without a phase the agent asks again and tells nobody. With one, new or not, it writes the task set; for every such
    write the controller walks the whole workflow and the agent goes through all its tasks.
    """
    if not verdict.is_final:
        milliseconds = max(300, round(verdict.look_again * 1000))
        node = {"phase": "Running", "message": verdict.message} if is_news else {}
        return {"node": node, "requeue": f"{milliseconds}ms"}
    phase = "Succeeded" if verdict.is_good else "Error" if verdict.transient else "Failed"
    outputs = [{"name": name, "value": value} for name, value in node_outputs(verdict, log).items()]
    return {"node": {"phase": phase, "message": verdict.message, "outputs": {"parameters": outputs}}}


def _key(request: Request) -> str:
    return f"{request.do} {request.wish.run}"


def _mapping(value: t.Any) -> dict[str, t.Any]:
    return value if isinstance(value, dict) else {}
