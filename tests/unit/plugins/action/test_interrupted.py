# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Ctrl-C while a run is watched, with the real ansible-playbook and an API server that is made of a few answers.

How a task learns of the signal, and who may still speak then, differs between the versions of ansible-core.
"""

from __future__ import annotations

import http.server
import json
import os
import signal
import subprocess
import sys
import threading
import time
import typing as t
from pathlib import Path

import pytest

from ansible_collections.proficientnow.deploy_ops.plugins.filter.dag_plan import dag_plan
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._workflow.run import next_run
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._workflow.settings import Settings
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._workflow.template import workflow_template

GRAPH = {"version": 1, "stacks": {"base": {"applications": {"a": {}}}}}


def running() -> dict[str, t.Any]:
    workflow = next_run(workflow_template(dag_plan(GRAPH), Settings()), "platform", "abc", []).definition
    workflow["metadata"]["creationTimestamp"] = "2026-11-16T08:00:00Z"
    name = workflow["metadata"]["name"]
    node = {"name": f"{name}.wave-0.app-a", "phase": "Running", "message": "is still Progressing"}
    return {**workflow, "status": {"phase": "Running", "startedAt": "2026-11-16T08:00:00Z", "nodes": {"n": node}}}


class Server(http.server.ThreadingHTTPServer):
    """A run that never ends."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answers)
        self.workflow = running()
        self.looked_at = 0

    def answer(self, path: str) -> dict[str, t.Any]:
        if path.endswith(f"/workflows/{self.workflow['metadata']['name']}"):
            self.looked_at += 1
            return self.workflow
        return {
            "/version": {"major": "1", "minor": "36", "gitVersion": "v1.36.0"},
            "/api": {"kind": "APIVersions", "versions": ["v1"]},
            "/apis": {"kind": "APIGroupList", "groups": []},
            "/api/v1": {"kind": "APIResourceList", "groupVersion": "v1", "resources": []},
        }.get(path, {"items": [self.workflow]})


class Answers(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        data = json.dumps(t.cast(Server, self.server).answer(self.path.partition("?")[0])).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_arguments: t.Any) -> None:
        """Quiet."""


@pytest.fixture
def server() -> t.Iterator[Server]:
    started = Server()
    threading.Thread(target=started.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    yield started
    started.shutdown()
    started.server_close()


def test_ctrl_c_says_how_to_come_back(server: Server, tmp_path: Path) -> None:
    kubeconfig = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "x", "cluster": {"server": f"http://127.0.0.1:{server.server_port}"}}],
        "users": [{"name": "x", "user": {}}],
        "contexts": [{"name": "x", "context": {"cluster": "x", "user": "x"}}],
        "current-context": "x",
    }
    (tmp_path / "kubeconfig").write_text(json.dumps(kubeconfig))
    collections = next(path for path in sys.path if (Path(path) / "ansible_collections" / "proficientnow").is_dir())
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("ANSIBLE_", "K8S_AUTH_"))},
        "KUBECONFIG": str(tmp_path / "kubeconfig"),
        "ANSIBLE_COLLECTIONS_PATH": str(Path(collections).resolve()),
        "ANSIBLE_NOCOLOR": "1",
    }
    command = [
        str(Path(sys.executable).with_name("ansible-playbook")),
        "--inventory=localhost,",
        "proficientnow.deploy_ops.status",
        "--extra-vars=deploy_ops_watch=true",
    ]
    watching = subprocess.Popen(
        command,
        cwd=tmp_path,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    deadline = time.monotonic() + 60
    while server.looked_at < 3:
        assert time.monotonic() < deadline, "the run was not looked at"
        time.sleep(0.1)
    os.killpg(watching.pid, signal.SIGINT)
    output, _nothing = watching.communicate(timeout=60)
    name = server.workflow["metadata"]["name"]
    assert watching.returncode == 99, output
    assert f"The run {name} goes on in the cluster" in output
    assert f"ansible-playbook proficientnow.deploy_ops.status -i localhost, -e deploy_ops_run={name}" in output
