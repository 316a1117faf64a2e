# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the bootstrap takes on the warm embedded cluster, and how much of it is Ansible. Wipes that cluster first.

    make benchmark-bootstrap

Warm: the machine has run it before, so images and charts are there. First run: from bare to all components of
playbooks/bootstrap.yml. Second run: the same again, which changes nothing and probes everything.

Ansible's share is defined as wall time minus the time inside the modules that talk to the cluster (CLUSTER_MODULES),
plus, for each run of such a module, what a module that does nothing takes (the mean of ansible.builtin.ping, measured
here): a module's start is Ansible's, what it does is not. So the share holds start and end of ansible-playbook, every
include, set_fact and template, and the start of every module.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
CLUSTER_MODULES = (
    "kubernetes.core.helm",
    "kubernetes.core.k8s",
    "kubernetes.core.k8s_info",
    "proficientnow.deploy_ops.argocd_account_token",
    "proficientnow.deploy_ops.component_probe",
    "proficientnow.deploy_ops.helm_release_info",
    "proficientnow.deploy_ops.helm_rollback",
    "proficientnow.deploy_ops.run_lock",
)
LARGEST_SHARE_OF_A_SECOND_RUN = 1 / 3


class Run:
    """A playbook that has ended, with what each of its tasks took."""

    def __init__(self, playbook: str) -> None:
        with tempfile.NamedTemporaryFile(suffix=".jsonl") as times:
            variables = {
                "ANSIBLE_CALLBACK_PLUGINS": str(ROOT / "tests" / "benchmark" / "callback_plugins"),
                "ANSIBLE_CALLBACKS_ENABLED": "task_times",
                "TASK_TIMES": times.name,
            }
            command = ["ansible-playbook", playbook]
            begun = time.monotonic()
            done = subprocess.run(command, cwd=ROOT, env={**os.environ, **variables}, capture_output=True, text=True)
            self.seconds = time.monotonic() - begun
            if done.returncode:
                sys.exit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
            self.changed = int(re.findall(r"changed=(\d+)", done.stdout)[-1])
            self.tasks = [json.loads(line) for line in Path(times.name).read_text().splitlines()]

    def calls(self) -> list[dict[str, Any]]:
        return [task for task in self.tasks if task["action"] in CLUSTER_MODULES]

    def ansible(self, empty_module: float) -> float:
        return self.seconds - sum(task["seconds"] - task["runs"] * empty_module for task in self.calls())

    def show(self, what: str, empty_module: float) -> None:
        ansible = self.ansible(empty_module)
        calls = sum(task["runs"] for task in self.calls())
        print(
            f"{what:<28} {self.seconds:7.1f} s   Ansible {ansible:6.1f} s ({ansible / self.seconds:4.0%})   "
            f"{len(self.tasks)} tasks, {calls} calls to the cluster, changed={self.changed}",
            flush=True,
        )


def main() -> None:
    if "TESTBED_CHARTS" not in os.environ:
        sys.exit("run it with `make benchmark-bootstrap`")
    (ping,) = Run("tests/benchmark/playbooks/empty_modules.yml").tasks
    empty_module = ping["seconds"] / ping["runs"]
    print(f"a module that does nothing   {empty_module:7.2f} s", flush=True)
    subprocess.run([ROOT / "testbed" / "testbed", "reset"], check=True)
    first = Run("playbooks/bootstrap.yml")
    first.show("from bare", empty_module)
    second = Run("playbooks/bootstrap.yml")
    second.show("second run", empty_module)
    ratio = second.seconds / first.seconds
    print(f"second run / first run       {ratio:7.2f}     (has to be below {LARGEST_SHARE_OF_A_SECOND_RUN:.2f})")
    if second.changed or ratio >= LARGEST_SHARE_OF_A_SECOND_RUN:
        sys.exit("the second run changes something, or takes too long")


if __name__ == "__main__":
    main()
