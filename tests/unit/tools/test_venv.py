# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture
def requirements(venv_tool: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "requirements"
    folder.mkdir()
    (folder / "tiny.txt").write_text("# nothing\n")
    monkeypatch.setattr(venv_tool, "REQUIREMENTS", folder)
    return folder


@pytest.fixture
def made(venv_tool: ModuleType, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The environments that were made, with a marker file instead of a minute of pip."""
    paths: list[Path] = []

    def create(path: Path, _requirements: Path) -> None:
        paths.append(path)
        path.mkdir(parents=True)
        (path / "content").touch()

    monkeypatch.setattr(venv_tool, "create", create)
    return paths


def test_made_once_and_then_reused(venv_tool: ModuleType, requirements: Path, made: list[Path], tmp_path: Path) -> None:
    first = venv_tool.ensure("tiny", tmp_path)
    assert venv_tool.ensure("tiny", tmp_path) == first
    assert made == [first]


def test_other_requirements_give_another_environment(
    venv_tool: ModuleType, requirements: Path, made: list[Path], tmp_path: Path
) -> None:
    first = venv_tool.ensure("tiny", tmp_path)
    (requirements / "tiny.txt").write_text("# something\n")
    assert venv_tool.ensure("tiny", tmp_path) != first
    assert first.is_dir(), "the old one stays: another checkout may use it"


def test_what_an_interrupted_run_left_is_made_anew(
    venv_tool: ModuleType, requirements: Path, made: list[Path], tmp_path: Path
) -> None:
    path = venv_tool.venv_path("tiny", tmp_path)
    path.mkdir(parents=True)
    (path / "half").touch()
    venv_tool.ensure("tiny", tmp_path)
    assert made == [path]
    assert not (path / "half").exists()


def test_failed_making_is_not_taken_for_complete(
    venv_tool: ModuleType,
    requirements: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(path: Path, _requirements: Path) -> None:
        path.mkdir(parents=True)
        raise venv_tool.VenvError("pip failed")

    monkeypatch.setattr(venv_tool, "create", fail)
    for _attempt in range(2):
        with pytest.raises(venv_tool.VenvError, match="pip failed"):
            venv_tool.ensure("tiny", tmp_path)


def test_unknown_environment_is_named_with_the_known_ones(
    venv_tool: ModuleType, requirements: Path, tmp_path: Path
) -> None:
    with pytest.raises(venv_tool.VenvError, match=r"no environment 'tin'.*Known environments: tiny\."):
        venv_tool.ensure("tin", tmp_path)


def test_other_python_is_refused_before_anything_is_made(
    venv_tool: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(venv_tool, "PYTHON", (2, 7))
    with pytest.raises(venv_tool.VenvError, match=r"need Python 2\.7.*make PYTHON=python2\.7"):
        venv_tool.create(tmp_path / "made", tmp_path / "requirements.txt")
    assert not (tmp_path / "made").exists()


def test_failure_of_pip_says_that_a_rerun_is_safe(
    venv_tool: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(venv_tool, "PYTHON", venv_tool.sys.version_info[:2])
    monkeypatch.setattr(venv_tool.sys, "executable", "false")
    with pytest.raises(venv_tool.VenvError, match="safe to run the same command again"):
        venv_tool.create(tmp_path / "made", tmp_path / "requirements.txt")


def test_without_a_cache_the_way_out_is_named(
    venv_tool: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("DEPLOY_OPS_CACHE", raising=False)
    with pytest.raises(SystemExit):
        venv_tool.main(["path", "main"])
    assert "use a make target" in capsys.readouterr().err
