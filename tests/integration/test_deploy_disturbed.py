# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A platform whose graph, manifests, time or policy is not as it should be. Long: each deploys a platform."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from conftest import Playbook
from deployment import Deployment, bootstrap, eventually, ordering

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def bootstrapped(tmp_path_factory: pytest.TempPathFactory) -> None:
    bootstrap(Playbook(tmp_path_factory.mktemp("bootstrap")))


@pytest.fixture
def bare(bootstrapped: None, playbook: Any, kubectl: Callable[..., str], tmp_path: Path) -> Iterator[Deployment]:
    """Nothing of it deployed, and not handed over yet."""
    deployment = Deployment(playbook, kubectl, tmp_path)
    deployment.remove()
    yield deployment
    deployment.remove()


def test_a_missing_application_stops_the_run_and_a_broken_one_only_its_dependents(bare: Deployment) -> None:
    bare.hand_over()
    whole = bare.dag.read_text()
    bare.change_graph("backstage", application="no-such-application")
    stopped = bare.deploy()
    assert stopped.code != 0
    assert "The graph names Applications that Root does not create: no-such-application" in stopped.output
    assert bare.workflows() == []
    bare.dag.write_text(whole)

    repair = bare.repository.break_manifests("prometheus")
    bare.change_graph("prometheus", sync_timeout="60s", health_timeout="60s", retries=1)
    failed = bare.deploy(deploy_ops_strategy="dag")
    assert failed.code != 0
    assert "prometheus failed" in failed.output
    assert bare.syncs()["grafana"] == 0
    assert bare.healthy() == set(bare.applications()) - {"prometheus", "grafana"}

    repair()
    resumed = bare.deploy(deploy_ops_strategy="dag")
    assert resumed.code == 0, resumed
    assert set(bare.syncs().values()) == {1}
    assert bare.violations() == []


def test_the_overall_timeout_ends_the_run_and_one_at_a_time_is_one_at_a_time(bare: Deployment) -> None:
    bare.hand_over()
    assert bare.run("workflow_templates", deploy_ops_parallelism=1).code == 0
    bare.behave("ceph-cluster", "ready", "--delay", "600")
    late = bare.deploy(deploy_ops_strategy="dag", deploy_ops_timeout=60)
    assert late.code != 0
    assert "Partial" in late.output
    assert bare.syncs()["storage-classes"] == 0

    bare.behave("ceph-cluster", "clear")
    done = bare.deploy(deploy_ops_strategy="dag")
    assert done.code == 0, done
    assert bare.violations() == []
    # Those of the second run: each began when the one before was ready.
    start = datetime.fromisoformat(bare.workflows()[-1]["status"]["startedAt"])
    spans = sorted(span for span in ordering.timeline(ordering.collect()).values() if span.started > start)
    assert len(spans) > 3
    for one, other in itertools.pairwise(spans):
        assert one.ready is not None
        assert other.started >= one.ready.replace(microsecond=0), (one, other)
    assert bare.run("workflow_templates").code == 0


def test_locked_keeps_the_next_commit_waiting(bare: Deployment) -> None:
    bare.hand_over(deploy_ops_steady_state="locked", gitops_handoff_values={"revision": bare.repository.branch})
    policy = {"deploy_ops_steady_state": "locked"}
    first = bare.deploy(**policy)
    assert first.code == 0, first
    assert bare.is_locked()
    bare.repository.release("2", "vault")
    refresh(bare, "vault")
    eventually(lambda: bare.applications()["vault"]["status"]["sync"]["status"] == "OutOfSync", "it is seen", 60)
    assert bare.syncs()["vault"] == 1
    second = bare.deploy(**policy)
    assert second.code == 0, second
    assert {name for name, count in bare.syncs().items() if count == 2} == {"vault"}
    assert bare.violations() == []


def test_self_heal_deploys_the_next_commit_by_itself(bare: Deployment, capsys: pytest.CaptureFixture[str]) -> None:
    policy = {"deploy_ops_steady_state": "self_heal"}
    bare.hand_over(**policy)
    first = bare.deploy(**policy)
    assert first.code == 0, first
    assert bare.violations() == []
    assert not bare.is_locked()
    bare.repository.release("2")
    names = list(bare.applications())
    refresh(bare, *names)
    eventually(lambda: set(bare.syncs().values()) == {2}, "Argo CD syncs them all", 120)
    eventually(lambda: bare.healthy() == set(names), "all are Healthy", 180)
    with capsys.disabled():
        sys.stdout.write(
            f"\nself_heal, update: {len(bare.violations())} of {len(bare.application_edges())} edges violated\n"
        )


def test_a_scope_that_nobody_knows_is_refused_by_the_workflow_too(bare: Deployment) -> None:
    """As an event would start it: without Ansible."""
    bare.hand_over()
    assert bare.deploy().code == 0
    workflow = {
        "apiVersion": "argoproj.io/v1alpha1",
        "kind": "Workflow",
        "metadata": {"name": "from-an-event", "namespace": "argo"},
        "spec": {
            "workflowTemplateRef": {"name": "platform-bootstrap"},
            "arguments": {"parameters": [{"name": "scope", "value": "app:nobody"}]},
        },
    }
    subprocess.run(["kubectl", "create", "--filename=-"], input=json.dumps(workflow), text=True, check=True)
    eventually(lambda: phase_of(bare, "from-an-event") == "Failed", "it is refused", 120)
    (refused,) = (item for item in bare.workflows() if item["metadata"]["name"] == "from-an-event")
    messages = [node.get("message", "") for node in refused["status"]["nodes"].values()]
    assert any("the graph of this platform has no scope app:nobody" in message for message in messages)
    assert not bare.is_locked()


def phase_of(bare: Deployment, name: str) -> str:
    return next(
        item.get("status", {}).get("phase", "") for item in bare.workflows() if item["metadata"]["name"] == name
    )


def refresh(bare: Deployment, *names: str) -> None:
    annotation = "argocd.argoproj.io/refresh=hard"
    bare.kubectl("annotate", "applications.argoproj.io", *names, annotation, "--overwrite", "--namespace=argocd")
