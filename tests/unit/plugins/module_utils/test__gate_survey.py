# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The look at everything before a run: complete, in bounded steps, and without changing anything."""

from __future__ import annotations

import json
import typing as t

import pytest

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.gate import Gate
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.outputs import node_outputs
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.request import (
    BadRequest,
    Request,
    parse_request,
)
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.retry import Clock
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.settings import (
    connect,
    settings_from_environment,
)
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.survey import Survey
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.verdict import Verdict
from ansible_collections.proficientnow.deploy_ops.tests.unit.plugins.module_utils.gate_fake_argocd import (
    TOKEN,
    FakeArgoCD,
    VirtualClock,
    serving,
)
from ansible_collections.proficientnow.deploy_ops.tests.unit.plugins.module_utils.gate_objects import COMMIT

NODES: list[dict[str, t.Any]] = [
    {"do": "sync", "application": "ceph-cluster", "scopes": ["platform", "app:ceph-cluster"]},
    {"do": "sync", "application": "vault", "scopes": ["platform", "app:vault"]},
    {"do": "bootstrap", "namespace": "kube-system", "release": "sealed-secrets", "scopes": ["platform"]},
]
STANDS = Verdict("Healthy", "Healthy", "already Healthy", revision=COMMIT)
TO_DO = Verdict("Progressing", "Syncing", "syncing", "sync", revision=COMMIT)


def survey_request(nodes: t.Any, scope: str = "platform", **more: t.Any) -> Request:
    return parse_request({"do": "survey", "project": "platform", "scope": scope, "nodes": nodes, **more}, "uid")


def survey(look: t.Callable[[Request], Verdict], clock: t.Any = None) -> tuple[Verdict, int]:
    """The final verdict, and how many steps it took."""
    running = Survey(survey_request(NODES).nodes, clock)
    for steps in range(1, 10):
        verdict = running.advance(look)
        if verdict.is_final:
            return verdict, steps
    raise AssertionError("a survey ends")


def test_where_all_stands_nothing_is_to_do() -> None:
    verdict, _steps = survey(lambda node: STANDS)
    assert (verdict.verdict, verdict.is_good) == ("standing", True)
    assert verdict.message == "all 3 nodes stand, nothing to do"
    assert json.loads(node_outputs(verdict)["revisions"]) == {"ceph-cluster": COMMIT, "vault": COMMIT}


def test_one_that_does_not_stand_is_named_and_all_revisions_are_recorded() -> None:
    verdict, _steps = survey(lambda node: TO_DO if node.node == "vault" else STANDS)
    assert (verdict.verdict, verdict.is_good) == ("open", True)
    assert verdict.message == "1 of 3 nodes are to do: vault"
    assert verdict.revisions == {"ceph-cluster": COMMIT, "vault": COMMIT}


@pytest.mark.parametrize("verdict", ["Degraded", "Failed", "Unknown"])
def test_what_is_bad_now_is_for_its_own_gate_to_judge(verdict: str) -> None:
    found, _steps = survey(lambda node: Verdict(verdict, "HealthTimeout", "bad"))
    assert found.verdict == "open"


def test_what_argo_cd_refuses_ends_the_run_before_it_starts() -> None:
    refused = Verdict("Failed", "Refused", "there is no Application vault in the AppProject platform")
    verdict, _steps = survey(lambda node: refused if node.node == "vault" else STANDS)
    assert (verdict.verdict, verdict.transient) == ("Failed", False)
    assert verdict.message == refused.message


def test_a_step_is_bounded_and_the_next_goes_on_from_there() -> None:
    clock = VirtualClock()
    looked: list[str] = []

    def slow(node: Request) -> Verdict:
        clock.now += 6
        looked.append(node.node)
        return STANDS

    running = Survey(survey_request([*NODES] * 10).nodes, t.cast(Clock, clock))
    assert running.advance(slow).message.startswith("looking at what stands: ")
    steps = [running.advance(slow) for _step in range(3)]
    assert steps[-1].verdict == "standing"
    assert sorted(looked) == ["ceph-cluster", "sealed-secrets", "vault"], "each once"


def test_an_outage_is_waited_out_and_costs_no_second_look() -> None:
    looked: list[str] = []

    def look(node: Request) -> Verdict:
        looked.append(node.node)
        return Verdict("Unknown", "Unreachable", "away", transient=True) if len(looked) == 1 else STANDS

    running = Survey(survey_request(NODES[:1]).nodes)
    assert running.advance(look).transient
    assert running.advance(look).verdict == "standing"


def test_the_gate_looks_and_never_acts() -> None:
    with serving(FakeArgoCD(VirtualClock())) as fake:
        settings = settings_from_environment({"ARGOCD_SERVER": fake.url, "ARGOCD_TOKEN": TOKEN})
        gate = Gate(connect(settings), None)
        verdict = gate.step(survey_request(NODES[:2]), "refresh", 0.0)
    assert verdict.verdict == "open"
    assert fake.operations == []
    assert all(request.startswith("GET ") and "refresh=normal" in request for request in fake.requests)


def test_a_scope_has_its_own_nodes_and_settings_are_common() -> None:
    (node,) = survey_request(NODES, scope="app:vault", settle_seconds="7").nodes
    assert (node.wish.application, node.wish.project, node.wish.settle) == ("vault", "platform", 7)
    assert survey_request(json.dumps(NODES)).nodes == survey_request(NODES).nodes


@pytest.mark.parametrize("nodes", ["", "no json", "{}", {}, None, [1], [{"do": "sync"}]])
def test_bad_nodes_are_refused(nodes: t.Any) -> None:
    with pytest.raises(BadRequest, match="`nodes` must be a list of requests"):
        survey_request(nodes)
