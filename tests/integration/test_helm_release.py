# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The six phases of one release on the embedded cluster, and every way in which they can go wrong."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "tests" / "integration" / "charts" / "sample"
NO_SUCH_IMAGE = {"image": "testbed.local/no-such-image:1"}


class Sample:
    """The sample release in a namespace of its own."""

    def __init__(self, playbook: Any, kubectl: Callable[..., str], namespace: str, folder: Path) -> None:
        self._playbook = playbook
        self.kubectl = kubectl
        self.namespace = namespace
        self.chart = folder / "sample"
        shutil.copytree(SAMPLE, self.chart)
        self._facts = folder / "facts.json"

    def start(self, *options: str, **variables: Any) -> subprocess.Popen[str]:
        self._facts.unlink(missing_ok=True)
        return self._playbook.start(
            "tests/integration/playbooks/sample_release.yml",
            *options,
            **{
                "sample_namespace": self.namespace,
                "sample_chart": str(self.chart),
                "sample_facts": str(self._facts),
                **variables,
            },
        )

    def __call__(self, *options: str, **variables: Any) -> Any:
        return self._playbook.finish(self.start(*options, **variables))

    def facts(self) -> dict[str, Any]:
        return json.loads(self._facts.read_text()).get("sample", {})

    def revisions(self) -> list[tuple[int, str]]:
        command = ["helm", "history", "sample", f"--namespace={self.namespace}", "--output=json"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return [(entry["revision"], entry["status"]) for entry in json.loads(done.stdout or "[]")]

    def greeting(self) -> str:
        read = ("get", "configmap", "sample", "--output=jsonpath={.data.greeting}")
        return self.kubectl(*read, f"--namespace={self.namespace}")


@pytest.fixture
def sample(playbook: Any, kubectl: Callable[..., str], namespace: str, tmp_path: Path) -> Sample:
    return Sample(playbook, kubectl, namespace, tmp_path)


def eventually(holds: Callable[[], bool], what: str, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, what
        time.sleep(0.2)


def test_install_then_nothing_then_upgrade(sample: Sample) -> None:
    first = sample()
    assert first.code == 0, first
    assert sample.facts()["status"] == "success"
    assert (sample.facts()["revision"], sample.facts()["version"]) == (1, "1")
    labels = sample.kubectl("get", "namespace", sample.namespace, "--output=jsonpath={.metadata.labels}")
    assert '"pod-security.kubernetes.io/enforce":"restricted"' in labels
    assert '"deploy-ops.proficientnow.com/owner":"deploy-ops"' in labels

    second = sample()
    assert (second.code, second.changed) == (0, 0), second
    assert sample.facts()["changed"] is False

    third = sample(sample_values={"greeting": "good day"})
    assert third.code == 0, third
    assert sample.greeting() == "good day"
    assert sample.facts()["revision"] == 2


def test_a_changed_template_is_a_change_although_the_version_stayed(sample: Sample) -> None:
    assert sample().code == 0
    template = sample.chart / "templates" / "objects.yaml"
    template.write_text(template.read_text().replace("greeting: {{", "greeting: very {{").replace(" | quote", ""))
    assert sample().code == 0
    assert sample.greeting() == "very hello"


def test_check_mode_on_a_bare_cluster_changes_nothing_and_does_not_fail(sample: Sample) -> None:
    run = sample("--check")
    assert run.code == 0, run
    assert run.changed > 0, run
    assert sample.namespace not in sample.kubectl("get", "namespaces", "--output=name")


def test_a_broken_upgrade_rolls_back_and_says_so(sample: Sample) -> None:
    assert sample().code == 0
    run = sample(sample_values=NO_SUCH_IMAGE, sample_timeout=15)
    assert run.code != 0
    for words in ("failed in phase apply", "rolled back to revision 1, which works", "The nodes cannot pull the image"):
        assert words in run.output, run
    assert "no-such-image:1" in run.output
    assert sample.facts()["status"] == "rolled_back"
    assert sample.facts()["revision"] == 3
    assert sample.revisions()[-1] == (3, "deployed")
    again = sample()
    assert (again.code, again.changed) == (0, 0), again


def test_a_failed_first_installation_is_removed_but_its_evidence_is_not(sample: Sample) -> None:
    run = sample(sample_values=NO_SUCH_IMAGE, sample_timeout=15)
    assert run.code != 0
    assert "no-such-image:1" in run.output, run
    assert "State: not installed" in run.output
    assert sample.facts()["status"] == "failed"
    assert sample.revisions() == []
    assert sample().code == 0


def test_a_release_that_lacks_what_is_expected_fails_its_test(sample: Sample) -> None:
    run = sample(sample_expected_counts={"Deployment": 2}, sample_expected_kinds=["example.com/v1/Widget"])
    assert run.code != 0
    assert "1 objects of kind Deployment, at least 2 expected" in run.output, run
    assert "does not serve example.com/v1/Widget" in run.output
    assert sample.facts()["failed_phase"] == "test"


def test_an_object_that_was_deleted_by_hand_is_noticed(sample: Sample) -> None:
    assert sample().code == 0
    sample.kubectl("delete", "configmap", "sample", f"--namespace={sample.namespace}")
    run = sample()
    assert run.code != 0
    assert f"ConfigMap {sample.namespace}/sample is in the release but not in the cluster" in run.output, run


@pytest.mark.parametrize(
    ("variables", "words"),
    [
        (
            {"sample_required_objects": [{"kind": "Secret", "name": "license"}]},
            "missing: Secret {namespace}/license: create or install them first",
        ),
        (
            {"sample_needs": [{"role": "nowhere", "release": "nowhere", "namespace": "default"}]},
            "it depends on nowhere, which is not installed and ready: there is no such release",
        ),
        ({"sample_chart": "/nowhere/chart"}, "/nowhere/chart does not exist: put it there"),
    ],
)
def test_preconditions_are_named_before_anything_is_changed(
    sample: Sample, variables: dict[str, Any], words: str
) -> None:
    run = (
        sample(**{"sample_chart": str(sample.chart), **variables})
        if "sample_chart" in variables
        else sample(**variables)
    )
    assert run.code != 0
    assert words.format(namespace=sample.namespace) in run.output, run
    assert sample.facts()["failed_phase"] == "pre_check"
    assert sample.namespace not in sample.kubectl("get", "namespaces", "--output=name")


def test_a_namespace_of_somebody_else_is_left_alone(sample: Sample) -> None:
    sample.kubectl("create", "namespace", sample.namespace)
    run = sample()
    assert run.code != 0
    assert "exists and is not marked as ours" in run.output, run
    assert f"kubectl label namespace {sample.namespace}" in run.output
    assert sample.revisions() == []


def kill_group(process: subprocess.Popen[str]) -> None:
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def helm_of(namespace: str) -> list[int]:
    """helm processes whose environment names the namespace: kubernetes.core.helm passes it that way."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                command = (entry / "cmdline").read_bytes().split(b"\0")
                environment = (entry / "environ").read_bytes()
            except OSError:
                continue
            if command[0].endswith(b"helm") and f"HELM_NAMESPACE={namespace}".encode() in environment:
                found.append(int(entry.name))
    return found


def pending(sample: Sample, status: str) -> Callable[[], bool]:
    return lambda: bool(sample.revisions()) and sample.revisions()[-1][1] == status


def test_killed_in_the_first_installation(sample: Sample) -> None:
    process = sample.start(sample_values=NO_SUCH_IMAGE, sample_timeout=300)
    eventually(pending(sample, "pending-install"), "the installation did not begin")
    kill_group(process)
    for pid in helm_of(sample.namespace):
        os.kill(pid, signal.SIGKILL)
    assert sample.revisions()[-1][1] == "pending-install"
    run = sample()
    assert run.code == 0, run
    assert sample.revisions() == [(1, "deployed")]


def test_killed_in_an_upgrade(sample: Sample) -> None:
    assert sample().code == 0
    process = sample.start(sample_values=NO_SUCH_IMAGE, sample_timeout=300)
    eventually(pending(sample, "pending-upgrade"), "the upgrade did not begin")
    kill_group(process)
    for pid in helm_of(sample.namespace):
        os.kill(pid, signal.SIGKILL)
    run = sample(sample_values={"greeting": "recovered"})
    assert run.code == 0, run
    assert sample.greeting() == "recovered"
    assert sample.revisions()[-1][1] == "deployed"


def test_a_helm_process_that_survived_the_kill_is_waited_for(sample: Sample) -> None:
    process = sample.start(sample_values=NO_SUCH_IMAGE, sample_timeout=20)
    eventually(pending(sample, "pending-install"), "the installation did not begin")
    os.kill(process.pid, signal.SIGKILL)  # the playbook alone: its helm goes on, fails, and cleans up
    assert helm_of(sample.namespace)
    run = sample()
    assert run.code == 0, run
    assert sample.revisions() == [(1, "deployed")]
    process.wait()


def test_what_somebody_else_may_be_at_work_on_is_left_alone(sample: Sample) -> None:
    """Pending, young, and no lock of a dead run: it could be anybody's helm, on another machine."""
    process = sample.start(sample_values=NO_SUCH_IMAGE, sample_timeout=300)
    eventually(pending(sample, "pending-install"), "the installation did not begin")
    kill_group(process)
    for pid in helm_of(sample.namespace):
        os.kill(pid, signal.SIGKILL)
    sample.kubectl("delete", "lease", sample.namespace, "--namespace=kube-system")
    run = sample()
    assert run.code != 0
    assert "another process has been at work on it" in run.output, run
    assert sample.revisions()[-1][1] == "pending-install"


def test_two_runs_do_not_work_at_once(sample: Sample) -> None:
    process = sample.start(sample_values=NO_SUCH_IMAGE, sample_timeout=300)
    eventually(pending(sample, "pending-install"), "the installation did not begin")
    second = sample()
    kill_group(process)
    assert second.code != 0
    assert f"process {process.pid}" in second.output, second
    assert "another run is at work on this cluster" in second.output


def test_an_unreachable_cluster_is_named(sample: Sample, tmp_path: Path) -> None:
    nowhere = tmp_path / "kubeconfig"
    nowhere.write_text(
        "{apiVersion: v1, kind: Config, current-context: x, clusters: [{name: x, cluster: {server: 'https://127.0.0.1:9'}}],"
        " users: [{name: x, user: {token: t}}], contexts: [{name: x, context: {cluster: x, user: x}}]}"
    )
    environment = dict(os.environ, KUBECONFIG=str(nowhere))
    command = ["ansible-playbook", "playbooks/sealed_secrets.yml"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode != 0
    assert "no connection to the cluster" in done.stdout
    assert "Traceback" not in done.stdout
