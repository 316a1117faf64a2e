# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Looking at this host: programs, packages and collections as they lie there."""

from __future__ import annotations

import json
import pathlib

import pytest

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.collect import host, process, yaml_text
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.tools import Tool

HELM = Tool("helm", ("version", "--short"), "3.12", "installs the charts")


def program(folder, script):
    path = folder / "helm"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    return tmp_path


def test_tool_is_asked_for_its_version(path):
    program(path, 'echo "v3.22.0 $*"')
    assert host.tool(HELM, 10).output == "v3.22.0 version --short\n"


def test_tool_that_is_not_there(path):
    assert host.tool(HELM._replace(name="no-such-tool"), 10).path == ""


def test_tool_that_fails(path):
    program(path, "exit 4")
    assert host.tool(HELM, 10).problem == "«helm version --short» exits with 4"


def test_tool_that_cannot_be_run(path):
    program(path, "").write_text("#!/no/such/interpreter\n")
    assert "cannot be run" in host.tool(HELM, 10).problem


def is_running(pid):
    try:
        state = pathlib.Path(f"/proc/{pid}/stat").read_text().split()[2]
    except FileNotFoundError:
        return False
    # A zombie is dead; nobody has asked for its exit code yet.
    return state != "Z"


def test_tool_that_hangs_is_ended_with_its_children(path):
    program(path, "sleep 60 & echo $! > " + str(path / "child") + "; wait")
    assert "no answer" in host.tool(HELM, 0.5).problem
    assert not is_running(int((path / "child").read_text()))


def test_program_gets_no_terminal_and_no_other_environment(path):
    result = process.run(["/bin/sh", "-c", "cat; env"], 10, env={"A": "1"})
    assert "A=1" in result.stdout
    assert "HOME" not in result.stdout


def test_python_packages_are_looked_up_by_their_own_name():
    packages = host.python_packages()
    assert packages["pyyaml"]
    assert set(packages) == {"kubernetes", "openshift", "pyyaml", "jsonpatch", "networkx"}


def test_collections_from_artifact_and_checkout(tmp_path):
    core = tmp_path / "ansible_collections" / "kubernetes" / "core"
    core.mkdir(parents=True)
    (core / "MANIFEST.json").write_text(json.dumps({"collection_info": {"version": "6.2.0"}}))
    utils = tmp_path / "ansible_collections" / "ansible" / "utils"
    utils.mkdir(parents=True)
    (utils / "galaxy.yml").write_text("version: 5.1.0\n")
    found = host.collections([str(tmp_path)])
    assert found["kubernetes.core"] == ("6.2.0", str(core))
    assert found["ansible.utils"] == ("5.1.0", str(utils))


def test_damaged_collection_counts_as_missing(tmp_path, monkeypatch):
    monkeypatch.setattr(host.sys, "path", [])
    core = tmp_path / "ansible_collections" / "kubernetes" / "core"
    core.mkdir(parents=True)
    (core / "MANIFEST.json").write_text("{")
    (core / "galaxy.yml").write_text("[")
    assert host.collections([str(tmp_path / "ansible_collections")])["kubernetes.core"] is None


def test_missing_pyyaml_is_said(monkeypatch):
    monkeypatch.setattr(yaml_text, "yaml", None)
    with pytest.raises(yaml_text.NotYaml, match="pyyaml"):
        yaml_text.load("a: 1")
