# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The applications of the sample platforms on the real cluster: they go through their stages, fail and recover.

No Argo CD here: the charts are rendered and applied under names of their own, beside whatever else is deployed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from kubernetes import client, config, watch

ROOT = Path(__file__).resolve().parents[2]
REPOSITORY = ROOT / "testbed/platforms/rfc/repository"
sys.path.insert(0, str(ROOT / "testbed/simulator"))

from kinds import KINDS, Kind

NAMESPACE = "test-platforms"
LABEL = "simulator.deploy-ops.test/application"
# Long enough to see every stage between two ticks of the simulator.
DELAY = 3
PATIENCE = 120

# What a person sees of each kind, in the order in which it must come.
STAGES: dict[str, list[Any]] = {
    "CephCluster": [["Progressing", None], ["Progressing", "HEALTH_WARN"], ["Ready", "HEALTH_OK"]],
    "postgresql": ["Creating", "Running"],
    "RedisCluster": ["Initializing", "Bootstrap", "Ready"],
    "Kafka": ["NotReady=True", "Ready=True"],
    "KafkaTopic": ["", "Ready=True"],
    "Keycloak": ["Ready=False", "Ready=True"],
    "ClusterSecretStore": ["", "Ready=True"],
    "ClusterIssuer": ["", "Ready=True"],
    "TemporalCluster": ["Ready=False", "Ready=True"],
    "KubeVirt": ["Deploying", "Deployed"],
    "ClusterPolicy": ["Ready=False", "Ready=True"],
}


def face(kind: str, status: dict[str, Any]) -> Any:
    if kind == "CephCluster":
        return [status["phase"], status.get("ceph", {}).get("health")]
    for field in ("PostgresClusterStatus", "state", "phase"):
        if field in status:
            return status[field]
    return next((f"{entry['type']}={entry['status']}" for entry in status["conditions"]), "")


def kubectl(*arguments: str, given: str | None = None) -> str:
    done = subprocess.run(["kubectl", *arguments], input=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"kubectl {' '.join(arguments)}: {done.stderr}"
    return done.stdout


def behave(*arguments: str) -> str:
    command = [str(ROOT / "testbed/simulator/behave"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def rendered(application: str, *settings: str) -> list[dict[str, Any]]:
    """The manifests of an application, under another name and with a short delay."""
    values = REPOSITORY / f"apps/{application}/values.yaml"
    chosen = [argument for setting in (f"behaviour.delay={DELAY}", *settings) for argument in ("--set", setting)]
    command = ["helm", "template", f"test-{application}", REPOSITORY / "charts/component", "--values", values, *chosen]
    done = subprocess.run([*map(str, command), "--namespace", NAMESPACE], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [document for document in yaml.safe_load_all(done.stdout) if document]


def deploy(*applications: str, settings: tuple[str, ...] = ()) -> None:
    manifests = [item for application in applications for item in rendered(application, *settings)]
    kubectl("apply", "--namespace", NAMESPACE, "--filename", "-", given=yaml.safe_dump_all(manifests))


def until(what: str, look: Callable[[], Any]) -> Any:
    """Ask until the answer is yes; the message says what did not come."""
    deadline = time.monotonic() + PATIENCE
    while not (answer := look()):
        assert time.monotonic() < deadline, f"{what}: not within {PATIENCE} s"
        time.sleep(0.2)
    return answer


def applications_with(key: str) -> dict[str, Any]:
    found = {}
    for path in sorted(REPOSITORY.glob("apps/*/values.yaml")):
        if key in (values := yaml.safe_load(path.read_text())):
            found[path.parent.name] = values[key]
    return found


@pytest.fixture(scope="module")
def namespace() -> Iterator[str]:
    if not os.environ.get("KUBECONFIG"):
        pytest.fail('KUBECONFIG is not set: `testbed/testbed up`, then `eval "$(testbed/testbed env)"`')
    config.load_kube_config()
    # `testbed up` applies it too; applying it again changes nothing.
    manifest = str(ROOT / "testbed/simulator/manifests/simulator.yaml")
    kubectl("apply", "--server-side", "--force-conflicts", "--filename", manifest)
    kubectl("rollout", "status", "deployment/simulator", "--namespace", "simulator", f"--timeout={PATIENCE}s")
    labels = {"pod-security.kubernetes.io/enforce": "restricted"}
    own = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE, "labels": labels}}
    kubectl("apply", "--filename", "-", given=json.dumps(own))
    yield NAMESPACE
    kubectl("delete", "namespace", NAMESPACE)


@pytest.fixture(scope="module")
def crds(namespace: str) -> Iterator[None]:
    """The CRDs of all operators; those that were not there before are removed again, and so are their resources."""
    wanted = {
        item["metadata"]["name"]: item
        for application in applications_with("crds")
        for item in rendered(application)
        if item["kind"] == "CustomResourceDefinition"
    }
    present = set(
        kubectl("get", "customresourcedefinitions", "--output", "name")
        .replace("customresourcedefinition.apiextensions.k8s.io/", "")
        .split()
    )
    made = [name for name in wanted if name not in present]
    if made:
        kubectl("apply", "--filename", "-", given=yaml.safe_dump_all(wanted[name] for name in made))
        kubectl("wait", "--for=condition=Established", "--timeout=60s", *(f"crd/{name}" for name in made))
    yield
    if made:
        kubectl("delete", "customresourcedefinitions", *made)


@pytest.fixture(scope="module")
def stages(crds: None) -> Iterator[dict[str, list[dict[str, Any]]]]:
    """Every status that each kind went through, seen by a watch from before it was created until it was ready."""
    applications = [name for name in applications_with("resources") if name not in ("storage-classes", "metallb-pools")]
    seen: dict[str, list[dict[str, Any]]] = {kind.kind: [] for kind in KINDS}
    threads = [threading.Thread(target=follow, args=(kind, seen[kind.kind]), daemon=True) for kind in KINDS]
    for thread in threads:
        thread.start()
    deploy(*applications)
    for thread in threads:
        thread.join(PATIENCE)
    yield seen
    manifests = [item for application in applications for item in rendered(application)]
    kubectl(
        "delete", "--ignore-not-found", "--namespace", NAMESPACE, "--filename", "-", given=yaml.safe_dump_all(manifests)
    )


def follow(kind: Kind, seen: list[dict[str, Any]]) -> None:
    stream = watch.Watch().stream(
        client.CustomObjectsApi().list_cluster_custom_object, kind.group, kind.version, kind.plural,
        label_selector=LABEL, timeout_seconds=PATIENCE,
    )  # fmt: skip
    name = None
    for event in stream:
        metadata, status = event["object"]["metadata"], event["object"].get("status")
        name = name or (metadata["name"] if metadata["labels"][LABEL].startswith("test-") else None)
        if metadata["name"] == name and status:
            seen.append(status)
            if status["simulation"]["phase"] == "Ready":
                return


@pytest.mark.parametrize("kind", sorted(STAGES))
def test_custom_resource_goes_through_its_stages(stages: dict[str, list[dict[str, Any]]], kind: str) -> None:
    faces: list[Any] = []
    for status in stages[kind]:
        if not faces or faces[-1] != face(kind, status):
            faces.append(face(kind, status))
    assert faces == STAGES[kind]
    assert stages[kind][-1]["simulation"]["readyAt"] > stages[kind][0]["simulation"]["since"]


def postgres() -> dict[str, Any]:
    return json.loads(kubectl("get", "postgresql", "test-postgres-platform", "-n", NAMESPACE, "-ojson"))["status"]


def test_custom_resource_fails_and_recovers_at_run_time(stages: object) -> None:
    try:
        behave("test-postgres-platform", "degraded")
        until("failure", lambda: postgres()["PostgresClusterStatus"] == "CreateFailed")
        assert "test-postgres-platform: " in behave()
    finally:
        behave("test-postgres-platform", "clear")
    until("recovery", lambda: postgres()["PostgresClusterStatus"] == "Running")


def test_new_release_is_worked_on_again_and_the_restart_of_the_operator_forgets_nothing(stages: object) -> None:
    before = postgres()["simulation"]
    deploy("postgres-platform", settings=("release=2",))
    until("update", lambda: postgres()["PostgresClusterStatus"] == "Updating")
    kubectl("delete", "pod", "-n", "simulator", "-l", "app.kubernetes.io/name=simulator", "--wait=false")
    since = postgres()["simulation"]["since"]
    until("end of the update", lambda: postgres()["PostgresClusterStatus"] == "Running")
    after = postgres()["simulation"]
    assert (after["generation"], after["since"]) == (before["generation"] + 1, since)
    assert after["readyAt"] > before["readyAt"]


def pod(application: str) -> dict[str, Any]:
    """The pod of an application, or nothing while there is none."""
    found = json.loads(kubectl("get", "pods", "-n", NAMESPACE, "-l", f"{LABEL}=test-{application}", "-ojson"))["items"]
    return found[0] if found else {}


def pod_ready(application: str) -> bool:
    conditions = pod(application).get("status", {}).get("conditions", [])
    return any(entry["type"] == "Ready" and entry["status"] == "True" for entry in conditions)


def restarts(application: str) -> int:
    return sum(container["restartCount"] for container in pod(application)["status"].get("containerStatuses", []))


def test_deployment_gets_ready_fails_crashes_and_recovers(namespace: str) -> None:
    deploy("grafana")
    until("ready", lambda: pod_ready("grafana"))
    try:
        behave("test-grafana", "never-ready")
        until("not ready", lambda: not pod_ready("grafana"))
        behave("test-grafana", "clear")
        until("ready again", lambda: pod_ready("grafana"))
        behave("test-grafana", "crash")
        until("crash", lambda: restarts("grafana") > 0)
    finally:
        behave("test-grafana", "clear")
    until("recovery", lambda: pod_ready("grafana"))


def test_behaviour_by_commit_and_missed_progress_deadline(namespace: str) -> None:
    deploy("backstage", settings=("behaviour.mode=never-ready", "workload.progressDeadlineSeconds=3"))

    def reason() -> str:
        path = '{.status.conditions[?(@.type=="Progressing")].reason}'
        return kubectl("get", "deployment", "test-backstage", "-n", NAMESPACE, f"-ojsonpath={path}")

    until("Degraded in the eyes of Argo CD", lambda: reason() == "ProgressDeadlineExceeded")
    assert not pod_ready("backstage")
    # The run-time switch wins over the commit.
    try:
        behave("test-backstage", "ready")
        until("ready", lambda: pod_ready("backstage"))
    finally:
        behave("test-backstage", "clear")


def test_vault_is_unsealed_in_steps_and_has_its_volume(namespace: str) -> None:
    deploy("vault")
    until("unsealed", lambda: pod_ready("vault"))
    log = kubectl("logs", "test-vault-0", "-n", NAMESPACE)
    answers = [line.split(": ", 1)[1].split()[0] for line in log.splitlines() if line.startswith("test-vault after")]
    assert answers == ["501", "503", "200"]
    assert kubectl("get", "pvc", "data-test-vault-0", "-n", NAMESPACE, "-ojsonpath={.status.phase}") == "Bound"


def test_switch_that_makes_no_sense_is_refused_before_anything_changes(namespace: str) -> None:
    before = behave()
    for arguments in (["x", "dance"], ["x", "ready", "--delay", "-1"], ["X!", "ready"]):
        done = subprocess.run(
            [str(ROOT / "testbed/simulator/behave"), *arguments], capture_output=True, text=True, check=False
        )
        assert done.returncode != 0
        assert "Traceback" not in done.stderr
    assert behave() == before
