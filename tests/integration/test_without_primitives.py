# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the bootstrap installed goes again: held up by a namespace, explained, complete in the end.

The cluster has no primitives afterwards, so this file is named to come last.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

sys.path.insert(0, str(Path(__file__).parent))

from deployment import INVENTORY, Deployment, bootstrap, confirmed

# Takes the bootstrap away, which every later run would have to pay for.
pytestmark = pytest.mark.long

KEYS = ("get", "secrets", "--namespace=kube-system", "--selector=sealedsecrets.bitnami.com/sealed-secrets-key")
RECORDS = ("get", "secrets", "--all-namespaces", "--selector=owner=helm", "--output=name")
FINALIZER = "deploy-ops.test/never"


def create(kubectl: Callable[..., str], folder: Path, body: dict[str, Any]) -> None:
    file = folder / "object.yaml"
    file.write_text(yaml.safe_dump(body))
    kubectl("create", f"--filename={file}")


@pytest.fixture(scope="module")
def bootstrapped(playbook: Any, kubectl: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> None:
    """And no platform on it, whatever ran before."""
    bootstrap(playbook)
    Deployment(playbook, kubectl, tmp_path_factory.mktemp("platform"), "rfc").remove()


@pytest.fixture
def stuck(bootstrapped: None, kubectl: Callable[..., str], tmp_path: Path) -> Iterator[str]:
    """An object in a namespace of ours that nobody will ever finalize."""
    metadata = {"name": "stuck", "namespace": "argo-events", "finalizers": [FINALIZER]}
    create(kubectl, tmp_path, {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata})
    yield "stuck"
    if kubectl("get", "configmap", "stuck", "--namespace=argo-events", "--ignore-not-found", "--output=name"):
        remove = ("patch", "configmap", "stuck", "--namespace=argo-events", "--type=merge")
        kubectl(*remove, '--patch={"metadata": {"finalizers": null}}')


def test_a_namespace_that_hangs_is_explained_and_the_rest_goes(
    stuck: str, playbook: Any, kubectl: Callable[..., str], tmp_path: Path
) -> None:
    """The whole story: Partial, the one object removed by name, Complete, and nothing to do after that."""
    keys = kubectl(*KEYS, "--output=name")
    assert keys
    given = {**confirmed(tmp_path), "deploy_ops_crds": "remove", "teardown_primitives_namespaces_timeout": 15}
    partial = playbook("proficientnow.deploy_ops.teardown", INVENTORY, **given)
    assert partial.code == 2, partial
    report = json.loads((tmp_path / "teardown.json").read_text())
    assert report["outcome"] == "Partial"
    assert {node["state"] for node in report["nodes"] if node["stack"] == "primitives"} == {"Removed"}
    (held,) = (one for one in report["findings"] if one["id"] == "namespace.held")
    assert held["where"] == "Namespace argo-events"
    assert held["found"] == f"held by ConfigMap argo-events/stuck with finalizers {FINALIZER}"

    wanted = {"recover_api_version": "v1", "recover_kind": "ConfigMap", "recover_namespace": "argo-events"}
    remove = ("proficientnow.deploy_ops.recover_remove", INVENTORY)
    removed = playbook(*remove, **confirmed(tmp_path), **wanted, recover_name="stuck", recover_finalizers=FINALIZER)
    assert removed.code == 0, removed

    complete = playbook("proficientnow.deploy_ops.teardown", INVENTORY, **given)
    assert complete.code == 0, complete
    assert json.loads((tmp_path / "teardown.json").read_text())["outcome"] == "Complete"
    again = playbook("proficientnow.deploy_ops.teardown", INVENTORY, **given)
    assert (again.code, again.changed) == (0, 0), again

    names = kubectl("get", "namespaces,customresourcedefinitions,clusterroles", "--output=name")
    assert not [name for name in names.split() if "argo" in name or "sealedsecrets" in name], names
    assert kubectl(*RECORDS) == ""
    assert kubectl(*KEYS, "--output=name") == keys
    assert "deploy-ops" not in kubectl("get", "leases", "--namespace=kube-system", "--output=name")
