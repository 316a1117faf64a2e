# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What becomes of the next commit, in each steady state: who deploys it, when, and in which order."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest
from deployment import Deployment, eventually

pytestmark = pytest.mark.long


def stands_at(bare: Deployment) -> dict[str, str]:
    """The commit at which each Application was last synced, by Argo CD's history."""
    return {name: item["status"]["history"][-1]["revision"] for name, item in bare.applications().items()}


def mixed_nodes(workflow: dict[str, Any]) -> set[str]:
    """The Applications whose gate said so in the outputs of its node."""
    found = set()
    for node in workflow["status"]["nodes"].values():
        outputs = {item["name"]: item.get("value") for item in (node.get("outputs") or {}).get("parameters") or []}
        if json.loads(outputs.get("details") or "{}").get("mixed"):
            inputs = {item["name"]: item.get("value") for item in node["inputs"]["parameters"]}
            found.add(inputs["application"])
    return found


def test_locked_a_new_commit_waits_and_one_in_mid_run_is_told(bare: Deployment) -> None:
    """Nothing is pinned here: what is synced after the push gets the new commit, and the run says so."""
    bare.hand_over(deploy_ops_steady_state="locked", gitops_handoff_values={"revision": bare.repository.branch})
    first = bare.repository.commit
    running = bare.start("deploy", deploy_ops_steady_state="locked")
    eventually(lambda: bare.syncs().get("metallb") == 1, "the run has begun", 240)
    second = bare.repository.release("2", "backstage")
    mixed = bare.finish(running)
    assert mixed.code == 0, mixed
    assert "mixed revisions: the targets of" in mixed.output
    assert bare.violations() == []
    (workflow,) = bare.workflows()
    at = stands_at(bare)
    assert set(at.values()) == {first, second}
    # And those that were on their way when the push came: they are in sync with the new commit, too.
    assert {name for name, commit in at.items() if commit == second} <= mixed_nodes(workflow)
    assert mixed_nodes(workflow) <= {
        name for name, item in bare.applications().items() if item["status"]["sync"]["revision"] == second
    }
    assert bare.is_locked()

    bare.repository.release("3")
    names = list(bare.applications())
    bare.refresh(*names)
    eventually(lambda: not bare.healthy(), "Argo CD sees the new commit everywhere", 120)
    assert set(bare.syncs().values()) == {1}
    updated = bare.deploy(deploy_ops_steady_state="locked")
    assert updated.code == 0, updated
    assert "mixed revisions" not in updated.output
    assert set(bare.syncs().values()) == {2}
    assert bare.violations() == []


def test_self_heal_argo_cd_deploys_the_next_commit_by_itself_and_knows_no_order(bare: Deployment) -> None:
    policy = {"deploy_ops_steady_state": "self_heal"}
    bare.hand_over(**policy)
    first = bare.deploy(**policy)
    assert first.code == 0, first
    assert bare.violations() == []
    assert not bare.is_locked()
    bare.repository.release("2")
    names = list(bare.applications())
    bare.refresh(*names)
    eventually(lambda: set(bare.syncs().values()) == {2}, "Argo CD syncs them all", 120)
    eventually(lambda: bare.healthy() == set(names), "all are Healthy", 180)
    violated = bare.violations()
    sys.stdout.write(f"self_heal: {len(violated)} of {len(bare.application_edges())} edges violated by the update\n")
    # docs/orchestration.md says so, and why this is not the default.
    assert violated != []
