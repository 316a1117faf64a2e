# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Copy the collection, as git would commit it now, into a collections tree of its own.

    python tests/tools/export.py DESTINATION

Some tools (ansible-test, antsibull-docs) demand the path .../ansible_collections/<namespace>/<name>, walk everything
they find there, and want the dependencies beside it. What git ignores is left out; what is not yet added is in.
What is no Ansible content (the embedded cluster, its tests, the executor's image) is judged by the other checks.
Prints the path of the copy.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COLLECTION = "ansible_collections/proficientnow/deploy_ops"
NO_ANSIBLE_CONTENT = ("executor", "testbed")
ANSIBLE_TESTS = ("sanity", "unit")


def is_ansible_content(name: Path) -> bool:
    """Whether a file of the checkout belongs to what a collection may consist of."""
    top, *rest = name.parts
    if top == "tests":
        return rest[0] in ANSIBLE_TESTS
    return top not in NO_ANSIBLE_CONTENT


def files(root: Path) -> list[Path]:
    """The collection's files: tracked, or neither tracked nor ignored; those that are deleted are not there."""
    listed = subprocess.run(
        ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    names = sorted({Path(name) for name in listed.split("\0") if name})
    return [name for name in names if is_ansible_content(name) and (root / name).is_file()]


def export(root: Path, destination: Path) -> Path:
    """Copy the checkout and its dependencies below `destination`, and return the path of the collection there."""
    collection = destination / COLLECTION
    for name in files(root):
        target = collection / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(root / name, target)
    linked = root / ".ansible" / "collections" / "ansible_collections"
    for namespace in sorted(linked.iterdir()):
        for dependency in sorted(namespace.iterdir()):
            target = destination / "ansible_collections" / namespace.name / dependency.name
            if target != collection:
                shutil.copytree(dependency, target)
    return collection


if __name__ == "__main__":
    print(export(ROOT, Path(sys.argv[1])))
