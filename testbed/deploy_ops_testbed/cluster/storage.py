# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The storage provisioner: a folder for every claim of our classes, kept or removed as the reclaim policy says.

It runs on the host. Sizes are not enforced: a volume is a folder on the machine's disk.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import threading
import time
from pathlib import Path
from typing import Any

from deploy_ops_testbed.cluster.api import Api, ApiError
from deploy_ops_testbed.cluster.layout import NODE

PROVISIONER = "testbed.deploy-ops/local"
PROVISIONED_BY = "pv.kubernetes.io/provisioned-by"
SELECTED_NODE = "volume.kubernetes.io/selected-node"

CLAIMS = "/api/v1/persistentvolumeclaims"
VOLUMES = "/api/v1/persistentvolumes"
CLASSES = "/apis/storage.k8s.io/v1/storageclasses"

WATCH_SECONDS = 30
RETRY_SECONDS = 1.0


class Provisioner:
    """Compares claims and volumes with what should be; keeps no memory between two looks."""

    def __init__(self, api: Api, folder: Path) -> None:
        self._api = api
        self._folder = folder

    def reconcile(self) -> None:
        classes = {item["metadata"]["name"]: item for item in self._api.get(CLASSES)["items"]}
        volumes = self._api.get(VOLUMES)["items"]
        existing = {volume["metadata"]["name"] for volume in volumes}
        for claim in self._api.get(CLAIMS)["items"]:
            storage_class = classes.get(claim["spec"].get("storageClassName", ""))
            if storage_class and wants_volume(claim, storage_class) and volume_name(claim) not in existing:
                self._provision(claim, storage_class)
        for volume in volumes:
            if wants_removal(volume):
                self._remove(volume)

    def _provision(self, claim: dict[str, Any], storage_class: dict[str, Any]) -> None:
        name = volume_name(claim)
        if claim["spec"].get("volumeMode", "Filesystem") != "Filesystem":
            self._tell(claim, "ProvisioningFailed", "the testbed's volumes are folders: volumeMode must be Filesystem")
            return
        path = self._folder / name
        path.mkdir(parents=True, exist_ok=True)
        # Like a new disk: whoever the pod runs as may write.
        path.chmod(0o777)
        try:
            self._api.create(VOLUMES, volume(claim, storage_class, path))
        except ApiError as error:
            if error.code != 409:
                raise
        print(f"{name}: provisioned for {_title(claim)}")

    def _remove(self, volume: dict[str, Any]) -> None:
        name = volume["metadata"]["name"]
        path = Path(volume["spec"]["local"]["path"])
        if path.parent == self._folder:
            shutil.rmtree(path, ignore_errors=True)
        try:
            self._api.delete(f"{VOLUMES}/{name}")
        except ApiError as error:
            if error.code != 404:
                raise
        print(f"{name}: removed")

    def _tell(self, claim: dict[str, Any], reason: str, message: str) -> None:
        """An event at the claim: `kubectl describe` shows it where a person looks."""
        namespace, name = claim["metadata"]["namespace"], claim["metadata"]["name"]
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        event = {
            "metadata": {"name": f"{name}.{reason.lower()}", "namespace": namespace},
            "involvedObject": {"kind": "PersistentVolumeClaim", "apiVersion": "v1", "namespace": namespace,
                               "name": name, "uid": claim["metadata"]["uid"]},
            "type": "Warning", "reason": reason, "message": message, "count": 1,
            "firstTimestamp": now, "lastTimestamp": now, "source": {"component": PROVISIONER},
        }  # fmt: skip
        try:
            self._api.create(f"/api/v1/namespaces/{namespace}/events", event)
        except ApiError as error:
            # Told already.
            if error.code != 409:
                raise


def wants_volume(claim: dict[str, Any], storage_class: dict[str, Any]) -> bool:
    """Ours, not bound, not going away, and with WaitForFirstConsumer only after a pod was placed."""
    waits = storage_class.get("volumeBindingMode") == "WaitForFirstConsumer"
    placed = SELECTED_NODE in claim["metadata"].get("annotations", {})
    return (
        storage_class["provisioner"] == PROVISIONER
        and not claim["spec"].get("volumeName")
        and not claim["metadata"].get("deletionTimestamp")
        and (placed or not waits)
    )


def wants_removal(volume: dict[str, Any]) -> bool:
    """Ours, released by its claim, and to be deleted: with Retain it stays, data and all."""
    return (
        volume["metadata"].get("annotations", {}).get(PROVISIONED_BY) == PROVISIONER
        and volume["spec"]["persistentVolumeReclaimPolicy"] == "Delete"
        and volume.get("status", {}).get("phase") == "Released"
        and not volume["metadata"].get("deletionTimestamp")
    )


def volume_name(claim: dict[str, Any]) -> str:
    return f"pvc-{claim['metadata']['uid']}"


def volume(claim: dict[str, Any], storage_class: dict[str, Any], path: Path) -> dict[str, Any]:
    """A `local` volume, not a hostPath: kubelet applies fsGroup to it, as on real storage."""
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"name": volume_name(claim), "annotations": {PROVISIONED_BY: PROVISIONER}},
        "spec": {
            "capacity": {"storage": claim["spec"]["resources"]["requests"]["storage"]},
            "accessModes": claim["spec"]["accessModes"],
            "persistentVolumeReclaimPolicy": storage_class.get("reclaimPolicy", "Delete"),
            "storageClassName": storage_class["metadata"]["name"],
            "volumeMode": "Filesystem",
            "local": {"path": str(path)},
            "claimRef": {
                "apiVersion": "v1",
                "kind": "PersistentVolumeClaim",
                "namespace": claim["metadata"]["namespace"],
                "name": claim["metadata"]["name"],
                "uid": claim["metadata"]["uid"],
            },
            "nodeAffinity": {
                "required": {
                    "nodeSelectorTerms": [
                        {"matchExpressions": [{"key": "kubernetes.io/hostname", "operator": "In", "values": [NODE]}]}
                    ]
                }
            },
        },
    }


def _title(claim: dict[str, Any]) -> str:
    return f"{claim['metadata']['namespace']}/{claim['metadata']['name']}"


def _watch(api: Api, path: str, changed: threading.Event, heartbeat: Path) -> None:
    """Wake the provisioner at every change of a list, and after every look at it from the start."""
    while True:
        try:
            version = api.get(path)["metadata"]["resourceVersion"]
            heartbeat.touch()
            changed.set()
            for _event in api.watch(path, version, WATCH_SECONDS):
                changed.set()
        except (OSError, ValueError, ApiError) as error:
            print(f"{path}: {error}; trying again")
            time.sleep(RETRY_SECONDS)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("--pki", "--folder", "--heartbeat"):
        parser.add_argument(name, type=Path, required=True)
    options = parser.parse_args()
    options.heartbeat.parent.mkdir(parents=True, exist_ok=True)
    api = Api(options.pki, "storage")
    provisioner = Provisioner(api, options.folder)
    print(f"{PROVISIONER}: volumes are folders in {options.folder}")
    changed = threading.Event()
    for path in (CLAIMS, VOLUMES):
        threading.Thread(target=_watch, args=(api, path, changed, options.heartbeat), daemon=True).start()
    while True:
        changed.wait()
        changed.clear()
        try:
            provisioner.reconcile()
        except (OSError, ApiError) as error:
            print(f"reconcile: {error}; trying again", file=sys.stderr)
            time.sleep(RETRY_SECONDS)
            changed.set()


if __name__ == "__main__":
    os.umask(0o022)
    main()
