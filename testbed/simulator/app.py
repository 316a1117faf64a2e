# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The `app` face: the container of a Deployment or StatefulSet, which gets ready, fails or crashes as told.

Bare sockets instead of http.server, because there are dozens of these on two cores: 28 against 50 ms of processor
time to start and 10 against 18 MiB (`python3 -I -S -c "import app"` against `import http.server`).
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import time

from behaviour import CRASHED, READY, STARTING, Behaviour, BehaviourError, behaviour, parse

PORT = 8080
ASK_EVERY = 1.0
PATIENCE = 0.5


class Switch:
    """The run-time switch of one application, asked from the simulator; silence leaves things as they are."""

    def __init__(self, application: str, address: str) -> None:
        self._path = f"/behaviour/{application}"
        self._host, _colon, port = address.rpartition(":")
        self._port = int(port)
        self._asked = -ASK_EVERY
        self._wishes: dict[str, object] = {}
        self._trouble = ""

    def wishes(self, now: float) -> dict[str, object]:
        if now - self._asked >= ASK_EVERY:
            self._asked = now
            try:
                self._wishes, trouble = self._ask(), ""
            except (OSError, BehaviourError) as error:
                trouble = f"no news from the simulator: {error}"
            if trouble and trouble != self._trouble:
                print(trouble, flush=True)
            self._trouble = trouble
        return self._wishes

    def _ask(self) -> dict[str, object]:
        with socket.create_connection((self._host, self._port), PATIENCE) as connection:
            connection.sendall(f"GET {self._path} HTTP/1.0\r\n\r\n".encode())
            reply = b""
            while part := connection.recv(4096):
                reply += part
        head, _blank, body = reply.partition(b"\r\n\r\n")
        if b" 200 " not in head.partition(b"\r\n")[0]:
            raise OSError(f"it answered {head[:60]!r}")
        return parse(body.decode())


def plain_answer(now: Behaviour, age: float) -> tuple[int, str]:
    """An ordinary readiness endpoint."""
    phase = now.phase(age)
    return (200 if phase == READY else 503), phase


def vault_answer(now: Behaviour, age: float) -> tuple[int, str]:
    """Vault's /v1/sys/health: 501 not initialised, 503 sealed, 200 active."""
    phase = now.phase(age)
    initialized = phase != STARTING or now.progress(age) >= 1 / 3
    sealed = phase != READY
    code = 501 if not initialized else 503 if sealed else 200
    return code, json.dumps({"initialized": initialized, "sealed": sealed, "standby": False})


ANSWERS = {"plain": plain_answer, "vault": vault_answer}


def serve(
    application: str, committed: dict[str, object], answer_as: str, switch: Switch, listener: socket.socket
) -> None:
    """Answer probes until the behaviour says crash."""
    started = time.monotonic()
    listener.settimeout(ASK_EVERY)
    said = ""
    while True:
        try:
            connection = listener.accept()[0]
        except TimeoutError:
            connection = None
        now = time.monotonic()
        current, age = behaviour(committed, switch.wishes(now)), now - started
        code, body = ANSWERS[answer_as](current, age)
        if f"{code} {body}" != said:
            said = f"{code} {body}"
            print(f"{application} after {age:.1f} s: {said}", flush=True)
        if connection:
            _reply(connection, code, body)
        if current.phase(age) == CRASHED:
            raise SystemExit(f"{application} crashes after {age:.1f} s, as told")


def main() -> None:
    # Process 1 gets no default action for SIGTERM: without this every pod would take its whole grace to end.
    signal.signal(signal.SIGTERM, lambda _number, _frame: os._exit(0))
    application = os.environ["APPLICATION"]
    try:
        committed = parse(os.environ.get("BEHAVIOUR", "{}"))
    except BehaviourError as error:
        sys.exit(f"the behaviour of {application} (apps/{application}/values.yaml): {error}")
    switch = Switch(application, os.environ.get("SIMULATOR", "simulator.simulator.svc.cluster.local.:8080"))
    with socket.create_server(("", PORT)) as listener:
        serve(application, committed, os.environ.get("ANSWER_AS", "plain"), switch, listener)


def _reply(connection: socket.socket, code: int, body: str) -> None:
    with connection:
        connection.settimeout(PATIENCE)
        try:
            connection.recv(4096)
            connection.sendall(
                f"HTTP/1.1 {code} -\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n{body}".encode()
            )
        except OSError:
            # The prober went away; it asks again.
            pass
