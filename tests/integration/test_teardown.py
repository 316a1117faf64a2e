# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The platform goes in the reverse order of its graph, and its data stay.

Order is judged by the API server's own numbers for all changes, seen by a watcher outside.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from removal import Teardown, deployed


@pytest.fixture
def teardown(playbook: Any, kubectl: Callable[..., str], tmp_path: Path) -> Iterator[Teardown]:
    yield from deployed(playbook, kubectl, tmp_path)


def test_inv_5_reverse_order_teardown(teardown: Teardown) -> None:
    """RFC 2.4: "Teardown MUST proceed in reverse dependency order."

    Also: what refuses it, the dry run, the default policy for volumes, the second run, data used again.
    """
    platform = teardown.deployment
    teardown.write("before the teardown")
    before = {name: item["metadata"]["resourceVersion"] for name, item in platform.applications().items()}

    _refusals(teardown)
    planned = teardown("--check")
    assert planned.code == 0, planned
    assert "security/data-vault-0" in planned.output
    assert {name: item["metadata"]["resourceVersion"] for name, item in platform.applications().items()} == before
    assert not platform.is_locked()

    with teardown.watched() as events:
        done = teardown()
    assert done.code == 0, done
    assert platform.applications() == {}
    assert teardown.violations(events) == []
    report = teardown.report()
    assert (report["outcome"], len(report["removed"])) == ("Complete", 12)
    assert any("PersistentVolumeClaim security/data-vault-0" in line for line in report["retained"])
    (claim,) = platform.objects("persistentvolumeclaims", "security")
    assert claim["status"]["phase"] == "Bound"

    again = teardown()
    assert again.code == 0, again
    assert again.changed == 0, again

    teardown.redeploy()
    assert teardown.read() == "before the teardown"


def _refusals(teardown: Teardown) -> None:
    unconfirmed = teardown(deploy_ops_confirm="production")
    assert unconfirmed.code != 0
    assert "-e deploy_ops_confirm=local" in unconfirmed.output

    elsewhere = teardown(deploy_ops_cluster_server="https://10.250.0.9:6443")
    assert elsewhere.code != 0
    assert "wrong cluster" in elsewhere.output

    needed = teardown(deploy_ops_scope="app:storage-classes", deploy_ops_volumes="delete")
    assert needed.code != 0
    for name in ("postgres-operator", "postgres-platform", "prometheus", "vault"):
        assert f"{name} depends on storage-classes and is still deployed" in needed.output
    assert "-e deploy_ops_confirm_volumes=local" in needed.output
