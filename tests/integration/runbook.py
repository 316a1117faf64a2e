# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The commands of docs/runbook.md, run as they stand there."""

from __future__ import annotations

import os
import re
import subprocess
import textwrap
from pathlib import Path

import yaml
from deployment import ROOT

PAGE = ROOT / "docs" / "runbook.md"
PREAMBLE = "Runbook"


def sections() -> dict[str, list[str]]:
    """The commands under each heading, in their order."""
    found: dict[str, list[str]] = {}
    heading = ""
    for match in re.finditer(r"^#+ (?P<heading>[^\n]+)$|^ *```sh\n(?P<text>.*?)^ *```$", PAGE.read_text(), re.M | re.S):
        if match["heading"]:
            heading = match["heading"]
        else:
            found.setdefault(heading, []).append(textwrap.dedent(match["text"]))
    return found


class Shell:
    """The shell of a person on call, who has followed the first block of the page."""

    def __init__(self, folder: Path, **host_variables: str) -> None:
        """`host_variables` stand in an inventory of the test, beside that of the embedded cluster."""
        extra = folder / "inventory.yml"
        variables = {"deploy_ops_report_folder": str(folder / "reports"), **host_variables}
        extra.write_text(yaml.safe_dump({"all": {"hosts": {"localhost": variables}}}))
        self._environment = {"ANSIBLE_INVENTORY": f"{ROOT / 'inventories' / 'local'},{extra}", "ENVIRONMENT": "local"}
        self._preamble = "".join(sections()[PREAMBLE])

    def __call__(self, command: str, **variables: str) -> str:
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", self._preamble + command],
            cwd=ROOT,
            env={**os.environ, **self._environment, **variables},
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
            timeout=900,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}"
        return done.stdout
