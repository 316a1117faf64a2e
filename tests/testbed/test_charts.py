# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The four real charts install on the cluster, and what they bring does its work."""

from __future__ import annotations

import json
import time
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import yaml

PYTHON = "docker.io/library/python:3.13-slim"
CHARTS = {"argo-cd": "10.8.0", "argo-workflows": "2.0.4", "argo-events": "2.4.25", "sealed-secrets": "2.18.4"}
CUSTOM_RESOURCES = (".argoproj.io", ".bitnami.com")


def namespace_of(chart: str) -> str:
    return f"test-{chart}"


@pytest.fixture(scope="module")
def installed(
    testbed: Any, kubectl: Any, environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """All four, as a user gets them: the chart's defaults, but for what the testbed's values file says."""
    if custom_resources(kubectl):
        # Somebody's Argo is here, and definitions exist once in a cluster: this is a testbed, so begin anew.
        testbed("reset")
    values = yaml.safe_load(Path(environment["TESTBED_VALUES"]).read_text())
    folder = tmp_path_factory.mktemp("values")

    def install(chart: str) -> None:
        file = folder / f"{chart}.yaml"
        file.write_text(json.dumps(values[chart]))
        archive = f"{environment['TESTBED_CHARTS']}/{chart}-{CHARTS[chart]}.tgz"
        helm(testbed, "install", chart, archive, f"--namespace={namespace_of(chart)}", "--create-namespace",
             f"--values={file}", "--wait", "--timeout=5m")  # fmt: skip

    def uninstall(chart: str) -> None:
        helm(testbed, "uninstall", chart, f"--namespace={namespace_of(chart)}", "--ignore-not-found")

    try:
        together(install)
        yield
    finally:
        together(uninstall)
        # Charts leave their definitions behind, so that nobody loses data; here they would be in the next one's way.
        kubectl("delete", *custom_resources(kubectl), "--ignore-not-found", "--timeout=120s")
        kubectl.remove_namespaces(*map(namespace_of, CHARTS))


def together(work: Callable[[str], None]) -> None:
    """Do it for all charts at the same time: mostly it is waiting."""
    with ThreadPoolExecutor() as pool:
        for _ in pool.map(work, CHARTS):
            continue


def helm(testbed: Any, *arguments: str) -> str:
    return testbed("exec", "--", "helm", *arguments)


def custom_resources(kubectl: Any) -> list[str]:
    names = kubectl("get", "customresourcedefinitions", "--output=name").split()
    return [name for name in names if name.endswith(CUSTOM_RESOURCES)]


def test_the_charts_install_and_their_pods_are_ready(installed: None, kubectl: Any) -> None:
    for chart in CHARTS:
        pods = kubectl.json("get", "pods", f"--namespace={namespace_of(chart)}")["items"]
        running = [pod for pod in pods if pod["status"]["phase"] != "Succeeded"]
        assert running, f"{chart} has no pods"
        for pod in running:
            ready = {item["type"]: item["status"] for item in pod["status"]["conditions"]}["Ready"]
            assert ready == "True", pod["metadata"]["name"]


def test_a_sealed_secret_is_unsealed(
    installed: None, testbed: Any, kubectl: Any, namespace: str, wait_until: Any
) -> None:
    secret = kubectl("create", "secret", "generic", "sealed", f"--namespace={namespace}", "--from-literal=word=open",
                     "--dry-run=client", "--output=json")  # fmt: skip
    controller = (f"--controller-namespace={namespace_of('sealed-secrets')}", "--controller-name=sealed-secrets")
    sealed = testbed("exec", "--", "kubeseal", *controller, "--format=json", given=secret)
    assert "open" not in sealed
    kubectl("apply", "--filename=-", given=sealed)
    read = ("get", "secrets", f"--namespace={namespace}", "--output=jsonpath={.items[*].data.word}")
    assert wait_until(lambda: kubectl(*read), "the secret is unsealed") == "b3Blbg=="


def test_an_application_syncs_from_the_git_server_with_credentials(
    installed: None, kubectl: Any, git_server: Any, repository: str, namespace: str, tmp_path: Path, wait_until: Any
) -> None:
    manifest = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "synced"}, "data": {"by": "Argo CD"}}
    (tmp_path / "configmap.json").write_text(json.dumps(manifest))
    commit = git_server.push(repository, tmp_path)
    address = git_server.address(repository)
    argocd = namespace_of("argo-cd")
    name = f"app-{namespace}"
    fields = (
        f"--from-literal=url={address}",
        "--from-literal=type=git",
        f"--from-literal=username={git_server.reader}",
    )
    password = f"--from-file=password={git_server.password_files[git_server.reader]}"
    kubectl("create", "secret", "generic", name, *fields, password, f"--namespace={argocd}")
    label = "argocd.argoproj.io/secret-type=repository"
    kubectl("label", "secret", name, label, f"--namespace={argocd}")
    application = {
        "apiVersion": "argoproj.io/v1alpha1",
        "kind": "Application",
        "metadata": {"name": name, "finalizers": ["resources-finalizer.argocd.argoproj.io"]},
        "spec": {
            "project": "default",
            "source": {"repoURL": address, "path": ".", "targetRevision": "main"},
            "destination": {"server": "https://kubernetes.default.svc", "namespace": namespace},
            "syncPolicy": {"automated": {}},
        },
    }
    kubectl.apply(argocd, application)
    try:

        def status() -> tuple[str, ...]:
            found = kubectl.json("get", "application", name, f"--namespace={argocd}").get("status", {})
            sync, health = found.get("sync", {}), found.get("health", {})
            return sync.get("status", ""), health.get("status", ""), sync.get("revision", "")

        wait_until(lambda: status() == ("Synced", "Healthy", commit), "the application is synced and healthy")
        assert kubectl.json("get", "configmap", "synced", f"--namespace={namespace}")["data"] == {"by": "Argo CD"}
    finally:
        kubectl("delete", f"application/{name}", f"secret/{name}", f"--namespace={argocd}", "--timeout=120s")


@pytest.fixture
def chain(installed: None, kubectl: Any, namespace: str) -> Iterator[str]:
    """The chain from webhook to Workflow in a namespace of its own."""
    kubectl.apply(namespace, *event_chain())
    yield namespace
    # Before the controller goes: it alone takes off their finalizers, and the namespace waits for that.
    for kind in ("sensors", "eventsources", "eventbus"):
        kubectl("delete", kind, "--all", f"--namespace={namespace}", "--timeout=120s")


def test_a_webhook_event_starts_a_workflow(kubectl: Any, chain: str, wait_until: Any) -> None:
    """Webhook, EventSource, JetStream EventBus, Sensor, Workflow: every link is the real one."""
    here = f"--namespace={chain}"

    def ready(selector: str) -> bool:
        pods = kubectl.json("get", "pods", f"--selector={selector}", here)["items"]
        conditions = [item for pod in pods for item in pod["status"].get("conditions", []) if item["type"] == "Ready"]
        return bool(conditions) and all(item["status"] == "True" for item in conditions)

    for selector in ("eventbus-name=default", "eventsource-name=webhook", "sensor-name=webhook"):
        wait_until(lambda selector=selector: ready(selector), f"the pods of {selector} are ready", seconds=180)
    address = kubectl.json("get", "service", "webhook-eventsource-svc", here)["spec"]["clusterIP"]

    def workflows() -> list[dict[str, Any]]:
        return kubectl.json("get", "workflows", here)["items"]

    def started() -> list[dict[str, Any]]:
        """A sensor takes events from its subscription on, and does not say when that is: send until one arrives."""
        assert post(f"http://{address}:12000/start", {"word": "hello"}) == 200
        deadline = time.monotonic() + 5
        while not (found := workflows()) and time.monotonic() < deadline:
            time.sleep(0.3)
        return found

    name = wait_until(started, "the event has started a workflow")[0]["metadata"]["name"]
    phase = ("get", "workflow", name, here, "--output=jsonpath={.status.phase}")
    wait_until(lambda: kubectl(*phase) == "Succeeded", "the workflow has run")
    assert "hello" in kubectl("logs", f"--selector=workflows.argoproj.io/workflow={name}", "--container=main", here)


def post(url: str, body: dict[str, str]) -> int:
    request = urllib.request.Request(url, data=json.dumps(body).encode(), headers={"Content-Type": "application/json"})
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=10) as answer:
        return int(answer.status)


def event_chain() -> list[dict[str, Any]]:
    workflow = {
        "apiVersion": "argoproj.io/v1alpha1",
        "kind": "Workflow",
        "metadata": {"generateName": "from-webhook-"},
        "spec": {
            "entrypoint": "say",
            "serviceAccountName": "chain",
            "arguments": {"parameters": [{"name": "word", "value": "replaced by the event"}]},
            "templates": [
                {
                    "name": "say",
                    "container": {
                        "image": PYTHON,
                        "command": ["python3", "-c", "print('{{workflow.parameters.word}}')"],
                    },
                }
            ],
        },
    }
    trigger = {
        "template": {
            "name": "workflow",
            "k8s": {
                "operation": "create",
                "source": {"resource": workflow},
                "parameters": [
                    {
                        "src": {"dependencyName": "start", "dataKey": "body.word"},
                        "dest": "spec.arguments.parameters.0.value",
                    }
                ],
            },
        }
    }
    dependency = {"name": "start", "eventSourceName": "webhook", "eventName": "start"}
    rights = [
        {"apiGroups": ["argoproj.io"], "resources": ["workflows"], "verbs": ["create"]},
        {"apiGroups": ["argoproj.io"], "resources": ["workflowtaskresults"], "verbs": ["create", "patch"]},
    ]
    rbac = "rbac.authorization.k8s.io"
    return [
        {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "chain"}},
        {"apiVersion": f"{rbac}/v1", "kind": "Role", "metadata": {"name": "chain"}, "rules": rights},
        {
            "apiVersion": f"{rbac}/v1",
            "kind": "RoleBinding",
            "metadata": {"name": "chain"},
            "roleRef": {"apiGroup": rbac, "kind": "Role", "name": "chain"},
            "subjects": [{"kind": "ServiceAccount", "name": "chain"}],
        },
        _events("EventBus", "default", {"jetstream": {"version": "2.10.29", "replicas": 3}}),
        _events(
            "EventSource",
            "webhook",
            {
                "service": {"ports": [{"port": 12000, "targetPort": 12000}]},
                "webhook": {"start": {"port": "12000", "endpoint": "/start", "method": "POST"}},
            },
        ),
        _events(
            "Sensor",
            "webhook",
            {
                "template": {"serviceAccountName": "chain"},
                "dependencies": [dependency],
                "triggers": [trigger],
            },
        ),
    ]


def _events(kind: str, name: str, spec: dict[str, Any]) -> dict[str, Any]:
    return {"apiVersion": "argoproj.io/v1alpha1", "kind": kind, "metadata": {"name": name}, "spec": spec}
