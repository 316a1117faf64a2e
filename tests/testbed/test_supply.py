# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What was built is what it says it is, and enough for the charts."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from deploy_ops_testbed import paths, supply
from deploy_ops_testbed.supply import charts, programs

VALUES: dict[str, Any] = yaml.safe_load((paths.testbed_dir() / "values" / "values.yaml").read_text())
CHARTS = charts._table()["charts"]


def run(program: str, *words: str | Path) -> str:
    call = subprocess.run([supply.binary(program), *words], capture_output=True, text=True, check=False)
    assert call.returncode == 0, call.stderr
    return call.stdout + call.stderr


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("kube-apiserver", ["--version"]),
        ("kubelet", ["--version"]),
        ("kubectl", ["version", "--client"]),
        ("etcd", ["--version"]),
        ("helm", ["version"]),
        ("kubeseal", ["--version"]),
        ("argocd", ["version", "--client"]),
        ("argoexec", ["version"]),
        ("nats-server", ["--version"]),
        ("kustomize", ["version"]),
        ("yq", ["--version"]),
    ],
)
def test_programs_say_the_version_that_was_wanted(program: str, words: list[str]) -> None:
    wanted = programs.program_of(program).version.removeprefix("v")
    assert re.search(rf"(^|[\s\"v]){re.escape(wanted)}([\s\"]|$)", run(program, *words)), program


@pytest.mark.parametrize("chart", CHARTS)
def test_the_repository_has_the_chart_at_its_version(chart: str) -> None:
    index = yaml.safe_load((supply.charts_dir() / "index.yaml").read_text())
    assert [entry["version"] for entry in index["entries"][chart]] == [CHARTS[chart]["version"]]


@pytest.mark.parametrize(
    ("chart", "more"), [*((chart, ()) for chart in CHARTS), ("argo-cd", ("--set", "redis-ha.enabled=true"))]
)
def test_every_image_that_a_chart_names_is_there(chart: str, more: tuple[str, ...], tmp_path: Path) -> None:
    values = tmp_path / "values.yaml"
    values.write_text(yaml.safe_dump(VALUES[chart]))
    archive = supply.charts_dir() / f"{chart}-{CHARTS[chart]['version']}.tgz"
    manifests = run("helm", "template", "x", archive, "--values", values, *more)
    named = {full_name(name) for document in yaml.safe_load_all(manifests) for name in images_in(document)}
    assert named
    assert named <= {image.ref for image in supply.images()}


def images_in(value: object) -> Iterator[str]:
    """Every image that a manifest names: of containers, and in settings that controllers make containers from."""
    if isinstance(value, dict):
        annotations = (value.get("metadata") or {}).get("annotations") or {}
        if "test" in annotations.get("helm.sh/hook", ""):
            return  # a pod of `helm test` runs only when somebody asks for it
        for key, inner in value.items():
            if isinstance(inner, str) and (key == "image" or key.endswith("Image")):
                yield inner
            elif isinstance(inner, str) and "natsImage:" in inner:
                yield from images_in(yaml.safe_load(inner)["eventBus"]["jetstream"])
            else:
                yield from images_in(inner)
    elif isinstance(value, list):
        for position, inner in enumerate(value):
            if position and value[position - 1] == "--executor-image":
                yield inner
            yield from images_in(inner)


def full_name(name: str) -> str:
    """The name with the registry and the folder that Docker leaves out."""
    first = name.split("/")[0]
    if "/" not in name:
        return f"docker.io/library/{name}"
    return name if "." in first or ":" in first else f"docker.io/{name}"
