# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Servers on the loopback for the tests that need one."""

from __future__ import annotations

import http.server
import threading

import pytest


class Answering(http.server.BaseHTTPRequestHandler):
    """Answers by calling ``answer(handler)`` -> (status, headers, body), and remembers what was asked."""

    protocol_version = "HTTP/1.1"

    def _answer(self):
        length = int(self.headers.get("Content-Length") or 0)
        self.body = self.rfile.read(length)
        self.server.asked.append((self.command, self.path))
        reply = self.server.answer(self)
        if reply is None:  # closes the connection without a word
            self.close_connection = True
            return
        status, headers, body = reply
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_GET = do_HEAD = do_POST = _answer

    def log_message(self, *_arguments):
        pass


@pytest.fixture
def serve_http():
    """``serve_http(answer)`` starts a server and returns it; its address is ``.url`` and ``.host``."""
    servers = []

    def serve(answer):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answering)
        server.daemon_threads = True
        server.answer, server.asked = answer, []
        server.host = f"127.0.0.1:{server.server_port}"
        server.url = f"http://{server.host}"
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        servers.append(server)
        return server

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()
