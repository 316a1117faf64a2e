# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which cluster is meant, and that one of somebody else's is not taken by accident."""

from __future__ import annotations

import pytest

from deploy_ops_testbed.cluster import drivers, host
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
