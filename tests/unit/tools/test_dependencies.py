# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    """A wheel like that of the `ansible` package, with two collections whose names begin alike."""
    wheel = tmp_path / "ansible-12.3.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, version in (("kubernetes/core", "6.2.0"), ("kubernetes/core_extra", "1.0.0")):
            folder = f"ansible_collections/{name}"
            archive.writestr(f"{folder}/MANIFEST.json", json.dumps({"collection_info": {"version": version}}))
            archive.writestr(f"{folder}/plugins/modules/k8s.py", "# a module\n")
    return wheel


def test_only_what_is_wanted_is_unpacked(dependencies_tool: ModuleType, bundle: Path, tmp_path: Path) -> None:
    dependencies_tool.unpack(bundle, {"kubernetes.core": ">=4.0.0"}, tmp_path / "tree")
    namespace = tmp_path / "tree" / "ansible_collections" / "kubernetes"
    assert [folder.name for folder in namespace.iterdir()] == ["core"]
    assert (namespace / "core" / "plugins" / "modules" / "k8s.py").is_file()


def test_version_outside_the_range_is_refused(dependencies_tool: ModuleType, bundle: Path, tmp_path: Path) -> None:
    with pytest.raises(dependencies_tool.DependencyError, match=r"kubernetes\.core 6\.2\.0.*asks for >=7\.0\.0"):
        dependencies_tool.unpack(bundle, {"kubernetes.core": ">=7.0.0"}, tmp_path / "tree")


def test_collection_that_the_bundle_lacks_is_named(dependencies_tool: ModuleType, bundle: Path, tmp_path: Path) -> None:
    with pytest.raises(dependencies_tool.DependencyError, match=r"holds no collection community\.nothing"):
        dependencies_tool.unpack(bundle, {"community.nothing": "*"}, tmp_path / "tree")


@pytest.mark.parametrize("before", ["nothing", "link", "right link", "copy"])
def test_link_replaces_whatever_was_there(dependencies_tool: ModuleType, tmp_path: Path, before: str) -> None:
    target, other, place = tmp_path / "target", tmp_path / "other", tmp_path / "tree" / "place"
    target.mkdir()
    other.mkdir()
    place.parent.mkdir()
    if before.endswith("link"):
        place.symlink_to(target if before == "right link" else other)
    elif before == "copy":
        place.mkdir()
        (place / "stale.py").touch()
    dependencies_tool.link(target, place)
    assert place.is_symlink()
    assert place.resolve() == target
    assert [entry.name for entry in place.parent.iterdir()] == ["place"]
