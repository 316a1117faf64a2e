# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A sample platform on the embedded cluster, deployed by playbooks and judged from outside."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.plan import make_plan
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.reader import read_graph
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.source import Source

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "testbed" / "platforms"))

import ordering

INVENTORY = "--inventory=inventories/local"
LABEL = "simulator.deploy-ops.test/application"
EVERYWHERE = ("--all-namespaces", f"--selector={LABEL}")


class Repository:
    """A branch of its own in the platform's repository, so that tests do not meet."""

    def __init__(self, platform: str, folder: Path) -> None:
        self.branch = f"test-{uuid.uuid4().hex[:8]}"
        self._folder = folder / "repository"
        password = Path(os.environ["TESTBED_GIT_WRITE_PASSWORD_FILE"]).read_text().strip()
        server = os.environ["TESTBED_GIT_URL"].replace("://", f"://{os.environ['TESTBED_GIT_WRITE_USER']}:{password}@")
        self._git("clone", "--quiet", f"{server}/{platform}.git", str(self._folder), cwd=folder)
        self._git("checkout", "--quiet", "-b", self.branch)
        self._git("push", "--quiet", "origin", self.branch)

    @property
    def commit(self) -> str:
        return self._git("rev-parse", "HEAD").strip()

    def release(self, name: str, *applications: str) -> str:
        """A new version of the applications, of all without names: every object of them changes."""
        for values in sorted(self._folder.glob("apps/*/values.yaml")):
            if not applications or values.parent.name in applications:
                content = yaml.safe_load(values.read_text())
                values.write_text(yaml.safe_dump({**content, "release": name}))
        return self.push(f"Release {name}")

    def break_manifests(self, application: str) -> Callable[[], str]:
        """Values that no chart can read; calling the result repairs them."""
        path = self._folder / "apps" / application / "values.yaml"
        good = path.read_text()
        path.write_text("{no yaml")
        self.push(f"Break {application}")

        def repair() -> str:
            path.write_text(good)
            return self.push(f"Repair {application}")

        return repair

    def write(self, path: str, text: str) -> None:
        (self._folder / path).write_text(text)

    def change_values(self, application: str, **values: Any) -> None:
        path = self._folder / "apps" / application / "values.yaml"
        path.write_text(yaml.safe_dump({**yaml.safe_load(path.read_text()), **values}))

    def push(self, message: str) -> str:
        self._git("add", "--all")
        self._git("-c", "user.name=test", "-c", "user.email=test@example.com", "commit", "--quiet", "-m", message)
        self._git("push", "--quiet", "origin", self.branch)
        return self.commit

    def rewind(self, commit: str) -> None:
        """As if what came after had never been pushed."""
        self._git("reset", "--quiet", "--hard", commit)
        self._git("push", "--quiet", "--force", "origin", self.branch)

    def _git(self, *arguments: str, cwd: Path | None = None) -> str:
        done = subprocess.run(
            ["git", *arguments], cwd=cwd or self._folder, capture_output=True, text=True, check=False, timeout=60
        )
        assert done.returncode == 0, done.stderr
        return done.stdout


class Deployment:
    """What the tests do with the platform, and what they see of it."""

    def __init__(self, playbook: Any, kubectl: Callable[..., str], folder: Path, platform: str = "demo") -> None:
        self._playbook = playbook
        self.kubectl = kubectl
        self.platform = platform
        self.repository = Repository(platform, folder)
        self.dag = folder / "dag.yaml"
        shutil.copy(ROOT / "testbed" / "platforms" / platform / "repository" / "dag.yaml", self.dag)

    def variables(self) -> dict[str, str]:
        """What makes a run one for this platform, besides the inventory."""
        return {
            "deploy_ops_sample": self.platform,
            "deploy_ops_dag": str(self.dag),
            "deploy_ops_revision": self.repository.branch,
        }

    def start(self, name: str, *options: str, **variables: Any) -> subprocess.Popen[str]:
        given = {**self.variables(), **variables}
        return self._playbook.start(f"proficientnow.deploy_ops.{name}", INVENTORY, *options, **given)

    def run(self, name: str, *options: str, **variables: Any) -> Any:
        return self._playbook.finish(self.start(name, *options, **variables))

    def finish(self, process: subprocess.Popen[str]) -> Any:
        return self._playbook.finish(process)

    def output(self, process: subprocess.Popen[str]) -> str:
        return self._playbook.output(process)

    def deploy(self, **variables: Any) -> Any:
        return self.run("deploy", **variables)

    def hand_over(self, **variables: Any) -> None:
        """Root follows the branch of the test."""
        done = self.run("gitops_handoff", **variables)
        assert done.code == 0, done

    def change_graph(self, application: str, /, **settings: Any) -> None:
        graph = yaml.safe_load(self.dag.read_text())
        for stack in graph["stacks"].values():
            if application in stack["applications"]:
                stack["applications"][application] = {**(stack["applications"][application] or {}), **settings}
        self.dag.write_text(yaml.safe_dump(graph))

    def plan(self, scope: str = "platform", strategy: str = "waves") -> dict[str, Any]:
        return make_plan(read_graph(Source("dag", yaml.safe_load(self.dag.read_text()))), scope, strategy)

    def objects(self, kind: str, namespace: str) -> list[dict[str, Any]]:
        return json.loads(self.kubectl("get", kind, f"--namespace={namespace}", "--output=json"))["items"]

    def applications(self) -> dict[str, dict[str, Any]]:
        """The platform's, without Root."""
        found = self.objects("applications.argoproj.io", "argocd")
        return {item["metadata"]["name"]: item for item in found if item["spec"]["project"] == "platform"}

    def root(self) -> dict[str, Any]:
        found = self.objects("applications.argoproj.io", "argocd")
        return next(item for item in found if item["metadata"]["name"] == "platform-root")

    def contents(self) -> dict[str, dict[str, Any]]:
        """Every object that the applications consist of, pods included, by kind, namespace and name."""
        fixed = json.loads(
            self.kubectl("get", "deployments,statefulsets,services,crds,storageclasses", *EVERYWHERE, "--output=json")
        )
        found = [*fixed["items"], *ordering.collect()]
        return {
            f"{item['kind']} {item['metadata'].get('namespace')}/{item['metadata']['name']}": item for item in found
        }

    def syncs(self) -> dict[str, int]:
        """How often each was synced, by Argo CD's own history."""
        return {
            name: max((entry["id"] for entry in (item.get("status") or {}).get("history") or []), default=-1) + 1
            for name, item in self.applications().items()
        }

    def healthy(self) -> set[str]:
        """Those that Argo CD calls Healthy and Synced."""
        found = {name: item.get("status") or {} for name, item in self.applications().items()}
        wanted = {"health": "Healthy", "sync": "Synced"}
        return {
            name
            for name, status in found.items()
            if all((status.get(part) or {}).get("status") == word for part, word in wanted.items())
        }

    def refresh(self, *names: str) -> None:
        """Let Argo CD look at Git and at the cluster now, for all without names: it syncs what it ever would."""
        annotation = "argocd.argoproj.io/refresh"
        which = names or ("--all",)
        self.kubectl(
            "annotate", "applications.argoproj.io", *which, f"{annotation}=hard", "--overwrite", "--namespace=argocd"
        )

        def is_done() -> bool:
            found = self.objects("applications.argoproj.io", "argocd")
            return not any(annotation in (item["metadata"].get("annotations") or {}) for item in found)

        eventually(is_done, "Argo CD looks at every Application again")

    def patch_application(self, name: str, patch: dict[str, Any]) -> None:
        where = ["applications.argoproj.io", name, "--namespace=argocd"]
        self.kubectl("patch", *where, "--type=merge", f"--patch={json.dumps(patch)}")

    def phase_of(self, application: str) -> str:
        """Of its last operation; empty when there was none."""
        status = self.applications()[application].get("status") or {}
        return (status.get("operationState") or {}).get("phase", "")

    def end_operation(self, application: str) -> None:
        """As Argo CD's server does it for whoever started it."""
        self.patch_application(application, {"status": {"operationState": {"phase": "Terminating"}}})
        eventually(lambda: self.phase_of(application) in ("Failed", "Error"), f"the sync of {application} has ended")

    def workflows(self) -> list[dict[str, Any]]:
        found = self.objects("workflows.argoproj.io", "argo")
        return sorted(found, key=lambda item: item["metadata"]["creationTimestamp"])

    def agent_pods(self, workflow: str) -> set[str]:
        """The pods that ran for it, by the scheduler's events: the pods themselves go when they have succeeded."""
        events = self.objects("events", "argo")
        names = {item["involvedObject"]["name"] for item in events if item.get("reason") == "Scheduled"}
        return {name for name in names if name.startswith(workflow)}

    def is_locked(self) -> bool:
        (project,) = (item for item in self.objects("appprojects", "argocd") if item["metadata"]["name"] == "platform")
        windows = project["spec"].get("syncWindows") or []
        return any(window.get("description") == "deploy-ops authority" for window in windows)

    def violations(self) -> list[str]:
        """Edges whose dependent came before its dependency was ready, by the API server's timestamps."""
        return ordering.violations(self.application_edges(), ordering.timeline(ordering.collect()))

    def application_edges(self) -> list[tuple[str, str]]:
        """Edges between applications; one through a resource is one from its provider."""
        nodes = self.plan()["nodes"]
        edges = set()
        for name, node in nodes.items():
            if node["kind"] == "application" and node["managed_by"] == "argocd":
                for dependency in node["depends_on"]:
                    providers = nodes[dependency]["depends_on"] if dependency.startswith("resource:") else [dependency]
                    edges.update((one, name) for one in providers if nodes[one]["managed_by"] == "argocd")
        return sorted(edges)

    def behave(self, application: str, *words: str) -> None:
        command = [str(ROOT / "testbed" / "simulator" / "behave"), application, *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == 0, done.stderr

    def remove(self) -> None:
        """Everything of the platform. Not a teardown: order does not matter here."""
        self.kubectl("delete", "workflows.argoproj.io", "--all", "--namespace=argo")
        self.kubectl("delete", "configmap", "simulator-behaviour", "--namespace=simulator", "--ignore-not-found")
        applications = [item["metadata"]["name"] for item in self._platform_objects("applications.argoproj.io")]
        if applications:
            # Argo CD deletes nothing under a running operation.
            for name in self.applications():
                if self.phase_of(name) == "Running":
                    self.end_operation(name)
            # With the projects still there: without them Argo CD could not delete what an Application has made.
            self.kubectl("delete", "applications.argoproj.io", *applications, "--namespace=argocd", "--wait=false")
            eventually(lambda: not self._platform_objects("applications.argoproj.io"), "the Applications go away", 180)
        subprocess.run(["helm", "uninstall", "gitops-handoff", "--namespace=argocd"], capture_output=True, check=False)
        stacks = list(yaml.safe_load(self.dag.read_text())["stacks"])
        self.kubectl("delete", "namespace", *stacks, "--ignore-not-found")
        self.kubectl("delete", "customresourcedefinitions", f"--selector={LABEL}", "--ignore-not-found")

    def _platform_objects(self, kind: str) -> list[dict[str, Any]]:
        return [
            item for item in self.objects(kind, "argocd") if item["spec"]["project"] in ("platform", "platform-root")
        ]


def bootstrap(playbook: Any, platform: str = "demo", **variables: Any) -> None:
    """Everything that a deployment of the platform needs; costs little when it stands."""
    for name in ("bootstrap", "workflow_templates"):
        done = playbook(f"proficientnow.deploy_ops.{name}", INVENTORY, deploy_ops_sample=platform, **variables)
        assert done.code == 0, done


def confirmed(folder: Path) -> dict[str, Any]:
    """What cannot be undone is meant for the embedded cluster; reports go to the test's own folder."""
    return {"deploy_ops_confirm": "local", "deploy_ops_report_folder": str(folder)}


def eventually(holds: Callable[[], bool], what: str, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, f"not within {seconds} s: {what}"
        time.sleep(0.5)
