# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The parts of site.yml: in their order, each by its tag and by its playbook."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[3]
PARTS = ["phase0", "bootstrap", "workflow_templates", "gitops_handoff", "deploy", "verify", "kargo"]


def plays(*arguments: str) -> list[str]:
    """The plays that have something to do, by name."""
    collections = next(path for path in sys.path if (Path(path) / "ansible_collections" / "proficientnow").is_dir())
    environment = {**os.environ, "ANSIBLE_COLLECTIONS_PATH": collections, "ANSIBLE_NOCOLOR": "1"}
    command = [
        str(Path(sys.executable).with_name("ansible-playbook")),
        "--inventory=localhost,",
        "--list-tasks",
        "proficientnow.deploy_ops.site",
        *arguments,
    ]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    found = re.split(r"^  play #\d+ \(localhost\): ", done.stdout, flags=re.MULTILINE)[1:]
    return [play.split("\t")[0] for play in found if has_tasks(play)]


def has_tasks(play: str) -> bool:
    """After its name and a heading comes a line for each task. That the arguments are right is checked in any case."""
    return any("Validating arguments against arg spec" not in line for line in play.strip().splitlines()[2:])


def names(part: str) -> list[str]:
    return [play["name"] for play in yaml.safe_load((ROOT / "playbooks" / f"{part}.yml").read_text())]


def test_the_parts_come_in_their_order() -> None:
    assert plays() == [name for part in PARTS for name in names(part)]


@pytest.mark.parametrize("part", PARTS)
def test_a_tag_chooses_its_part_and_nothing_else(part: str) -> None:
    assert plays(f"--tags={part}") == names(part)


def test_several_tags_choose_several_parts() -> None:
    assert plays("--tags=verify,deploy") == [*names("deploy"), *names("verify")]
