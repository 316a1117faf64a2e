# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A newcomer's way: the graph of the README, planned and drawn, without a cluster."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
README = (ROOT / "README.md").read_text()


def code_block(language: str) -> str:
    found = re.search(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    assert found is not None, language
    return found.group(1)


def plan(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    collections = next(path for path in sys.path if (Path(path) / "ansible_collections" / "proficientnow").is_dir())
    environment = {
        **{name: value for name, value in os.environ.items() if name != "ANSIBLE_CONFIG"},
        "ANSIBLE_COLLECTIONS_PATH": collections,
        "ANSIBLE_NOCOLOR": "1",
        "PWD": str(folder),
    }
    command = [
        str(Path(sys.executable).with_name("ansible-playbook")),
        "--inventory=localhost,",
        f"--extra-vars=ansible_python_interpreter={sys.executable}",
        "proficientnow.deploy_ops.plan",
        *arguments,
    ]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_the_graph_of_the_readme_is_planned_and_drawn_as_shown_there(tmp_path: Path) -> None:
    (tmp_path / "dag.yaml").write_text(code_block("yaml"))
    done = plan(tmp_path, "--extra-vars=deploy_ops_dag=dag.yaml")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Critical path (15m): metallb -> postgres-operator" in done.stdout
    assert (tmp_path / "plan" / "plan.mmd").read_text() == code_block("mermaid")
    assert (tmp_path / "plan" / "plan.dot").read_text().startswith("// an arrow points")


def test_a_scope_says_what_it_would_touch_and_what_must_stand(tmp_path: Path) -> None:
    (tmp_path / "dag.yaml").write_text(code_block("yaml"))
    done = plan(tmp_path, "--extra-vars=deploy_ops_scope=stack:developer deploy_ops_action=deploy", "--check")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Deploy stack:developer, strategy waves: 1 application touched, 1 wave" in done.stdout
    assert "Must be Healthy before anything starts (not deployed by this plan):" in done.stdout
    assert not (tmp_path / "plan").exists()


def test_a_missing_graph_is_one_clear_message(tmp_path: Path) -> None:
    done = plan(tmp_path)
    assert done.returncode != 0
    assert (
        "dag.yaml: the file does not exist; name the graph's file, for instance dag.yaml" in done.stdout + done.stderr
    )
