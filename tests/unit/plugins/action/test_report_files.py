# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The files of a report."""

from __future__ import annotations

import json
import re
import typing as t
from pathlib import Path
from unittest.mock import MagicMock

import pytest

from ansible_collections.proficientnow.deploy_ops.plugins.action import report_files
from ansible_collections.proficientnow.deploy_ops.tests.unit.plugins.module_utils.report_samples import partial


def write(report: t.Any, folder: Path, check_mode: bool = False) -> dict[str, t.Any]:
    task = MagicMock(args={"report": report, "folder": str(folder)}, async_val=0, check_mode=check_mode)
    action = report_files.ActionModule(
        task, MagicMock(), MagicMock(check_mode=check_mode), MagicMock(), MagicMock(), MagicMock()
    )
    return action.run(task_vars={})


def test_all_forms_are_written_and_nothing_is_left_beside_them(tmp_path: Path) -> None:
    result = write(partial(), tmp_path / "new" / "folder")
    assert result["changed"] is False
    assert sorted(Path(path).name for path in result["files"].values()) == [
        "deploy.html",
        "deploy.json",
        "deploy.txt",
        "deploy.xml",
    ]
    assert sorted(map(str, (tmp_path / "new" / "folder").iterdir())) == sorted(result["files"].values())
    assert json.loads(Path(result["files"]["json"]).read_text()) == partial()
    assert "vault" in Path(result["files"]["txt"]).read_text()


def test_check_mode_writes_nothing(tmp_path: Path) -> None:
    assert "failed" not in write(partial(), tmp_path / "new", check_mode=True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("report", "folder", "reason"),
    [
        ({"schema": 1}, "", "the report cannot be written: kind must be one of"),
        (partial(), "file", "the report cannot be written to .*: (file exists|not a directory)"),
    ],
)
def test_what_cannot_be_written_is_told(tmp_path: Path, report: t.Any, folder: str, reason: str) -> None:
    (tmp_path / "file").write_text("in the way")
    result = write(report, tmp_path / folder)
    assert result["failed"] is True
    assert re.match(reason, result["msg"])
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
