# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import os
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture
def makefile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a Makefile whose targets leave a trace, and one that fails."""
    for name in [name for name in os.environ if name.startswith("MAKE") or name == "MFLAGS"]:
        monkeypatch.delenv(name)  # these tests may themselves run below make
    monkeypatch.chdir(tmp_path)
    (tmp_path / "Makefile").write_text("good better:\n\t@touch $@\nbad:\n\t@false\n")
    return tmp_path


def test_all_passed(steps_tool: ModuleType, makefile: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert steps_tool.main(["good", "better"]) == 0
    lines = capfd.readouterr().out.splitlines()
    assert lines[0] == "==> [1/2] good"
    assert lines[-1] == "steps: 2 passed, 0 failed"


def test_goes_on_after_a_failure_and_still_fails(
    steps_tool: ModuleType, makefile: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert steps_tool.main(["bad", "good"]) == 1
    assert (makefile / "good").exists()
    output = capfd.readouterr().out
    assert "==> [1/2] bad: FAILED" in output
    assert output.splitlines()[-1] == "steps: 1 passed, 1 failed"


def test_interrupted_run_says_what_was_not_run(
    steps_tool: ModuleType, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def interrupt(_name: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(steps_tool, "run", interrupt)
    assert steps_tool.main(["one", "two"]) == 130
    assert capfd.readouterr().out.splitlines()[-1] == "steps: 0 passed, 0 failed, 2 skipped"


def test_no_step_is_a_usage_error(steps_tool: ModuleType) -> None:
    assert steps_tool.main([]) == 2


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.04, "0.0 s"), (59.94, "59.9 s"), (60, "1 min 00 s"), (119.7, "2 min 00 s"), (3725, "62 min 05 s")],
)
def test_duration(steps_tool: ModuleType, seconds: float, words: str) -> None:
    assert steps_tool.duration(seconds) == words
