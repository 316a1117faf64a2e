# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The developer's tools are scripts, not a package: load them by path."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

TOOLS = Path(__file__).resolve().parents[2] / "tools"


def _load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"deploy_ops_tools_{name}", TOOLS / f"{name}.py")
    if spec is None or spec.loader is None:
        raise ImportError(f"no tool {name} in {TOOLS}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up there
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def venv_tool() -> ModuleType:
    return _load("venv")


@pytest.fixture(scope="session")
def steps_tool() -> ModuleType:
    return _load("steps")


@pytest.fixture(scope="session")
def dependencies_tool() -> ModuleType:
    return _load("dependencies")


@pytest.fixture(scope="session")
def export_tool() -> ModuleType:
    return _load("export")
