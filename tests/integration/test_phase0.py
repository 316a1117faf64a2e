# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Phase 0 on the embedded cluster, as a user runs it: the playbook, with everything real.

Every failure is provoked for real, too; the silent endpoints are sockets that accept and never answer.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import socket
import subprocess
import sys
import urllib.parse
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

sys.path.insert(0, str(Path(__file__).parent))

from account import audit_log, requests_of

ROOT = Path(__file__).resolve().parents[2]
OWNER = "deploy-ops.proficientnow.com/owner=deploy-ops"
REVIEWS = "selfsubjectaccessreviews"
CANARY = "canary/of+phase0=secret"
# What could be built for the testbed, of the images that the bootstrap uses.
IMAGES = [
    "docker.io/bitnami/sealed-secrets-controller:0.36.6",
    "quay.io/argoproj/argocd:v3.5.2",
    "quay.io/argoproj/workflow-controller:v4.1.4",
    "quay.io/argoproj/argoexec:v4.1.4",
    "quay.io/argoproj/argo-events:v1.9.11",
    "docker.io/library/nats:2.10.29",
]


class Outcome:
    """What a run of the playbook left: its exit code, its output, its report."""

    def __init__(self, code: int, output: str, folder: Path) -> None:
        self.code = code
        self.output = output
        self.report: dict[str, Any] = json.loads((folder / "phase0-report.json").read_text())
        self.text = (folder / "phase0-report.txt").read_text()

    def check(self, name: str) -> dict[str, Any]:
        return next(check for check in self.report["validation"] if check["id"] == name)

    def blocking(self, *families: str) -> list[str]:
        """Ids of what blocks, in the families that a test is about: other tests may have left other traces."""
        failed = [check for check in self.report["validation"] if check["status"] == "failed"]
        blocking = [check["id"] for check in failed if check["severity"] == "blocking"]
        return [name for name in blocking if not families or name.split(".")[0] in families]


class Phase0:
    """The playbook with the testbed's Git server, registry and charts; what a test names wins."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def repository(self, user: str = "", password_file: str = "", **more: Any) -> dict[str, Any]:
        return {
            "url": f"{os.environ['TESTBED_GIT_URL']}/demo.git",
            "revision": "main",
            "username": user or os.environ["TESTBED_GIT_USER"],
            "password_file": password_file or os.environ["TESTBED_GIT_PASSWORD_FILE"],
            **more,
        }

    def __call__(self, *options: str, path: str = "", **variables: Any) -> Outcome:
        reports = self._folder / "reports"
        given = {
            "deploy_ops_git_repositories": [self.repository()],
            "deploy_ops_charts": os.environ["TESTBED_CHARTS"],
            # The nodes of the testbed pull every image from here, whatever its name.
            "phase0_image_mirror": os.environ["TESTBED_REGISTRY"],
            "phase0_images": IMAGES,
            "sealed_secrets_image_tag": "0.36.6",
            "phase0_report_dir": str(reports),
            **variables,
        }
        file = self._folder / "variables.json"
        file.write_text(json.dumps(given))
        python = Path(sys.executable).parent
        done = subprocess.run(
            [python / "ansible-playbook", "proficientnow.deploy_ops.phase0", "--extra-vars", f"@{file}", *options],
            cwd=ROOT,
            env={
                **os.environ,
                "PATH": path or f"{python}:{os.environ['PATH']}",
                "ANSIBLE_LOG_PATH": str(self._folder / "log"),
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert (reports / "phase0-report.json").exists(), done.stdout
        return Outcome(done.returncode, done.stdout, reports)


def git_name() -> str:
    return urllib.parse.urlsplit(os.environ["TESTBED_GIT_URL"]).netloc + "/demo.git"


@pytest.fixture
def phase0(tmp_path: Path) -> Phase0:
    return Phase0(tmp_path)


def kubectl(*arguments: str, given: str | None = None) -> str:
    return subprocess.run(["kubectl", *arguments], input=given, stdout=subprocess.PIPE, text=True, check=True).stdout


@pytest.fixture
def namespace() -> Iterator[str]:
    name = f"phase0-{uuid.uuid4().hex[:8]}"
    kubectl("create", "namespace", name)
    yield name
    kubectl("delete", "namespace", name, "--wait=false")


@pytest.fixture
def account(namespace: str, tmp_path: Path) -> Iterator[Any]:
    """``account(role)`` makes a ServiceAccount with a ClusterRole, or with no rights, and gives its kubeconfig."""
    bindings: list[str] = []

    def make(role: str = "") -> str:
        kubectl("create", "serviceaccount", "probe", f"--namespace={namespace}")
        if role:
            who = f"--serviceaccount={namespace}:probe"
            kubectl("create", "clusterrolebinding", namespace, f"--clusterrole={role}", who)
            bindings.append(namespace)
        token = kubectl("create", "token", "probe", f"--namespace={namespace}").strip()
        config = json.loads(kubectl("config", "view", "--raw", "--minify", "--output=json"))
        config["users"][0]["user"] = {"token": token}
        path = tmp_path / "kubeconfig-of-probe"
        path.touch(mode=0o600)
        path.write_text(yaml.safe_dump(config))
        return str(path)

    yield make
    for name in bindings:
        kubectl("delete", "clusterrolebinding", name)


def test_testbed_is_ready_and_the_report_complete(phase0: Phase0) -> None:
    outcome = phase0()
    assert outcome.blocking() == [], outcome.text
    assert outcome.code == 0, outcome.output
    report = outcome.report
    assert (report["ready"], report["exit_code_hint"]) == (True, 0)
    assert report["inventory"]["nodes"][0]["runtime"].startswith("containerd://")
    assert report["inventory"]["uid"] == report["snapshot"]["uid"] != ""
    assert {one["kind"] for one in report["connectivity"]} == {"registry", "git", "charts"}
    assert "verified" in {one["result"] for one in report["credentials"]}
    assert "kube-system" in report["snapshot"]["namespaces"]
    assert outcome.check("connectivity.git_revision." + git_name())["found"]
    assert outcome.check("cluster.workers")["severity"] == "warning"
    assert outcome.text.startswith("Phase 0: ready")
    assert "changed=0" in outcome.output


def test_check_mode_does_the_same(phase0: Phase0) -> None:
    outcome = phase0("--check")
    assert (outcome.code, outcome.blocking()) == (0, [])


def test_nothing_is_written(phase0: Phase0, account: Any, namespace: str) -> None:
    """The API server itself says what this run, and nobody else, asked of it."""
    before = audit_log().stat().st_size
    outcome = phase0(deploy_ops_kubeconfig=account("cluster-admin"))
    assert outcome.blocking("identity", "cluster", "permissions") == []
    events = requests_of(f"system:serviceaccount:{namespace}:probe", before)
    assert len(events) > len(outcome.report["validation"])
    writes = {
        (event["verb"], event["objectRef"]["resource"]) for event in events if event["verb"] not in ("get", "list")
    }
    assert writes == {("create", REVIEWS)}


def test_account_without_rights(phase0: Phase0, account: Any) -> None:
    outcome = phase0(deploy_ops_kubeconfig=account())
    assert outcome.code != 0
    assert {"permissions.cluster", "permissions.argocd", "permissions.kube-system"} <= set(outcome.blocking())
    assert "create namespaces" in outcome.check("permissions.cluster")["found"]
    assert outcome.check("cluster.nodes_ready")["status"] == "skipped"
    assert outcome.report["exit_code_hint"] == 1


def test_account_that_may_only_look(phase0: Phase0, account: Any) -> None:
    outcome = phase0(deploy_ops_kubeconfig=account("view"))
    denied = outcome.check("permissions.argocd")["found"]
    assert "create deployments.apps" in denied
    assert "get pods/log" not in denied


def test_token_that_nobody_knows(phase0: Phase0, account: Any) -> None:
    path = Path(account())
    config = yaml.safe_load(path.read_text())
    config["users"][0]["user"]["token"] = CANARY
    path.write_text(yaml.safe_dump(config))
    outcome = phase0(deploy_ops_kubeconfig=str(path))
    assert "cluster.authentication" in outcome.blocking()
    assert "cluster.api" not in outcome.blocking()


def test_kubeconfig_as_base64(phase0: Phase0) -> None:
    data = base64.b64encode(Path(os.environ["KUBECONFIG"]).read_bytes()).decode()
    outcome = phase0(deploy_ops_kubeconfig_data=data)
    assert outcome.blocking("identity", "cluster") == []
    assert outcome.check("identity.kubeconfig_mode")["status"] == "skipped"


def test_another_cluster_than_the_inventory_names(phase0: Phase0) -> None:
    outcome = phase0(deploy_ops_cluster_server="https://127.0.0.1:9", deploy_ops_cluster_uid="another")
    assert outcome.blocking("identity") == ["identity.server", "identity.uid"]
    right = phase0(
        deploy_ops_cluster_server=outcome.check("identity.server")["found"],
        deploy_ops_cluster_uid=outcome.check("identity.uid")["found"],
    )
    assert right.blocking("identity") == []
    assert right.check("identity.expected")["status"] == "passed"


def test_wrong_git_password(phase0: Phase0, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong"
    wrong.write_text("wrong")
    outcome = phase0(deploy_ops_git_repositories=[phase0.repository(password_file=str(wrong))])
    assert outcome.blocking("connectivity", "credentials") == [f"credentials.git.{git_name()}"]


def test_git_credential_that_can_push(phase0: Phase0) -> None:
    writer = phase0.repository(os.environ["TESTBED_GIT_WRITE_USER"], os.environ["TESTBED_GIT_WRITE_PASSWORD_FILE"])
    outcome = phase0(deploy_ops_git_repositories=[writer])
    assert outcome.blocking("connectivity", "credentials") == [f"credentials.git_read_only.{git_name()}"]
    assert "deploy_ops_allow_git_write" in outcome.output
    allowed = phase0(deploy_ops_git_repositories=[writer], deploy_ops_allow_git_write=True)
    assert allowed.blocking("connectivity", "credentials") == []


def test_missing_revision_chart_and_image(phase0: Phase0) -> None:
    outcome = phase0(
        deploy_ops_git_repositories=[phase0.repository(revision="no-such-branch")],
        argocd_chart_version="99.0.0",
        phase0_images=["quay.io/argoproj/argocd:v99.0.0"],
    )
    assert outcome.blocking("connectivity") == [
        f"connectivity.images.{os.environ['TESTBED_REGISTRY']}",
        f"connectivity.git_revision.{git_name()}",
        "connectivity.chart.argocd",
    ]
    assert "v99.0.0" in outcome.check(f"connectivity.images.{os.environ['TESTBED_REGISTRY']}")["found"]


def test_charts_from_a_repository(phase0: Phase0) -> None:
    outcome = phase0(deploy_ops_charts=os.environ["TESTBED_CHARTS_URL"])
    assert outcome.blocking("connectivity") == []
    assert outcome.check(f"connectivity.charts.{os.environ['TESTBED_CHARTS_URL']}")["status"] == "passed"


def test_unsafe_version(phase0: Phase0) -> None:
    outcome = phase0(argocd_image_tag="v3.1.1", phase0_images=[])
    assert outcome.blocking("versions") == ["versions.argocd"]
    assert outcome.report["exit_code_hint"] == 3


def test_default_images_are_those_that_the_roles_use(tmp_path: Path) -> None:
    """The role lists them, to be quick; the air-gap bundle renders the charts, to be sure."""
    play = {
        "hosts": "localhost",
        "connection": "local",
        "gather_facts": False,
        "vars": {"role_path": str(ROOT / "roles" / "phase0")},
        "vars_files": [str(ROOT / "roles" / "phase0" / "vars" / "main.yml")],
        "tasks": [
            {"ansible.builtin.copy": {"content": "{{ __phase0_images | to_json }}", "dest": f"{tmp_path}/listed.json"}}
        ],
    }
    (tmp_path / "list.yml").write_text(yaml.safe_dump([play]))
    variables = {
        "ansible_python_interpreter": sys.executable,
        "deploy_ops_charts": os.environ["TESTBED_CHARTS"],
        "deploy_ops_argo_rollouts_enabled": True,
        "airgap_folder": str(tmp_path),
        "airgap_save": False,
    }
    for playbook in (tmp_path / "list.yml", "proficientnow.deploy_ops.airgap_bundle"):
        command = [Path(sys.executable).parent / "ansible-playbook", "--inventory=localhost,", playbook]
        subprocess.run([*command, "--extra-vars", json.dumps(variables)], cwd=ROOT, check=True)
    rendered = (tmp_path / "images.txt").read_text().split()
    assert sorted(json.loads((tmp_path / "listed.json").read_text())) == rendered


@pytest.fixture
def silent() -> Iterator[list[str]]:
    """Sockets that take a connection and never say a word."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _number in range(12)]
    yield [f"127.0.0.1:{one.getsockname()[1]}" for one in sockets]
    for one in sockets:
        one.close()


def test_dead_and_silent_endpoints_are_waited_for_together(phase0: Phase0, silent: list[str], tmp_path: Path) -> None:
    """With the default timeouts, and with an API server that is silent as well."""
    config = json.loads(kubectl("config", "view", "--raw", "--minify", "--output=json"))
    config["clusters"][0]["cluster"]["server"] = f"https://{silent[0]}"
    outcome = phase0(
        deploy_ops_kubeconfig_data=json.dumps(config),
        phase0_image_mirror="",
        phase0_images=[f"{server}/a:1" for server in silent[1:9]],
        deploy_ops_charts=f"http://{silent[9]}",
        deploy_ops_git_repositories=[{"url": f"http://{silent[10]}/x.git"}, {"url": "http://127.0.0.1:9/dead.git"}],
        deploy_ops_dns_provider={
            "provider": "cloudflare",
            "credentials": {"token": "token"},
            "api_url": f"http://{silent[11]}",
        },
    )
    expected = {f"connectivity.registry.{server}" for server in silent[1:9]}
    expected |= {f"connectivity.charts.http://{silent[9]}", f"connectivity.git.{silent[10]}/x.git"}
    expected |= {"connectivity.git.127.0.0.1:9/dead.git", "credentials.dns", "cluster.api"}
    assert set(outcome.blocking("cluster", "connectivity", "credentials")) == expected
    print(f"{len(silent)} silent endpoints: {outcome.report['duration_seconds']} s")
    one_after_another = 5 * len(silent)
    assert outcome.report["duration_seconds"] < one_after_another / 2


def test_missing_tool(phase0: Phase0, tmp_path: Path) -> None:
    tools = tmp_path / "bin"
    tools.mkdir()
    python = Path(sys.executable).parent
    for name in ("kubectl", "helm", "jq", "yq"):
        (tools / name).symlink_to(Path(str(shutil.which(name))))
    assert not Path("/usr/bin/kubeseal").exists()
    outcome = phase0(path=f"{python}:{tools}:/usr/bin:/bin")
    assert outcome.blocking("tools", "python_packages", "collections") == ["tools.kubeseal"]
    assert outcome.report["exit_code_hint"] == 3
    assert "[tools.kubeseal]" in outcome.output


def test_foreign_namespace_and_how_it_is_handed_over(phase0: Phase0, namespace: str) -> None:
    outcome = phase0(argocd_namespace=namespace)
    assert f"leftovers.namespace.{namespace}" in outcome.blocking()
    fix = outcome.check(f"leftovers.namespace.{namespace}")["fix"]
    assert f"kubectl label namespace {namespace} {OWNER}" in fix
    kubectl("label", "namespace", namespace, OWNER)
    assert f"leftovers.namespace.{namespace}" not in phase0(argocd_namespace=namespace).blocking()


CHART = {
    "Chart.yaml": "apiVersion: v2\nname: tiny\nversion: 1.0.0\n",
    "templates/map.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: phase0-tiny}\n",
}


@pytest.mark.parametrize("marked", [True, False], ids=["ours", "foreign"])
def test_release_in_a_shared_namespace(phase0: Phase0, tmp_path: Path, marked: bool) -> None:
    chart = tmp_path / "tiny"
    for name, content in CHART.items():
        (chart / name).parent.mkdir(parents=True, exist_ok=True)
        (chart / name).write_text(content)
    values = ["--set-json", 'commonLabels={"deploy-ops.proficientnow.com/owner": "deploy-ops"}'] if marked else []
    subprocess.run(["helm", "install", "phase0-tiny", chart, "--namespace=default", *values], check=True)
    try:
        outcome = phase0(sealed_secrets_namespace="default", sealed_secrets_release="phase0-tiny")
    finally:
        subprocess.run(["helm", "uninstall", "phase0-tiny", "--namespace=default"], check=True)
    assert ("leftovers.release.sealed_secrets" in outcome.blocking()) is not marked


def test_no_secret_in_any_output(phase0: Phase0, account: Any, tmp_path: Path) -> None:
    """Every credential is the canary, and every one fails: that is when messages are made."""
    path = Path(account())
    config = yaml.safe_load(path.read_text())
    config["users"][0]["user"]["token"] = CANARY
    path.write_text(yaml.safe_dump(config))
    registry = {"auths": {os.environ["TESTBED_REGISTRY"]: {"username": "robot", "password": CANARY}}}
    outcome = phase0(
        "-vvvv",
        "--diff",
        deploy_ops_kubeconfig_data=base64.b64encode(path.read_bytes()).decode(),
        deploy_ops_git_repositories=[
            {**phase0.repository(), "password_file": "", "password": CANARY},
            {"url": "ssh://git@127.0.0.1:9/x.git", "ssh_private_key": CANARY},
        ],
        deploy_ops_registry_auth=registry,
        deploy_ops_dns_provider={
            "provider": "cloudflare",
            "credentials": {"token": CANARY},
            "api_url": "http://127.0.0.1:9/",
        },
    )
    assert {"cluster.authentication", f"credentials.git.{git_name()}", "credentials.dns"} <= set(outcome.blocking())
    (tmp_path / "variables.json").unlink()
    path.unlink()
    left = "".join(file.read_text() for file in tmp_path.rglob("*") if file.is_file())
    for form in forms(CANARY):
        assert form not in outcome.output + left


def forms(secret: str) -> set[str]:
    pair = f"robot:{secret}"
    return {
        secret,
        base64.b64encode(secret.encode()).decode().rstrip("="),
        base64.b64encode(pair.encode()).decode().rstrip("="),
        urllib.parse.quote(secret, safe=""),
    }
