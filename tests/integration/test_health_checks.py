# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The health checks in the Argo CD that the bootstrap installed: its own program, with the settings that it runs with.

The unit test judges the same recorded objects in another Lua engine; here Argo CD itself does.
"""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT / "tests" / "unit" / "roles" / "health"
# One object on each line of the input; --load-cluster-settings reads what the role has put into argocd-cm.
JUDGE = """
while IFS= read -r object; do
    printf '%s' "$object" > /tmp/object.json
    argocd admin settings resource-overrides health /tmp/object.json --load-cluster-settings 2> /dev/null
    echo ======
done
"""


def recorded() -> list[tuple[str, dict[str, Any]]]:
    found = []
    for file in sorted(CASES.glob("*.yaml")):
        group, _separator, kind = file.stem.rpartition("_")
        for case in yaml.safe_load(file.read_text()):
            case["object"] = {"apiVersion": f"{group}/v1", "kind": kind, **case["object"]}
            found.append((f"{file.stem}: {case['name']}", case))
    return found


@pytest.fixture(scope="module")
def installed(playbook: Any) -> None:
    run = playbook("playbooks/argocd.yml")
    assert run.code == 0, run


def test_argocd_itself_judges_as_we_do(installed: None) -> None:
    cases = recorded()
    command = ["kubectl", "exec", "--stdin", "--namespace=argocd", "deployment/argocd-server", "--", "sh", "-c", JUDGE]
    given = "".join(json.dumps(case["object"]) + "\n" for _name, case in cases)
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=True, timeout=300)
    verdicts = done.stdout.split("======\n")[:-1]
    assert len(verdicts) == len(cases), done.stdout + done.stderr
    wrong = []
    for (name, case), verdict in zip(cases, verdicts, strict=True):
        status = re.search(r"^STATUS: (\w+)$", verdict, re.MULTILINE)
        if not status or status[1] != case["expect"]:
            wrong.append(f"{name}: wanted {case['expect']}, Argo CD says {verdict.strip() or 'nothing'}")
        elif case.get("message") and case["message"] not in verdict:
            wrong.append(f"{name}: wanted «{case['message']}», Argo CD says {verdict.strip()}")
    assert wrong == []
