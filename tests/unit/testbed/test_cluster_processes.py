# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A process is recognised by pid, start time and boot, and by nothing less."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from deploy_ops_testbed.cluster import cgroups, processes


@pytest.fixture(autouse=True)
def no_cgroup(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests run without root."""
    monkeypatch.setattr(cgroups, "component_groups", list)


@pytest.fixture
def sleeper(tmp_path: Path) -> Iterator[processes.Process]:
    process = start(tmp_path)
    yield process
    processes.end([process])


def start(folder: Path, *command: str) -> processes.Process:
    words = command or ("sleep", "600")
    return processes.start(
        folder, "sleeper", words, log=folder / "sleeper.log", environment={"PATH": os.environ["PATH"]}, fingerprint="f"
    )


def test_a_started_process_is_found_again(sleeper: processes.Process, tmp_path: Path) -> None:
    assert processes.running(tmp_path, "sleeper") == sleeper


def test_an_ended_process_is_not_running_but_recorded(sleeper: processes.Process, tmp_path: Path) -> None:
    processes.end([sleeper])
    assert processes.running(tmp_path, "sleeper") is None
    assert processes.recorded(tmp_path, "sleeper") == sleeper


@pytest.mark.parametrize("change", [{"start_ticks": 1}, {"boot": "an earlier one"}])
def test_a_reused_pid_is_another_process(sleeper: processes.Process, change: dict[str, object]) -> None:
    assert not replace(sleeper, **change).alive  # type: ignore[arg-type]


def test_a_stranger_with_our_pid_is_not_killed(sleeper: processes.Process) -> None:
    processes.end([replace(sleeper, start_ticks=1)])
    assert sleeper.alive


def test_a_zombie_is_not_alive() -> None:
    child = subprocess.Popen(["true"])
    while Path(f"/proc/{child.pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z":
        time.sleep(0.01)
    assert processes.start_ticks(child.pid) is None
    child.wait()


def test_a_name_with_brackets_and_blanks_is_read(tmp_path: Path) -> None:
    program = tmp_path / "a) R 1 (b"
    program.symlink_to("/bin/sleep")
    child = subprocess.Popen([str(program), "600"])
    try:
        assert processes.start_ticks(child.pid) is not None
    finally:
        child.kill()
        child.wait()


def test_who_does_not_listen_is_killed(tmp_path: Path) -> None:
    deaf = start(tmp_path, "sh", "-c", "trap '' TERM; echo deaf; while :; do sleep 0.05; done")
    while not (tmp_path / "sleeper.log").read_text():
        time.sleep(0.01)
    processes.end([deaf], grace=0.2)
    assert not deaf.alive


@pytest.mark.parametrize("content", ["", "{", "[]", '{"pid": 1}', '{"unknown": 1}'])
def test_a_damaged_record_is_none(tmp_path: Path, content: str) -> None:
    (tmp_path / "sleeper.json").write_text(content)
    assert processes.recorded(tmp_path, "sleeper") is None


def test_logs_are_rotated_at_every_start(tmp_path: Path) -> None:
    log = tmp_path / "x.log"
    for number in range(5):
        processes.rotate(log)
        log.write_text(str(number))
    kept = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert kept == {"x.log": "4", "x.log.1": "3", "x.log.2": "2", "x.log.3": "1"}


def test_processes_found_by_pid_are_made_safe(sleeper: processes.Process) -> None:
    found = processes.identified([sleeper.pid, 2**22 + 1])
    assert [process.pid for process in found] == [sleeper.pid]
    processes.send(found, signal.SIGTERM)
    processes.end(found)
    assert not sleeper.alive
