# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which cluster is meant, and that one of somebody else's is not taken by accident."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from deploy_ops_testbed.cluster import drivers, host, kind
from deploy_ops_testbed.cluster.existing import Existing
from deploy_ops_testbed.errors import TestbedError

SERVER = "https://prod.example.invalid:6443"


def test_an_unknown_driver_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TESTBED", "minikube")
    with pytest.raises(TestbedError, match="TESTBED=minikube is not known"):
        drivers.current()


@pytest.mark.parametrize("name", ["", "embedded"])
def test_embedded_is_the_default(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("TESTBED", name)
    assert drivers.current().name == "embedded"


def test_kind_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TESTBED", "kind")
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(TestbedError, match="TESTBED=kind needs docker"):
        drivers.current()


def test_kind_nodes_ask_our_registry_for_every_image(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written for kind; kind itself was never run here, for want of Docker."""
    inspected = [{"IPAM": {"Config": [{"Gateway": "fc00::1"}, {"Gateway": "172.18.0.1"}]}}]
    answers = {"ls": "bridge\nkind\n", "inspect": json.dumps(inspected)}
    monkeypatch.setattr(kind, "_output", lambda *command: answers[command[2]])
    monkeypatch.setattr("shutil.which", lambda program: f"/usr/bin/{program}")
    monkeypatch.setenv("DEPLOY_OPS_STATE", str(tmp_path))
    driver = kind.Kind()
    driver._write_config()
    config = json.loads(driver._config.read_text())
    mount = config["nodes"][0]["extraMounts"][0]
    assert mount["containerPath"] in config["containerdConfigPatches"][0]
    hosts = tomllib.loads((Path(mount["hostPath"]) / "_default" / "hosts.toml").read_text())
    assert hosts["server"] == "http://172.18.0.1:5055"


def test_existing_wants_a_named_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TESTBED", "existing")
    monkeypatch.delenv("KUBECONFIG", raising=False)
    with pytest.raises(TestbedError, match="needs a KUBECONFIG"):
        drivers.current()


@pytest.mark.parametrize("given", [None, "yes", "https://other.example.invalid:6443"])
@pytest.mark.parametrize("action", ["up", "down"])
def test_existing_wants_the_clusters_own_address(
    monkeypatch: pytest.MonkeyPatch, given: str | None, action: str
) -> None:
    calls: list[tuple[str, ...]] = []

    def kubectl(self: Existing, *arguments: str) -> str:
        calls.append(arguments)
        return SERVER

    monkeypatch.setenv("KUBECONFIG", "/some/kubeconfig")
    monkeypatch.setattr(Existing, "_kubectl", kubectl)
    if given is None:
        monkeypatch.delenv("TESTBED_MAY_DESTROY", raising=False)
    else:
        monkeypatch.setenv("TESTBED_MAY_DESTROY", given)
    with pytest.raises(TestbedError) as error:
        getattr(Existing(), action)()
    assert f"export TESTBED_MAY_DESTROY={SERVER}" in error.value.way_out
    assert [call[0] for call in calls] == ["config"], "nothing but the address was asked for"


def test_root_is_needed_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    with pytest.raises(TestbedError, match="must run as root"):
        host.check_root()
