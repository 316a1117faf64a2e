# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Claims bind, pods keep their data there, and reclaim policies act."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

PYTHON = "docker.io/library/python:3.13-slim"


def claim(storage_class: str | None, **spec: Any) -> dict[str, Any]:
    own = {"storageClassName": storage_class} if storage_class else {}
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": "data"},
        "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "8Mi"}}, **own, **spec},
    }


@pytest.mark.parametrize(("storage_class", "kept"), [(None, False), ("local-retain", True)])
def test_a_claim_binds_holds_data_and_is_reclaimed(
    kubectl: Any, namespace: str, make_pod: Any, wait_until: Any, storage_class: str | None, kept: bool
) -> None:
    """Without a class the default one is taken, which deletes; the other one retains."""
    # A plain user may write, as on real storage that honours fsGroup.
    writer = make_pod(
        "writer",
        PYTHON,
        *("python3", "-c", "open('/data/said', 'w').write('kept')"),
        container={"volumeMounts": [{"name": "data", "mountPath": "/data"}]},
        securityContext={"runAsUser": 1000, "fsGroup": 2000},
        volumes=[{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}],
    )
    kubectl.apply(namespace, claim(storage_class), writer)
    phase = ("get", "pod", "writer", f"--namespace={namespace}", "--output=jsonpath={.status.phase}")
    wait_until(lambda: kubectl(*phase) == "Succeeded", "the pod has written")
    name = kubectl.json("get", "pvc", "data", f"--namespace={namespace}")["spec"]["volumeName"]
    folder = Path(kubectl.json("get", "pv", name)["spec"]["local"]["path"])
    assert (folder / "said").read_text() == "kept"

    kubectl("delete", "pod/writer", "pvc/data", f"--namespace={namespace}", "--timeout=60s")
    if kept:
        wait_until(lambda: kubectl.json("get", "pv", name)["status"]["phase"] == "Released", "the volume is released")
        assert (folder / "said").read_text() == "kept"
        kubectl("delete", "pv", name)
    else:
        wait_until(lambda: name not in kubectl("get", "pv", "--output=name"), "the volume is deleted")
        assert not folder.exists()


def test_a_claim_that_cannot_be_met_says_why(kubectl: Any, namespace: str, wait_until: Any) -> None:
    kubectl.apply(namespace, claim("local", volumeMode="Block"))
    messages = ("get", "events", f"--namespace={namespace}", "--output=jsonpath={.items[*].message}")
    wait_until(lambda: "volumeMode must be Filesystem" in kubectl(*messages), "an event at the claim")


def test_waiting_for_the_first_consumer(kubectl: Any, namespace: str, make_pod: Any, wait_until: Any) -> None:
    storage_class = {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": {"name": namespace},
        "provisioner": "testbed.deploy-ops/local",
        "volumeBindingMode": "WaitForFirstConsumer",
    }
    mounted = make_pod("user", PYTHON, "true", container={"volumeMounts": [{"name": "data", "mountPath": "/data"}]},
                       volumes=[{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}])  # fmt: skip
    kubectl.apply(namespace, storage_class, claim(namespace))
    try:
        reasons = ("get", "events", f"--namespace={namespace}", "--output=jsonpath={.items[*].reason}")
        wait_until(lambda: "WaitForFirstConsumer" in kubectl(*reasons), "the claim waits")
        assert "volumeName" not in kubectl.json("get", "pvc", "data", f"--namespace={namespace}")["spec"]
        kubectl.apply(namespace, mounted)
        phase = ("get", "pvc", "data", f"--namespace={namespace}", "--output=jsonpath={.status.phase}")
        wait_until(lambda: kubectl(*phase) == "Bound", "the claim binds")
    finally:
        kubectl("delete", "storageclass", namespace)
