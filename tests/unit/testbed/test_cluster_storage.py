# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which claims get a volume, which volumes go."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from deploy_ops_testbed.cluster import storage


def claim(**changes: Any) -> dict[str, Any]:
    metadata = {"name": "data", "namespace": "app", "uid": "1-2", **changes.pop("metadata", {})}
    spec = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}, **changes}
    return {"metadata": metadata, "spec": spec}


def storage_class(**changes: Any) -> dict[str, Any]:
    return {"metadata": {"name": "local"}, "provisioner": storage.PROVISIONER, **changes}


def volume(
    policy: str = "Delete", phase: str = "Released", by: str = storage.PROVISIONER, **metadata: Any
) -> dict[str, Any]:
    return {
        "metadata": {"name": "pvc-1", "annotations": {storage.PROVISIONED_BY: by}, **metadata},
        "spec": {"persistentVolumeReclaimPolicy": policy},
        "status": {"phase": phase},
    }


@pytest.mark.parametrize(
    ("given", "of_class", "wanted"),
    [
        (claim(), storage_class(), True),
        (claim(), storage_class(volumeBindingMode="Immediate"), True),
        (claim(), storage_class(volumeBindingMode="WaitForFirstConsumer"), False),
        (
            claim(metadata={"annotations": {storage.SELECTED_NODE: "node1"}}),
            storage_class(volumeBindingMode="WaitForFirstConsumer"),
            True,
        ),
        (claim(), storage_class(provisioner="ceph"), False),
        (claim(volumeName="by-hand"), storage_class(), False),
        (claim(metadata={"deletionTimestamp": "now"}), storage_class(), False),
    ],
)
def test_who_gets_a_volume(given: dict[str, Any], of_class: dict[str, Any], wanted: bool) -> None:
    assert storage.wants_volume(given, of_class) is wanted


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        (volume(), True),
        (volume(policy="Retain"), False),
        (volume(phase="Bound"), False),
        (volume(phase="Available"), False),
        (volume(by="ceph"), False),
        (volume(deletionTimestamp="now"), False),
    ],
)
def test_which_volume_goes(given: dict[str, Any], wanted: bool) -> None:
    assert storage.wants_removal(given) is wanted


def test_a_volume_is_made_for_its_claim_alone() -> None:
    made = storage.volume(claim(), storage_class(reclaimPolicy="Retain"), Path("/volumes/pvc-1-2"))
    assert made["metadata"]["name"] == "pvc-1-2"
    assert made["spec"]["claimRef"]["uid"] == "1-2"
    assert made["spec"]["persistentVolumeReclaimPolicy"] == "Retain"
    assert made["spec"]["capacity"] == {"storage": "1Gi"}


class RecordingApi:
    """Stands in for the API server to see what would be called; nothing is proven about Kubernetes by it."""

    def __init__(self, **lists: list[dict[str, Any]]) -> None:
        self.lists = {storage.CLAIMS: [], storage.VOLUMES: [], storage.CLASSES: [storage_class()], **lists}
        self.calls: list[str] = []

    def get(self, path: str) -> dict[str, Any]:
        return {"items": self.lists[path]}

    def create(self, path: str, body: dict[str, Any]) -> None:
        self.calls.append(f"create {path} {body.get('kind', body.get('reason'))}")

    def delete(self, path: str) -> None:
        self.calls.append(f"delete {path}")


def test_a_folder_outside_the_volumes_is_never_removed(tmp_path: Path) -> None:
    """A volume object can be edited by anyone in the cluster; the host's files cannot."""
    precious = tmp_path / "precious"
    precious.mkdir()
    edited = volume()
    edited["spec"]["local"] = {"path": str(precious)}
    api = RecordingApi(**{storage.VOLUMES: [edited]})
    storage.Provisioner(api, tmp_path / "volumes").reconcile()  # type: ignore[arg-type]
    assert precious.is_dir()
    assert api.calls == [f"delete {storage.VOLUMES}/pvc-1"]


def test_looking_twice_provisions_once(tmp_path: Path) -> None:
    bound = {**volume(phase="Bound"), "metadata": {"name": "pvc-1-2"}}
    asked = claim(storageClassName="local")
    first = RecordingApi(**{storage.CLAIMS: [asked]})
    storage.Provisioner(first, tmp_path).reconcile()  # type: ignore[arg-type]
    again = RecordingApi(**{storage.CLAIMS: [asked], storage.VOLUMES: [bound]})
    storage.Provisioner(again, tmp_path).reconcile()  # type: ignore[arg-type]
    assert first.calls == [f"create {storage.VOLUMES} PersistentVolume"]
    assert again.calls == []
