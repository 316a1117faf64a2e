# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is in the artifact, and whether Galaxy and ansible-builder accept it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

CHECKOUT = Path(__file__).resolve().parents[2]
GALAXY_LIMIT = 20 * 1024 * 1024
# A Markdown link to a file: not to another site, and without the heading it may name.
LINK = re.compile(r"\]\((?![a-z]+:|#)([^)#]+)(?:#[^)]*)?\)")
SHIPPED = {
    "CHANGELOG.md",
    "FILES.json",
    "LICENSE",
    "MANIFEST.json",
    "README.md",
    "changelogs",
    "docs",
    "inventories",
    "meta",
    "playbooks",
    "plugins",
    "requirements.txt",
    "requirements.yml",
    "roles",
}


def test_only_what_a_user_needs_is_shipped(artifact: Path) -> None:
    with tarfile.open(artifact) as archive:
        entries = {name.split("/")[0] for name in archive.getnames()}
    assert entries - SHIPPED == set()
    assert entries >= {"LICENSE", "README.md", "meta", "plugins", "roles", "playbooks"}


def test_artifact_is_far_below_the_limit_of_galaxy(artifact: Path) -> None:
    assert artifact.stat().st_size < GALAXY_LIMIT / 4


def test_files_that_meta_names_are_shipped(artifact: Path) -> None:
    named = yaml.safe_load((CHECKOUT / "meta" / "execution-environment.yml").read_text())["dependencies"]
    with tarfile.open(artifact) as archive:
        assert set(named.values()) <= set(archive.getnames())


def test_requirements_agree_with_each_other() -> None:
    """requirements.yml is for users, galaxy.yml for Galaxy: two places for one fact."""
    galaxy = yaml.safe_load((CHECKOUT / "galaxy.yml").read_text())["dependencies"]
    users = yaml.safe_load((CHECKOUT / "requirements.yml").read_text())["collections"]
    assert {entry["name"]: entry["version"] for entry in users} == galaxy


def _dead_links(page: str, exists: Callable[[str], bool]) -> list[str]:
    links = LINK.findall((CHECKOUT / page).read_text())
    targets = {link: os.path.normpath(os.path.join(os.path.dirname(page), link)) for link in links}
    return [f"{page}: {link}" for link, target in targets.items() if not exists(target)]


def test_every_link_of_the_readme_is_shipped(artifact: Path) -> None:
    with tarfile.open(artifact) as archive:
        shipped = set(archive.getnames())
    assert _dead_links("README.md", shipped.__contains__) == []


def test_every_link_of_a_shipped_page_leads_somewhere(artifact: Path) -> None:
    """Pages for developers may point at what only a checkout has."""
    with tarfile.open(artifact) as archive:
        pages = sorted(name for name in archive.getnames() if name.endswith(".md"))
    assert "docs/development.md" in pages
    assert [dead for page in pages for dead in _dead_links(page, lambda target: (CHECKOUT / target).exists())] == []


def test_index_lists_every_page() -> None:
    index = LINK.findall((CHECKOUT / "docs" / "README.md").read_text())
    assert {page.name for page in (CHECKOUT / "docs").glob("*.md")} - {"README.md"} <= set(index)


def test_readme_lists_every_playbook() -> None:
    listed = re.findall(r"`([a-z0-9_]+)`", (CHECKOUT / "README.md").read_text().partition("| Playbook |")[2])
    assert {playbook.stem for playbook in (CHECKOUT / "playbooks").glob("*.yml")} <= set(listed)


def test_galaxy_importer_accepts_it_without_a_warning(artifact: Path, tmp_path: Path) -> None:
    environment = os.environ.get("DEPLOY_OPS_IMPORTER")
    if not environment:
        pytest.fail("DEPLOY_OPS_IMPORTER names no environment with galaxy-importer: run `make galaxy`")
    shutil.copy(artifact, tmp_path)
    # The importer reads our documentation in a tree without our dependencies, whose fragments we extend.
    dependencies = (CHECKOUT / ".ansible/collections/ansible_collections/kubernetes/core").resolve().parents[2]
    changed = {
        "PATH": f"{environment}/bin:{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "PYTHONPATH": str(dependencies),
    }
    done = subprocess.run(
        [f"{environment}/bin/python", "-m", "galaxy_importer.main", artifact.name],
        cwd=tmp_path,
        env={**os.environ, **changed},
        capture_output=True,
        text=True,
        check=False,
    )
    output = done.stdout + done.stderr
    assert done.returncode == 0, output
    assert "Importer processing completed successfully" in output, output
    assert [line for line in output.splitlines() if line.startswith(("WARNING", "ERROR"))] == [], output


def test_ansible_builder_finds_the_requirements(artifact: Path, tmp_path: Path) -> None:
    """An execution environment built with this collection holds the libraries that it imports."""
    folder = tmp_path / "ansible_collections" / "proficientnow" / "deploy_ops"
    folder.mkdir(parents=True)
    with tarfile.open(artifact) as archive:
        archive.extractall(folder, filter="data")
    done = subprocess.run(["ansible-builder", "introspect", str(tmp_path)], capture_output=True, text=True, check=True)
    found = yaml.safe_load(done.stdout)
    python = {line.split("#")[0].split(">=")[0].strip() for line in found["python"]}
    assert python == {"kubernetes", "jsonpatch", "networkx"}  # ansible-builder leaves pyyaml to ansible-core
