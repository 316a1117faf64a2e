# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import re
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[3]
TEMPLATE = ROOT / "inventories" / "production" / "group_vars" / "all.yml"
SETTING = re.compile(r"^# (deploy_ops_[a-z0-9_]+:)", re.MULTILINE)


def test_every_setting_of_the_template_is_read_somewhere() -> None:
    """A setting that nothing reads would be obeyed by nobody, silently."""
    read = "\n".join(path.read_text() for folder in ("roles", "playbooks") for path in (ROOT / folder).rglob("*.yml"))
    settings = {setting.rstrip(":") for setting in SETTING.findall(TEMPLATE.read_text())}
    assert "deploy_ops_kubeconfig" in settings
    assert {setting for setting in settings if not re.search(rf"\b{setting}\b", read)} == set()


def test_template_is_well_formed_when_everything_is_set() -> None:
    """The same text with the comment signs taken away."""
    lines = TEMPLATE.read_text().splitlines()
    start = next(number for number, line in enumerate(lines) if SETTING.match(line))
    data = "\n".join(line[2:] for line in lines[start:] if SETTING.match(line) or line.startswith("#   "))
    assert set(yaml.safe_load(data)) == {setting.rstrip(":") for setting in SETTING.findall(TEMPLATE.read_text())}
