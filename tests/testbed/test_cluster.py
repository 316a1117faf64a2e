# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The cluster stands: node, DNS, images through the mirror, status and environment."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PYTHON = "docker.io/library/python:3.13-slim"


def test_the_node_is_ready_and_dns_answers(testbed: Any, kubectl: Any) -> None:
    status = testbed.status()
    assert status["status"] == "healthy"
    assert {condition["state"] for condition in status["conditions"]} == {"running"}
    nodes = kubectl.json("get", "nodes")["items"]
    assert [node["metadata"]["name"] for node in nodes] == ["node1"]
    assert nodes[0]["status"]["nodeInfo"]["kubeletVersion"] == "v1.36.1"


def test_it_needs_less_than_three_gibibytes(testbed: Any) -> None:
    assert 0 < testbed.status()["memory_bytes"] < 3 * 1024**3


def test_a_second_up_changes_nothing(testbed: Any) -> None:
    before = testbed.pids()
    assert "nothing to do" in testbed("up")
    assert testbed.pids() == before


def test_it_says_what_it_is(kubectl: Any) -> None:
    marker = kubectl.json("get", "configmap", "deploy-ops-testbed", "--namespace=kube-system")
    assert "may be destroyed" in marker["data"]["purpose"]
    assert kubectl("config", "current-context").strip() == "deploy-ops-testbed"


def test_environment_names_files_that_are_there(environment: dict[str, str]) -> None:
    for name in ("KUBECONFIG", "TESTBED_GIT_PASSWORD_FILE", "TESTBED_GIT_WRITE_PASSWORD_FILE"):
        assert os.stat(environment[name]).st_mode & 0o077 == 0, f"{name} can be read by others"
    assert (Path(environment["TESTBED_CHARTS"]) / "index.yaml").is_file()
    assert Path(environment["TESTBED_VALUES"]).is_file()


def test_the_audit_log_tells_reads_from_writes(kubectl: Any, environment: dict[str, str], namespace: str) -> None:
    kubectl("create", "configmap", "written", f"--namespace={namespace}")
    kubectl("get", "configmap", "written", f"--namespace={namespace}")
    events = [json.loads(line) for line in Path(environment["TESTBED_AUDIT_LOG"]).read_text().splitlines()]
    verbs = [
        event["verb"]
        for event in events
        if event.get("objectRef", {}).get("namespace") == namespace
        and event["objectRef"].get("name") == "written"
        and event["user"]["username"] == "admin"
    ]
    assert verbs == ["create", "get"]


def test_pods_pull_through_the_mirror_and_find_each_other(
    kubectl: Any, namespace: str, make_pod: Any, wait_until: Any
) -> None:
    """Pull policy Always, a name of a registry that is not there, a Service by its DNS name."""
    server = make_pod("server", PYTHON, "python3", "-m", "http.server", "8000")
    server["metadata"]["labels"] = {"app": "server"}
    service = {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": "server"},
        "spec": {"selector": {"app": "server"}, "ports": [{"port": 80, "targetPort": 8000}]},
    }
    ask = (
        "import time, urllib.request\n"
        "while True:\n"
        "    try: print(urllib.request.urlopen('http://server', timeout=2).status); break\n"
        "    except OSError as error: print(error, flush=True); time.sleep(0.3)\n"
    )
    kubectl.apply(namespace, server, service, make_pod("client", PYTHON, "python3", "-c", ask))
    wait_until(lambda: _phase(kubectl, namespace, "client") == "Succeeded", "the client has reached the server")
    assert kubectl("logs", "client", f"--namespace={namespace}").splitlines()[-1] == "200"


def test_an_image_that_the_registry_lacks_is_not_looked_for_elsewhere(
    kubectl: Any, namespace: str, make_pod: Any, wait_until: Any
) -> None:
    kubectl.apply(namespace, make_pod("lost", "docker.io/library/no-such-image:1", "true"))

    def refusal() -> str:
        return kubectl("get", "events", f"--namespace={namespace}", "--field-selector=reason=Failed",
                       "--output=jsonpath={.items[*].message}")  # fmt: skip

    message = wait_until(refusal, "kubelet says that there is no such image")
    assert "docker.io/library/no-such-image:1: not found" in message


def test_names_of_the_world_do_not_exist(kubectl: Any, namespace: str, make_pod: Any, wait_until: Any) -> None:
    """No wait for a name server that cannot be reached: the cluster is closed, and says so at once."""
    ask = (
        "import socket\ntry: socket.getaddrinfo('example.com', 80)\nexcept socket.gaierror as error: print(error.errno)"
    )
    kubectl.apply(namespace, make_pod("asks", PYTHON, "python3", "-c", ask))
    wait_until(lambda: _phase(kubectl, namespace, "asks") == "Succeeded", "the pod has asked")
    assert kubectl("logs", "asks", f"--namespace={namespace}").strip() == "-2"


def _phase(kubectl: Any, namespace: str, name: str) -> str:
    return kubectl("get", "pod", name, f"--namespace={namespace}", "--output=jsonpath={.status.phase}")


def test_an_existing_cluster_is_used_only_when_it_is_released(testbed: Any, environment: dict[str, str]) -> None:
    """The embedded cluster plays the existing one: same API server, reached by its kubeconfig alone."""
    command = [str(ROOT / "testbed" / "testbed"), "up"]
    named = {**os.environ, "TESTBED": "existing", "KUBECONFIG": environment["KUBECONFIG"]}
    refused = subprocess.run(command, env=named, capture_output=True, text=True, check=False)
    assert refused.returncode == 1
    assert "The cluster https://10.250.0.1:6443 is not released for tests" in refused.stderr
    released = {**named, "TESTBED_MAY_DESTROY": "https://10.250.0.1:6443"}
    taken = subprocess.run(command, env=released, capture_output=True, text=True, check=False)
    assert (taken.returncode, taken.stdout) == (0, "https://10.250.0.1:6443 is marked as a testbed\n")
    status = subprocess.run([command[0], "status"], env=released, capture_output=True, text=True, check=False)
    assert status.returncode == 0, status.stdout
