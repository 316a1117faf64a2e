# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Where the contestants meet: the platform, its graph, a branch with the readiness times, an empty cluster."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import readiness
import yaml
from conftest import Playbook, kubectl
from deployment import LABEL, Deployment

# The bootstrap's own components are verified by a run, not deployed; this stack has nothing else.
WITHOUT_APPLICATIONS = "development-workloads"


class Trouble(Exception):
    """A contestant did not get through; the others still can."""


class Field:
    """Everything that is the same for all contestants."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.playbook = Playbook(folder)
        self.deployment = Deployment(self.playbook, kubectl, folder, "rfc")
        graph = yaml.safe_load(self.deployment.dag.read_text())
        del graph["stacks"][WITHOUT_APPLICATIONS]
        self.deployment.dag.write_text(yaml.safe_dump(graph))
        nodes = self.deployment.plan()["nodes"].values()
        self.stacks = {
            node["name"]: node["stack"]
            for node in nodes
            if node["kind"] == "application" and node["managed_by"] == "argocd"
        }
        self.namespaces = sorted(set(self.stacks.values()))
        self.parents = readiness.before(self.deployment.application_edges(), self.stacks)
        self.levels = readiness.levels(self.parents)
        self.release = "1"
        self.repository = folder / "repository"
        self._write_values(lambda name, values: {**values, "behaviour": {"delay": readiness.SECONDS[name]}})
        self.deployment.repository.push("Readiness times of the benchmark")

    @property
    def branch(self) -> str:
        return self.deployment.repository.branch

    @property
    def url(self) -> str:
        return f"{os.environ['TESTBED_GIT_URL']}/rfc.git"

    def values(self, application: str) -> dict[str, Any]:
        """What apps/<name>/values.yaml says."""
        return yaml.safe_load((self.repository / "apps" / application / "values.yaml").read_text())

    def next_release(self) -> str:
        """A commit that changes every object of every application."""
        self.release = str(int(self.release) + 1)
        return self.deployment.repository.release(self.release)

    def clear(self) -> None:
        """Nothing of the platform is left. Not a teardown: order does not matter here."""
        kubectl("delete", "workflows.argoproj.io", "--all", "--namespace=argo")
        kubectl("delete", "applicationsets.argoproj.io", "--all", "--namespace=argocd", "--cascade=orphan")
        subprocess.run(["helm", "uninstall", "gitops-handoff", "--namespace=argocd"], capture_output=True, check=False)
        # Root first, or it would make its children anew.
        applications = self.objects("applications.argoproj.io")
        found = sorted(applications, key=lambda item: item["metadata"]["name"] in self.stacks)
        names = [item["metadata"]["name"] for item in found]
        # Without their finalizers: the namespaces go as a whole, which is faster than one by one.
        held = [item["metadata"]["name"] for item in found if item["metadata"].get("finalizers")]
        if held:
            patch = '--patch={"metadata": {"finalizers": null}}'
            kubectl("patch", "applications.argoproj.io", *held, "--namespace=argocd", "--type=merge", patch)
        if names:
            kubectl("delete", "applications.argoproj.io", *names, "--namespace=argocd", "--ignore-not-found")
        kubectl("delete", "namespace", *self.namespaces, "--ignore-not-found", "--timeout=110s")
        kubectl("delete", "customresourcedefinitions,storageclasses", f"--selector={LABEL}", "--timeout=110s")
        eventually(lambda: not self._left(), "the platform is gone", 60)

    def objects(self, kind: str, namespace: str = "argocd") -> list[dict[str, Any]]:
        return json.loads(kubectl("get", kind, f"--namespace={namespace}", "--output=json"))["items"]

    def apply(self, *manifests: dict[str, Any]) -> None:
        text = yaml.safe_dump_all(manifests)
        done = subprocess.run(
            ["kubectl", "apply", "--server-side", "--force-conflicts", "--filename=-"],
            input=text,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise Trouble(f"kubectl apply: {done.stderr}")

    def _left(self) -> bool:
        return bool(kubectl("get", "pods,configmaps", "--all-namespaces", f"--selector={LABEL}", "--output=name"))

    def _write_values(self, change: Callable[[str, dict[str, Any]], dict[str, Any]]) -> None:
        for path in self.repository.glob("apps/*/values.yaml"):
            path.write_text(yaml.safe_dump(change(path.parent.name, yaml.safe_load(path.read_text()))))


def eventually(holds: Callable[[], bool], what: str, seconds: float, every: float = 0.5) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            raise Trouble(f"not within {seconds:.0f} s: {what}")
        time.sleep(every)
