# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One cluster on a machine: the same state waits, another one is refused and told by whom."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from deploy_ops_testbed.cluster import cgroups, lock
from deploy_ops_testbed.cluster.layout import Layout
from deploy_ops_testbed.errors import TestbedError


@pytest.fixture
def ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Layout:
    monkeypatch.setattr(lock, "LOCK_FILE", tmp_path / "lock")
    monkeypatch.setattr(cgroups, "members", lambda below="": {1})
    return Layout(tmp_path / "state", tmp_path / "cache")


def other(tmp_path: Path) -> Layout:
    return Layout(tmp_path / "other" / "state", tmp_path / "cache")


def enter(where: Layout) -> None:
    with lock.exclusive(where, "up", print):
        pass


def test_the_holder_is_written_down(ours: Layout) -> None:
    with lock.exclusive(ours, "up", print):
        held = lock.owner()
    assert held is not None
    assert (held.state, held.command) == (str(ours.state), "up")


def test_a_second_one_of_the_same_state_waits_and_says_for_whom(ours: Layout) -> None:
    said: list[str] = []
    done = threading.Event()

    def second() -> None:
        with lock.exclusive(ours, "down", said.append):
            done.set()

    with lock.exclusive(ours, "up", print):
        waiting = threading.Thread(target=second)
        waiting.start()
        while not said:
            assert waiting.is_alive()
        assert not done.is_set()
    waiting.join(timeout=30)
    assert done.is_set()
    assert "`testbed up`" in said[0]


def test_another_state_at_work_is_refused(ours: Layout, tmp_path: Path) -> None:
    with lock.exclusive(other(tmp_path), "up", print), pytest.raises(TestbedError) as error:
        enter(ours)
    assert str(tmp_path / "other" / "state") in str(error.value)


def test_another_state_that_runs_a_cluster_is_refused(ours: Layout, tmp_path: Path) -> None:
    with lock.exclusive(other(tmp_path), "up", print):
        pass
    with pytest.raises(TestbedError, match="Another testbed runs"), lock.exclusive(ours, "up", print):
        pass


def test_another_state_without_processes_is_no_obstacle(
    ours: Layout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with lock.exclusive(other(tmp_path), "up", print):
        pass
    monkeypatch.setattr(cgroups, "members", lambda below="": set())
    with lock.exclusive(ours, "up", print):
        held = lock.owner()
    assert held is not None
    assert held.state == str(ours.state)


def test_a_removed_lock_file_is_no_lock(ours: Layout) -> None:
    """Who waited for a `down` that removed the file must lock the new file, not the removed one."""
    entered = threading.Event()

    def second() -> None:
        with lock.exclusive(ours, "up", lambda text: None):
            assert lock.LOCK_FILE.exists()
            entered.set()

    with lock.exclusive(ours, "down", print):
        waiting = threading.Thread(target=second)
        waiting.start()
        lock.release_machine()
    waiting.join(timeout=30)
    assert entered.is_set()


@pytest.mark.parametrize("content", ["", "{", json.dumps({"pid": 1})])
def test_a_damaged_lock_file_has_no_owner(ours: Layout, content: str) -> None:
    lock.LOCK_FILE.write_text(content)
    assert lock.owner() is None
    with lock.exclusive(ours, "up", print):
        assert lock.owner() is not None
