# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the machine must offer is said in one message each; what is somebody else's on it is not touched."""

from __future__ import annotations

import json
import os
import shutil
from collections import namedtuple
from pathlib import Path

import pytest

from deploy_ops_testbed.cluster import cgroups, host, mounts, network
from deploy_ops_testbed.cluster.layout import NAME, Layout
from deploy_ops_testbed.errors import TestbedError

Usage = namedtuple("Usage", "total used free")


@pytest.fixture
def where(tmp_path: Path) -> Layout:
    return Layout(tmp_path / "state", tmp_path / "cache")


def test_a_full_disk_is_named_with_what_is_needed(where: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(10**10, 10**10, 10**9))
    with pytest.raises(TestbedError) as error:
        host._check_disk(where)
    assert "0.9 GiB are free" in error.value.why
    assert "DEPLOY_OPS_STATE" in error.value.way_out


def test_a_kernel_without_overlayfs_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "FILE_SYSTEMS", ("nosuchfs",))
    with pytest.raises(TestbedError, match="no nosuchfs file system"):
        host._check_file_systems()


def test_missing_controllers_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cgroups, "roots", lambda: [tmp_path / "cpu,cpuacct", tmp_path / "pids"])
    with pytest.raises(TestbedError) as error:
        cgroups.check()
    assert error.value.what == "The cgroup controllers cpuset, memory are missing"


def test_another_kubernetes_node_is_left_alone(where: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network, "tables", lambda: {("ip", "kube-proxy")})
    with pytest.raises(TestbedError, match="Another Kubernetes node"):
        host._check_foreign_cluster(where)
    where.state.mkdir()
    where.host_record.write_text("{}")
    host._check_foreign_cluster(where)


def test_only_empty_folders_are_removed(tmp_path: Path) -> None:
    """Somebody may have begun to use a folder that was not there before us."""
    for name in ("empty/below", "used/below"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "used" / "theirs").write_text("")
    host._remove_if_empty(tmp_path / "empty")
    host._remove_if_empty(tmp_path / "used")
    assert sorted(os.listdir(tmp_path)) == ["used"]
    assert (tmp_path / "used" / "theirs").exists()


def test_a_cgroup_tree_is_read_and_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a plain folder that looks like one hierarchy; the kernel's own is proven on the cluster."""
    monkeypatch.setattr(cgroups, "roots", lambda: [tmp_path])
    pods = tmp_path / NAME / "kubepods" / "pod1"
    components = tmp_path / NAME / cgroups.COMPONENTS
    for group, pids in ((pods, "7\n8\n"), (components, "9\n"), (tmp_path / "other", "1\n")):
        group.mkdir(parents=True)
        (group / "cgroup.procs").write_text(pids)
    assert cgroups.members() == {7, 8, 9}
    assert cgroups.members(cgroups.COMPONENTS) == {9}
    assert cgroups.left_over() == [tmp_path / NAME]
    for file in tmp_path.rglob("cgroup.procs"):
        file.unlink()
    cgroups.remove()
    assert cgroups.left_over() == []
    assert (tmp_path / "other").is_dir()


def test_mount_points_are_found_deepest_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = "\n".join(
        f"{number} 1 0:1 / {point} rw - tmpfs tmpfs rw"
        for number, point in enumerate(["/", "/state", "/state/a", "/state/a/with\\040blank", "/state-of-another/b"])
    )
    monkeypatch.setattr(Path, "read_text", lambda self: table)
    assert mounts.below(Path("/state")) == [Path("/state/a/with blank"), Path("/state/a")]


def test_a_firewall_between_pods_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def chain(table: str, hook: str, policy: str) -> dict[str, object]:
        return {"chain": {"family": "ip", "table": table, "name": "X", "hook": hook, "policy": policy}}

    jump = {"chain": {"family": "ip", "table": "filter", "name": "DOCKER"}}
    listed = {"nftables": [{"metainfo": {}}, chain("open", "forward", "accept"), chain("in", "input", "drop"), jump]}
    monkeypatch.setattr(network, "_nft", lambda *arguments: json.dumps(listed))
    host._check_forwarding()
    listed["nftables"].append(chain("filter", "forward", "drop"))
    with pytest.raises(TestbedError, match="drops packets") as error:
        host._check_forwarding()
    assert "ip filter X" in error.value.why
