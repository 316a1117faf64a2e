# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a contestant costs: requests to the API server, processor time and memory of its controllers and its client."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from pathlib import Path
from typing import Any

from figures import Costs
from observer import USER_AGENT, Api

NAMESPACES = ("argocd", "argo")
EVERY = 10.0


class Meter:
    """Runs while its `with` block does; `costs` is complete after it."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._stop = threading.Event()
        self._first: dict[str, float] = {}
        self._last: dict[str, float] = {}
        self._peak = 0.0
        self._client = (0.0, 0.0)
        self.costs = Costs()

    def __enter__(self) -> Meter:
        self._audit = Path(os.environ["TESTBED_AUDIT_LOG"]).open()
        self._audit.seek(0, os.SEEK_END)
        self._sample()
        self._first = dict(self._last)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._stop.set()
        self._thread.join()
        self._sample()
        processor = sum(seconds - self._first.get(pod, 0.0) for pod, seconds in self._last.items())
        of_controllers, of_client = self._requests()
        self.costs = Costs(of_controllers, of_client, processor, self._peak, *self._client)

    def wait_for(self, process: subprocess.Popen[str]) -> int:
        """Let the client end; its memory is that of its largest process."""
        _pid, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self._client = (usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)
        return process.returncode

    def _run(self) -> None:
        while not self._stop.wait(EVERY):
            self._sample()

    def _sample(self) -> None:
        memory = 0.0
        for pod in self._api.get("/api/v1/nodes/node1/proxy/stats/summary")["pods"]:
            if pod["podRef"]["namespace"] in NAMESPACES:
                self._last[pod["podRef"]["uid"]] = pod.get("cpu", {}).get("usageCoreNanoSeconds", 0) / 1e9
                memory += pod.get("memory", {}).get("workingSetBytes", 0) / 2**20
        self._peak = max(self._peak, memory)

    def _requests(self) -> tuple[int, int]:
        """Of the controllers and of the client, by the API server's audit log; it may have been rotated meanwhile."""
        lines = self._audit.readlines()
        path = Path(os.environ["TESTBED_AUDIT_LOG"])
        if os.fstat(self._audit.fileno()).st_ino != path.stat().st_ino:
            lines += path.read_text().splitlines()
        self._audit.close()
        return count_requests(lines)


def count_requests(lines: list[str]) -> tuple[int, int]:
    """Of service accounts in the controllers' namespaces, and of the administrator but for the observer."""
    of_controllers = of_client = 0
    for line in lines:
        try:
            event: dict[str, Any] = json.loads(line)
        except ValueError:
            continue  # the last line is still being written
        user = event["user"]["username"]
        if any(user.startswith(f"system:serviceaccount:{namespace}:") for namespace in NAMESPACES):
            of_controllers += 1
        elif user == "admin" and event.get("userAgent") != USER_AGENT:
            of_client += 1
    return of_controllers, of_client
