# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Starts what is not running as it should, and waits until it says itself that it is ready."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path

from deploy_ops_testbed.cluster import cgroups, ports, processes
from deploy_ops_testbed.cluster.component import Component, environment
from deploy_ops_testbed.cluster.layout import Layout
from deploy_ops_testbed.errors import TestbedError
from deploy_ops_testbed.progress import Step, tail

READY_WITHIN = 90.0
# A component that was there before us and does not get ready in this time is restarted.
RECOVER_WITHIN = 10.0
ASK_EVERY = 0.1
LOG_LINES = 8


def start_stage(where: Layout, components: Iterable[Component], step: Step) -> None:
    """Bring every component of a stage to readiness; what already is stays untouched."""
    stage = list(components)
    end_strays(where, stage)
    for component in stage:
        _ensure_started(where, component, step)
    for component in stage:
        wait_ready(where, component, step)


def wait_ready(where: Layout, component: Component, step: Step) -> None:
    def problem() -> str | None:
        if not processes.running(where.processes, component.name):
            raise TestbedError(
                f"{component.name} has ended right after its start",
                _last_words(where, component.name),
                f"`testbed logs {component.name}` shows more; mend that and run `testbed up` again",
            )
        return component.probe()

    wait_for(component.name, problem, step, lambda: _last_words(where, component.name))


def wait_for(
    what: str,
    problem: Callable[[], str | None],
    step: Step,
    evidence: Callable[[], str] = lambda: "",
    seconds: float = READY_WITHIN,
) -> None:
    """Ask until nothing is wrong any more; what is wrong stands in the step's line meanwhile."""
    deadline = time.monotonic() + seconds
    said = ""
    while (wrong := problem()) is not None:
        if time.monotonic() > deadline:
            raise TestbedError(
                f"{what} is not ready after {seconds:.0f} s",
                "\n".join(filter(None, [wrong, evidence()])),
                "`testbed status` shows all components; `testbed down` and `testbed up` start from nothing",
            )
        if wrong != said:
            step.note(f"{what}: {wrong}")
            said = wrong
        time.sleep(ASK_EVERY)


def end_strays(where: Layout, components: Iterable[Component]) -> None:
    """Programs of ours without a record, left by an `up` that was killed between start and record."""
    known = {process.pid for name in components if (process := processes.running(where.processes, name.name))}
    commands = [component.command for component in components]
    strays = [pid for pid in cgroups.members(cgroups.COMPONENTS) - known if _command_of(pid) in commands]
    processes.end(processes.identified(strays))


def _ensure_started(where: Layout, component: Component, step: Step) -> None:
    process = processes.running(where.processes, component.name)
    fingerprint = component.fingerprint
    if process and process.fingerprint == fingerprint and _recovers(component):
        return
    if process:
        step.note(f"{component.name} is restarted")
        processes.end([process])
    ports.check_free(component.name, component.ports)
    processes.start(
        where.processes,
        component.name,
        component.command,
        log=where.component_log(component.name),
        environment=environment(component),
        fingerprint=fingerprint,
    )


def _recovers(component: Component) -> bool:
    deadline = time.monotonic() + RECOVER_WITHIN
    while component.probe() is not None:
        if time.monotonic() > deadline:
            return False
        time.sleep(ASK_EVERY)
    return True


def _last_words(where: Layout, name: str) -> str:
    log = where.component_log(name)
    return f"last lines of {log}:\n{tail(log, LOG_LINES)}"


def _command_of(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").rstrip("\0").split("\0")
    except (FileNotFoundError, ProcessLookupError):
        return []
