# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import subprocess
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with a file of each kind, and a linked dependency."""
    root = tmp_path / "checkout"
    ours = ("galaxy.yml", "plugins/tracked.py", "plugins/deleted.py", "tests/unit/test_it.py", ".gitignore")
    for name in (*ours, "testbed/cluster.py", "tests/testbed/test_cluster.py"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("ignored.py\n.ansible/\n" if name == ".gitignore" else "")
    subprocess.run(["git", "init", "--quiet", str(root)], check=True)
    subprocess.run(["git", "-C", str(root), "add", "."], check=True)
    (root / "plugins" / "deleted.py").unlink()
    (root / "plugins" / "new.py").touch()
    (root / "plugins" / "ignored.py").touch()
    dependency = tmp_path / "dependency"
    dependency.mkdir()
    (dependency / "MANIFEST.json").touch()
    linked = root / ".ansible" / "collections" / "ansible_collections"
    for name, target in (("kubernetes/core", dependency), ("proficientnow/deploy_ops", root)):
        (linked / name).parent.mkdir(parents=True)
        (linked / name).symlink_to(target)
    return root


def test_copy_is_what_git_would_commit(export_tool: ModuleType, checkout: Path, tmp_path: Path) -> None:
    collection = export_tool.export(checkout, tmp_path / "out")
    assert collection == tmp_path / "out" / "ansible_collections" / "proficientnow" / "deploy_ops"
    found = {str(path.relative_to(collection)) for path in collection.rglob("*") if path.is_file()}
    assert found == {".gitignore", "galaxy.yml", "plugins/tracked.py", "plugins/new.py", "tests/unit/test_it.py"}


def test_dependencies_lie_beside_it(export_tool: ModuleType, checkout: Path, tmp_path: Path) -> None:
    export_tool.export(checkout, tmp_path / "out")
    dependency = tmp_path / "out" / "ansible_collections" / "kubernetes" / "core"
    assert (dependency / "MANIFEST.json").is_file()
    assert not dependency.is_symlink(), "ansible-test does not follow links"
