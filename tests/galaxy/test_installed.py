# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The installed collection is used as a user would, with nothing of the checkout in reach."""

from __future__ import annotations

import json
import re
from pathlib import Path

import yaml

from .conftest import Installed

README = Path(__file__).resolve().parents[2] / "README.md"
DAG = {
    "version": 1,
    "stacks": {
        "storage": {"depends_on": ["infrastructure"], "applications": {"ceph": {}}},
        "infrastructure": {"applications": {"ingress": {"depends_on": ["metallb"]}, "metallb": {}}},
    },
}


def _module(installed: Installed, spec: object, code: int = 0) -> str:
    arguments = json.dumps({"spec": spec})
    return installed.run(
        "ansible", "localhost", "-m", "proficientnow.deploy_ops.dag_order", "-a", arguments, code=code
    ).stdout


def _playbook(folder: Path, *tasks: dict[str, object]) -> str:
    path = folder / "play.yml"
    play = {"name": "Use the collection", "hosts": "localhost", "gather_facts": False, "vars": {"dag": DAG}}
    path.write_text(yaml.safe_dump([{**play, "tasks": list(tasks)}]))
    return str(path)


def test_dag_order_plans(installed: Installed) -> None:
    result = json.loads(_module(installed, DAG).partition("=>")[2])
    assert result["order"] == ["metallb", "ingress", "ceph"]
    assert result["changed"] is False


def test_dag_order_refuses_a_cycle_without_a_traceback(installed: Installed) -> None:
    applications = {"a": {"depends_on": ["b"]}, "b": {"depends_on": ["a"]}}
    output = _module(installed, {"version": 1, "stacks": {"s": {"applications": applications}}}, code=2)
    assert "a -> b -> a" in output
    assert "Traceback" not in output


def test_dag_plan_agrees_with_dag_order(installed: Installed, tmp_path: Path) -> None:
    plan = "dag | proficientnow.deploy_ops.dag_plan"
    playbook = _playbook(
        tmp_path,
        {"name": "Plan", "proficientnow.deploy_ops.dag_order": {"spec": "{{ dag }}"}, "register": "planned"},
        {"name": "Compare", "ansible.builtin.assert": {"that": [f"({plan}).digest == planned.digest"]}},
    )
    installed.run("ansible-playbook", playbook)


def test_the_example_of_the_readme_gives_the_picture_of_the_readme(installed: Installed, tmp_path: Path) -> None:
    """A newcomer copies it from there: it must be true."""
    blocks = dict(reversed(re.findall(r"```(yaml|mermaid)\n(.*?)```", README.read_text(), re.DOTALL)))
    dag = tmp_path / "dag.yaml"
    dag.write_text(blocks["yaml"])
    settings = [f"deploy_ops_dag={dag}", f"deploy_ops_plan_dir={tmp_path}"]
    extra = [word for setting in settings for word in ("--extra-vars", setting)]
    installed.run("ansible-playbook", "proficientnow.deploy_ops.plan", *extra)
    assert (tmp_path / "plan.mmd").read_text().strip() == blocks["mermaid"].strip()


def test_every_plugin_documents_itself(installed: Installed) -> None:
    plugins = installed.folder / "plugins"
    for kind, folder in (("module", "modules"), ("filter", "filter")):
        expected = {f"proficientnow.deploy_ops.{path.stem}" for path in (plugins / folder).glob("[a-z]*.py")}
        listing = installed.run("ansible-doc", "--json", "--list", "--type", kind, "proficientnow.deploy_ops").stdout
        assert set(json.loads(listing)) == expected
        assert "ERROR" not in installed.run("ansible-doc", "--type", kind, *sorted(expected)).stderr


def test_every_playbook_is_well_formed(installed: Installed) -> None:
    playbooks = sorted((installed.folder / "playbooks").glob("*.yml"))
    assert playbooks
    names = [f"proficientnow.deploy_ops.{playbook.stem}" for playbook in playbooks]
    installed.run("ansible-playbook", "--inventory", "localhost,", "--syntax-check", *names)
