# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The progress display: what a person and a log see of it."""

from __future__ import annotations

import errno
import io
import json
import re
import sys
import time
from pathlib import Path

import pytest

from deploy_ops_testbed import progress
from deploy_ops_testbed.errors import TestbedError, from_os_error
from deploy_ops_testbed.progress import Steps


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DEPLOY_OPS_CACHE", str(tmp_path))
    return tmp_path


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("seconds", "said"), [(0.2, "0 s"), (89.4, "89 s"), (119.7, "2 min 00 s"), (3725, "62 min 05 s")]
)
def test_says_durations_as_a_person_does(seconds: float, said: str) -> None:
    assert progress.spoken(seconds) == said


def test_plain_lines_without_a_terminal() -> None:
    stream = io.StringIO()
    with Steps("build", ["etcd", "helm"], stream=stream) as steps:
        steps.skip("etcd")
        with steps.step("helm", "build helm"):
            pass
    started, done = stream.getvalue().splitlines()
    assert started == "[2/2] build helm: started"
    assert re.fullmatch(r"\[2/2\] build helm: done in \d+ s", done)


def test_says_from_time_to_time_that_it_still_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "STILL_RUNNING_EVERY", 0.01)
    stream = io.StringIO()
    with Steps("build", ["helm"], stream=stream) as steps, steps.step("helm", "build helm") as step:
        step.note("linking")
        wait_for(lambda: "still running" in stream.getvalue())
    assert re.search(r"^\[1/1\] build helm: still running after \d+ s, linking$", stream.getvalue(), re.MULTILINE)


def test_redraws_one_line_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "REDRAW_EVERY", 0.01)
    stream = Terminal()
    with Steps("build", ["helm"], stream=stream) as steps, steps.step("helm", "build helm"):
        wait_for(lambda: stream.getvalue().count("\r") > 2)
    assert stream.getvalue().count("\n") == 1
    assert re.search(r"\r\033\[K\[1/1\] build helm: done in \d+ s\n\Z", stream.getvalue())


def test_learns_how_long_things_take(cache: Path) -> None:
    (cache / "durations.json").write_text(json.dumps({"build/etcd": 30, "build/helm": 70}))
    steps = Steps("build", ["etcd", "helm"], stream=io.StringIO())
    assert steps.time_left() == 100
    with steps.step("etcd", "build etcd"):
        assert 70 <= (steps.time_left() or 0) <= 100
    assert steps.time_left() == 70
    assert json.loads((cache / "durations.json").read_text())["build/etcd"] < 30


def test_says_nothing_of_the_time_left_when_something_is_new(cache: Path) -> None:
    (cache / "durations.json").write_text(json.dumps({"build/etcd": 30}))
    assert Steps("build", ["etcd", "helm"], stream=io.StringIO()).time_left() is None


@pytest.mark.parametrize("damage", ["", "[]", '{"build/etcd": "soon"}', "{"])
def test_a_damaged_memory_is_none(cache: Path, damage: str) -> None:
    (cache / "durations.json").write_text(damage)
    steps = Steps("build", ["etcd"], stream=io.StringIO())
    with steps.step("etcd", "build etcd"):
        pass
    assert Steps("build", ["etcd"], stream=io.StringIO()).time_left() is not None


def test_a_failure_shows_the_last_lines_and_the_log_and_teaches_nothing(cache: Path) -> None:
    stream = io.StringIO()
    program = "for number in range(100): print('line', number)\nraise SystemExit(3)"
    with (
        pytest.raises(TestbedError) as error,
        Steps("build", ["helm"], stream=stream) as steps,
        steps.step("helm", "build helm") as step,
    ):
        step.run([sys.executable, "-c", program])
    log = cache / "logs" / "build" / "helm.log"
    assert error.value.what.endswith("ended with 3")
    assert str(log) in error.value.why
    assert "line 99" in error.value.why
    assert "line 50" not in error.value.why
    assert "line 0\n" in log.read_text()
    assert re.search(
        rf"^\[1/1\] build helm: failed after \d+ s, log: {re.escape(str(log))}$", stream.getvalue(), re.MULTILINE
    )
    assert not (cache / "durations.json").exists()


def test_a_missing_program_is_named() -> None:
    with (
        pytest.raises(TestbedError, match="cannot run no-such-program"),
        Steps("build", ["x"], stream=io.StringIO()) as steps,
        steps.step("x", "do x") as step,
    ):
        step.run(["no-such-program"])


def test_a_full_disk_is_told_as_such_also_when_a_program_met_it() -> None:
    with (
        pytest.raises(TestbedError, match="disk is full") as error,
        Steps("build", ["x"], stream=io.StringIO()) as steps,
        steps.step("x", "link x") as step,
    ):
        # /dev/full answers every write as a full disk does.
        step.run(["dd", "if=/dev/zero", "of=/dev/full", "count=1"])
    assert "DEPLOY_OPS_CACHE" in error.value.way_out


@pytest.mark.parametrize(
    ("number", "what", "way_out"),
    [
        (errno.ENOSPC, "disk is full", "DEPLOY_OPS_CACHE"),
        (errno.EACCES, "Not allowed: /place", "root"),
        (errno.EIO, "refused: /place", "again"),
    ],
)
def test_operating_system_errors_become_messages(number: int, what: str, way_out: str) -> None:
    message = from_os_error(OSError(number, "reason", "/place"))
    assert what in message.what
    assert "reason" in message.why
    assert way_out in message.way_out
    assert len(str(message).splitlines()) == 3


def test_an_interrupted_step_ends_its_program(tmp_path: Path) -> None:
    steps = Steps("build", ["x"], stream=io.StringIO())
    started = tmp_path / "started"
    program = f"import os, pathlib, time; pathlib.Path({str(started)!r}).write_text(str(os.getpid())); time.sleep(60)"

    class Interrupting(progress.subprocess.Popen[bytes]):
        def wait(self, timeout: float | None = None) -> int:
            if timeout is None and self.poll() is None:
                wait_for(lambda: started.exists() and started.read_text() != "")
                raise KeyboardInterrupt
            return super().wait(timeout)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(progress.subprocess, "Popen", Interrupting)
        with pytest.raises(KeyboardInterrupt), steps.step("x", "do x") as step:
            step.run([sys.executable, "-c", program])
    assert not Path("/proc", started.read_text()).exists()


def wait_for(condition: object, seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < deadline
        time.sleep(0.005)
