# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The gate against a real Argo CD: argocd_sync_wait, Applications from a real Git server, real pods.

Whether something was synced is judged by Argo CD's own history, never by what the module says.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import re
import subprocess
import sys
import time
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
IMAGE = "testbed.local/pause:1"


def run(*command: str, given: str | None = None, cwd: Path | None = None, **variables: str) -> str:
    done = subprocess.run(
        command, input=given, cwd=cwd or ROOT, env={**os.environ, **variables},
        capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, f"{command[0]} {command[1]}: {done.stdout}{done.stderr}"
    return done.stdout


def apply(*objects: dict[str, Any]) -> None:
    listed = {"apiVersion": "v1", "kind": "List", "items": list(objects)}
    run("kubectl", "apply", "--filename=-", given=json.dumps(listed))


def deployment(name: str, image: str = IMAGE, ready: bool = True, deadline: int = 600) -> dict[str, Any]:
    probe = {} if ready else {"readinessProbe": {"tcpSocket": {"port": 9}, "periodSeconds": 1}}
    container = {"name": "main", "image": image, "imagePullPolicy": "IfNotPresent", **probe}
    labels = {"app": name}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name},
        "spec": {
            "progressDeadlineSeconds": deadline,
            "selector": {"matchLabels": labels},
            "template": {
                "metadata": {"labels": labels},
                "spec": {"containers": [container], "terminationGracePeriodSeconds": 0},
            },
        },
    }


def config(name: str, value: str) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": {"value": value}}


def endless_hook() -> dict[str, Any]:
    """A sync with this never ends by itself."""
    container = {"name": "main", "image": IMAGE, "imagePullPolicy": "IfNotPresent"}
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {
            "name": "endless",
            "annotations": {
                "argocd.argoproj.io/hook": "PreSync",
                "argocd.argoproj.io/hook-delete-policy": "BeforeHookCreation",
            },
        },
        "spec": {
            "template": {
                "spec": {"restartPolicy": "Never", "terminationGracePeriodSeconds": 0, "containers": [container]}
            }
        },
    }


class Platform:
    """An AppProject of its own, with a repository, a namespace and a token that is good for this project only."""

    def __init__(self, folder: Path) -> None:
        self.name = f"gate-{uuid.uuid4().hex[:6]}"
        self._folder = folder / "repository"
        self._folder.mkdir()
        self.url = f"{os.environ['TESTBED_GIT_URL']}/{self.name}.git"
        self._git("init", "--quiet", "--initial-branch=main")
        # In a file, and not in the address: a failing test shows the commands that it ran.
        password = _secret("TESTBED_GIT_WRITE_PASSWORD_FILE")
        credentials = folder / "git-credentials"
        credentials.touch(mode=0o600)
        credentials.write_text(self.url.replace("://", f"://{os.environ['TESTBED_GIT_WRITE_USER']}:{password}@") + "\n")
        self._git("config", "credential.helper", f"store --file={credentials}")
        self.server = ""
        self.token_file = folder / "token"
        self.ca_file = folder / "ca.crt"

    def create(self) -> None:
        now = int(time.time())
        rights = [f"p, proj:{self.name}:gate, applications, {verb}, {self.name}/*, allow" for verb in ("get", "sync")]
        role = {"name": "gate", "policies": rights, "jwtTokens": [{"iat": now, "id": self.name}]}
        reader = _secret("TESTBED_GIT_PASSWORD_FILE")
        apply(
            {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": self.name}},
            {
                "apiVersion": "v1",
                "kind": "Secret",
                "metadata": {
                    "name": self.name,
                    "namespace": "argocd",
                    "labels": {"argocd.argoproj.io/secret-type": "repository"},
                },
                "stringData": {
                    "type": "git",
                    "url": self.url,
                    "username": os.environ["TESTBED_GIT_USER"],
                    "password": reader,
                },
            },
            {
                "apiVersion": "argoproj.io/v1alpha1",
                "kind": "AppProject",
                "metadata": {"name": self.name, "namespace": "argocd"},
                "spec": {
                    "sourceRepos": [self.url],
                    "destinations": [{"server": "https://kubernetes.default.svc", "namespace": self.name}],
                    "roles": [role],
                },
                # Where Argo CD looks the token up
                "status": {"jwtTokensByRole": {"gate": {"items": role["jwtTokens"]}}},
            },
        )
        secret = json.loads(run("kubectl", "get", "secret", "argocd-secret", "--namespace=argocd", "--output=json"))
        key = base64.b64decode(secret["data"]["server.secretkey"])
        self.ca_file.write_bytes(base64.b64decode(secret["data"]["tls.crt"]))
        self.token_file.write_text(_token(key, f"proj:{self.name}:gate", self.name, now))

    def remove(self) -> None:
        selector = f"--selector=gate-test={self.name}"
        run("kubectl", "delete", "applications.argoproj.io", selector, "--namespace=argocd", "--wait=false")
        run("kubectl", "delete", "appproject", self.name, "--namespace=argocd")
        run("kubectl", "delete", "secret", self.name, "--namespace=argocd")
        run("kubectl", "delete", "namespace", self.name, "--wait=false")
        credentials = f"{os.environ['TESTBED_GIT_WRITE_USER']}:{_secret('TESTBED_GIT_WRITE_PASSWORD_FILE')}"
        basic = base64.b64encode(credentials.encode()).decode()
        request = urllib.request.Request(self.url, method="DELETE", headers={"Authorization": f"Basic {basic}"})
        urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=10).close()

    def push(self, application: str, *manifests: dict[str, Any] | str) -> str:
        """Write the application's folder anew, and push it; answers with the commit."""
        target = self._folder / application / "manifests.yaml"
        target.parent.mkdir(exist_ok=True)
        texts = [item if isinstance(item, str) else yaml.safe_dump(item) for item in manifests]
        target.write_text("---\n".join(texts))
        self._git("add", ".")
        self._git("-c", "user.name=test", "-c", "user.email=test@example.com", "commit", "--quiet", "--message=change")
        self._git("push", "--quiet", self.url, "main")
        return self._git("rev-parse", "HEAD").strip()

    def application(self, name: str, *manifests: dict[str, Any] | str) -> str:
        """An Application that follows main; answers with its full name."""
        self.push(name, *manifests)
        apply(
            {
                "apiVersion": "argoproj.io/v1alpha1",
                "kind": "Application",
                "metadata": {"name": f"{self.name}-{name}", "namespace": "argocd", "labels": {"gate-test": self.name}},
                "spec": {
                    "project": self.name,
                    "source": {"repoURL": self.url, "path": name, "targetRevision": "main"},
                    "destination": {"server": "https://kubernetes.default.svc", "namespace": self.name},
                },
            }
        )
        return f"{self.name}-{name}"

    def status(self, application: str) -> dict[str, Any]:
        """As Kubernetes holds it."""
        text = run("kubectl", "get", "applications.argoproj.io", application, "--namespace=argocd", "--output=json")
        return json.loads(text).get("status") or {}

    def syncs(self, application: str) -> int:
        return len(self.status(application).get("history") or [])

    def sync_wait(self, *applications: str, check: bool = False, **options: Any) -> dict[str, Any]:
        """The module's result, through a real ad-hoc call."""
        asked = {
            "server": self.server,
            "token_file": str(self.token_file),
            "ca_file": str(self.ca_file),
            "project": self.name,
            "applications": list(applications),
            "settle": 2,
            "grace": 3,
            **options,
        }
        command = [
            "ansible", "localhost", "--connection=local", "--module-name=proficientnow.deploy_ops.argocd_sync_wait",
            f"--args={json.dumps(asked)}", "--extra-vars", json.dumps({"ansible_python_interpreter": sys.executable}),
            *(["--check"] if check else []),
        ]  # fmt: skip
        formats = {"ANSIBLE_CALLBACK_RESULT_FORMAT": "json", "ANSIBLE_NOCOLOR": "1"}
        done = subprocess.run(
            command, cwd=ROOT, env={**os.environ, **formats}, capture_output=True, text=True, check=False, timeout=600
        )
        _before, separator, result = done.stdout.partition(" => ")
        assert separator, done.stdout + done.stderr
        assert "Traceback" not in done.stdout + done.stderr
        return json.JSONDecoder().raw_decode(result)[0]

    def _git(self, *arguments: str) -> str:
        return run("git", *arguments, cwd=self._folder, GIT_TERMINAL_PROMPT="0")


def _secret(variable: str) -> str:
    return Path(os.environ[variable]).read_text().strip()


def _token(key: bytes, subject: str, identity: str, now: int) -> str:
    """Signed as Argo CD signs the tokens of a project's role: no login needed, none left behind."""

    def encoded(raw: bytes) -> str:
        return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()

    claims = {"iss": "argocd", "sub": subject, "iat": now, "nbf": now, "jti": identity}
    head = encoded(json.dumps({"alg": "HS256", "typ": "JWT"}).encode()) + "." + encoded(json.dumps(claims).encode())
    return head + "." + encoded(hmac.new(key, head.encode(), hashlib.sha256).digest())


@pytest.fixture(scope="module")
def argocd() -> Iterator[str]:
    """The address of the Argo CD that the role installs, under the name that its certificate is made out to."""
    installed = json.loads(run("helm", "list", "--namespace=argocd", "--deployed", "--output=json"))
    if "argocd" not in [release["name"] for release in installed]:
        run("ansible-playbook", "proficientnow.deploy_ops.argocd", "--inventory=inventories/local")
    command = ["kubectl", "port-forward", "--namespace=argocd", "--address=127.0.0.1", "service/argocd-server", ":443"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    line = process.stdout.readline()
    match = re.search(r"127\.0\.0\.1:(\d+)", line)
    assert match, line
    yield f"https://localhost:{match[1]}"
    process.terminate()
    process.wait()


@pytest.fixture(scope="module")
def platform(argocd: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Platform]:
    platform = Platform(tmp_path_factory.mktemp("gate"))
    platform.create()
    platform.server = argocd
    yield platform
    platform.remove()


def eventually(holds: Callable[[], Any], what: str, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, f"not within {seconds} s: {what}"
        time.sleep(0.5)


def test_it_deploys_once_and_a_second_run_syncs_nothing(platform: Platform) -> None:
    names = [platform.application(name, deployment(name), config(name, "1")) for name in ("web", "api")]
    commit = platform.push("other", config("other", "1"))

    predicted = platform.sync_wait(*names, check=True)
    assert predicted["changed"] is True, predicted
    assert [platform.syncs(name) for name in names] == [0, 0]

    first = platform.sync_wait(*names, revision=commit)
    assert first["changed"] is True, first
    for name in names:
        result = first["applications"][name]
        assert (result["verdict"], result["revision"], result["attempts"]) == ("Healthy", commit, 1), result
    assert [platform.syncs(name) for name in names] == [1, 1]

    second = platform.sync_wait(*names, revision=commit)
    assert second["changed"] is False, second
    assert [platform.syncs(name) for name in names] == [1, 1]
    assert platform.sync_wait(*names, sync=False)["changed"] is False


def test_right_after_a_push_the_new_commit_is_deployed_and_no_other(platform: Platform) -> None:
    """Argo CD's cache of resolved branches would still deploy the previous one."""
    name = platform.application("fresh", config("fresh", "1"))
    platform.sync_wait(name)
    for value in ("2", "3"):
        commit = platform.push("fresh", config("fresh", value))
        result = platform.sync_wait(name, revision=commit)["applications"][name]
        assert (result["verdict"], result["revision"], result["mixed"]) == ("Healthy", commit, False), result
        live = json.loads(run("kubectl", "get", "configmap", "fresh", f"--namespace={platform.name}", "--output=json"))
        assert live["data"]["value"] == value


def test_a_target_that_has_moved_on_is_reported_as_mixed(platform: Platform) -> None:
    name = platform.application("moving", config("moving", "1"))
    begun = platform.push("moving", config("moving", "2"))
    moved = platform.push("moving", config("moving", "3"))
    result = platform.sync_wait(name, revision=begun)
    assert (result["mixed"], result["applications"][name]["revision"]) == (True, moved)


def test_never_ready_ends_at_its_timeout_and_names_what_blocks(platform: Platform) -> None:
    name = platform.application("stuck", deployment("stuck", image="testbed.local/no-such-image:1"))
    result = platform.sync_wait(name, health_timeout=15)
    found = result["applications"][name]
    assert (found["verdict"], found["reason"]) == ("Failed", "HealthTimeout"), found
    assert f"Deployment {platform.name}/stuck is Progressing" in result["msg"]
    assert "no-such-image" in result["msg"], "the cause beneath: the pod that cannot pull its image"
    assert {item["kind"] for item in found["unhealthy"]} >= {"Deployment", "Pod"}

    platform.push("stuck", deployment("stuck"))
    mended = platform.sync_wait(name)["applications"][name]
    assert mended["verdict"] == "Healthy", mended


def test_degraded_fails_after_its_grace_with_the_reason(platform: Platform) -> None:
    name = platform.application("degraded", deployment("degraded", ready=False, deadline=5))
    result = platform.sync_wait(name, health_timeout=120)
    assert result["applications"][name]["verdict"] == "Degraded", result
    assert "exceeded its progress deadline" in result["msg"]


def test_an_invalid_manifest_fails_the_sync_at_once_and_names_it(platform: Platform) -> None:
    broken = deployment("broken")
    broken["spec"]["template"]["metadata"]["labels"] = {"app": "other"}
    name = platform.application("invalid", broken)
    result = platform.sync_wait(name, attempts=3)
    found = result["applications"][name]
    assert (found["reason"], found["attempts"]) == ("SyncFailed", 1), found
    assert "Deployment" in result["msg"]
    assert "selector" in result["msg"]


def test_a_manifest_that_is_no_yaml_is_not_even_synced(platform: Platform) -> None:
    name = platform.application("unreadable", "apiVersion: v1\nkind: ConfigMap\nmetadata: [")
    result = platform.sync_wait(name)
    found = result["applications"][name]
    assert (found["verdict"], found["reason"]) == ("Unknown", "ComparisonError"), found
    assert "manifests.yaml" in result["msg"]
    assert "operationState" not in platform.status(name)


def test_a_stuck_sync_of_the_run_is_terminated_at_its_deadline(platform: Platform) -> None:
    name = platform.application("endless", endless_hook(), config("endless", "1"))
    result = platform.sync_wait(name, sync_timeout=8)
    assert result["applications"][name]["reason"] == "SyncTimeout", result
    assert "Job" in result["msg"], platform.status(name)["operationState"]
    assert platform.status(name)["operationState"]["phase"] == "Failed"


def test_a_stuck_sync_of_somebody_else_is_left_alone(platform: Platform) -> None:
    name = platform.application("foreign", endless_hook(), config("foreign", "1"))
    operation = {"operation": {"initiatedBy": {"username": "alice"}, "sync": {"revision": "main"}}}
    patch = ["--namespace=argocd", "--type=merge", f"--patch={json.dumps(operation)}"]
    run("kubectl", "patch", "applications.argoproj.io", name, *patch)
    eventually(lambda: platform.status(name).get("operationState", {}).get("phase") == "Running", "alice's sync runs")
    result = platform.sync_wait(name, sync_timeout=5)
    assert result["applications"][name]["reason"] == "Busy", result
    assert "alice" in result["msg"]
    assert platform.status(name)["operationState"]["phase"] == "Running"

    # Alice ends it herself, as the server does it for her: the hook's finalizer would outlive the Application.
    ended = {"status": {"operationState": {"phase": "Terminating"}}}
    run("kubectl", "patch", "applications.argoproj.io", name, *patch[:2], f"--patch={json.dumps(ended)}")
    eventually(lambda: platform.status(name)["operationState"]["phase"] == "Failed", "alice's sync has ended")


def test_absent_and_forbidden_are_told_apart(platform: Platform) -> None:
    absent = platform.sync_wait("no-such-application")
    assert f"there is no Application no-such-application in the AppProject {platform.name}" in absent["msg"]
    forbidden = platform.sync_wait("web", project="default")
    assert "may not get default/web" in forbidden["msg"]


def test_a_server_whose_certificate_is_not_trusted_is_refused(platform: Platform) -> None:
    result = platform.sync_wait("web", ca_file=None)
    assert "certificate is not trusted" in result["msg"]
