# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The Git server: smart HTTP with credentials by `git http-backend`, and the charts as plain files.

`GET /charts/...` is open, as a public chart repository is. Repositories want a user: the reader fetches, the writer
also pushes, makes a repository by pushing to a new name, and removes one with DELETE.
"""

from __future__ import annotations

import argparse
import base64
import hmac
import os
import re
import shutil
import subprocess
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from deploy_ops_testbed.cluster.layout import GIT_READER, GIT_WRITER

REPOSITORY = re.compile(r"/(?P<name>[a-z0-9][a-z0-9._-]*\.git)(?P<rest>/info/refs|/git-upload-pack|/git-receive-pack)?")
CHART_FILE = re.compile(r"/charts/(?P<file>[A-Za-z0-9][A-Za-z0-9._-]*)")
WRITING = "git-receive-pack"


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, address: tuple[str, int], folder: Path, charts: Path, credentials: Path) -> None:
        super().__init__(address, Handler)
        self.folder = folder
        self.charts = charts
        self.passwords = {
            user: (credentials / f"{user}.password").read_text().strip() for user in (GIT_READER, GIT_WRITER)
        }


class Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"
    server_version = "deploy-ops-testbed-git"

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        chart = CHART_FILE.fullmatch(path)
        if path == "/healthz":
            self._answer(HTTPStatus.OK, b"ok\n")
        elif chart:
            self._send_chart(chart["file"])
        else:
            self._git()

    def do_POST(self) -> None:
        self._git()

    def do_DELETE(self) -> None:
        repository = REPOSITORY.fullmatch(urlsplit(self.path).path)
        if not self._allowed(writing=True):
            return
        if not repository or repository["rest"] or not (self.server.folder / repository["name"]).is_dir():
            self._answer(HTTPStatus.NOT_FOUND, b"no such repository\n")
            return
        shutil.rmtree(self.server.folder / repository["name"])
        self._answer(HTTPStatus.NO_CONTENT)

    def _send_chart(self, name: str) -> None:
        try:
            self._answer(HTTPStatus.OK, (self.server.charts / name).read_bytes(), "application/octet-stream")
        except (FileNotFoundError, IsADirectoryError):
            self._answer(HTTPStatus.NOT_FOUND, b"no such chart\n")

    def _git(self) -> None:
        target = urlsplit(self.path)
        repository = REPOSITORY.fullmatch(target.path)
        service = parse_qs(target.query).get("service", [""])[0] or target.path.rpartition("/")[2]
        writing = service == WRITING
        body = b"".join(self._body())
        if not self._allowed(writing):
            return
        folder = self.server.folder / repository["name"] if repository and repository["rest"] else None
        if folder and writing and not folder.exists():
            initialise(folder)
        if folder and folder.is_dir():
            self._run_backend(target.path, target.query, body)
        else:
            self._answer(HTTPStatus.NOT_FOUND, b"no such repository\n")

    def _allowed(self, writing: bool) -> bool:
        """Who may not is told so: 401 asks for credentials, 403 refuses the ones that were given."""
        user = self._user()
        if user is None:
            self.send_response(HTTPStatus.UNAUTHORIZED)
            self.send_header("WWW-Authenticate", 'Basic realm="testbed"')
            self.send_header("Content-Length", "0")
            self.end_headers()
            return False
        if writing and user != GIT_WRITER:
            self._answer(HTTPStatus.FORBIDDEN, f"{user} may only read\n".encode())
            return False
        return True

    def _user(self) -> str | None:
        kind, _, encoded = self.headers.get("Authorization", "").partition(" ")
        try:
            user, _, password = base64.b64decode(encoded, validate=True).decode().partition(":")
        except ValueError:
            return None
        expected = self.server.passwords.get(user)
        if kind.lower() != "basic" or expected is None:
            return None
        return user if hmac.compare_digest(password.encode(), expected.encode()) else None

    def _run_backend(self, path: str, query: str, body: bytes) -> None:
        environment = {
            "PATH": os.environ["PATH"],
            "GIT_PROJECT_ROOT": str(self.server.folder),
            "GIT_HTTP_EXPORT_ALL": "1",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
            "REMOTE_USER": self._user() or "",
            "REMOTE_ADDR": self.client_address[0],
            "REQUEST_METHOD": self.command,
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
        }
        done = subprocess.run(["git", "http-backend"], input=body, env=environment, stdout=subprocess.PIPE, check=False)
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        headers = [line.split(": ", 1) for line in head.decode("latin-1").split("\r\n") if ": " in line]
        status = int(dict(headers).get("Status", "200").split()[0])
        self.send_response(status)
        for name, value in headers:
            if name not in ("Status", "Content-Length"):
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _body(self) -> list[bytes]:
        """What the client sends, also in chunks: git does so with everything above a megabyte."""
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return [self.rfile.read(int(self.headers.get("Content-Length", 0)))]
        parts = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return parts

    def _answer(self, status: HTTPStatus, content: bytes = b"", kind: str = "text/plain") -> None:
        self.send_response(status)
        if status != HTTPStatus.NO_CONTENT:
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 - the base class names it
        """Requests with their answers; credentials are in a header and so never in here."""
        if urlsplit(self.path).path != "/healthz":
            super().log_message(format, *arguments)


def initialise(folder: Path) -> None:
    """An empty repository that can be served and pushed to."""
    subprocess.run(
        ["git", "init", "--quiet", "--bare", "--initial-branch=main", str(folder)],
        check=True, env={"PATH": os.environ["PATH"], "GIT_CONFIG_NOSYSTEM": "1", "HOME": "/nonexistent"},
    )  # fmt: skip
    with (folder / "config").open("a") as config:
        # Argo CD asks for single commits; the default allows only the tips of branches.
        config.write("[http]\n\treceivepack = true\n[uploadpack]\n\tallowAnySHA1InWant = true\n[gc]\n\tauto = 0\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--address", required=True)
    parser.add_argument("--port", type=int, required=True)
    for name in ("--folder", "--charts", "--credentials"):
        parser.add_argument(name, type=Path, required=True)
    options = parser.parse_args()
    server = Server((options.address, options.port), options.folder, options.charts, options.credentials)
    print(
        f"repositories of {options.folder} and charts of {options.charts} on port {options.port} of {options.address}"
    )
    server.serve_forever()


if __name__ == "__main__":
    main()
