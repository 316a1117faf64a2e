# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""On machines that are made of a PATH: what is not there is missing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "tools" / "system_packages"
ROOT, SOMEBODY = 0, 1000


class Machine:
    """A PATH with the commands that are said to be there; apt-get writes down what it is asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def add(self, name: str, text: str = "") -> None:
        path = self.folder / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)

    def run(self, user: int, *arguments: str) -> subprocess.CompletedProcess[str]:
        self.add("id", f"echo {user}")
        self.add("apt-get", f'echo "$*" >> {self.folder}/asked')
        environment = {"PATH": str(self.folder), "PYTHON": sys.executable}
        return subprocess.run(
            ["/bin/sh", str(SCRIPT), *arguments], env=environment, capture_output=True, text=True, check=False
        )

    def asked(self) -> list[str]:
        asked = self.folder / "asked"
        return asked.read_text().splitlines() if asked.exists() else []


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    made = Machine(tmp_path)
    for command in ("dot", "git", "make"):
        made.add(command)
    return made


def test_nothing_is_asked_or_said_when_all_is_there(machine: Machine) -> None:
    done = machine.run(ROOT)
    assert (done.returncode, done.stdout, done.stderr, machine.asked()) == (0, "", "", [])


def test_a_browser_is_installed_only_where_one_is_wanted(machine: Machine) -> None:
    assert machine.run(ROOT).returncode == 0
    assert machine.asked() == []
    assert machine.run(ROOT, "browser").returncode == 0
    assert machine.asked()[-1].split()[-1] == "chromium-headless-shell"


def test_root_gets_exactly_what_is_missing(machine: Machine) -> None:
    (machine.folder / "git").unlink()
    assert machine.run(ROOT).returncode == 0
    install = machine.asked()[-1].split()
    assert [word for word in install if not word.startswith("-")] == ["install", "git"]


def test_others_are_told_what_is_missing_and_how_to_get_it(machine: Machine) -> None:
    (machine.folder / "make").unlink()
    (machine.folder / "git").unlink()
    done = machine.run(SOMEBODY)
    assert done.returncode == 1
    assert "apt-get install make git" in done.stderr
    assert machine.asked() == []
