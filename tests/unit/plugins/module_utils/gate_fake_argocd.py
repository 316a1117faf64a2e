# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A FAKE Argo CD, in this process, to inject faults that a real one does not produce on demand.

It keeps one Application that goes through the life of an operation by a virtual clock. What the gate makes of the
real Argo CD is tested on the embedded cluster: tests/integration/test_gate.py.
"""

from __future__ import annotations

import contextlib
import email.utils
import http.server
import json
import socket
import struct
import threading
import typing as t

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.moments import parse_moment
from ansible_collections.proficientnow.deploy_ops.tests.unit.plugins.module_utils.gate_objects import (
    COMMIT,
    application,
    at,
    state,
)

# What can happen to one request. "then" faults strike after the request has been carried out.
FAULTS = ("429", "429 with Retry-After", "500", "503", "reset", "html", "then reset", "then 503", "then html")

TOKEN = "fake-token-of-the-fake-server"


class VirtualClock:
    """Sleeping takes no time, and is counted."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


class FakeArgoCD:
    """Synced after 3 s, Healthy after 6 s, by the virtual clock."""

    def __init__(self, clock: VirtualClock, faults: t.Mapping[int, str] | None = None) -> None:
        self.clock = clock
        self.faults = dict(faults or {})
        self.token = TOKEN
        self.requests: list[str] = []
        self.operations: list[dict[str, t.Any]] = []
        self.asked_at = 0.0
        self.terminated = False
        # Status and JSON body with which every request for the Application is refused, when set
        self.refusal: tuple[int, dict[str, t.Any]] | None = None
        self.can_i = "yes"
        self.content_types: set[str] = set()
        self._compared = 0.0
        self._lock = threading.Lock()
        self.url = ""

    def answer(self, method: str, path: str, body: t.Any) -> tuple[int, t.Any]:
        if "/can-i/" in path:
            return 200, {"value": self.can_i}
        if self.refusal is not None:
            return self.refusal
        if path.endswith("/sync"):
            if self._running():
                return 400, {"code": 9, "message": "another operation is already in progress"}
            self.operations.append({"info": body["infos"], "sync": {"prune": body["prune"]}})
            self.asked_at = self.clock.now
            return 200, self._application()
        if path.endswith("/resource-tree"):
            return 200, {"nodes": []}
        if method == "DELETE":
            self.terminated = True
            return 200, {}
        if "refresh=" in path:
            self._compared = self.clock.now
        return 200, self._application()

    def _running(self) -> bool:
        return bool(self.operations) and self.clock.now < self.asked_at + 3

    def _application(self) -> dict[str, t.Any]:
        if not self.operations:
            return application(sync="OutOfSync", health="Missing", compared=self._compared)
        operation = self.operations[-1]
        started, ended, healthy = self.asked_at, self.asked_at + 3, self.asked_at + 6
        if self._running():
            running = state("Running", started, None, "waiting", operation=operation)
            return application(running, operation, sync="OutOfSync", health="Missing", compared=self._compared)
        is_healthy = self.clock.now >= healthy
        return application(
            state("Succeeded", started, ended, operation=operation),
            health="Healthy" if is_healthy else "Progressing",
            health_since=healthy if is_healthy else ended,
            compared=self._compared,
            revision=COMMIT,
        )

    def date(self) -> str:
        moment = parse_moment(at(self.clock.now))
        assert moment is not None
        return email.utils.format_datetime(moment, usegmt=True)


@contextlib.contextmanager
def serving(fake: FakeArgoCD) -> t.Iterator[FakeArgoCD]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _handler(fake))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    fake.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield fake
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(fake: FakeArgoCD) -> type[http.server.BaseHTTPRequestHandler]:
    class Handler(http.server.BaseHTTPRequestHandler):
        def _handle(self) -> None:
            raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            with fake._lock:
                fault = fake.faults.get(len(fake.requests), "")
                fake.requests.append(f"{self.command} {self.path}")
            if self.command != "GET":
                fake.content_types.add(self.headers.get("Content-Type", ""))
            if fault and not fault.startswith("then "):
                return self._strike(fault)
            if self.headers.get("Authorization") != f"Bearer {fake.token}":
                return self._send(401, {"code": 16, "message": f"invalid session: {self.headers['Authorization']}"})
            status, content = fake.answer(self.command, self.path, json.loads(raw) if raw else None)
            if fault:
                return self._strike(fault[len("then ") :])
            return self._send(status, content)

        do_GET = do_POST = do_DELETE = do_PUT = _handle

        def _strike(self, fault: str) -> None:
            if fault == "reset":
                # Linger 0: the client sees a reset, not an end.
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.close_connection = True
                self.connection.close()
            elif fault == "html":
                self._send(200, "<html><body>please log in, canary-in-a-page</body></html>", raw=True)
            else:
                headers = {"Retry-After": "7"} if "Retry-After" in fault else {}
                self._send(int(fault[:3]), {"message": "canary-in-a-body"}, headers)

        def _send(
            self, status: int, content: t.Any, headers: t.Mapping[str, str] | None = None, raw: bool = False
        ) -> None:
            data = content.encode() if raw else json.dumps(content).encode()
            self.send_response_only(status)
            self.send_header("Date", fake.date())
            self.send_header("Content-Length", str(len(data)))
            for name, value in (headers or {}).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_arguments: t.Any) -> None:
            pass

    return Handler
