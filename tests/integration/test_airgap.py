# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Across the air gap and back: bundle, load into a registry, bootstrap from nothing else.

Outside and inside are two paths of the embedded cluster's registry: its images lie at the root, as upstream has them,
and are loaded under /airgap, from where no pod of the first bootstrap was ever pulled.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

NAMESPACES = ("argocd", "argo", "argo-events")
MIRROR = "airgap"


def values(registry: str) -> dict[str, Any]:
    """Images of the embedded cluster where upstream's cannot be had: a user's own images travel the same way."""
    redis = {"repository": f"{registry}/redis", "tag": "debian"}
    stand_in = f"{registry}/stand-in:1"
    bus = {"version": "2.10.29", "natsImage": f"{registry}/library/nats:2.10.29", "startCommand": "/nats-server"}
    bus |= {"metricsExporterImage": stand_in, "configReloaderImage": stand_in}
    streaming = {"version": "unused", "natsStreamingImage": stand_in, "metricsExporterImage": stand_in}
    return {
        "argocd_values": {"redis": {"image": redis}},
        "argo_workflows_values": {},
        "argo_events_values": {"configs": {"nats": {"versions": [streaming]}, "jetstream": {"versions": [bus]}}},
        "sealed_secrets_values": {},
        "sealed_secrets_image_tag": "0.36.6",
    }


def bundle(playbook: Any, folder: Path, *options: str) -> Any:
    return playbook(
        "playbooks/airgap_bundle.yml",
        *options,
        airgap_folder=str(folder),
        airgap_source_registry=f"http://{os.environ['TESTBED_REGISTRY']}",
        deploy_ops_charts=os.environ["TESTBED_CHARTS_URL"],
        **values("testbed.local"),
    )


def load(playbook: Any, folder: Path) -> Any:
    registry = f"http://{os.environ['TESTBED_REGISTRY']}/{MIRROR}"
    return playbook("playbooks/airgap_load.yml", airgap_folder=str(folder), airgap_registry=registry)


def test_load_says_what_is_missing(playbook: Any, tmp_path: Path) -> None:
    run = playbook("playbooks/airgap_load.yml", airgap_folder=str(tmp_path))
    assert run.code != 0
    assert "airgap_registry names no registry" in run.output, run
    assert f"{tmp_path}/images.txt does not exist" in run.output


@pytest.mark.long
def test_bootstrap_from_a_bundle_and_nothing_else(playbook: Any, kubectl: Callable[..., str], tmp_path: Path) -> None:
    saved = bundle(playbook, tmp_path)
    assert saved.code == 0, saved
    images = (tmp_path / "images.txt").read_text().split()
    assert len(images) == len(list((tmp_path / "images").glob("*.tar"))) == len(set(images)) > 8
    charts = [line.split() for line in (tmp_path / "charts.txt").read_text().splitlines()]
    assert {f"{name}-{version}.tgz" for name, version, _repository in charts} == {
        file.name for file in (tmp_path / "charts").iterdir()
    }
    # What a killed run leaves is an archive without a digest: made anew, and only that one.
    (tmp_path / "images" / "stand-in_1.tar.digest").unlink()
    (tmp_path / "images" / "stand-in_1.tar").write_text("half an archive")
    repaired = bundle(playbook, tmp_path)
    assert (repaired.code, repaired.changed) == (0, 2), repaired
    assert bundle(playbook, tmp_path).changed == 0

    loaded = load(playbook, tmp_path)
    assert loaded.code == 0, loaded
    again = load(playbook, tmp_path)
    assert (again.code, again.changed) == (0, 0), again

    mirror = f"{os.environ['TESTBED_REGISTRY']}/{MIRROR}"
    inside = {"deploy_ops_image_registry": f"http://{mirror}", "deploy_ops_charts": str(tmp_path / "charts")}
    for name in ("bootstrap", "workflow_templates"):
        run = playbook(f"playbooks/{name}.yml", **inside, **values(mirror))
        assert run.code == 0, run
    again = playbook("playbooks/bootstrap.yml", **inside, **values(mirror))
    assert (again.code, again.changed) == (0, 0), again

    found = [image for namespace in NAMESPACES for image in images_of(kubectl, namespace)]
    assert len(found) > 8
    assert [image for image in found if not image.startswith(f"{mirror}/")] == []
    release = subprocess.run(
        ["helm", "get", "manifest", "workflow-templates", "--namespace=argo"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert f"{mirror}/library/python" in release.stdout


def images_of(kubectl: Callable[..., str], namespace: str) -> list[str]:
    pods = json.loads(kubectl("get", "pods", f"--namespace={namespace}", "--output=json"))["items"]
    live = [pod for pod in pods if not pod["metadata"].get("deletionTimestamp")]
    return [
        one["image"] for pod in live for part in ("containers", "initContainers") for one in pod["spec"].get(part, [])
    ]
