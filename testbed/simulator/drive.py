# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The `operator` face: drives the status of the custom resources of the sample platforms.

It also answers `GET /behaviour/<application>` for the `app` face: the run-time switch, kept in one ConfigMap.
"""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from behaviour import BehaviourError, behaviour, parse
from cluster_api import ApiError, ClusterApi
from follow import Followed
from kinds import KINDS, Fields, Kind
from status import APPLICATION, application_of, committed_text, merge_patch, next_status
from talk import Talk

PORT = 8080
TICK = 0.25
SWITCHES = "/api/v1/namespaces/simulator/configmaps"
SWITCHES_NAME = "simulator-behaviour"


class Wishes:
    """What is asked of every application; what cannot be read counts as not asked, and the log says so once."""

    def __init__(self, switches: Followed, talk: Talk) -> None:
        self._switches = switches
        self._talk = talk

    @property
    def known(self) -> bool:
        return self._switches.listed

    def at_run_time(self, application: str) -> dict[str, object]:
        texts = [text for item in self._switches.items() if (text := (item.get("data") or {}).get(application))]
        return self._read(f"run-time behaviour of {application}", texts[0]) if texts else {}

    def by_commit(self, resource: Fields) -> dict[str, object]:
        return self._read(f"committed behaviour of {application_of(resource)}", committed_text(resource))

    def _read(self, place: str, text: str) -> dict[str, object]:
        try:
            return parse(text)
        except BehaviourError as error:
            self._talk.say_once(place, f"not used: {error}")
            return {}


class Operator:
    """Writes the status of the resources of one kind."""

    def __init__(self, api: ClusterApi, kind: Kind, wishes: Wishes, woken: threading.Event, talk: Talk) -> None:
        self._api = api
        self._kind = kind
        self._wishes = wishes
        self._talk = talk
        self._base = f"/apis/{kind.group}/{kind.version}"
        self._followed = Followed(api, f"{self._base}/{kind.plural}", woken, talk, labelSelector=APPLICATION)

    def drive(self, now: float) -> None:
        for resource in self._followed.items():
            application = application_of(resource)
            wanted = behaviour(self._wishes.by_commit(resource), self._wishes.at_run_time(application))
            status = next_status(self._kind, resource, wanted, now)
            if patch := merge_patch(resource.get("status") or {}, status):
                self._write(resource, patch, f"{self._kind.kind} of {application}")

    def _write(self, resource: Fields, patch: Fields, place: str) -> None:
        metadata = resource["metadata"]
        namespace = f"/namespaces/{metadata['namespace']}" if "namespace" in metadata else ""
        try:
            after = self._api.patch_status(f"{self._base}{namespace}/{self._kind.plural}/{metadata['name']}", patch)
        except ApiError as error:
            # 404: it was deleted, and the watch is about to say so.
            if error.status != 404:
                self._talk.say_once(place, str(error))
            return
        # The watch brings this back a moment later; until then the next tick would write it again.
        self._followed.put(after)
        self._talk.say(f"{place}: {json.dumps(patch)}")


def answer_apps(wishes: Wishes) -> None:
    """Serve the run-time switch to the `app` face, in threads of its own."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if not wishes.known:
                self._reply(503, "the run-time switches are not known yet")
            elif self.path == "/healthz":
                self._reply(200, "ok")
            elif self.path.startswith("/behaviour/"):
                self._reply(200, json.dumps(wishes.at_run_time(self.path.removeprefix("/behaviour/"))))
            else:
                self._reply(404, "there is /healthz and /behaviour/<application>")

        def log_message(self, *_arguments: object) -> None:
            """Dozens of applications ask once a second."""

        def _reply(self, code: int, text: str) -> None:
            body = text.encode()
            self.send_response(code)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = ThreadingHTTPServer(("", PORT), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()


def main() -> None:
    # Process 1 gets no default action for SIGTERM.
    signal.signal(signal.SIGTERM, lambda _number, _frame: os._exit(0))
    api, woken, talk = ClusterApi(), threading.Event(), Talk()
    wishes = Wishes(Followed(api, SWITCHES, woken, talk, fieldSelector=f"metadata.name={SWITCHES_NAME}"), talk)
    answer_apps(wishes)
    operators = [Operator(api, kind, wishes, woken, talk) for kind in KINDS]
    while True:
        woken.wait(TICK)
        woken.clear()
        # Before the switches are known, something might be called ready that is meant to fail.
        if wishes.known:
            for operator in operators:
                operator.drive(time.time())
