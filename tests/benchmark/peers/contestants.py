# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The contestants: each deploys the same platform from the same charts, and ends when it says that all is done."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import yaml
from conftest import kubectl
from costs import Meter
from field import Field, Trouble, eventually
from observer import Observer

from deploy_ops_testbed import supply

ARGOCD = "--namespace=argocd"
# Four times what the critical path takes; a contestant that is not done by then shows how far it has come.
LONGEST = 400.0
# docs/operator-manual/health.md of Argo CD, "Argo CD App"
APPLICATION_HEALTH = """\
hs = {}
hs.status = "Progressing"
hs.message = ""
if obj.status ~= nil then
  if obj.status.health ~= nil then
    hs.status = obj.status.health.status
    if obj.status.health.message ~= nil then
      hs.message = obj.status.health.message
    end
  end
end
return hs
"""


class Contestant:
    """What is `prepared` is not measured; `install` is, and so is `update`, for those that have it."""

    name = ""
    updates = False

    def __init__(self, field: Field, observer: Observer) -> None:
        self.field = field
        self.observer = observer

    @contextmanager
    def prepared(self) -> Iterator[None]:
        yield

    def install(self, meter: Meter) -> None:
        raise NotImplementedError

    def update(self, meter: Meter) -> None:
        """The branch has a new release of everything."""
        raise NotImplementedError


class Collection(Contestant):
    """This collection: `ansible-playbook proficientnow.deploy_ops.deploy`."""

    def __init__(self, field: Field, observer: Observer, strategy: str, updates: bool = False, **settings: Any) -> None:
        super().__init__(field, observer)
        self.name = ", ".join(["this collection", strategy, *(f"{key} {value}" for key, value in settings.items())])
        self.updates = updates
        self._settings = {"deploy_ops_strategy": strategy, **settings}

    @contextmanager
    def prepared(self) -> Iterator[None]:
        self.field.deployment.hand_over()
        yield

    def install(self, meter: Meter) -> None:
        process = self.field.deployment.start("deploy", **self._settings)
        if meter.wait_for(process):
            raise Trouble(f"{self.name} failed\n{self.field.deployment.output(process)}")

    update = install


class ArgoCD(Contestant):
    """Common to what Argo CD offers by itself."""

    def application(self, name: str, **metadata: Any) -> dict[str, Any]:
        return {
            "apiVersion": "argoproj.io/v1alpha1",
            "kind": "Application",
            "metadata": {"name": name, "namespace": "argocd", **metadata},
            "spec": self.spec(name, self.field.stacks[name]),
        }

    def spec(self, name: str, stack: str) -> dict[str, Any]:
        """The same as that of the Root chart, but on a branch and in the project that every Argo CD has."""
        return {
            "project": "default",
            "source": {
                "repoURL": self.field.url,
                "targetRevision": self.field.branch,
                "path": "charts/component",
                "helm": {"valueFiles": [f"../../apps/{name}/values.yaml"]},
            },
            "destination": {"server": "https://kubernetes.default.svc", "namespace": stack},
            "syncPolicy": {
                "automated": {"prune": True, "selfHeal": True},
                "syncOptions": ["CreateNamespace=true"],
            },
        }

    def wait(self) -> None:
        stands = self.observer.standing
        eventually(
            lambda: all(stands.get(name) for name in self.field.stacks), f"{self.name} is done", LONGEST, every=0.2
        )


class SyncWaves(ArgoCD):
    """App-of-apps: the level of an application is its sync wave, and Applications have the documented health check."""

    name = "Argo CD app-of-apps, sync waves"
    updates = True

    @contextmanager
    def prepared(self) -> Iterator[None]:
        key = "resource.customizations.health.argoproj.io_Application"
        own = next(item for item in self.field.objects("configmaps") if item["metadata"]["name"] == "argocd-cm")
        _patch("argocd-cm", {key: APPLICATION_HEALTH})
        folder = self.field.repository / "peers"
        folder.mkdir(exist_ok=True)
        wave = "argocd.argoproj.io/sync-wave"
        manifests = [
            self.application(name, annotations={wave: str(level)}) for name, level in self.field.levels.items()
        ]
        (folder / "applications.yaml").write_text(yaml.safe_dump_all(manifests))
        subprocess.run(["git", "add", "peers"], cwd=self.field.repository, check=True)
        self.field.deployment.repository.push("App-of-apps")
        # The controller follows its settings; nothing tells when it has.
        time.sleep(5)
        try:
            yield
        finally:
            _patch("argocd-cm", {key: own["data"].get(key)})

    def install(self, meter: Meter) -> None:
        root = self.spec("root", "argocd")
        root["source"] = {"repoURL": self.field.url, "targetRevision": self.field.branch, "path": "peers"}
        metadata = {"name": "peers-root", "namespace": "argocd"}
        kind = {"apiVersion": "argoproj.io/v1alpha1", "kind": "Application"}
        self.field.apply({**kind, "metadata": metadata, "spec": root})
        self.wait()

    def update(self, meter: Meter) -> None:
        # As a webhook of the Git server would: else Argo CD notices within three minutes.
        refresh = "argocd.argoproj.io/refresh=normal"
        kubectl("annotate", "applications.argoproj.io", "--all", ARGOCD, "--overwrite", refresh)
        arrived, wanted = self.observer.arrived, {(name, self.field.release) for name in self.field.stacks}
        eventually(lambda: wanted <= arrived.keys(), "every application has the new release", LONGEST)
        self.wait()


class RollingSync(ArgoCD):
    """ApplicationSet with progressive syncs: one step for each level."""

    name = "Argo CD ApplicationSet, RollingSync"

    @contextmanager
    def prepared(self) -> Iterator[None]:
        key = "applicationsetcontroller.enable.progressive.syncs"
        params = next(
            item for item in self.field.objects("configmaps") if item["metadata"]["name"] == "argocd-cmd-params-cm"
        )
        _patch("argocd-cmd-params-cm", {key: "true"})
        _restart("argocd-applicationset-controller")
        try:
            yield
        finally:
            _patch("argocd-cmd-params-cm", {key: params["data"].get(key)})
            _restart("argocd-applicationset-controller")

    def install(self, meter: Meter) -> None:
        template = self.spec("{{.name}}", "{{.stack}}")
        elements = [
            {"name": name, "stack": self.field.stacks[name], "level": str(level)}
            for name, level in self.field.levels.items()
        ]
        steps = [
            {"matchExpressions": [{"key": "level", "operator": "In", "values": [str(level)]}]}
            for level in sorted(set(self.field.levels.values()))
        ]
        self.field.apply(
            {
                "apiVersion": "argoproj.io/v1alpha1",
                "kind": "ApplicationSet",
                "metadata": {"name": "peers", "namespace": "argocd"},
                "spec": {
                    "goTemplate": True,
                    "generators": [{"list": {"elements": elements}}],
                    "strategy": {"type": "RollingSync", "rollingSync": {"steps": steps}},
                    "syncPolicy": {"preserveResourcesOnDeletion": True},
                    "template": {
                        "metadata": {"name": "{{.name}}", "labels": {"level": "{{.level}}"}},
                        "spec": template,
                    },
                },
            }
        )
        self.wait()


class Helmfile(Contestant):
    """helmfile `needs`, every release with --wait; the same charts and values, straight from the branch's folder.

    Helm does not wait for the status of custom resources. With `hooks` each release gets a hook that does, as a careful
    user would write it.
    """

    def __init__(self, field: Field, observer: Observer, hooks: bool) -> None:
        super().__init__(field, observer)
        self.name = "helmfile needs, with hooks that wait for custom resources" if hooks else "helmfile needs"
        self._hooks = hooks

    @contextmanager
    def prepared(self) -> Iterator[None]:
        state = {
            "helmDefaults": {"wait": True, "timeout": int(LONGEST), "createNamespace": True},
            "releases": [self._release(name) for name in self.field.stacks],
        }
        (self.field.repository / "helmfile.yaml").write_text(yaml.safe_dump(state))
        yield

    def install(self, meter: Meter) -> None:
        command = [str(supply.binary("helmfile")), "--file=helmfile.yaml", "sync", "--concurrency=0", "--skip-deps"]
        said = self.field.folder / "helmfile.log"
        with said.open("w") as output:
            process = subprocess.Popen(
                command, cwd=self.field.repository, stdout=output, stderr=subprocess.STDOUT, text=True
            )
            code = meter.wait_for(process)
        if code:
            raise Trouble(f"{self.name} failed\n{said.read_text()}")

    def _release(self, name: str) -> dict[str, Any]:
        stacks = self.field.stacks
        release: dict[str, Any] = {
            "name": name,
            "namespace": stacks[name],
            "chart": "./charts/component",
            "values": [f"apps/{name}/values.yaml"],
            "needs": [f"{stacks[parent]}/{parent}" for parent in sorted(self.field.parents[name])],
        }
        waits = [_reference(item, name) for item in self.field.values(name).get("resources", []) if _reports(item)]
        if self._hooks and waits:
            ready = "--for=jsonpath={.status.simulation.phase}=Ready"
            arguments = ["wait", ready, f"--timeout={LONGEST:.0f}s", f"--namespace={stacks[name]}", *waits]
            release["hooks"] = [{"events": ["postsync"], "command": "kubectl", "args": arguments}]
        return release


def _reports(item: dict[str, Any]) -> bool:
    return item["kind"] not in ("IPAddressPool", "L2Advertisement", "StorageClass")


def _reference(item: dict[str, Any], application: str) -> str:
    group, _slash, version = item["apiVersion"].partition("/")
    return f"{item['kind']}.{version}.{group}/{item.get('metadata', {}).get('name', application)}"


def _patch(configmap: str, data: dict[str, str | None]) -> None:
    patch = yaml.safe_dump({"data": data})
    kubectl("patch", "configmap", configmap, ARGOCD, "--type=merge", f"--patch={patch}")


def _restart(deployment: str) -> None:
    kubectl("rollout", "restart", f"deployment/{deployment}", ARGOCD)
    kubectl("rollout", "status", f"deployment/{deployment}", ARGOCD, "--timeout=100s")
