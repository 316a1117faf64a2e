# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The running testbed, for the tests that prove what it promises."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import time
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

ROOT = Path(__file__).resolve().parents[2]
T = TypeVar("T")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "stops_cluster: ends and restarts the whole cluster, not only parts of it")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What stops the cluster comes last: everything else then shares one."""
    items.sort(key=lambda item: item.get_closest_marker("stops_cluster") is not None)


class Testbed:
    """The command line of the testbed, as a person uses it."""

    __test__ = False

    def run(self, *arguments: str, given: str | None = None) -> subprocess.CompletedProcess[str]:
        command = [str(ROOT / "testbed" / "testbed"), *arguments]
        return subprocess.run(command, input=given, capture_output=True, text=True, check=False, timeout=600)

    def __call__(self, *arguments: str, given: str | None = None) -> str:
        done = self.run(*arguments, given=given)
        assert done.returncode == 0, f"testbed {' '.join(arguments)}: {done.stdout}{done.stderr}"
        return done.stdout

    def status(self) -> dict[str, Any]:
        return json.loads(self.run("status", "--json").stdout)

    def states(self) -> dict[str, str]:
        return {condition["name"]: condition["state"] for condition in self.status()["conditions"]}

    def pids(self) -> dict[str, int]:
        return {item["name"]: item["pid"] for item in self.status()["conditions"] if item["pid"]}

    def environment(self) -> dict[str, str]:
        pairs = self("exec", "--", "env", "-0").split("\0")
        return dict(pair.split("=", 1) for pair in pairs if pair)


class Kubectl:
    """kubectl of the testbed; what goes wrong shows its own message."""

    def __init__(self, testbed: Testbed) -> None:
        self._testbed = testbed
        self._going: set[str] = set()

    def __call__(self, *arguments: str, given: str | None = None) -> str:
        return self._testbed("exec", "--", "kubectl", *arguments, given=given)

    def json(self, *arguments: str) -> dict[str, Any]:
        return json.loads(self(*arguments, "--output=json"))

    def apply(self, namespace: str, *objects: dict[str, Any]) -> None:
        listed = {"apiVersion": "v1", "kind": "List", "items": list(objects)}
        self("apply", f"--namespace={namespace}", "--filename=-", given=json.dumps(listed))

    def remove_namespaces(self, *names: str) -> None:
        """Not waited for, which would take seconds each time: `wait_for_removed` sees at the end that all are gone."""
        self("delete", "namespace", *names, "--ignore-not-found", "--wait=false")
        self._going.update(f"namespace/{name}" for name in names)

    def wait_for_removed(self) -> None:
        def gone() -> bool:
            return self._going.isdisjoint(self("get", "namespaces", "--output=name").split())

        eventually(gone, "all tests have tidied up")


class GitServer:
    """The testbed's Git server, for tests that bring a repository of their own.

    Passwords are read where they are used and travel in the environment: what a failing test shows has none.
    """

    def __init__(self, environment: dict[str, str]) -> None:
        self.url = environment["TESTBED_GIT_URL"]
        self.reader = environment["TESTBED_GIT_USER"]
        self.writer = environment["TESTBED_GIT_WRITE_USER"]
        self.password_files = {
            self.reader: environment["TESTBED_GIT_PASSWORD_FILE"],
            self.writer: environment["TESTBED_GIT_WRITE_PASSWORD_FILE"],
        }

    def address(self, repository: str) -> str:
        return f"{self.url}/{repository}.git"

    def git(
        self, *arguments: str, user: str = "", cwd: Path | None = None, wrong_password: str | None = None
    ) -> subprocess.CompletedProcess[str]:
        """git as a user of the server, without anything of the machine's own configuration."""
        variables = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1"}
        variables |= {
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_USER": user,
            "GIT_PASSWORD": self._password(user, wrong_password),
        }
        helper = "credential.helper=!f() { echo username=$GIT_USER; echo password=$GIT_PASSWORD; }; f"
        settings = ["-c", "user.name=test", "-c", "user.email=test@example.invalid", "-c", helper]
        return subprocess.run(
            ["git", *settings, *arguments], cwd=cwd, env=variables, capture_output=True, text=True, check=False
        )

    def succeed(self, *arguments: str, user: str = "", cwd: Path | None = None) -> str:
        done = self.git(*arguments, user=user, cwd=cwd)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def push(self, repository: str, folder: Path) -> str:
        """Make the folder's content the first commit of a new repository; answers with the commit."""
        self.succeed("init", "--quiet", "--initial-branch=main", cwd=folder)
        self.succeed("add", ".", cwd=folder)
        self.succeed("commit", "--quiet", "--message=first", cwd=folder)
        self.succeed("push", "--quiet", self.address(repository), "main", user=self.writer, cwd=folder)
        return self.succeed("rev-parse", "HEAD", cwd=folder)

    def remove(self, repository: str) -> None:
        token = base64.b64encode(f"{self.writer}:{self._password(self.writer)}".encode()).decode()
        headers = {"Authorization": f"Basic {token}"}
        request = urllib.request.Request(self.address(repository), method="DELETE", headers=headers)
        urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=10).close()

    def _password(self, user: str, wrong: str | None = None) -> str:
        if wrong is not None or not user:
            return wrong or ""
        return Path(self.password_files[user]).read_text().strip()


def eventually(ask: Callable[[], T], what: str, seconds: float = 120) -> T:
    """The first answer that counts as true; asked again and again until the time is over."""
    deadline = time.monotonic() + seconds
    while not (answer := ask()):
        assert time.monotonic() < deadline, f"not within {seconds:.0f} s: {what}"
        time.sleep(0.3)
    return answer


@pytest.fixture(scope="session")
def wait_until() -> Callable[..., Any]:
    return eventually


@pytest.fixture(scope="session")
def testbed() -> Testbed:
    testbed = Testbed()
    testbed("up")
    return testbed


@pytest.fixture(scope="session")
def environment(testbed: Testbed) -> dict[str, str]:
    return testbed.environment()


@pytest.fixture(scope="session")
def kubectl(testbed: Testbed) -> Iterator[Kubectl]:
    kubectl = Kubectl(testbed)
    yield kubectl
    eventually(
        lambda: "namespace/test-" not in kubectl("get", "namespaces", "--output=name"), "all tests have tidied up"
    )


@pytest.fixture
def git_server(environment: dict[str, str]) -> GitServer:
    return GitServer(environment)


@pytest.fixture
def repository(git_server: GitServer) -> Iterator[str]:
    """The name of a repository of the test's own, removed afterwards."""
    name = f"test-{uuid.uuid4().hex[:8]}"
    yield name
    git_server.remove(name)


@pytest.fixture
def namespace(kubectl: Kubectl) -> Iterator[str]:
    """A namespace of the test's own, gone afterwards with all that is in it."""
    name = f"test-{uuid.uuid4().hex[:8]}"
    kubectl("create", "namespace", name)
    # Pods need it, and it comes a moment after the namespace.
    eventually(lambda: "default" in kubectl("get", "serviceaccounts", f"--namespace={name}"), "a service account")
    yield name
    kubectl.remove_namespaces(name)


def pod(name: str, image: str, *command: str, **spec: Any) -> dict[str, Any]:
    container = {"name": "main", "image": image, "command": list(command), "imagePullPolicy": "Always"}
    container |= spec.pop("container", {})
    spec = {"containers": [container], "restartPolicy": "Never", "terminationGracePeriodSeconds": 0} | spec
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": spec}


@pytest.fixture(scope="session")
def make_pod() -> Callable[..., dict[str, Any]]:
    return pod
