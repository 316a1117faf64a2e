# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The module as Ansible runs it: a process that gets JSON and prints JSON."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
import yaml

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.collect.dns_provider import PROVIDERS
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.components import KINDS
from ansible_collections.proficientnow.deploy_ops.plugins.modules import phase0_check

CANARY = "canary-4f9d-secret"


def run(expect_code=None, **params):
    arguments = {**params, "_ansible_remote_tmp": "/tmp", "_ansible_keep_remote_files": False}
    process = subprocess.run(
        [sys.executable, "-m", phase0_check.__name__],
        input=json.dumps({"ANSIBLE_MODULE_ARGS": arguments}),
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PATH": "/usr/bin:/bin"},
        check=False,
    )
    assert CANARY not in process.stdout + process.stderr
    result = json.loads(process.stdout)
    if expect_code is not None:
        assert process.returncode == expect_code, result
    return result


@pytest.fixture
def nowhere(tmp_path):
    """A kubeconfig for a port of this machine that nobody listens on."""
    path = tmp_path / "kubeconfig"
    path.touch(mode=0o600)
    config = {
        "current-context": "c",
        "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
        "clusters": [{"name": "c", "cluster": {"server": "https://127.0.0.1:9"}}],
        "users": [{"name": "u", "user": {"token": CANARY}}],
    }
    path.write_text(yaml.safe_dump(config))
    return str(path)


def by_id(result):
    return {check["id"]: check for check in result["report"]["validation"]}


def test_one_failure_lists_every_blocking_problem(nowhere):
    result = run(
        1,
        kubeconfig=nowhere,
        images=["127.0.0.1:9/a:1"],
        git_repositories=[{"url": "http://127.0.0.1:9/p.git", "username": "u", "password": CANARY}],
        dns_provider={"provider": "cloudflare", "credentials": {"token": CANARY}, "api_url": "http://127.0.0.1:9/"},
    )
    blocking = [
        one["id"]
        for one in result["report"]["validation"]
        if one["status"] == "failed" and one["severity"] == "blocking"
    ]
    assert {"cluster.api", "connectivity.registry.127.0.0.1:9", "connectivity.git.127.0.0.1:9/p.git"} <= set(blocking)
    for name in blocking:
        assert f"[{name}]" in result["msg"]
    assert by_id(result)["permissions.cluster"]["status"] == "skipped"
    assert result["changed"] is False


def test_report_without_failure_when_asked(nowhere, tmp_path):
    result = run(0, kubeconfig=nowhere, fail_on="never", report_dir=str(tmp_path / "out"))
    assert result["report"]["ready"] is False
    assert "msg" not in result
    assert json.loads((tmp_path / "out" / "phase0-report.json").read_text()) == result["report"]
    assert (tmp_path / "out" / "phase0-report.txt").read_text() == result["text"]


def test_missing_tool_gives_exit_code_3(nowhere):
    result = run(1, kubeconfig=nowhere)
    assert by_id(result)["tools.kubeseal"]["found"] == "not on PATH"
    assert result["exit_code_hint"] == result["report"]["exit_code_hint"] == 3


def test_wrong_options_are_one_message_and_nothing_is_asked():
    result = run(1, images=["no tag"], git_repositories=[{"url": f"https://u:{CANARY}@127.0.0.1:9/p.git"}])
    assert "images: «no tag»" in result["msg"]
    assert "carries a credential" in result["msg"]
    assert result["exit_code_hint"] == 3
    assert "report" not in result


def test_report_that_cannot_be_written_is_still_told(nowhere, tmp_path):
    (tmp_path / "file").write_text("")
    result = run(1, kubeconfig=nowhere, fail_on="never", report_dir=str(tmp_path / "file"))
    assert result["msg"].startswith("report_dir")
    assert result["report"]["validation"]


def test_unforeseen_error_shows_its_place_and_not_its_text(monkeypatch, capsys):
    def broken(_params, _secrets):
        raise RuntimeError(CANARY)

    monkeypatch.setattr(phase0_check, "run", broken)
    monkeypatch.setattr(phase0_check, "AnsibleModule", Recorder)
    with pytest.raises(SystemExit):
        phase0_check.main()
    output = capsys.readouterr().out
    assert "RuntimeError in broken" in json.loads(output)["msg"]
    assert CANARY not in output


class Recorder:
    """Stands for AnsibleModule, and prints what the module ends with."""

    def __init__(self, **_options):
        self.params = {}
        self.tmpdir = None
        self.no_log_values = set()

    def fail_json(self, **result):
        print(json.dumps(result))
        raise SystemExit(1)


def test_choices_are_what_the_library_knows():
    assert set(phase0_check.COMPONENT_SPEC["name"]["choices"]) == set(KINDS)
    assert set(phase0_check.DNS_SPEC["provider"]["choices"]) == set(PROVIDERS)
