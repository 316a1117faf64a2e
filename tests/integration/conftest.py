# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Running playbooks as a user does, and looking at the embedded cluster from outside."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(Path(__file__).parent))

from deployment import Deployment, bootstrap
from troubled import Stage, Troubled


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that look at the same deployment run one after the other: those of other files remove it."""
    sharing = [item for item in items if _shares_deployment(item)]
    if sharing:
        first = items.index(sharing[0])
        before, after = ([item for item in part if item not in sharing] for part in (items[:first], items[first:]))
        items[:] = [*before, *sharing, *after]


def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """The shared deployment goes with the last test that looks at it: later ones may want the cluster bare."""
    shared = getattr(item, "funcargs", {}).get("troubled")
    if shared and not _shares_deployment(nextitem):
        shared.platform.remove()


def _shares_deployment(item: pytest.Item | None) -> bool:
    return "troubled" in getattr(item, "fixturenames", ())


class Run:
    """A playbook that has ended."""

    def __init__(self, code: int, output: str) -> None:
        self.code = code
        self.output = output

    def __repr__(self) -> str:
        return f"exit code {self.code}\n{self.output}"

    @property
    def changed(self) -> int:
        counts = re.findall(r"changed=(\d+)", self.output)
        assert counts, self
        return sum(int(count) for count in counts)


class Playbook:
    """ansible-playbook of the environment that the tests run in, with the inventory of the embedded cluster."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._runs = 0
        self._outputs: dict[int, Path] = {}

    def start(self, playbook: str, *options: str, **variables: Any) -> subprocess.Popen[str]:
        """In a process group of its own, so that it can be killed as a whole."""
        self._runs += 1
        given = self._folder / f"variables-{self._runs}.json"
        given.write_text(json.dumps(variables))
        command = ["ansible-playbook", playbook, "--extra-vars", f"@{given}", *options]
        # Into a file: it can be read while the playbook runs, and nobody waits for a full pipe.
        path = self._folder / f"output-{self._runs}"
        with path.open("w") as output:
            process = subprocess.Popen(
                command, cwd=ROOT, text=True, stdout=output, stderr=subprocess.STDOUT, start_new_session=True
            )
        self._outputs[process.pid] = path
        return process

    def output(self, process: subprocess.Popen[str]) -> str:
        """What it has said so far."""
        return self._outputs[process.pid].read_text()

    def __call__(self, playbook: str, *options: str, **variables: Any) -> Run:
        return self.finish(self.start(playbook, *options, **variables))

    def finish(self, process: subprocess.Popen[str]) -> Run:
        process.wait(timeout=900)
        return Run(process.returncode, self.output(process))


def kubectl(*arguments: str) -> str:
    done = subprocess.run(["kubectl", *arguments], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(name="kubectl", scope="session")
def _kubectl() -> Callable[..., str]:
    return kubectl


@pytest.fixture(scope="session")
def playbook(tmp_path_factory: pytest.TempPathFactory) -> Playbook:
    assert "TESTBED_CHARTS" in os.environ, "run these tests with `make integration`"
    return Playbook(tmp_path_factory.mktemp("variables"))


@pytest.fixture
def namespace() -> Iterator[str]:
    """A name that is free; whatever the test makes there is removed."""
    name = f"test-{uuid.uuid4().hex[:8]}"
    yield name
    kubectl("delete", "namespace", name, "--ignore-not-found", "--wait=false")
    kubectl("delete", "lease", name, "--namespace=kube-system", "--ignore-not-found")


@pytest.fixture(scope="module")
def bootstrapped(playbook: Playbook) -> None:
    bootstrap(playbook)


@pytest.fixture
def bare(bootstrapped: None, playbook: Playbook, kubectl: Callable[..., str], tmp_path: Path) -> Iterator[Deployment]:
    """A platform of which nothing is deployed, on a bootstrapped cluster. It is not handed over yet."""
    deployment = Deployment(playbook, kubectl, tmp_path)
    deployment.remove()
    yield deployment
    deployment.remove()


@pytest.fixture(scope="session")
def troubled(playbook: Playbook, kubectl: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> Troubled:
    """The demo platform with everything against it, see troubled.py. Nothing of it is deployed yet."""
    bootstrap(playbook)
    troubled = Troubled(playbook, kubectl, tmp_path_factory.mktemp("troubled"))
    troubled.prepare()
    return troubled


@pytest.fixture(scope="session")
def refused(troubled: Troubled) -> Stage:
    """After the attempt to deploy an application before its dependencies."""
    return troubled.refuse()


@pytest.fixture(scope="session")
def failed(troubled: Troubled, refused: Stage) -> Stage:
    """After the run that met the troubles."""
    return troubled.fail()


@pytest.fixture(scope="session")
def mended(troubled: Troubled, failed: Stage) -> Stage:
    """After the causes were mended and the run resumed: the platform stands."""
    return troubled.mend()
