# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Bad days of `testbed build`: each ends in one message with a way out."""

from __future__ import annotations

import http.server
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy_ops_testbed import packages, supply
from deploy_ops_testbed.errors import TestbedError
from deploy_ops_testbed.progress import Step
from deploy_ops_testbed.supply import align, programs, registry, rootfs

ENTRY = Path(packages.__file__).resolve().parents[1] / "testbed"


def testbed(*words: str, cache: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(ENTRY), *words],
        env={**os.environ, "DEPLOY_OPS_CACHE": str(cache)},
        capture_output=True,
        text=True,
        check=False,
    )


testbed.__test__ = False  # type: ignore[attr-defined]


def test_an_unknown_name_is_told_with_those_there_are(tmp_path: Path) -> None:
    answer = testbed("build", "kubelett", cache=tmp_path)
    assert answer.returncode == 1
    assert answer.stderr.startswith("testbed: The testbed builds no program called kubelett\n")
    assert "Traceback" not in answer.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_cache_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    answer = testbed("build", "pause", cache=tmp_path / "file" / "below")
    assert answer.returncode == 1
    assert "way out:" in answer.stderr
    assert "Traceback" not in answer.stderr


def test_what_is_not_built_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEPLOY_OPS_CACHE", str(tmp_path))
    for ask in (
        lambda: supply.binary("kubelet"),
        lambda: supply.binary("containerd"),
        supply.charts_dir,
        supply.images,
    ):
        with pytest.raises(TestbedError, match="is not built") as error:
            ask()
        assert error.value.way_out == "run `testbed build`"


def test_binaries_stand_for_what_brings_them() -> None:
    assert supply.planned(["kubelet", "kubectl", "runc", "etcd"]) == ["debian", "kubernetes", "etcd"]


@pytest.mark.parametrize(
    ("user", "apt", "way_out"),
    [
        (1000, "/usr/bin/apt-get", "sudo apt-get update && sudo apt-get install --no-install-recommends nftables"),
        (0, None, "install what your distribution calls these"),
    ],
)
def test_a_missing_package_that_cannot_be_installed_is_told(
    user: int, apt: str | None, way_out: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packages.os, "geteuid", lambda: user)
    monkeypatch.setattr(packages.shutil, "which", lambda command, path=None: apt)
    with pytest.raises(TestbedError, match="nftables") as error:
        packages.ensure(["nftables"], purpose="run the cluster")
    assert way_out in error.value.way_out


def test_a_disk_that_will_be_full_is_told_before_anything_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEPLOY_OPS_CACHE", str(tmp_path / "not" / "there"))
    unbuilt = list(programs.programs().values())
    usage = programs.shutil.disk_usage(tmp_path)
    monkeypatch.setattr(programs.shutil, "disk_usage", lambda path: usage._replace(free=2**30))
    programs.check_room([])
    with pytest.raises(TestbedError, match="disk is full") as error:
        programs.check_room(unbuilt)
    assert "1.0 GiB left" in error.value.why
    assert not (tmp_path / "not").exists()


def test_images_need_root_and_say_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rootfs.os, "geteuid", lambda: 1000)
    with pytest.raises(TestbedError, match="root file system") as error:
        rootfs.make(rootfs.bases()["debian"], Step("base-debian", "assemble", tmp_path / "log"))
    assert "sudo" in error.value.way_out


def test_a_version_without_a_hash_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs.Program, "folder", property(lambda self: tmp_path))
    (tmp_path / "go.sum").write_text("example.org/other v1.0.0 h1:x=\n")
    with pytest.raises(TestbedError, match=r"argo-workflows/v4 v4\.1\.4") as error:
        programs.source(programs.programs()["argo-workflows"])
    assert "go mod tidy" in error.value.way_out


def test_apt_is_asked_again_with_fresh_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[str, ...]] = []

    def apt_get(*words: str, cwd: str | None = None) -> subprocess.CompletedProcess[str]:
        failed = words[0] == "install" and ("update",) not in calls
        calls.append(words)
        return subprocess.CompletedProcess(words, 100 if failed else 0, "", "")

    monkeypatch.setattr(packages.os, "geteuid", lambda: 0)
    monkeypatch.setattr(packages, "_apt_get", apt_get)
    packages.apt("install", "nftables")
    assert calls == [("install", "nftables"), ("update",), ("install", "nftables")]


class Broken(http.server.BaseHTTPRequestHandler):
    """A registry that has lost its storage: only to see what is said then."""

    def do_HEAD(self) -> None:
        self.send_error(500)

    def log_message(self, *_words: object) -> None:
        pass


@pytest.fixture
def broken_registry() -> Iterator[str]:
    server = http.server.HTTPServer(("127.0.0.1", 0), Broken)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_registry_that_refuses_is_told(broken_registry: str) -> None:
    with pytest.raises(TestbedError, match="quay.io/argoproj/argocd:v3.5.2") as error:
        registry._digest_in(broken_registry, "quay.io/argoproj/argocd:v3.5.2")
    assert "500" in error.value.why


def test_a_registry_that_is_not_there_is_told() -> None:
    with pytest.raises(TestbedError, match="does not answer"):
        registry._digest_in("127.0.0.1:1", "quay.io/argoproj/argocd:v3.5.2")


def test_images_are_pushed_under_the_name_a_mirror_is_asked_for() -> None:
    assert registry.name_in_registry("docker.io/library/nats:2.10.29") == "library/nats:2.10.29"


def test_versions_sort_as_go_sorts_them() -> None:
    newest_first = [
        "v1.10.0+incompatible",
        "v1.2.10",
        "v1.2.3",
        "v1.2.3-rc.1",
        "v1.2.3-0.20250101000000-abcdefabcdef",
        "v0.0.0-20241129210726-2c02b8208cf8",
        "v0.0.0-20210331224755-41bb18bfe9da",
    ]
    assert sorted(newest_first, key=align.version_order, reverse=True) == newest_first


def test_programs_follow_kubernetes_in_its_libraries_and_the_newest_in_all_else() -> None:
    wanted = align.common(
        {
            "kubernetes": {"k8s.io/api": "v0.36.1", "golang.org/x/net": "v0.49.0"},
            "helm": {"k8s.io/api": "v0.37.0", "golang.org/x/net": "v0.57.0", "only/here": "v1.0.0"},
        }
    )
    assert wanted == {"k8s.io/api": "v0.36.1", "golang.org/x/net": "v0.57.0"}
