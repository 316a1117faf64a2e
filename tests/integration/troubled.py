# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One deployment of the demo platform that meets every kind of trouble, is mended and resumed.

A run takes a minute and more, so the tests of three files look at this one: what was to be seen after each stage is
kept here as Argo CD, Argo Workflows and the API server told it.

    cert-manager     a colleague's sync of it is stuck in a hook
    prometheus       the run's own sync of it is stuck in a hook
    ingress-nginx    misses its progress deadline: Degraded
    vault            never gets ready: Progressing for ever
    ceph-cluster     flaps, until it is told to stop
"""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import ordering
from deployment import Deployment, eventually

# Healthy never lasts for the settle time while it flaps.
PERIOD = 3
SETTLE = 2 * PERIOD
VARIABLES = {"deploy_ops_strategy": "dag", "deploy_ops_settle": SETTLE}
COLLEAGUE = "alice"
HOOKED = ("cert-manager", "prometheus")
BROKEN = ("cert-manager", "ingress-nginx", "prometheus", "vault")
# A hook of the application's own, as INV-8 allows it. What it runs decides whether the sync ends.
HOOK = """\
{{- if has .Release.Name (list "cert-manager" "prometheus") }}
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ .Release.Name }}-migration
  annotations:
    argocd.argoproj.io/hook: PreSync
    argocd.argoproj.io/hook-delete-policy: BeforeHookCreation
spec:
  template:
    spec:
      restartPolicy: Never
      terminationGracePeriodSeconds: 0
      containers:
        - name: main
          image: testbed.local/simulator:1
          command: [python3, -c, "COMMAND"]
{{- end }}
"""
STUCK = "import time; time.sleep(3600)"
ENDS = "pass"


class Stage(NamedTuple):
    """What was to be seen when a run had ended."""

    run: Any
    applications: dict[str, dict[str, Any]]
    syncs: dict[str, int]
    workflows: list[dict[str, Any]]
    is_locked: bool
    spans: dict[str, ordering.Span]
    report: dict[str, Any]

    def status(self, application: str) -> dict[str, Any]:
        return self.applications[application].get("status") or {}

    def operation(self, application: str) -> dict[str, Any]:
        """The last one, whoever asked for it; empty when there was none."""
        return self.status(application).get("operationState") or {}

    def told(self, application: str) -> str:
        """Why it failed, as the person who started the run reads it, on one line."""
        # The end of the play: before it stands the report, which tells the same in its own form.
        end = self.run.output.rpartition("FAILED! =>")[2]
        found = re.search(rf"{application} failed: (.*?)(?=\n\s*(?:[\w -]+ failed:|not started:|State:))", end, re.S)
        assert found, f"nothing about {application}: {self.run}"
        return " ".join(found[1].split())

    def advice(self, application: str) -> str:
        """What the run's report says to do about it."""
        return next(node["recommendation"] for node in self.report["nodes"] if node["name"] == application)


class Troubled:
    """The stages, in their order; the fixtures of the same names take care of it."""

    def __init__(self, playbook: Any, kubectl: Callable[..., str], folder: Path) -> None:
        self.platform = Deployment(playbook, kubectl, folder)
        self._reports = folder / "reports"
        self._variables = {**VARIABLES, "deploy_ops_report_folder": str(self._reports)}
        # What Argo CD said of the one that flaps, one after the other, while the run waited for it.
        self.flapped: list[str] = []
        self.flapped_until: datetime | None = None
        self.syncs_while_flapping: dict[str, int] = {}
        # When it was Synced and not Healthy, with the authority taken and Argo CD asked to look at everything again.
        self.merely_synced: Stage | None = None

    def prepare(self) -> None:
        self.platform.remove()
        repository = self.platform.repository
        repository.write("charts/component/templates/hook.yaml", HOOK.replace("COMMAND", STUCK))
        repository.change_values("ingress-nginx", workload={"kind": "Deployment", "progressDeadlineSeconds": 5})
        repository.change_values("ceph-cluster", behaviour={"delay": 4})
        repository.push("Break it")
        self.platform.change_graph("cert-manager", sync_timeout="15s")
        self.platform.change_graph("prometheus", sync_timeout="10s")
        self.platform.change_graph("vault", health_timeout="10s", depends_on=["storage-classes"])
        self.platform.hand_over()

    def refuse(self) -> Stage:
        """One application alone, before what it depends on is there; then Argo CD gets every chance to step in."""
        run = self.platform.deploy(deploy_ops_scope="app:grafana", **self._variables)
        self.platform.refresh()
        return self._see(run)

    def fail(self) -> Stage:
        platform = self.platform
        platform.behave("ingress-nginx", "never-ready")
        platform.behave("vault", "never-ready")
        platform.behave("ceph-cluster", "flapping", "--period", str(PERIOD))
        self._start_sync_of_colleague("cert-manager")
        killed = platform.start("deploy", **self._variables)
        eventually(self._has_flapped, "ceph-cluster turns Healthy and Degraded twice", 180)
        os.killpg(killed.pid, signal.SIGKILL)
        killed.wait()
        running = platform.start("deploy", **self._variables)
        eventually(lambda: "run | Wait for it" in platform.output(running), "it waits for the run that went on", 180)
        self.syncs_while_flapping = platform.syncs()
        # The cluster has the clock of this machine.
        self.flapped_until = datetime.now(UTC)
        platform.behave("ceph-cluster", "clear")
        return self._see(platform.finish(running))

    def mend(self) -> Stage:
        platform = self.platform
        platform.end_operation("cert-manager")
        platform.behave("ingress-nginx", "clear")
        platform.behave("vault", "clear")
        platform.repository.write("charts/component/templates/hook.yaml", HOOK.replace("COMMAND", ENDS))
        platform.repository.push("Mend it")
        eventually(lambda: {"ingress-nginx", "vault"} <= platform.healthy(), "the two have recovered")
        return self._see(platform.deploy(**self._variables))

    def violations(self, failed: Stage, mended: Stage) -> list[str]:
        """Over both runs. What was ready in the first counts from then: on a busy machine a probe can fail later."""
        were_ready = {name: span for name, span in failed.spans.items() if span.ready}
        return ordering.violations(self.platform.application_edges(), {**mended.spans, **were_ready})

    def _see(self, run: Any) -> Stage:
        platform = self.platform
        return Stage(
            run,
            platform.applications(),
            platform.syncs(),
            platform.workflows(),
            platform.is_locked(),
            ordering.timeline(ordering.collect()),
            json.loads((self._reports / "deploy.json").read_text()) if run else {},
        )

    def _has_flapped(self) -> bool:
        status = self.platform.applications()["ceph-cluster"].get("status") or {}
        health, sync = (status.get(part, {}).get("status") for part in ("health", "sync"))
        if sync == "Synced" and health != "Healthy" and self.merely_synced is None:
            self.platform.refresh()
            self.merely_synced = self._see(None)
        if "history" in status and [health] != self.flapped[-1:]:
            self.flapped.append(str(health))
        return min(self.flapped.count("Healthy"), self.flapped.count("Degraded")) >= 2

    def _start_sync_of_colleague(self, application: str) -> None:
        sync = {"revision": self.platform.repository.commit, "syncOptions": ["CreateNamespace=true"]}
        operation = {"operation": {"initiatedBy": {"username": COLLEAGUE}, "sync": sync}}
        self.platform.patch_application(application, operation)
        eventually(lambda: self.platform.phase_of(application) == "Running", f"{COLLEAGUE}'s sync runs")
