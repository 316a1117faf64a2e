# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A cluster that somebody else runs: used only when its owner says in so many words that it may be destroyed."""

from __future__ import annotations

import json
import os
import subprocess

from deploy_ops_testbed import paths, supply
from deploy_ops_testbed.cluster import layout
from deploy_ops_testbed.cluster.health import DEAD, NOT_READY, RUNNING, Condition, Report
from deploy_ops_testbed.errors import TestbedError

PERMISSION = "TESTBED_MAY_DESTROY"
# What `embedded` would set; here the owner says where their own are.
PASSED_ON = ("TESTBED_GIT_URL", "TESTBED_GIT_USER", "TESTBED_GIT_PASSWORD_FILE", "TESTBED_REGISTRY")


class Existing:
    """Driver for `TESTBED=existing`."""

    name = "existing"

    def __init__(self, kubeconfig: str | None = None) -> None:
        self.kubeconfig = kubeconfig or os.environ.get("KUBECONFIG", "")
        if not self.kubeconfig:
            raise TestbedError(
                "TESTBED=existing needs a KUBECONFIG",
                "a cluster that may be destroyed has to be named, none is guessed",
                "export KUBECONFIG=<file>",
            )

    def up(self) -> int:
        self._check_permission()
        self._kubectl("apply", "--server-side", f"--filename={paths.testbed_dir() / 'manifests' / 'marker.yaml'}")
        print(f"{self._server()} is marked as a testbed")
        return 0

    def down(self) -> int:
        """The cluster is not ours to end: only the mark is taken away."""
        self._check_permission()
        self._kubectl("delete", "--namespace=kube-system", "--ignore-not-found", f"configmap/{layout.NAME}")
        print(f"{self._server()} is no testbed any more; what tests have left in it is still there")
        return 0

    def reset(self) -> int:
        raise TestbedError(
            "An existing cluster cannot be reset",
            "only its owner knows what was in it before",
            "make it anew with the tool that made it",
        )

    def status(self) -> Report:
        try:
            nodes = json.loads(self._kubectl("get", "nodes", "--output=json"))["items"]
        except TestbedError as error:
            return Report([Condition("cluster", DEAD, problem=error.why, way_out=error.way_out)], 0)
        ready = [
            node["metadata"]["name"]
            for node in nodes
            if any(item["type"] == "Ready" and item["status"] == "True" for item in node["status"]["conditions"])
        ]
        if len(ready) < len(nodes) or not nodes:
            problem = f"{len(ready)} of {len(nodes)} nodes are Ready"
            return Report([Condition("nodes", NOT_READY, problem=problem, way_out="kubectl describe nodes")], 0)
        return Report([Condition("nodes", RUNNING)], 0)

    def environment(self) -> dict[str, str]:
        given = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        return {"KUBECONFIG": self.kubeconfig, "TESTBED_CHARTS": str(supply.charts_dir()), **given}

    def _check_permission(self) -> None:
        server = self._server()
        given = os.environ.get(PERMISSION, "")
        if given != server:
            raise TestbedError(
                f"The cluster {server} is not released for tests",
                f"tests destroy what is in a cluster, and {PERMISSION} is {given or 'not set'}",
                f"if everything in it may be lost: export {PERMISSION}={server}",
            )

    def _server(self) -> str:
        return self._kubectl("config", "view", "--minify", "--output=jsonpath={.clusters[0].cluster.server}")

    def _kubectl(self, *arguments: str) -> str:
        command = [
            str(supply.binary("kubectl")),
            f"--kubeconfig={self.kubeconfig}",
            "--request-timeout=15s",
            *arguments,
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise TestbedError(
                f"`kubectl {arguments[0]}` failed with {self.kubeconfig}",
                done.stderr.strip(),
                "check the file and its current context",
            )
        return done.stdout.strip()
