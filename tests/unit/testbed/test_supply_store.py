# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The cache of finished things: whole or not at all, once, whoever is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from deploy_ops_testbed.supply import store

TESTBED = Path(store.__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DEPLOY_OPS_CACHE", str(tmp_path))
    return tmp_path


def run_elsewhere(code: str, cache: Path) -> subprocess.Popen[str]:
    """Python code with the store at hand, in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", "from deploy_ops_testbed.supply import store\nimport pathlib, sys, time\n" + code],
        env={**os.environ, "PYTHONPATH": str(TESTBED), "DEPLOY_OPS_CACHE": str(cache)},
        stdout=subprocess.PIPE,
        text=True,
    )


def test_makes_once_and_finds_it_again() -> None:
    made = []

    def make(target: Path) -> None:
        made.append(target)
        (target / "program").write_text("content")

    first = store.produce("thing", "key", make)
    second = store.produce("thing", "key", make)
    assert first == second == store.place_of("thing", "key")
    assert (first / "program").read_text() == "content"
    assert len(made) == 1


def test_failure_leaves_nothing_that_looks_finished() -> None:
    def make(target: Path) -> None:
        (target / "half").write_text("half")
        raise RuntimeError

    with pytest.raises(RuntimeError):
        store.produce("thing", "key", make)
    assert [path.name for path in store.place_of("thing", "key").parent.iterdir()] == [".lock"]


def test_a_killed_build_is_done_anew(cache: Path) -> None:
    victim = run_elsewhere(
        """
def make(target):
    (target / "half").write_text("half")
    print("half way", flush=True)
    time.sleep(60)
store.produce("thing", "key", make)
""",
        cache,
    )
    assert victim.stdout
    assert victim.stdout.readline() == "half way\n"
    victim.send_signal(signal.SIGKILL)
    victim.wait()
    assert not store.place_of("thing", "key").exists()

    place = store.produce("thing", "key", lambda target: (target / "whole").touch())
    assert [path.name for path in place.iterdir()] == ["whole"]


def test_two_at_once_build_it_once(cache: Path) -> None:
    code = """
def make(target):
    print("made", flush=True)
    deadline = time.monotonic() + 30
    while not pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else target.parents[2] / "go").exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)
store.produce("thing", "key", make)
print("there", flush=True)
"""
    both = [run_elsewhere(code, cache), run_elsewhere(code, cache)]
    # One of them is building now; the other must wait for it.
    while not list((cache / "builds" / "thing").glob("*.partial-*")) if (cache / "builds" / "thing").exists() else True:
        time.sleep(0.01)
    (cache / "go").touch()
    said = sorted(process.communicate(timeout=60)[0] for process in both)
    assert said == ["made\nthere\n", "there\n"]


def test_keys_tell_recipes_apart_whatever_their_order() -> None:
    assert store.key_of({"a": 1, "b": 2}) == store.key_of({"b": 2, "a": 1})
    assert store.key_of({"a": 1}) != store.key_of({"a": 2})


def test_removes_read_only_folders(tmp_path: Path) -> None:
    folder = tmp_path / "module" / "inner"
    folder.mkdir(parents=True)
    (folder / "file").touch()
    folder.chmod(0o500)
    store.remove(tmp_path / "module")
    assert not (tmp_path / "module").exists()
