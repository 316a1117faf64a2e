# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""This host: tools, Python packages, Ansible collections."""

from __future__ import annotations

import importlib.metadata
import json
import os
import shutil
import sys
import typing as t

from ..installed_collections import MINIMUM_VERSIONS, CollectionFact
from ..python_packages import PACKAGES
from ..tools import Tool, ToolFact
from .process import run
from .yaml_text import NotYaml, load


def tool(wanted: Tool, timeout: float) -> ToolFact:
    path = shutil.which(wanted.name)
    if path is None:
        return ToolFact(path="")
    result = run([path, *wanted.arguments], timeout=timeout)
    if result.problem:
        return ToolFact(path, problem=result.problem)
    if result.code != 0:
        return ToolFact(path, problem=f"«{wanted.name} {' '.join(wanted.arguments)}» exits with {result.code}")
    return ToolFact(path, output=result.stdout or result.stderr)


def python_packages() -> dict[str, str | None]:
    return {package.name: _package_version(package.name) for package in PACKAGES}


def _package_version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def collections(paths: t.Sequence[str]) -> dict[str, CollectionFact | None]:
    """``paths`` as Ansible is configured, then Python's own, where the package «ansible» keeps its collections."""
    roots = [os.path.expanduser(path) for path in paths] + sys.path
    return {name: _collection(name, roots) for name in MINIMUM_VERSIONS}


def _collection(name: str, roots: t.Sequence[str]) -> CollectionFact | None:
    for root in roots:
        for base in (root, os.path.join(root, "ansible_collections")):
            if os.path.basename(base) != "ansible_collections":
                continue
            folder = os.path.join(base, *name.split("."))
            version = _manifest_version(folder)
            if version:
                return CollectionFact(version, folder)
    return None


def _manifest_version(folder: str) -> str:
    """From an installed artifact's MANIFEST.json, or a checkout's galaxy.yml."""
    try:
        with open(os.path.join(folder, "MANIFEST.json"), encoding="utf-8") as manifest:
            return str(json.load(manifest)["collection_info"]["version"])
    except (OSError, ValueError, KeyError, TypeError):
        pass
    try:
        with open(os.path.join(folder, "galaxy.yml"), encoding="utf-8") as galaxy:
            return str(load(galaxy.read())["version"])
    except (OSError, NotYaml, KeyError, TypeError):
        return ""
