# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The artifact as a user gets it: built from what git would commit, installed into an empty tree, used far away."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
# A collection must work with nothing but these (Ansible's collection requirements).
WORKING_FOLDERS = {"meta", "playbooks", "plugins", "roles"}
# Without these two Ansible does not take a folder for an installed collection.
MANIFESTS = {"FILES.json", "MANIFEST.json"}

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@dataclass(frozen=True)
class Installed:
    """The installed collection and a way to run commands that see nothing else of ours."""

    folder: Path
    run: Run


def _environment(collections: Path, home: Path) -> dict[str, str]:
    """No ANSIBLE_* setting, no ansible.cfg and no HOME of the developer reaches the commands."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("ANSIBLE_", "PYTHONPATH"))}
    return {**kept, "ANSIBLE_COLLECTIONS_PATH": str(collections), "HOME": str(home)}


@pytest.fixture(scope="session")
def artifact(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The .tar.gz that `ansible-galaxy collection build` makes of the checkout."""
    scratch = tmp_path_factory.mktemp("build")
    exporter = [sys.executable, str(CHECKOUT / "tests" / "tools" / "export.py"), str(scratch)]
    source = subprocess.run(exporter, check=True, capture_output=True, text=True).stdout.strip()
    subprocess.run(["ansible-galaxy", "collection", "build", "--output-path", str(scratch)], cwd=source, check=True)
    (built,) = scratch.glob("*.tar.gz")
    return built


@pytest.fixture(scope="session")
def installed(artifact: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The artifact in an empty tree beside its dependencies, with everything deleted that it must not need."""
    tree, work = tmp_path_factory.mktemp("collections"), tmp_path_factory.mktemp("work")
    environment = _environment(tree, work)

    def run(*command: str, **options: object) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(command, cwd=work, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == options.get("code", 0), f"{' '.join(command)}:\n{done.stdout}\n{done.stderr}"
        return done

    linked = CHECKOUT / ".ansible" / "collections" / "ansible_collections"
    for namespace in linked.iterdir():
        for dependency in namespace.iterdir():
            if dependency.resolve() != CHECKOUT:
                shutil.copytree(dependency, tree / "ansible_collections" / namespace.name / dependency.name)
    run("ansible-galaxy", "collection", "install", "--offline", "--collections-path", str(tree), str(artifact))
    folder = tree / "ansible_collections" / "proficientnow" / "deploy_ops"
    for entry in folder.iterdir():
        if entry.is_dir() and entry.name not in WORKING_FOLDERS:
            shutil.rmtree(entry)
        elif entry.is_file() and entry.name not in MANIFESTS:
            entry.unlink()
    return Installed(folder, run)
