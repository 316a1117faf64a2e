# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Every command of the runbook helps in the situation that it stands for; those that need no platform."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

sys.path.insert(0, str(Path(__file__).parent))

from deployment import INVENTORY, confirmed, eventually
from runbook import Shell, sections

FINALIZER = "deploy-ops.test/never"


def apply(kubectl: Callable[..., str], folder: Path, *bodies: dict[str, Any]) -> None:
    file = folder / "objects.yaml"
    file.write_text(yaml.safe_dump_all(bodies))
    kubectl("apply", f"--filename={file}")


@pytest.fixture
def somewhere(namespace: str, kubectl: Callable[..., str]) -> Iterator[str]:
    kubectl("create", "namespace", namespace)
    yield namespace
    for name in kubectl("get", "configmaps", f"--namespace={namespace}", "--output=name").split():
        let_go = '--patch={"metadata":{"finalizers":null}}'
        kubectl("patch", name, f"--namespace={namespace}", "--type=merge", let_go)


def test_restart(somewhere: str, kubectl: Callable[..., str], tmp_path: Path, playbook: Any) -> None:
    labels = {"app": "operator"}
    container = {"name": "c", "image": "testbed.local/pause:1"}
    apply(
        kubectl,
        tmp_path,
        {
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "metadata": {"name": "operator", "namespace": somewhere},
            "spec": {
                "selector": {"matchLabels": labels},
                "template": {"metadata": {"labels": labels}, "spec": {"containers": [container]}},
            },
        },
    )
    kubectl("wait", "deployment/operator", f"--namespace={somewhere}", "--for=condition=Available", "--timeout=60s")
    pods = ("get", "pods", f"--namespace={somewhere}", "--field-selector=status.phase=Running", "--output=name")
    before = kubectl(*pods)
    (restart,) = sections()["Restart an operator"]
    Shell(tmp_path)(restart, NAMESPACE=somewhere, NAME="operator")
    ready = json.loads(kubectl("get", "deployment", "operator", f"--namespace={somewhere}", "--output=json"))["status"]
    assert ready["updatedReplicas"] == ready["availableReplicas"] == 1
    eventually(lambda: set(kubectl(*pods).split()).isdisjoint(before.split()), "the old pod is gone")

    given = {"recover_namespace": somewhere, "recover_name": "nobody"}
    refused = playbook("proficientnow.deploy_ops.recover_restart", INVENTORY, **confirmed(tmp_path), **given)
    assert refused.code == 2, refused
    assert "does not exist; nothing was changed" in " ".join(refused.output.split())


def test_remove(somewhere: str, kubectl: Callable[..., str], tmp_path: Path, playbook: Any) -> None:
    metadata = {"name": "stuck", "namespace": somewhere, "finalizers": [FINALIZER, "deploy-ops.test/other"]}
    apply(kubectl, tmp_path, {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata})
    named = {"NAMESPACE": somewhere, "NAME": "stuck"}
    look, remove = sections()["Remove an object that does not go"]
    shell = Shell(tmp_path)
    assert FINALIZER in shell(look, **named)
    assert "stuck" in kubectl("get", "configmaps", f"--namespace={somewhere}", "--output=name")

    given = {"recover_api_version": "v1", "recover_kind": "ConfigMap", "recover_namespace": somewhere}
    given |= {"recover_name": "stuck", "recover_timeout": "3"}
    remove_stuck = ("proficientnow.deploy_ops.recover_remove", INVENTORY)
    held = playbook(*remove_stuck, **confirmed(tmp_path), **given, recover_finalizers="deploy-ops.test/other")
    assert held.code == 2, held
    assert f"does not go: held by {FINALIZER}" in " ".join(held.output.split()), held

    shell(remove, **named, FINALIZER=FINALIZER)
    assert "stuck" not in kubectl("get", "configmaps", f"--namespace={somewhere}", "--output=name")
    again = playbook(*remove_stuck, **confirmed(tmp_path), **given)
    assert (again.code, again.changed) == (0, 0), again
    whole = playbook(*remove_stuck, **confirmed(tmp_path), **{**given, "recover_kind": "Namespace"})
    assert whole.code == 2, whole
    assert "use proficientnow.deploy_ops.teardown; nothing was changed" in " ".join(whole.output.split())


def test_promotion(somewhere: str, kubectl: Callable[..., str], tmp_path: Path) -> None:
    """Kargo cannot run here: its Stage is a kind of our own making, with a status as Kargo writes it."""
    if "stages.kargo.akuity.io" in kubectl("get", "customresourcedefinitions", "--output=name"):
        pytest.skip("there is a Kargo")
    schema = {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}
    definition = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "stages.kargo.akuity.io"},
        "spec": {
            "group": "kargo.akuity.io",
            "scope": "Namespaced",
            "names": {"kind": "Stage", "plural": "stages"},
            "versions": [{"name": "v1alpha1", "served": True, "storage": True, "schema": schema}],
        },
    }
    apply(kubectl, tmp_path, definition)
    try:
        kubectl("wait", "--for=condition=Established", "crd/stages.kargo.akuity.io", "--timeout=30s")
        verification = {"phase": "Failed", "message": "smoke tests: 2 of 7 failed"}
        status = {"health": {"status": "Unhealthy"}, "freightHistory": [{"verificationHistory": [verification]}]}
        metadata = {"name": "staging", "namespace": somewhere}
        apply(
            kubectl,
            tmp_path,
            {"apiVersion": "kargo.akuity.io/v1alpha1", "kind": "Stage", "metadata": metadata, "status": status},
        )
        (look,) = sections()["A promotion fails its verification"]
        assert "Unhealthy: smoke tests: 2 of 7 failed" in Shell(tmp_path)(look, PROJECT=somewhere, STAGE="staging")
    finally:
        kubectl("delete", "customresourcedefinition", "stages.kargo.akuity.io")
