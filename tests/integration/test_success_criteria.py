# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The success criteria of RFC 2.5. The fourth, "Teardown leaves clean cluster", is proven with the teardown."""

from __future__ import annotations

from pathlib import Path

import yaml
from troubled import BROKEN, Stage, Troubled


def test_success_3_partial_failure_is_recoverable(failed: Stage, mended: Stage) -> None:
    """ "If deployment fails at application N, resuming deployment continues from N without re-deploying 1 through N-1."

    The resume is the command that the failed run has told. Fails when it begins anew, or when an application that stood
    is touched: the time of its last sync would be another one.
    """
    told = failed.run.output.rpartition("What to do: ")[2]
    assert "ansible-playbook proficientnow.deploy_ops.deploy\n" in told, failed.run
    stood = [name for name in failed.applications if failed.operation(name).get("phase") == "Succeeded"]
    stood = [name for name in stood if name not in BROKEN]
    assert len(stood) >= 4
    for name in stood:
        assert mended.operation(name) == failed.operation(name), name
    assert mended.run.code == 0, mended.run
    assert {mended.status(name)["health"]["status"] for name in mended.applications} == {"Healthy"}


def test_success_6_dependency_violations_are_caught(troubled: Troubled, refused: Stage, tmp_path: Path) -> None:
    """ "Attempting to deploy an application before its dependencies fails with a clear error, not silent misbehavior."

    Attempt one: an application alone, before the platform is there. Attempt two: a graph in which an application needs
    itself. Fails when one of them is let through, or refused without saying why.
    """
    assert refused.run.code != 0
    for requirement in ("prometheus", "ingress-nginx"):
        assert "was never synced: deploy it first" in refused.told(f"requirement {requirement}")
    assert "deploy_ops_scope=app:grafana" in refused.run.output, "the command to go on is the one for this scope"
    assert set(refused.syncs.values()) == {0}
    assert [name for name in refused.applications if refused.operation(name)] == []

    graph = yaml.safe_load(troubled.platform.dag.read_text())
    graph["stacks"]["infrastructure"]["applications"]["metallb"] = {"depends_on": ["grafana"]}
    cyclic = tmp_path / "dag.yaml"
    cyclic.write_text(yaml.safe_dump(graph))
    before = len(troubled.platform.workflows())
    run = troubled.platform.deploy(deploy_ops_dag=str(cyclic))
    assert run.code != 0, run
    assert "dependency cycle" in run.output
    assert "metallb" in run.output.partition("dependency cycle")[2]
    assert len(troubled.platform.workflows()) == before
