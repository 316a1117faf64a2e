# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How the cluster is: what runs, what is wrong, and what to do about it."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import Any

from deploy_ops_testbed.cluster import cgroups, components, layout, network, probes, processes
from deploy_ops_testbed.cluster.component import Component
from deploy_ops_testbed.cluster.layout import Layout
from deploy_ops_testbed.errors import TestbedError
from deploy_ops_testbed.progress import tail

HEALTHY, BROKEN, NOT_RUNNING = 0, 1, 3
RUNNING, NOT_READY, DEAD, STOPPED = "running", "not ready", "dead", "stopped"
LOG_LINES = 6
LINE_WIDTH = 240


@dataclass(frozen=True)
class Condition:
    """One line of `testbed status`."""

    name: str
    state: str
    pid: int | None = None
    since: float | None = None
    problem: str = ""
    log: str = ""
    way_out: str = ""


@dataclass(frozen=True)
class Report:
    conditions: list[Condition]
    memory: int

    @property
    def code(self) -> int:
        states = {condition.state for condition in self.conditions}
        if states == {RUNNING}:
            return HEALTHY
        return NOT_RUNNING if states == {STOPPED} else BROKEN

    @property
    def word(self) -> str:
        return {HEALTHY: "healthy", BROKEN: "broken", NOT_RUNNING: "not running"}[self.code]

    def as_dict(self) -> dict[str, Any]:
        return {
            "cluster": layout.NAME,
            "status": self.word,
            "memory_bytes": self.memory,
            "conditions": [asdict(condition) for condition in self.conditions],
        }


def look(where: Layout) -> Report:
    """Ask everything, at the same time; takes as long as the slowest answer."""
    if not _anything_there(where):
        return Report([Condition(name, STOPPED) for name in components.names()], 0)
    try:
        stages = components.stages(where)
    except TestbedError as error:
        # Without the programs (cache deleted under a running cluster) nothing can be asked.
        return Report([Condition("programs", DEAD, problem=f"{error.what}: {error.why}", way_out=error.way_out)], 0)
    with ThreadPoolExecutor(16) as pool:
        jobs = [pool.submit(_component, where, component) for stage in stages for component in stage]
        jobs += [pool.submit(_network), pool.submit(_node, where), pool.submit(_dns)]
        conditions = [job.result() for job in jobs]
    return Report(conditions, processes.proportional_memory(cgroups.members()))


def _anything_there(where: Layout) -> bool:
    recorded = any(processes.recorded(where.processes, name) for name in components.names())
    return recorded or bool(cgroups.members())


def _component(where: Layout, component: Component) -> Condition:
    process = processes.running(where.processes, component.name)
    way_out = f"`testbed up` starts it again; `testbed logs {component.name}` shows all it said"
    if process is None:
        if processes.recorded(where.processes, component.name) is None:
            return Condition(component.name, DEAD, problem="it was not started yet", way_out="`testbed up` goes on")
        problem = "its process is gone"
        return Condition(component.name, DEAD, problem=problem, log=_last_words(where, component.name), way_out=way_out)
    wrong = component.probe()
    if wrong is None:
        return Condition(component.name, RUNNING, process.pid, process.since)
    log = _last_words(where, component.name)
    return Condition(component.name, NOT_READY, process.pid, process.since, wrong, log, way_out)


def _network() -> Condition:
    problem = network.problem()
    if problem:
        return Condition("network", DEAD, problem=problem, way_out="`testbed up` makes it again")
    return Condition("network", RUNNING)


def _node(where: Layout) -> Condition:
    problem = probes.node(where, not_before=0)
    if problem:
        return Condition("node", NOT_READY, problem=problem, way_out="look at kubelet and containerd above")
    return Condition("node", RUNNING)


def _dns() -> Condition:
    # Without the node address, the question would leave the machine.
    problem = probes.dns() if network.address_assigned() else "not asked: the node has no address"
    if problem:
        way_out = "look at kube-proxy above, and at `kubectl -n kube-system get pods -l k8s-app=kube-dns`"
        return Condition("dns", NOT_READY, problem=problem, way_out=way_out)
    return Condition("dns", RUNNING)


def _last_words(where: Layout, name: str) -> str:
    lines = tail(where.component_log(name), LOG_LINES).splitlines()
    return "\n".join(line if len(line) < LINE_WIDTH else f"{line[:LINE_WIDTH]} ..." for line in lines)


def render(report: Report, where: Layout) -> str:
    """The report for a person: one line each, and the whole story of what is wrong."""
    lines = [f"{layout.NAME}: {report.word}"]
    if report.code == NOT_RUNNING:
        return f"{lines[0]}; `testbed up` starts it"
    for condition in report.conditions:
        details = []
        if condition.pid:
            details.append(f"pid {condition.pid}")
        if condition.since:
            details.append(f"since {time.strftime('%F %T', time.localtime(condition.since))}")
        lines.append(f"  {condition.name:<24} {condition.state:<10} {', '.join(details)}".rstrip())
    lines.append(f"  memory of all processes: {report.memory / 1024**2:.0f} MiB (PSS), state: {where.state}")
    for condition in report.conditions:
        if condition.state != RUNNING:
            lines += ["", f"{condition.name}: {condition.problem}"]
            if condition.log:
                lines += ["  last log lines:", condition.log]
            lines.append(f"  way out: {condition.way_out}")
    return "\n".join(lines)
