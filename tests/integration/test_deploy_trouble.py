# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A run that meets every kind of trouble, in the strategy dag; what troubles there are stands in troubled.py.

Judged by what Argo CD, Argo Workflows and the API server say. Each test names what would make it fail.
"""

from __future__ import annotations

import json

import pytest
from troubled import BROKEN, COLLEAGUE, Stage, Troubled

UNTROUBLED = {"metallb", "ceph-operator", "ceph-cluster", "storage-classes"}
DEPENDENTS = {"grafana", "backstage", "postgres-operator", "postgres-platform"}


def test_the_run_is_partial_and_says_how_to_go_on(failed: Stage) -> None:
    """Fails when a failure is swallowed, or when the first one ends the whole run."""
    assert failed.run.code != 0
    assert "Partial: " in failed.run.output, failed.run
    assert "correct what failed, then run" in failed.run.output
    assert "ansible-playbook proficientnow.deploy_ops.deploy" in failed.run.output
    assert failed.workflows[-1]["status"]["phase"] == "Failed"
    assert failed.is_locked, "Argo CD would start everything that waits, in no order"


@pytest.mark.parametrize(
    ("application", "what", "why", "way_out"),
    [
        pytest.param(
            "cert-manager",
            f"is blocked by an operation of {COLLEAGUE}",
            "Job/cert-manager-migration",
            "end it with `argocd app terminate-op cert-manager`, then run again",
            id="somebody-elses-sync",
        ),
        pytest.param(
            "prometheus",
            "the sync was ended after its timeout of 10s",
            "Job monitoring/prometheus-migration",
            "raise sync_timeout of prometheus in dag.yaml",
            id="sync-timeout",
        ),
        pytest.param(
            "ingress-nginx",
            "is Degraded: Deployment infrastructure/ingress-nginx is Degraded",
            "exceeded its progress deadline",
            "look at `kubectl describe deployment ingress-nginx --namespace infrastructure`",
            id="degraded",
        ),
        pytest.param(
            "vault",
            "not Healthy within 10s after its sync: is still Progressing",
            "StatefulSet security/vault is Progressing",
            "raise health_timeout of vault in dag.yaml",
            id="health-timeout",
        ),
    ],
)
def test_each_failure_is_told_with_its_cause_and_a_way_out(
    failed: Stage, application: str, what: str, why: str, way_out: str
) -> None:
    """Fails when a message loses the resource in the way, says something that did not happen, or gives no advice."""
    told = failed.told(application)
    assert what in told
    assert why in told
    assert way_out in f"{told} {failed.advice(application)}"


def test_dependents_never_start_and_independent_branches_end(failed: Stage) -> None:
    """Fails when anything behind a failure is touched, or anything else is left undone."""
    assert set(failed.applications) == UNTROUBLED | DEPENDENTS | set(BROKEN)
    healthy = {name for name in failed.applications if failed.status(name)["health"]["status"] == "Healthy"}
    assert healthy == UNTROUBLED
    assert {name for name in DEPENDENTS if failed.operation(name)} == set()
    for name in DEPENDENTS:
        assert name in failed.run.output.rpartition("not started: ")[2].partition("State:")[0], failed.run
    # The failures came first and did not keep these from going on to their end.
    assert failed.spans["storage-classes"].ready is not None


def test_a_degraded_one_gets_its_grace_and_then_halts(failed: Stage) -> None:
    """Fails when Degraded counts at once, or when only the health timeout (5 min here) ends the waiting."""
    (node,) = _nodes(failed, "ingress-nginx")
    outputs = {item["name"]: item["value"] for item in node["outputs"]["parameters"]}
    assert outputs["verdict"] == "Degraded"
    assert json.loads(outputs["details"])["reason"] == "Degraded"
    assert 60 <= int(outputs["health_seconds"]) < 300


def test_one_that_flaps_is_not_accepted_before_it_has_settled(troubled: Troubled, failed: Stage) -> None:
    """Fails when a single Healthy is enough: settle 0 lets storage-classes start at the first one."""
    assert troubled.flapped.count("Healthy") >= 2, "Argo CD did call it Healthy in between"
    assert troubled.syncs_while_flapping["storage-classes"] == 0
    assert troubled.syncs_while_flapping["ceph-cluster"] == 1
    assert failed.spans["storage-classes"].started > troubled.flapped_until
    assert failed.syncs["ceph-cluster"] == 1


def test_a_stuck_sync_is_ended_at_its_deadline_but_never_somebody_elses(failed: Stage) -> None:
    """Fails when the gate waits for ever, or ends what another person has started."""
    own = failed.operation("prometheus")
    assert own["phase"] == "Failed"
    assert "terminated" in own["message"]
    other = failed.operation("cert-manager")
    assert other["phase"] == "Running"
    assert other["operation"]["initiatedBy"]["username"] == COLLEAGUE


def test_a_run_outlives_ansible_and_the_next_one_attaches_to_it(refused: Stage, failed: Stage) -> None:
    """Fails when the second Ansible starts a run of its own, or starts anything anew."""
    known = {item["metadata"]["name"] for item in refused.workflows}
    new = [item for item in failed.workflows if item["metadata"]["name"] not in known]
    assert len(new) == 1
    assert set(failed.syncs.values()) <= {0, 1}


def test_mended_and_resumed_nothing_is_synced_twice(troubled: Troubled, failed: Stage, mended: Stage) -> None:
    """Fails when a resume begins anew, goes on in a wrong order, or keeps Argo CD locked out."""
    assert mended.run.code == 0, mended.run
    assert troubled.platform.healthy() == set(mended.applications)
    # A sync that failed or was ended is not in Argo CD's history: one entry each, for the one that succeeded.
    assert set(mended.syncs.values()) == {1}
    assert {name: mended.syncs[name] for name in UNTROUBLED} == {name: failed.syncs[name] for name in UNTROUBLED}
    assert troubled.violations(failed, mended) == []
    assert not mended.is_locked


def _nodes(stage: Stage, application: str) -> list[dict]:
    """The node of the last workflow that carried the gate's step for it, without the wrapper around its attempts."""
    nodes = stage.workflows[-1]["status"]["nodes"].values()
    return [node for node in nodes if node["type"] == "Plugin" and _argument(node, "application") == application]


def _argument(node: dict, name: str) -> str:
    parameters = node.get("inputs", {}).get("parameters") or []
    return next((item["value"] for item in parameters if item["name"] == name), "")
