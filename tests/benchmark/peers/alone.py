# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The yardstick: the applications of the critical path alone, one after the other, each applied by hand."""

from __future__ import annotations

import subprocess

import readiness
from conftest import kubectl
from field import Field, Trouble, eventually
from observer import Observer

# What a pod needs until it can begin to get ready, on two cores; only to choose the path.
POD_START = 2.0
LONGEST = 300.0


def path(field: Field) -> list[str]:
    """The longest chain of the graph."""
    seconds = {
        name: readiness.SECONDS[name] + (POD_START if field.values(name).get("workload") else 0.0)
        for name in field.stacks
    }
    return readiness.critical_path(field.parents, seconds)


def measure(field: Field, observer: Observer) -> dict[str, float]:
    """Application -> seconds from its first object to ready, with nothing else going on."""
    chain = path(field)
    manifests = {name: _rendered(field, name) for name in chain}
    for namespace in sorted({field.stacks[name] for name in chain}):
        kubectl("create", "namespace", namespace)
    for name in chain:
        _apply(field, name, manifests[name])
        eventually(lambda name=name: name in observer.spans(field.release), f"{name} is ready", LONGEST)  # type: ignore[misc]
    spans = observer.spans(field.release)
    return {name: spans[name].ready - spans[name].started for name in chain}


def _rendered(field: Field, name: str) -> str:
    command = ["helm", "template", name, "charts/component", f"--values=apps/{name}/values.yaml"]
    return _run([*command, f"--namespace={field.stacks[name]}"], field)


def _apply(field: Field, name: str, manifest: str) -> None:
    _run(["kubectl", "apply", f"--namespace={field.stacks[name]}", "--filename=-"], field, manifest)


def _run(command: list[str], field: Field, given: str | None = None) -> str:
    done = subprocess.run(
        command, cwd=field.repository, input=given, capture_output=True, text=True, check=False, timeout=60
    )
    if done.returncode:
        raise Trouble(f"{command[0]}: {done.stderr}")
    return done.stdout
