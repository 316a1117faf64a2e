# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A cluster by kind, where Docker is: the same registry, Git server and charts, but kind's own node image."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

from deploy_ops_testbed import supply
from deploy_ops_testbed.cluster import configuration, images, layout, lock, processes, repositories, services, starting
from deploy_ops_testbed.cluster.component import Component
from deploy_ops_testbed.cluster.existing import Existing
from deploy_ops_testbed.cluster.health import STOPPED, Condition, Report
from deploy_ops_testbed.cluster.layout import Layout
from deploy_ops_testbed.errors import TestbedError
from deploy_ops_testbed.progress import Steps, spoken

NETWORK = "kind"
MIRRORS = "/etc/containerd/certs.d"


class Kind:
    """Driver for `TESTBED=kind`."""

    name = "kind"

    def __init__(self) -> None:
        self.where = Layout.current()
        for program in ("docker", "kind"):
            if not shutil.which(program):
                raise TestbedError(
                    f"TESTBED=kind needs {program}", "it is not on the PATH", "install it, or unset TESTBED"
                )

    def up(self) -> int:
        with Steps("kind-up", ("services", "cluster")) as steps, lock.exclusive(self.where, "up", steps.say):
            supply.ensure_everything(steps)
            with steps.step("services", "start the registry and the Git server") as step:
                repositories.ensure_credentials(self.where)
                repositories.seed(self.where)
                self._write_config()
                starting.start_stage(self.where, self._services(), step)
                images.publish(self.where, self._addresses().registry_endpoint, step)
            with steps.step("cluster", "create the cluster") as step:
                if layout.NAME not in _output("kind", "get", "clusters").split():
                    config = f"--config={self._config}"
                    step.run(["kind", "create", "cluster", f"--name={layout.NAME}", config, "--wait=120s"])
                _output(
                    "kind", "export", "kubeconfig", f"--name={layout.NAME}", f"--kubeconfig={self.where.kubeconfig}"
                )
            steps.say(f"{layout.NAME} is up after {spoken(steps.seconds)}")
        return 0

    def down(self) -> int:
        with Steps("kind-down", ("cluster",)) as steps, lock.exclusive(self.where, "down", steps.say):
            with steps.step("cluster", "delete the cluster") as step:
                step.run(["kind", "delete", "cluster", f"--name={layout.NAME}"])
                running = [processes.running(self.where.processes, name) for name in ("registry", "git")]
                processes.end([process for process in running if process])
                shutil.rmtree(self.where.git, ignore_errors=True)
            lock.release_machine()
        return 0

    def reset(self) -> int:
        self.down()
        return self.up()

    def status(self) -> Report:
        if layout.NAME not in _output("kind", "get", "clusters").split():
            return Report([Condition(layout.NAME, STOPPED)], 0)
        return Existing(str(self.where.kubeconfig)).status()

    def environment(self) -> dict[str, str]:
        return {"KUBECONFIG": str(self.where.kubeconfig), **services.environment(self.where, self._addresses())}

    @property
    def _config(self) -> Path:
        return self.where.config / "kind.json"

    def _services(self) -> list[Component]:
        addresses = self._addresses()
        return [services.registry(self.where, addresses), services.git(self.where, addresses)]

    def _addresses(self) -> services.Addresses:
        return services.Addresses(registry=_gateway(), git=_gateway())

    def _write_config(self) -> None:
        """The nodes ask our registry for every image, as the embedded cluster does."""
        configuration.write_registry(self.where, self._addresses().registry_endpoint)
        mirrors = {"hostPath": str(self.where.config / "registry-hosts"), "containerPath": MIRRORS, "readOnly": True}
        patch = f'[plugins."io.containerd.grpc.v1.cri".registry]\n  config_path = "{MIRRORS}"\n'
        config = {
            "kind": "Cluster",
            "apiVersion": "kind.x-k8s.io/v1alpha4",
            "nodes": [{"role": "control-plane", "extraMounts": [mirrors]}],
            "containerdConfigPatches": [patch],
        }
        self._config.write_text(json.dumps(config, indent=1))


def _gateway() -> str:
    """The host's address as the nodes see it; the network is made here if kind has not made it yet."""
    if NETWORK not in _output("docker", "network", "ls", "--format={{.Name}}").split():
        _output("docker", "network", "create", NETWORK)
    networks = json.loads(_output("docker", "network", "inspect", NETWORK))
    addresses = [item.get("Gateway", "") for item in networks[0]["IPAM"]["Config"]]
    return next(address for address in addresses if "." in address)


def _output(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise TestbedError(
            f"`{' '.join(command[:3])}` failed", done.stderr.strip(), "mend that and run the same command again"
        )
    return done.stdout
