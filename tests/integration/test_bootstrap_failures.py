# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The failure modes of RFC 4.2, each provoked for real with the component's own playbook.

Every message has to name the cause and the way out, and what stood before has to stand afterwards. The servers that
refuse and that never answer are sockets; everything else is the cluster's own doing.
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

# Everything that Argo CD is made of, but for its CustomResourceDefinitions and what is theirs.
ALL_BUT_CRDS = [
    {"apiGroups": [group], "resources": ["*"], "verbs": ["*"]}
    for group in ("", "apps", "batch", "discovery.k8s.io", "networking.k8s.io", "rbac.authorization.k8s.io")
]


@pytest.fixture(scope="module")
def standing(playbook: Any) -> None:
    for name in ("argocd", "argo_workflows"):
        run = playbook(f"playbooks/{name}.yml")
        assert run.code == 0, run


@pytest.fixture
def account(kubectl: Callable[..., str], namespace: str, tmp_path: Path) -> Iterator[Callable[..., str]]:
    """``account(*rules)`` makes a ServiceAccount with these rights in the whole cluster, and gives its kubeconfig."""
    name = f"account-of-{namespace}"

    def make(*rules: dict[str, Any]) -> str:
        subject = {"kind": "ServiceAccount", "name": name, "namespace": "default"}
        role = {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": name}
        objects = [
            {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": name, "namespace": "default"}},
            {
                "apiVersion": "rbac.authorization.k8s.io/v1",
                "kind": "ClusterRole",
                "metadata": {"name": name},
                "rules": list(rules),
            },
            {
                "apiVersion": "rbac.authorization.k8s.io/v1",
                "kind": "ClusterRoleBinding",
                "metadata": {"name": name},
                "roleRef": role,
                "subjects": [subject],
            },
        ]
        listed = tmp_path / "account.json"
        listed.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}))
        kubectl("apply", f"--filename={listed}")
        token = kubectl("create", "token", name, "--namespace=default").strip()
        config = json.loads(kubectl("config", "view", "--raw", "--minify", "--output=json"))
        config["users"][0]["user"] = {"token": token}
        return write_kubeconfig(tmp_path, config)

    yield make
    kubectl("delete", f"clusterrolebinding/{name}", f"clusterrole/{name}", "--ignore-not-found")
    kubectl("delete", "serviceaccount", name, "--namespace=default", "--ignore-not-found")


def write_kubeconfig(folder: Path, config: dict[str, Any]) -> str:
    path = folder / "kubeconfig"
    path.touch(mode=0o600)
    path.write_text(yaml.safe_dump(config))
    return str(path)


def kubeconfig_for(server: str, folder: Path) -> str:
    config = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "x",
        "clusters": [{"name": "x", "cluster": {"server": server}}],
        "users": [{"name": "x", "user": {"token": "t"}}],
        "contexts": [{"name": "x", "context": {"cluster": "x", "user": "x"}}],
    }
    return write_kubeconfig(folder, config)


def said(run: Any, *words: str) -> None:
    """It failed, in these words, and without a traceback."""
    assert run.code != 0, run
    for text in words:
        assert text in run.output, f"«{text}» is missing in {run}"
    assert "Traceback" not in run.output, run


def test_cluster_that_refuses_the_connection(playbook: Any, tmp_path: Path) -> None:
    run = playbook("playbooks/bootstrap.yml", deploy_ops_kubeconfig=kubeconfig_for("https://127.0.0.1:9", tmp_path))
    said(run, "no connection to the cluster at 127.0.0.1:9", "is up and reachable from here, then run again")


def test_cluster_that_never_answers(playbook: Any, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        server = f"https://127.0.0.1:{silent.getsockname()[1]}"
        run = playbook("playbooks/argocd.yml", deploy_ops_kubeconfig=kubeconfig_for(server, tmp_path))
    said(run, "no connection to the cluster at 127.0.0.1:", "Check the network and the kubeconfig's server")


def test_account_without_any_right(playbook: Any, account: Callable[..., str]) -> None:
    run = playbook("playbooks/bootstrap.yml", deploy_ops_kubeconfig=account())
    said(run, "leases", "forbidden", "cluster-admin")


def test_account_that_may_not_install_crds(
    playbook: Any, account: Callable[..., str], namespace: str, kubectl: Callable[..., str]
) -> None:
    run = playbook(
        "playbooks/argocd.yml",
        deploy_ops_kubeconfig=account(*ALL_BUT_CRDS),
        argocd_namespace=namespace,
        argocd_timeout=30,
    )
    said(
        run,
        "customresourcedefinitions",
        "forbidden",
        "The kubeconfig's user lacks that right. Use one with cluster-admin rights",
        "State: not installed",
    )
    assert "deployment" not in kubectl("get", "deployments", f"--namespace={namespace}", "--output=name")


def test_crds_that_another_installation_owns(standing: None, playbook: Any, namespace: str) -> None:
    run = playbook("playbooks/argocd.yml", argocd_namespace=namespace, argocd_timeout=30)
    said(run, ".argoproj.io", "invalid ownership metadata", "Another installation owns that object")


def test_namespace_of_somebody_else_is_not_taken_over_by_credentials(
    playbook: Any, namespace: str, kubectl: Callable[..., str]
) -> None:
    kubectl("create", "namespace", namespace)
    secrets = [{"namespace": namespace, "name": "any", "data": {"key": "value"}}]
    run = playbook("playbooks/bootstrap.yml", deploy_ops_argocd_namespace=namespace, credentials_secrets=secrets)
    said(run, f"namespace {namespace} exists and is not marked as ours", f"kubectl label namespace {namespace}")
    assert "owner" not in kubectl("get", "namespace", namespace, "--output=jsonpath={.metadata.labels}")


@pytest.mark.parametrize(
    ("charts", "words"),
    [
        ("TESTBED_CHARTS", "argo-cd-99.0.0.tgz does not exist: put it there, or correct deploy_ops_charts"),
        ("TESTBED_CHARTS_URL", "The chart, or this version of it, is not there. Check argocd_chart_version"),
    ],
    ids=["folder", "repository"],
)
def test_chart_that_is_not_there(playbook: Any, namespace: str, charts: str, words: str) -> None:
    run = playbook(
        "playbooks/argocd.yml",
        argocd_namespace=namespace,
        argocd_chart_version="99.0.0",
        deploy_ops_charts=os.environ[charts],
    )
    said(run, words)


def test_workflow_controller_whose_image_is_not_there(
    standing: None, playbook: Any, kubectl: Callable[..., str]
) -> None:
    run = playbook(
        "playbooks/argo_workflows.yml",
        argo_workflows_image_tag="v0.0.0",
        argo_workflows_values={},
        argo_workflows_timeout=30,
    )
    said(run, "workflow-controller:v0.0.0", "The nodes cannot pull the image. Check its name", "which works")
    assert ready(kubectl, "argo", "argo-workflows-workflow-controller")


@pytest.mark.long
def test_argocd_that_does_not_fit_on_any_node(standing: None, playbook: Any, kubectl: Callable[..., str]) -> None:
    greedy = {"server": {"resources": {"requests": {"memory": "4Ti"}}}}
    run = playbook("playbooks/argocd.yml", argocd_values=with_testbed(greedy, "argo-cd"), argocd_timeout=60)
    said(run, "Insufficient memory", "No node has room for the pods", "argocd_values", "which works")
    assert ready(kubectl, "argocd", "argocd-server")


def with_testbed(values: dict[str, Any], chart: str) -> dict[str, Any]:
    """On top of what the embedded cluster needs, which a value given here would replace."""
    return {**yaml.safe_load(Path(os.environ["TESTBED_VALUES"]).read_text())[chart], **values}


def ready(kubectl: Callable[..., str], namespace: str, deployment: str) -> bool:
    read = ("get", "deployment", deployment, f"--namespace={namespace}", "--output=json")
    found = json.loads(kubectl(*read))
    return found["status"].get("updatedReplicas") == found["status"].get("readyReplicas") == found["spec"]["replicas"]
