# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One process for each component: started, recognised and ended by pid and start time, without a supervisor."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from deploy_ops_testbed.cluster import cgroups

KEPT_LOGS = 3
GRACE = 5.0


@dataclass(frozen=True)
class Process:
    """A process that cannot be mistaken for another one with the same pid."""

    pid: int
    start_ticks: int
    boot: str
    since: float
    fingerprint: str

    @property
    def alive(self) -> bool:
        return self.boot == boot_id() and start_ticks(self.pid) == self.start_ticks


def boot_id() -> str:
    return Path("/proc/sys/kernel/random/boot_id").read_text().strip()


def start_ticks(pid: int) -> int | None:
    """When the process started, in clock ticks since boot; None when it is gone or a zombie."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
        threads = len(os.listdir(f"/proc/{pid}/task"))
    except (FileNotFoundError, ProcessLookupError):
        return None
    # The name stands in brackets and may hold anything, also brackets.
    fields = stat.rpartition(")")[2].split()
    # While other threads of a dying process are left, its files and ports are still open.
    return None if fields[0] in ("Z", "X") and threads <= 1 else int(fields[19])


def recorded(folder: Path, name: str) -> Process | None:
    """The process that was started under this name; None without a readable record."""
    try:
        return Process(**json.loads((folder / f"{name}.json").read_text()))
    except (FileNotFoundError, ValueError, TypeError):
        return None


def running(folder: Path, name: str) -> Process | None:
    """The process of this name when it is really there: stale records and reused pids count as none."""
    process = recorded(folder, name)
    return process if process and process.alive else None


def start(
    folder: Path,
    name: str,
    command: Sequence[str],
    *,
    log: Path,
    environment: Mapping[str, str],
    fingerprint: str,
) -> Process:
    """Start a component in its own session and in our cgroup."""
    rotate(log)
    # In the cgroup before it runs: should we be killed before the record is written, it is still known to be ours.
    join = 'for procs in $JOIN_CGROUPS; do echo $$ > "$procs" || exit 1; done; unset JOIN_CGROUPS; exec "$@"'
    groups = " ".join(str(path) for path in cgroups.component_groups())
    with log.open("ab") as stream:
        child = subprocess.Popen(
            ["/bin/sh", "-c", join, "sh", *command],
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=subprocess.STDOUT,
            cwd="/",
            env={**environment, "JOIN_CGROUPS": groups},
            start_new_session=True,
        )
    ticks = start_ticks(child.pid)
    process = Process(child.pid, ticks if ticks is not None else -1, boot_id(), time.time(), fingerprint)
    folder.mkdir(parents=True, exist_ok=True)
    partial = folder / f".{name}.json"
    partial.write_text(json.dumps(asdict(process)))
    partial.replace(folder / f"{name}.json")
    return process


def end(processes: Iterable[Process], grace: float = GRACE) -> None:
    """Ask the processes to end, together; kill those that have not within the grace."""
    left = [process for process in processes if process.alive]
    send(left, signal.SIGTERM)
    left = _wait(left, grace)
    send(left, signal.SIGKILL)
    _wait(left, grace)


def identified(pids: Iterable[int]) -> list[Process]:
    """Processes found by their cgroup, made safe against reuse of their pids."""
    boot = boot_id()
    found = []
    for pid in pids:
        ticks = start_ticks(pid)
        if ticks is not None:
            found.append(Process(pid, ticks, boot, 0.0, ""))
    return found


def name_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except (FileNotFoundError, ProcessLookupError):
        return "?"


def proportional_memory(pids: Iterable[int]) -> int:
    """Bytes of memory that the processes use, shared pages counted once in sum (PSS)."""
    total = 0
    for pid in pids:
        try:
            rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
        except (FileNotFoundError, ProcessLookupError):
            continue
        for line in rollup.splitlines():
            if line.startswith("Pss:"):
                total += int(line.split()[1]) * 1024
    return total


def rotate(log: Path) -> None:
    """Keep the last few logs: x.log is the running one, x.log.1 the one before."""
    log.parent.mkdir(parents=True, exist_ok=True)
    for number in range(KEPT_LOGS - 1, 0, -1):
        older = log.with_name(f"{log.name}.{number}")
        if older.exists():
            older.replace(log.with_name(f"{log.name}.{number + 1}"))
    if log.exists():
        log.replace(log.with_name(f"{log.name}.1"))


def send(processes: Iterable[Process], number: signal.Signals) -> None:
    """Signal each of the processes that is still the one that is meant."""
    for process in processes:
        if process.alive:
            try:
                os.kill(process.pid, number)
            except ProcessLookupError:
                continue


def _wait(processes: list[Process], seconds: float) -> list[Process]:
    """Those that are still there after the time."""
    deadline = time.monotonic() + seconds
    left = processes
    while left and time.monotonic() < deadline:
        _reap()
        left = [process for process in left if process.alive]
        if left:
            time.sleep(0.02)
    return left


def _reap() -> None:
    """Collect our own children, so that they do not stay as zombies."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            continue
    except ChildProcessError:
        return
