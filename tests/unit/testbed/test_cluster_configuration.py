# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Every configuration file can be filled in, and says what the layout says."""

from __future__ import annotations

import json
import shutil
import tomllib
from pathlib import Path

import pytest
import yaml

from deploy_ops_testbed import supply
from deploy_ops_testbed.cluster import components, configuration, layout, pki
from deploy_ops_testbed.cluster.layout import Layout


@pytest.fixture
def where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Layout:
    monkeypatch.setattr(supply, "binary", lambda name: Path("/bin") / name)
    monkeypatch.setattr(supply, "cni_dir", lambda: Path("/cni"))
    monkeypatch.setattr(supply, "charts_dir", lambda: Path("/charts"))
    where = Layout(tmp_path / "state", tmp_path / "cache")
    configuration.write(where, "127.0.0.1:5055")
    return where


def test_every_template_is_used() -> None:
    used = {*configuration.FILES, *configuration.REGISTRY_FILES}
    assert used == {path.name for path in configuration.TEMPLATES.iterdir()}


def test_the_files_can_be_read(where: Layout) -> None:
    for path in where.config.rglob("*"):
        if path.suffix == ".yaml":
            assert yaml.safe_load(path.read_text())
        elif path.suffix == ".toml":
            assert tomllib.loads(path.read_text())
        elif path.suffix == ".conflist":
            assert json.loads(path.read_text())["name"] == layout.NAME


def test_a_changed_template_is_noticed(where: Layout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not configuration.outdated(where, "127.0.0.1:5055")
    changed = tmp_path / "templates"
    shutil.copytree(configuration.TEMPLATES, changed)
    with (changed / "kubelet.yaml").open("a") as template:
        template.write("# newer\n")
    monkeypatch.setattr(configuration, "TEMPLATES", changed)
    assert configuration.outdated(where, "127.0.0.1:5055")


def test_nothing_of_containerd_is_outside_the_state(where: Layout) -> None:
    config = tomllib.loads((where.config / "containerd.toml").read_text())
    for path in (config["root"], config["state"], config["grpc"]["address"]):
        assert Path(path).is_relative_to(where.state)


def test_names_are_those_of_the_components(where: Layout) -> None:
    """`names` is a second list, because it must be known where nothing is built yet."""
    assert [component.name for stage in components.stages(where) for component in stage] == components.names()


def test_a_changed_file_changes_the_fingerprint(where: Layout) -> None:
    pki.ensure(where)
    pki.write_kubeconfigs(where)
    kubelet = next(item for stage in components.stages(where) for item in stage if item.name == "kubelet")
    before = kubelet.fingerprint
    assert kubelet.fingerprint == before
    with (where.config / "kubelet.yaml").open("a") as file:
        file.write("# changed\n")
    assert kubelet.fingerprint != before


def test_certificates_are_made_once_and_as_a_whole(where: Layout) -> None:
    (where.state / "pki.partial").mkdir(parents=True)
    (where.state / "pki.partial" / "ca.key").write_text("of an interrupted run")
    pki.ensure(where)
    first = (where.pki / "ca.crt").read_text()
    assert not (where.state / "pki.partial").exists()
    assert {path.name for path in where.pki.glob("*.key")} >= {f"{item.name}.key" for item in pki.CERTIFICATES}
    assert all(path.stat().st_mode & 0o077 == 0 for path in where.pki.glob("*.key"))
    pki.ensure(where)
    assert (where.pki / "ca.crt").read_text() == first


def test_the_kubeconfig_is_private_and_complete(where: Layout) -> None:
    pki.ensure(where)
    pki.write_kubeconfigs(where)
    assert where.kubeconfig.stat().st_mode & 0o777 == 0o600
    config = yaml.safe_load(where.kubeconfig.read_text())
    assert config["current-context"] == layout.NAME == config["clusters"][0]["name"]
    assert config["clusters"][0]["cluster"]["server"] == layout.API_URL
