# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The kubeconfig: the right cluster, nothing dangerous in it, and how it is read."""

from __future__ import annotations

import base64
import copy
import os

import pytest
import yaml

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0 import identity
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.check import Unknown
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.collect import kubeconfig
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.identity import Expected, KubeconfigFact
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.redact import Secrets

SERVER = "https://10.250.0.1:6443"
GOOD = KubeconfigFact("/kubeconfig", mode=0o600, context="production", server=SERVER)
CONFIG = {
    "current-context": "production",
    "contexts": [{"name": "production", "context": {"cluster": "c", "user": "u"}}],
    "clusters": [{"name": "c", "cluster": {"server": SERVER, "certificate-authority-data": "eA=="}}],
    "users": [{"name": "u", "user": {"token": "a-token-of-the-admin"}}],
}


def judge(fact=GOOD, found_uid="uid-1", **expected):
    checks = identity.evaluate(fact, found_uid, Expected(**{"server": SERVER, "uid": "uid-1", **expected}))
    return {check.id.split(".", 1)[1]: check for check in checks}


def test_the_named_cluster_passes():
    assert {check.status for check in judge().values()} == {"passed"}


@pytest.mark.parametrize(
    "server", ["https://10.250.0.1:6443/", "HTTPS://10.250.0.1:6443", "10.250.0.1:6443", "https://10.250.0.1:06443"]
)
def test_the_same_server_written_otherwise_passes(server):
    assert judge(server=server)["server"].status == "passed"


def test_default_port_is_the_same_server():
    fact = GOOD._replace(server="https://api.example.com")
    assert judge(fact, server="https://API.example.com:443")["server"].status == "passed"


@pytest.mark.parametrize(
    "server", ["https://10.250.0.2:6443", "https://10.250.0.1:443", "http://10.250.0.1:6443", "::bad"]
)
def test_another_server_blocks(server):
    check = judge(server=server)["server"]
    assert check.blocks
    assert (check.found, check.wanted) == (SERVER, server)


def test_another_cluster_behind_the_same_address_blocks():
    checks = judge(found_uid="uid-2", server="")
    assert checks["uid"].blocks
    assert checks["uid"].found == "uid-2"
    assert checks["server"].status == "skipped"


def test_inventory_without_a_cluster_is_a_warning_that_tells_what_to_write():
    check = judge(server="", uid="")["expected"]
    assert (check.status, check.severity) == ("failed", "warning")
    assert SERVER in check.found
    assert "uid-1" in check.found
    assert judge(server="")["expected"].status == "passed"


def test_open_file_is_a_warning():
    check = judge(GOOD._replace(mode=0o644))["kubeconfig_mode"]
    assert (check.status, check.severity) == ("failed", "warning")
    assert "0644" in check.found
    assert judge(GOOD._replace(mode=None))["kubeconfig_mode"].status == "skipped"


@pytest.mark.parametrize(
    ("change", "name", "allow"),
    [
        ({"program": "exec plugin aws"}, "kubeconfig_exec", "allow_exec"),
        ({"insecure": True}, "kubeconfig_tls", "allow_insecure"),
    ],
)
def test_program_and_unverified_server_block_and_keep_us_from_asking(change, name, allow):
    fact = GOOD._replace(**change)
    assert judge(fact)[name].blocks
    assert identity.usable(fact, Expected()).reported
    assert judge(fact, **{allow: True})[name].status == "passed"
    assert identity.usable(fact, Expected(**{allow: True})) is None


def test_unusable_kubeconfig_fails_once():
    checks = judge(KubeconfigFact("/nowhere", problem="cannot be read"), found_uid=Unknown("x", reported=True))
    assert checks["kubeconfig"].blocks
    assert [name for name, check in checks.items() if check.status == "failed"] == ["kubeconfig"]


def load(path="", data="", context=""):
    return kubeconfig.load(str(path), data if isinstance(data, str) else yaml.safe_dump(data), context, Secrets())


@pytest.mark.parametrize("form", ["text", "base64"])
def test_data_in_every_form(form):
    text = yaml.safe_dump(CONFIG)
    data = {"text": text, "base64": base64.encodebytes(text.encode()).decode()}[form]
    loaded = load(data=data)
    assert (loaded.fact.server, loaded.fact.problem, loaded.fact.mode) == (SERVER, "", None)


def test_file_with_its_mode(tmp_path):
    path = tmp_path / "kubeconfig"
    path.write_text(yaml.safe_dump(CONFIG))
    path.chmod(0o640)
    assert load(path).fact == KubeconfigFact(str(path), "", 0o640, "production", SERVER)


def test_secrets_of_the_kubeconfig_are_known():
    secrets = Secrets()
    kubeconfig.load("", yaml.safe_dump(CONFIG), "", secrets)
    assert "a-token-of-the-admin" not in secrets.redact("token a-token-of-the-admin")


def changed(**user_or_cluster):
    config = copy.deepcopy(CONFIG)
    config["users"][0]["user"].update(user_or_cluster.get("user", {}))
    config["clusters"][0]["cluster"].update(user_or_cluster.get("cluster", {}))
    return config


def test_programs_and_unverified_servers_are_seen():
    assert load(data=changed(user={"exec": {"command": "aws"}})).fact.program == "exec plugin aws"
    assert load(data=changed(user={"auth-provider": {"name": "gcp"}})).fact.program == "auth provider gcp"
    assert load(data=changed(cluster={"insecure-skip-tls-verify": True})).fact.insecure
    assert load(data=changed(cluster={"server": "http://10.250.0.1:8080"})).fact.insecure


@pytest.mark.parametrize(
    ("data", "context", "problem"),
    [
        ("{unclosed", "", "is not YAML"),
        ("just words", "", "no contexts"),
        ({**CONFIG, "current-context": ""}, "", "no current-context"),
        (CONFIG, "staging", "no context named staging"),
        ({**CONFIG, "clusters": []}, "", "no cluster named c"),
        ({**CONFIG, "users": None}, "", "no user named u"),
    ],
)
def test_broken_kubeconfigs_are_named(data, context, problem):
    assert problem in load(data=data, context=context).fact.problem


def test_missing_and_several_files(tmp_path):
    assert "no such file" in load(tmp_path / "none").fact.problem
    assert "several files" in load(f"/a{os.pathsep}/b").fact.problem


@pytest.mark.parametrize(
    ("expected", "problems"),
    [
        (Expected(server=SERVER), []),
        (Expected(uid="uid-1"), []),
        (Expected(server=SERVER, uid="uid-1"), []),
        (Expected(), ["identity.expected"]),
        (Expected(server="https://10.250.0.2:6443"), ["identity.server"]),
        (Expected(server=SERVER, uid="uid-2"), ["identity.uid"]),
    ],
)
def test_work_that_cannot_be_undone_needs_a_cluster_that_was_named_and_met(expected, problems):
    found = identity.mismatches(SERVER, "uid-1", expected)
    assert [check.id for check in found] == problems
    assert all(check.found and check.wanted and check.fix for check in found)
