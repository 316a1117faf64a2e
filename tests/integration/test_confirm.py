# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The gate in front of what cannot be undone, against the embedded cluster."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

INVENTORY = "--inventory=inventories/local"
PLAYBOOK = "tests/integration/playbooks/confirm.yml"
SERVER = "https://10.250.0.1:6443"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "deploy_ops_confirm is not set, wanted is the environment of this inventory, 'local'"),
        (
            {"deploy_ops_confirm": "production"},
            "deploy_ops_confirm is 'production', wanted is the environment of this inventory, 'local'. "
            "When you mean it: -e deploy_ops_confirm=local",
        ),
        ({"deploy_ops_confirm": "local", "deploy_ops_environment_name": ""}, "does not name its environment"),
        (
            {"deploy_ops_confirm": "local", "deploy_ops_cluster_server": "https://10.250.0.9:6443"},
            f"wrong cluster: found {SERVER}, wanted https://10.250.0.9:6443",
        ),
        ({"deploy_ops_confirm": "local", "deploy_ops_cluster_uid": "of-another"}, "kube-system has uid of-another"),
        ({"deploy_ops_confirm": "local", "deploy_ops_cluster_server": ""}, "neither is set; this cluster: server"),
    ],
)
def test_refused(playbook: Any, given: dict[str, str], told: str) -> None:
    run = playbook(PLAYBOOK, INVENTORY, **given)
    assert run.code == 2, run
    assert "nothing was changed" in run.output
    assert told in " ".join(run.output.split()), run
    assert "Do it" not in run.output


@pytest.mark.parametrize("option", [(), ("--check",)])
def test_confirmed(playbook: Any, kubectl: Callable[..., str], option: tuple[str, ...]) -> None:
    uid = kubectl("get", "namespace", "kube-system", "--output=jsonpath={.metadata.uid}")
    run = playbook(PLAYBOOK, INVENTORY, *option, deploy_ops_confirm="local", deploy_ops_cluster_uid=uid)
    assert run.code == 0, run
    assert f"done to {SERVER}, {uid}" in run.output
