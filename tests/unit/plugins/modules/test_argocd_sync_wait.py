# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The module as Ansible runs it, against a FAKE Argo CD; the real one is in tests/integration/test_gate.py."""

from __future__ import annotations

import base64
import typing as t
from functools import partial

import pytest

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.request import BadRequest
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.settings import BadSettings
from ansible_collections.proficientnow.deploy_ops.plugins.modules import argocd_sync_wait
from ansible_collections.proficientnow.deploy_ops.tests.unit.plugins.module_utils.gate_fake_argocd import (
    TOKEN,
    FakeArgoCD,
    VirtualClock,
    serving,
)
from ansible_collections.proficientnow.deploy_ops.tests.unit.plugins.module_utils.gate_objects import COMMIT, info
from ansible_collections.proficientnow.deploy_ops.tests.unit.plugins.modules import module_runs

run_module = partial(module_runs.run_module, "argocd_sync_wait")


@pytest.fixture
def standing() -> t.Iterator[FakeArgoCD]:
    """An Argo CD whose Application was synced and became Healthy long ago."""
    clock = VirtualClock()
    clock.now = 1000
    fake = FakeArgoCD(clock)
    fake.operations.append({"info": info(run="earlier"), "sync": {"prune": True}})
    with serving(fake):
        yield fake


@pytest.fixture
def bare() -> t.Iterator[FakeArgoCD]:
    """An Argo CD whose Application has never been synced."""
    with serving(FakeArgoCD(VirtualClock())) as fake:
        yield fake


def options(fake: FakeArgoCD, **more: t.Any) -> dict[str, t.Any]:
    return {"server": fake.url, "token": TOKEN, "project": "platform", "applications": ["ceph-cluster"], **more}


def test_what_stands_is_left_alone(standing: FakeArgoCD) -> None:
    result = run_module(options(standing, revision=COMMIT)).result
    assert (result["changed"], result["mixed"]) == (False, False)
    assert result["applications"]["ceph-cluster"] == {
        "verdict": "Healthy",
        "reason": "Healthy",
        "message": "already Healthy at 8d1f6c1, nothing to do",
        "revision": COMMIT,
        "mixed": False,
        "synced": False,
        "attempts": 0,
        "started": "",
        "sync_seconds": 0,
        "health_seconds": 0,
        "unhealthy": [],
    }
    assert len(standing.requests) == 1


def test_several_applications_go_in_one_call_and_each_once(standing: FakeArgoCD) -> None:
    result = run_module(options(standing, applications=["a", "b", "a"])).result
    assert sorted(result["applications"]) == ["a", "b"]
    assert len(standing.requests) == 2


def test_check_mode_predicts_and_only_reads(bare: FakeArgoCD) -> None:
    result = run_module(options(bare), "--check").result
    assert result["changed"] is True
    assert result["applications"]["ceph-cluster"]["synced"] is True
    assert [request.split()[0] for request in bare.requests] == ["GET"]


def test_without_waiting_the_sync_is_started(bare: FakeArgoCD) -> None:
    result = run_module(options(bare, wait=False, run="run-7")).result
    assert (result["changed"], result["applications"]["ceph-cluster"]["verdict"]) == (True, "Progressing")
    assert bare.operations[0]["info"][0]["value"] == "run-7/ceph-cluster/1"


def test_verifying_fails_what_does_not_stand_and_syncs_nothing(bare: FakeArgoCD) -> None:
    result = run_module(options(bare, sync=False)).result
    assert result["msg"].startswith("1 of 1 applications are not Healthy:\n- ceph-cluster: was never synced")
    assert bare.operations == []


def test_a_wait_that_is_too_short_ends_with_what_it_waited_for(bare: FakeArgoCD) -> None:
    """The fake's clock stands still, so nothing ever happens there."""
    result = run_module(options(bare, wait_timeout=1)).result
    assert result["applications"]["ceph-cluster"]["reason"] == "WaitTimeout"
    assert "still waiting after 1s: syncing: waiting" in result["msg"]


def test_the_environment_gives_server_and_token(standing: FakeArgoCD) -> None:
    asked = {"project": "platform", "applications": "ceph-cluster"}
    result = run_module(asked, ARGOCD_SERVER=standing.url, ARGOCD_TOKEN=TOKEN).result
    assert result["applications"]["ceph-cluster"]["verdict"] == "Healthy"


def test_bad_options_are_refused_before_any_request(bare: FakeArgoCD) -> None:
    asked = options(bare, applications=["Not_A_Name"])
    assert run_module(asked).result["msg"] == "application 'Not_A_Name' is no Kubernetes name"
    assert bare.requests == []


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"token": ""}, "an Argo CD token is needed"),
        ({"server": "argocd.example.com"}, "must be a URL"),
        ({"attempts": 0}, "attempts must be at least 1"),
        ({"settle": -1}, "settle_seconds must be a whole number"),
        ({"ca_file": "/does/not/exist"}, "cannot be read: /does/not/exist"),
    ],
)
def test_each_bad_option_has_its_message(bare: FakeArgoCD, more: dict[str, t.Any], message: str) -> None:
    defaults = {name: option.get("default") for name, option in argocd_sync_wait.ARGUMENT_SPEC.items()}
    with pytest.raises((BadRequest, BadSettings), match=message):
        argocd_sync_wait.run({**defaults, **options(bare, **more)}, check=False)
    assert bare.requests == []


def test_no_token_in_any_output(bare: FakeArgoCD) -> None:
    canary = "canary-token-0123456789"
    run = run_module(options(bare, token=canary), "-vvvv", "--diff")
    assert "does not accept the token (401)" in run.result["msg"]
    assert canary not in run.output
    assert base64.b64encode(canary.encode()).decode() not in run.output
