# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The outside observer: one process that watches the API server and notes when what was seen, by one clock.

The API's own timestamps have whole seconds; what is measured here is a second long. So the moment at which a watch
brings a change counts, and for custom resources the moment that the simulator wrote into their status.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

import ordering
import urllib3
from figures import Span
from kubernetes import client, config

# By this name the audit log tells the observer's requests from those that it observes.
USER_AGENT = "deploy-ops-benchmark"
PLUGIN = "deploy-ops"
ARGO = "/apis/argoproj.io/v1alpha1/namespaces"

Item = Mapping[str, Any]


class Api:
    """Plain requests to the API server of KUBECONFIG."""

    def __init__(self) -> None:
        settings = client.Configuration()
        config.load_kube_config(client_configuration=settings)
        self._server = settings.host
        self._pool = urllib3.PoolManager(
            ca_certs=settings.ssl_ca_cert,
            cert_file=settings.cert_file,
            key_file=settings.key_file,
            headers={"User-Agent": USER_AGENT, "Accept": "application/json"},
            timeout=urllib3.Timeout(connect=10, read=330),
            retries=False,
        )

    def open(self, path: str, **query: str) -> urllib3.BaseHTTPResponse:
        answer = self._pool.request("GET", self._server + path, fields=query, preload_content=False)
        if answer.status != 200:
            raise OSError(f"{answer.status} {path}: {answer.data[:200]!r}")
        return answer

    def get(self, path: str, **query: str) -> Any:
        return json.loads(self.open(path, **query).data)


class Observer:
    """Watches from its making until `close`."""

    def __init__(self) -> None:
        self.api = Api()
        self._closed = False
        # (application, release) -> its first object
        self.arrived: dict[tuple[str, str], float] = {}
        # uid of a pod -> Ready for the first time
        self.pod_ready: dict[str, float] = {}
        # Argo CD's word on each Application: what it said, and since when
        self.healthy: dict[str, float] = {}
        self.requested: dict[str, float] = {}
        self.standing: dict[str, bool] = {}
        # The workflow's word: the task was handed to the agent, and the gate's verdict is written
        self.tasked: dict[str, float] = {}
        self.passed: dict[str, float] = {}
        self._tasks: dict[str, str] = {}
        for path, note, query in (
            ("/api/v1/configmaps", self._configmap, {"labelSelector": ordering.APPLICATION}),
            ("/api/v1/pods", self._pod, {"labelSelector": ordering.APPLICATION}),
            (f"{ARGO}/argocd/applications", self._application, {}),
            (f"{ARGO}/argo/workflowtasksets", self._task_set, {}),
        ):
            threading.Thread(target=self._follow, args=(path, note, query), daemon=True).start()

    def close(self) -> None:
        self._closed = True

    def forget(self) -> None:
        """Before a contestant starts."""
        for noted in (self.arrived, self.pod_ready, self.healthy, self.requested, self.standing, self.tasked):
            noted.clear()
        self.passed.clear()
        self._tasks.clear()

    def spans(self, release: str) -> dict[str, Span]:
        """Of every application that stands at this release with all its parts ready."""
        parts: dict[str, list[Item]] = {}
        for item in ordering.collect():
            labels = item["metadata"]["labels"]
            if item["kind"] != "ConfigMap" and labels[ordering.RELEASE] == release:
                parts.setdefault(labels[ordering.APPLICATION], []).append(item)
        found = {}
        for (application, arrived_release), started in self.arrived.items():
            moments = [self._ready(part, started) for part in parts.get(application, [])]
            if arrived_release == release and None not in moments:
                found[application] = Span(started, max([started, *(moment for moment in moments if moment)]))
        return found

    def _ready(self, part: Item, started: float) -> float | None:
        if part["kind"] == "Pod":
            return self.pod_ready.get(part["metadata"]["uid"])
        if part["kind"] in ordering.UNREPORTED:
            return started
        simulation = (part.get("status") or {}).get("simulation") or {}
        if simulation.get("generation") != part["metadata"]["generation"] or "readyAt" not in simulation:
            return None
        return datetime.fromisoformat(simulation["readyAt"].replace("Z", "+00:00")).timestamp()

    def _follow(self, path: str, note: Callable[[Item, float], None], query: dict[str, str]) -> None:
        while not self._closed:
            try:
                page = self.api.get(path, **query)
                version = page["metadata"]["resourceVersion"]
                stream = self.api.open(path, watch="1", resourceVersion=version, timeoutSeconds="300", **query)
                for line in stream:
                    now = time.time()
                    event = json.loads(line)
                    if event["type"] in ("ADDED", "MODIFIED"):
                        note(event["object"], now)
            except (OSError, urllib3.exceptions.HTTPError, ValueError, KeyError):
                # The CRD is not there yet, or the watch has ended: look again.
                time.sleep(0.5)

    def _configmap(self, item: Item, now: float) -> None:
        labels = item["metadata"]["labels"]
        self.arrived.setdefault((labels[ordering.APPLICATION], labels[ordering.RELEASE]), now)

    def _pod(self, item: Item, now: float) -> None:
        conditions = (item.get("status") or {}).get("conditions") or []
        if any(condition["type"] == "Ready" and condition["status"] == "True" for condition in conditions):
            self.pod_ready.setdefault(item["metadata"]["uid"], now)

    def _application(self, item: Item, now: float) -> None:
        name, status = item["metadata"]["name"], item.get("status") or {}
        is_healthy = (status.get("health") or {}).get("status") == "Healthy"
        if item.get("operation") or status.get("operationState"):
            self.requested.setdefault(name, now)
            if is_healthy:
                self.healthy.setdefault(name, now)
        is_synced = (status.get("sync") or {}).get("status") == "Synced"
        self.standing[name] = is_healthy and is_synced and not item.get("operation")

    def _task_set(self, item: Item, now: float) -> None:
        for node, template in ((item.get("spec") or {}).get("tasks") or {}).items():
            wish = (template.get("plugin") or {}).get(PLUGIN) or {}
            if wish.get("do") == "sync":
                self._tasks[node] = wish["application"]
                self.tasked.setdefault(wish["application"], now)
        for node, result in ((item.get("status") or {}).get("nodes") or {}).items():
            if node in self._tasks and result.get("phase") == "Succeeded":
                self.passed.setdefault(self._tasks[node], now)
