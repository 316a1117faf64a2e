# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The embedded cluster: Kubernetes on this machine, from programs that `testbed build` has made."""

from __future__ import annotations

import json
import subprocess

from deploy_ops_testbed import packages, paths, supply
from deploy_ops_testbed.cluster import (
    cgroups,
    components,
    configuration,
    health,
    host,
    images,
    layout,
    lock,
    manifests,
    network,
    pki,
    probes,
    processes,
    repositories,
    services,
    starting,
    stopping,
)
from deploy_ops_testbed.cluster.health import Report
from deploy_ops_testbed.cluster.layout import Layout
from deploy_ops_testbed.errors import TestbedError
from deploy_ops_testbed.progress import Steps, spoken

# What survives a `reset`, so that what somebody has in a shell or an inventory stays good.
KEPT_BY_RESET = ("pki", "kubeconfig", "credentials")
PLAN = ("host", "backends", "publish", "api", "node", "dns")


class Embedded:
    """Driver for `TESTBED=embedded`, the default."""

    name = "embedded"

    def __init__(self) -> None:
        self.where = Layout.current()

    def up(self) -> int:
        host.check_root()
        with Steps("up", [*supply.plan(), *PLAN]) as steps:
            self._build(steps)
            with lock.exclusive(self.where, "up", steps.say):
                if health.look(self.where).code == health.HEALTHY and not self._outdated():
                    steps.say(f"{layout.NAME} is up: nothing to do ({spoken(steps.seconds)})")
                else:
                    self._up(steps)
        return 0

    def down(self) -> int:
        host.check_root()
        with Steps("down", ["stop"]) as steps, lock.exclusive(self.where, "down", steps.say):
            if stopping.nothing_to_stop(self.where):
                steps.say(f"{layout.NAME} is down: nothing to do")
            else:
                with steps.step("stop", "end the cluster and tidy up the machine"):
                    stopping.stop(self.where)
                self._check_nothing_left()
                steps.say(f"{layout.NAME} is down; its logs are kept in {self.where.logs}")
            lock.release_machine()
        return 0

    def reset(self) -> int:
        host.check_root()
        with Steps("reset", [*supply.plan(), "wipe", *PLAN]) as steps:
            self._build(steps)
            with lock.exclusive(self.where, "reset", steps.say):
                with steps.step("wipe", "end the cluster and wipe its data"):
                    stopping.stop(self.where, KEPT_BY_RESET)
                self._up(steps)
        return 0

    def status(self) -> Report:
        return health.look(self.where)

    def environment(self) -> dict[str, str]:
        own = {"KUBECONFIG": str(self.where.kubeconfig), "TESTBED_AUDIT_LOG": str(self.where.audit_log)}
        return {**own, **services.environment(self.where, services.EMBEDDED)}

    def _build(self, steps: Steps) -> None:
        """Before the machine's lock is taken: a build can take long, and disturbs no cluster."""
        packages.ensure(packages.missing(), purpose="build and run the cluster")
        if stopping.nothing_to_stop(self.where):
            # Nobody wants to hear after half an hour of building that the machine will not do.
            host.check(self.where)
        supply.ensure_everything(steps)

    def _up(self, steps: Steps) -> None:
        where = self.where
        with steps.step("host", "prepare the machine: folders, certificates, network"):
            self._prepare()
        backends, api, node = components.stages(where)
        with steps.step("backends", "start the registry, containerd, etcd and the Git server") as step:
            starting.start_stage(where, backends, step)
        with steps.step("publish", "put the images into the registry") as step:
            images.publish(where, services.EMBEDDED.registry_endpoint, step)
        with steps.step("api", "start the API server, apply the manifests") as step:
            starting.start_stage(where, api, step)
            starting.wait_for("the API server", lambda: probes.system_namespace(where), step)
            manifests.apply(where, step)
        with steps.step("node", "start the controllers and the node") as step:
            starting.start_stage(where, node, step)
            kubelet = processes.running(where.processes, "kubelet")
            since = kubelet.since if kubelet else 0.0
            starting.wait_for("the node", lambda: probes.node(where, since), step)
        with steps.step("dns", "wait until DNS answers") as step:
            starting.wait_for("DNS", probes.dns, step, self._dns_evidence)
        steps.say(f"{layout.NAME} is up after {spoken(steps.seconds)}: node Ready, DNS answers")
        steps.say(f'use it: eval "$({paths.testbed_dir() / "testbed"} env)"')

    def _prepare(self) -> None:
        where = self.where
        host.check(where)
        if host.rebooted(where):
            stopping.forget_boot(where)
        host.remember(where)
        cgroups.prepare()
        network.ensure()
        host.enable_forwarding()
        pki.ensure(where)
        pki.write_kubeconfigs(where)
        configuration.write(where, services.EMBEDDED.registry_endpoint)
        repositories.ensure_credentials(where)
        repositories.seed(where)

    def _outdated(self) -> bool:
        """Whether something would be started differently now: newer programs, code or configuration."""
        for stage in components.stages(self.where):
            for component in stage:
                process = processes.running(self.where.processes, component.name)
                if process is None or process.fingerprint != component.fingerprint:
                    return True
        if configuration.outdated(self.where, services.EMBEDDED.registry_endpoint):
            return True
        return any(part.outdated(self.where) for part in (repositories, images, manifests))

    def _kubectl(self) -> list[str]:
        return [str(supply.binary("kubectl")), f"--kubeconfig={self.where.kubeconfig}"]

    def _dns_evidence(self) -> str:
        command = [*self._kubectl(), "--namespace=kube-system", "get", "pods,events", "--output=json"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return done.stderr.strip()
        items = json.loads(done.stdout)["items"]
        return "\n".join(item["message"] for item in items if item.get("type") == "Warning")

    def _check_nothing_left(self) -> None:
        left = stopping.left_over(self.where)
        if left:
            raise TestbedError(
                "The machine is not as it was before", "still there: " + ", ".join(left), "run `testbed down` again"
            )
