# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The local chart repository: upstream's charts, packaged, with an index."""

from __future__ import annotations

import re
import shutil
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from deploy_ops_testbed import paths
from deploy_ops_testbed.errors import TestbedError
from deploy_ops_testbed.progress import Step
from deploy_ops_testbed.supply import programs, store, toolchain

NAME = "charts"


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads((paths.testbed_dir() / "modules" / "charts.toml").read_text())


def place() -> Path:
    """The folder with the chart archives and their index.yaml."""
    return store.place_of(NAME, store.key_of(_table()))


def package(step: Step) -> None:
    """Fetch the charts and make a repository of them."""
    helm = programs.program_of("helm").place / "helm"

    def make(target: Path) -> None:
        work = target / "work"
        for name, chart in _table()["charts"].items():
            _copy(chart, work / name)
            for included, dependency in chart.get("includes", {}).items():
                _copy(dependency, work / name / "charts" / included)
            step.run([helm, "package", work / name, "--destination", target])
        store.remove(work)
        step.run([helm, "repo", "index", target])

    store.produce(NAME, place().name, make)


def _copy(chart: dict[str, str], target: Path) -> None:
    """Copy a chart's folder out of its module, and see that it is the version that is wanted."""
    module = _table()["modules"][chart["from"]]
    folder = toolchain.go().download(module["module"], module["version"], module["sum"]) / chart["folder"]
    shutil.copytree(folder, target, copy_function=shutil.copyfile)
    # Module caches may be read-only, also their folders.
    for path in (target, *target.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    said = re.search(r"^version: *\"?([^\s\"]+)", (target / "Chart.yaml").read_text(), re.MULTILINE)
    if not said or said[1] != chart["version"]:
        raise TestbedError(
            f"The chart {target.name} is not version {chart['version']}",
            f"{module['module']} {module['version']} has {said[1] if said else 'none'}",
            "correct testbed/modules/charts.toml",
        )
