# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A deployment that ends before there is a run leaves a report of its own, not the one of the day before."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def test_bad_input_is_reported_in_place_of_an_earlier_run(tmp_path: Path) -> None:
    (tmp_path / "dag.yaml").write_text("version: 1\nstacks: {a: {applications: {x: {depends_on: [y]}}}}\n")
    (tmp_path / "deploy.json").write_text('{"outcome": "Succeeded"}')
    variables = {"deploy_ops_dag": str(tmp_path / "dag.yaml"), "deploy_ops_report_folder": str(tmp_path)}
    variables["ansible_python_interpreter"] = sys.executable
    command = ["ansible-playbook", "playbooks/deploy.yml", "--inventory=localhost,", "-e", json.dumps(variables)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 2, done.stdout + done.stderr
    report = json.loads((tmp_path / "deploy.json").read_text())
    assert report["outcome"] == "Failed"
    assert 'unknown dependency "y"' in report["summary"][0]
    assert 'unknown dependency "y"' in (tmp_path / "deploy.html").read_text().replace("&#34;", '"')
