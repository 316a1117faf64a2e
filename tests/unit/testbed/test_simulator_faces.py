# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The simulator's two faces at work on the loopback: what an app answers, and how the operator keeps up.

The API server and the simulator's endpoint are fakes here, to inject faults; tests/testbed has the real ones.
"""

from __future__ import annotations

import socket
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "testbed" / "simulator"))

import app
import follow
from cluster_api import ApiError
from talk import Talk

PATIENCE = 20


@contextmanager
def fake_simulator(answers: list[tuple[int, str]]) -> Iterator[str]:
    """Answers each question with the next of `answers`, and the last one for ever."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            code, body = answers.pop(0) if len(answers) > 1 else answers[0]
            self.send_response(code)
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_arguments: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


class RunningApp:
    """The app face in a thread, with its exit caught."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, committed: dict, simulator: str) -> None:
        monkeypatch.setattr(app, "ASK_EVERY", 0.05)
        self.exit: str | None = None
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._run, args=(committed, app.Switch("x", simulator)), daemon=True)
        self._thread.start()

    def _run(self, committed: dict, switch: app.Switch) -> None:
        try:
            app.serve("x", committed, "plain", switch, self._listener)
        except SystemExit as error:
            self.exit = str(error)
        finally:
            self._listener.close()

    def probe(self) -> int:
        try:
            return urllib.request.urlopen(
                f"http://127.0.0.1:{self._listener.getsockname()[1]}/readyz", timeout=5
            ).status
        except urllib.error.HTTPError as error:
            return error.code

    def probe_until(self, code: int) -> bool:
        return any(self.probe() == code for _try in range(2000))

    def wait_for_exit(self) -> str | None:
        self._thread.join(PATIENCE)
        return self.exit


def test_app_follows_the_run_time_switch_there_and_back(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [(200, "{}")]
    with fake_simulator(answers) as simulator:
        running = RunningApp(monkeypatch, {}, simulator)
        assert running.probe_until(200)
        answers.append((200, '{"mode": "never-ready"}'))
        assert running.probe_until(503)
        answers.append((200, "{}"))
        assert running.probe_until(200)
        answers.append((200, '{"mode": "crash"}'))
        assert "crashes" in (running.wait_for_exit() or "")


@pytest.mark.parametrize("trouble", [(500, "oops"), (200, "no JSON"), (200, '{"mode": "dance"}')])
def test_app_keeps_its_behaviour_when_the_simulator_talks_nonsense(
    monkeypatch: pytest.MonkeyPatch, trouble: tuple[int, str], capsys: pytest.CaptureFixture[str]
) -> None:
    answers = [(200, '{"mode": "degraded"}'), trouble, trouble, trouble, trouble, (200, '{"mode": "crash"}')]
    with fake_simulator(answers) as simulator:
        running = RunningApp(monkeypatch, {}, simulator)
        codes = set()
        while running.exit is None:
            try:
                codes.add(running.probe())
            except OSError:
                break
        assert running.wait_for_exit()
    assert codes == {503}
    assert capsys.readouterr().out.count("no news from the simulator") == 1


def test_app_without_a_simulator_does_what_the_commit_says(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
    running = RunningApp(monkeypatch, {"mode": "crash", "delay": 0.3}, address)
    assert running.probe() == 503
    assert "as told" in (running.wait_for_exit() or "")


def test_app_refuses_a_bad_committed_behaviour_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APPLICATION", "x")
    monkeypatch.setenv("BEHAVIOUR", '{"mode": "dance"}')
    monkeypatch.setattr(app.signal, "signal", lambda *_: None)
    with pytest.raises(SystemExit, match=r"apps/x/values.yaml.*mode 'dance' is not known; there are ready"):
        app.main()


class FaultyApi:
    """Plays a script: a page or an error for each list, events or an error for each watch; then it stands still."""

    def __init__(self, script: list[object]) -> None:
        self._script = script
        self.done = threading.Event()

    def _next(self) -> object:
        if not self._script:
            self.done.set()
            threading.Event().wait(PATIENCE)
        step = self._script.pop(0)
        if isinstance(step, Exception):
            raise step
        return step

    def get(self, _path: str, **_query: str) -> object:
        return {"items": self._next(), "metadata": {"resourceVersion": "1"}}

    def watch(self, _path: str, _version: str, **_query: str) -> Iterator[object]:
        yield from self._next()  # type: ignore[misc]


def item(uid: str, **more: object) -> dict:
    return {"metadata": {"uid": uid}, **more}


def event(kind: str, what: dict) -> dict:
    return {"type": kind, "object": what}


@pytest.mark.parametrize(
    ("script", "left"),
    [
        ([[item("a")], [event("ADDED", item("b")), event("DELETED", item("a"))]], {"b"}),
        # The CRD comes late, and goes away again.
        ([ApiError(404, "no such kind"), [item("a")], [], ApiError(404, "no such kind")], set()),
        # The watch is too old; what was deleted meanwhile is gone after the next list.
        ([[item("a"), item("b")], ApiError(410, "too old"), [item("b")], []], {"b"}),
        # A broken connection in the middle loses nothing.
        ([[item("a")], [event("ADDED", item("b"))], ApiError(0, "reset"), [item("a"), item("b")]], {"a", "b"}),
        ([ApiError(503, "starting"), ApiError(0, "refused"), [item("a")]], {"a"}),
    ],
)
def test_operator_keeps_up_with_the_cluster(monkeypatch: pytest.MonkeyPatch, script: list, left: set[str]) -> None:
    monkeypatch.setattr(follow, "LOOK_AGAIN", 0.01)
    api = FaultyApi(script)
    followed = follow.Followed(api, "/apis/x", threading.Event(), Talk())  # type: ignore[arg-type]
    assert api.done.wait(PATIENCE)
    assert {entry["metadata"]["uid"] for entry in followed.items()} == left
