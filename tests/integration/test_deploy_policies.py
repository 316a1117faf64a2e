# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What becomes of the next commit, in each steady state: who deploys it, when, and in which order."""

from __future__ import annotations

import sys

import pytest
from deployment import Deployment, eventually

pytestmark = pytest.mark.long


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
