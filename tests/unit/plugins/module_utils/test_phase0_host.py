# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Tools, Python packages and collections: the rules."""

from __future__ import annotations

import pytest

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0 import (
    installed_collections,
    python_packages,
    semver,
    tools,
)

# What the tools really print.
OUTPUTS = {
    "ansible-playbook": "ansible-playbook [core 2.19.14]\n  config file = None\n  python version = 3.11.7\n",
    "kubectl": "Client Version: v1.36.1\nKustomize Version: v5.8.1\n",
    "helm": "v3.22.0+g1234567\n",
    "kubeseal": "kubeseal version: 0.36.6\n",
    "jq": "jq-1.6\n",
    "yq": "yq (https://github.com/mikefarah/yq/) version v4.44.1\n",
}
TOO_OLD = {
    "ansible-playbook": "ansible-playbook [core 2.14.18]\n",
    "kubectl": "Client Version: v1.27.9\n",
    "helm": "v3.11.3+g323249351482\n",
    "kubeseal": "kubeseal version: 0.23.1\n",
    "jq": "jq-1.5\n",
    "yq": "yq (https://github.com/mikefarah/yq/) version 3.4.1\n",
}


def judge(name, fact):
    facts = {tool: tools.ToolFact(f"/bin/{tool}", output) for tool, output in OUTPUTS.items()}
    facts[name] = fact
    checks = {check.id: check for check in tools.evaluate(facts)}
    assert len(checks) == len(tools.TOOLS)
    others = [check for check in checks.values() if check.id != f"tools.{name}"]
    assert {check.status for check in others} == {"passed"}
    return checks[f"tools.{name}"]


@pytest.mark.parametrize("name", OUTPUTS)
def test_tool_of_today_passes(name):
    check = judge(name, tools.ToolFact(f"/bin/{name}", OUTPUTS[name]))
    assert (check.status, check.severity) == ("passed", "blocking")
    assert f"/bin/{name}" in check.found


@pytest.mark.parametrize("name", OUTPUTS)
def test_missing_tool_blocks(name):
    check = judge(name, tools.ToolFact(""))
    assert check.blocks
    assert check.found == "not on PATH"
    assert name in check.fix


@pytest.mark.parametrize("name", TOO_OLD)
def test_old_tool_blocks(name):
    check = judge(name, tools.ToolFact(f"/bin/{name}", TOO_OLD[name]))
    assert check.blocks
    assert "or newer" in check.wanted


@pytest.mark.parametrize("output", ["yq 3.1.0\n", "yq 0.0.0\n"])
def test_the_other_yq_is_named(output):
    check = judge("yq", tools.ToolFact("/usr/bin/yq", output))
    assert check.blocks
    assert "another program" in check.found
    assert "mikefarah" in check.fix


def test_tool_that_breaks_or_says_no_version_blocks():
    assert "exits with 2" in judge("helm", tools.ToolFact("/bin/helm", problem="«helm version» exits with 2")).found
    assert "no version in" in judge("helm", tools.ToolFact("/bin/helm", "banana\n")).found


@pytest.mark.parametrize(
    ("text", "version"),
    [("v3.22.0+g1", (3, 22, 0)), ("jq-1.7.1", (1, 7, 1)), ("4.0", (4, 0, 0)), ("none", None), ("", None)],
)
def test_version_numbers(text, version):
    assert semver.parse(text) == version


def test_python_packages():
    versions = {"kubernetes": "37.0.2", "openshift": None, "pyyaml": "6.0.3", "jsonpatch": "1.46", "networkx": "2.4"}
    checks = {check.id: check for check in python_packages.evaluate(versions, "/venv/bin/python")}
    assert checks["python_packages.kubernetes"].status == "passed"
    assert checks["python_packages.networkx"].blocks
    assert checks["python_packages.networkx"].found == "2.4"
    openshift = checks["python_packages.openshift"]
    assert (openshift.status, openshift.severity) == ("failed", "warning")
    assert openshift.fix.startswith("/venv/bin/python -m pip install")


def test_collections():
    facts = {
        "kubernetes.core": installed_collections.CollectionFact("6.2.0", "/c/kubernetes/core"),
        "community.general": installed_collections.CollectionFact("3.8.0", "/c/community/general"),
        "ansible.posix": None,
        "ansible.utils": installed_collections.CollectionFact("5.0.0", "/c/ansible/utils"),
    }
    checks = {check.id: check for check in installed_collections.evaluate(facts)}
    assert checks["collections.kubernetes.core"].status == "passed"
    assert checks["collections.ansible.utils"].status == "passed"
    assert checks["collections.community.general"].blocks
    assert checks["collections.ansible.posix"].blocks
    assert "ansible-galaxy collection install 'ansible.posix:>=1.0.0'" in checks["collections.ansible.posix"].fix
