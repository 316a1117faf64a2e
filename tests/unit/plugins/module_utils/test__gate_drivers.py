# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The drivers of the gate: the executor plugin as the agent calls it, and the program for a pod per node."""

from __future__ import annotations

import contextlib
import http.client
import json
import threading
import typing as t
from pathlib import Path

import pytest

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate import command, plugin_server
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.argocd import ArgoCD
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.gate import Gate
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.plugin_server import Plugin
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.request import (
    BadRequest,
    Request,
    parse_request,
)
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.retry import Clock
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.verdict import Blocker, Verdict
from ansible_collections.proficientnow.deploy_ops.tests.unit.plugins.module_utils.gate_fake_argocd import (
    TOKEN,
    FakeArgoCD,
    VirtualClock,
    serving,
)

SYNC = {"do": "sync", "application": "ceph-cluster", "project": "platform", "settle_seconds": "5", "attempts": 3}
UID = "2f0f7f0e-7f53-4b0c-9f0e-5b0f5a1c9d11"


def body(parameters: t.Any, key: str = "deploy-ops") -> dict[str, t.Any]:
    """What the agent sends."""
    return {
        "workflow": {"metadata": {"name": "platform-bootstrap-x", "namespace": "argo", "uid": UID}},
        "template": {"name": "sync", "inputs": {}, "outputs": {}, "metadata": {}, "plugin": {key: parameters}},
    }


class FixedGate(Gate):
    """Gives the verdicts that a test has prepared, and notes how it was asked."""

    def __init__(self, *verdicts: Verdict) -> None:
        self.verdicts = list(verdicts)
        self.asked: list[tuple[str, str]] = []

    def step(self, request: Request, how: str, looked_for: float) -> Verdict:
        self.asked.append((request.node, how))
        return self.verdicts.pop(0)


@pytest.fixture
def token_file(tmp_path: Path) -> str:
    (tmp_path / "token").write_text("the-agents-token")
    return str(tmp_path / "token")


def parameters_of(reply: t.Any) -> dict[str, str]:
    return {item["name"]: item["value"] for item in reply["node"]["outputs"]["parameters"]}


class TestPlugin:
    def reply(self, verdict: Verdict, token_file: str) -> t.Any:
        return Plugin(FixedGate(verdict), token_file).execute(body(SYNC))

    def test_waiting_is_a_running_node_with_a_message_and_a_requeue(self, token_file: str) -> None:
        reply = self.reply(Verdict("Progressing", "Waiting", "is still Progressing", look_again=2.5), token_file)
        assert reply == {"node": {"phase": "Running", "message": "is still Progressing"}, "requeue": "2500ms"}

    def test_what_has_been_told_is_not_told_again(self, token_file: str) -> None:
        """Every reply with a phase is a write of the task set, for which the controller walks the graph."""
        waiting = Verdict("Progressing", "Waiting", "is still Progressing", look_again=0.5)
        synced = Verdict("Progressing", "Waiting", "synced, waiting", look_again=0.5)
        plugin = Plugin(FixedGate(waiting, waiting, synced), token_file)
        told = [(plugin.execute(body(SYNC)) or {})["node"] for _look in range(3)]
        assert told == [
            {"phase": "Running", "message": "is still Progressing"},
            {},
            {"phase": "Running", "message": "synced, waiting"},
        ]

    def test_the_requeue_has_a_floor(self, token_file: str) -> None:
        assert self.reply(Verdict("Progressing", "Waiting", "", look_again=0), token_file)["requeue"] == "300ms"

    def test_healthy_carries_its_outputs(self, token_file: str) -> None:
        verdict = Verdict("Healthy", "Healthy", "Healthy at 8d1f6c1", revision="8d1f6c1", sync_seconds=3, attempt=1)
        reply = self.reply(verdict, token_file)
        assert reply["node"]["phase"] == "Succeeded"
        outputs = parameters_of(reply)
        details = json.loads(outputs.pop("details"))
        assert outputs == {
            "verdict": "Healthy",
            "revision": "8d1f6c1",
            "started": "",
            "sync_seconds": "3",
            "health_seconds": "0",
            "attempts": "1",
        }
        assert (details["mixed"], details["reason"]) == (False, "Healthy")

    def test_the_outputs_hold_the_course_and_not_every_second_of_it(self, token_file: str) -> None:
        waits = [Verdict("Progressing", "Waiting", f"Progressing for {second} s") for second in range(30)]
        syncs = [Verdict("Progressing", "Syncing", word * 100) for word in "abcdefghijklm"]
        plugin = Plugin(FixedGate(*waits, *syncs, Verdict("Healthy", "Healthy", "Healthy at 8")), token_file)
        replies = [plugin.execute(body(SYNC)) for _look in range(len(waits) + len(syncs) + 1)]
        assert replies[-1] is not None
        log = json.loads(parameters_of(replies[-1])["details"])["log"]
        assert [line.split(" ", 1)[1][:22] for line in log[-2:]] == ["Progressing Syncing: m", "Healthy Healthy: Healt"]
        assert len(log) == 10
        assert sum("Waiting" in line for line in log) == 0, "the oldest lines go first"

    @pytest.mark.parametrize("verdict", ["Failed", "Degraded", "Unknown"])
    def test_a_bad_verdict_fails_the_node_for_good(self, verdict: str, token_file: str) -> None:
        blocker = Blocker("Deployment", "rook", "rook-ceph", "Degraded", "no image")
        reply = self.reply(Verdict(verdict, "Degraded", "is Degraded", blockers=(blocker,) * 9), token_file)
        assert reply["node"]["phase"] == "Failed"
        details = json.loads(parameters_of(reply)["details"])
        assert details["unhealthy"][0]["name"] == "rook"
        assert len(details["unhealthy"]) == 5

    def test_an_outage_runs_on_and_becomes_an_error_that_may_be_tried_again(self, token_file: str) -> None:
        clock = VirtualClock()
        away = Verdict("Unknown", "Unreachable", "Argo CD refuses connections", transient=True)
        plugin = Plugin(FixedGate(*[away] * 3), token_file, t.cast(Clock, clock))
        first = plugin.execute(body(SYNC))
        assert first is not None
        assert first["node"] == {"phase": "Running", "message": "Argo CD refuses connections"}
        clock.now = 299
        assert plugin.execute(body(SYNC)) == {"node": {}, "requeue": "10000ms"}
        clock.now = 301
        last = plugin.execute(body(SYNC))
        assert last is not None
        assert last["node"]["phase"] == "Error"
        assert "for 5m1s" in last["node"]["message"]

    def test_the_first_look_is_a_proof_and_the_next_ones_are_what_the_verdict_asked_for(self, token_file: str) -> None:
        gate = FixedGate(
            Verdict("Progressing", "Waiting", "", "look"), Verdict("Progressing", "Waiting", "", "refresh")
        )
        plugin = Plugin(gate, token_file)
        plugin.execute(body(SYNC))
        plugin.execute(body(SYNC))
        assert gate.asked == [("ceph-cluster", "refresh"), ("ceph-cluster", "look")]

    def test_the_log_tells_each_thing_once(self, token_file: str, capsys: pytest.CaptureFixture[str]) -> None:
        waiting = Verdict("Progressing", "Waiting", "is still Progressing")
        plugin = Plugin(FixedGate(waiting, waiting, Verdict("Healthy", "Healthy", "Healthy at x")), token_file)
        for _request in range(3):
            plugin.execute(body(SYNC))
        lines = [line.partition(" ")[2] for line in capsys.readouterr().out.splitlines()]
        assert lines == [
            "ceph-cluster Progressing Waiting: is still Progressing",
            "ceph-cluster Healthy Healthy: Healthy at x",
        ]

    @pytest.mark.parametrize("raw", [None, [], "x", {}, {"template": None}, {"template": {"plugin": "x"}}])
    def test_what_is_not_for_it_is_not_answered(self, raw: t.Any, token_file: str) -> None:
        assert Plugin(FixedGate(), token_file).execute(raw) is None
        assert Plugin(FixedGate(), token_file).execute(body({}, key="slack")) is None

    def test_a_workflow_can_refuse_in_its_own_words(self, token_file: str) -> None:
        gate = Gate(t.cast(ArgoCD, None), None)
        reply = Plugin(gate, token_file).execute(body({"do": "refuse", "message": "no such scope: stack:x"}))
        assert reply is not None
        assert (reply["node"]["phase"], reply["node"]["message"]) == ("Failed", "no such scope: stack:x")

    def test_a_bad_request_fails_the_node_with_the_reason(self, token_file: str) -> None:
        reply = Plugin(FixedGate(), token_file).execute(body({"do": "sync", "application": "x"}))
        assert reply is not None
        assert reply["node"]["phase"] == "Failed"
        assert reply["node"]["message"] == "deploy-ops: `sync` needs project"


@contextlib.contextmanager
def listening(plugin: Plugin) -> t.Iterator[int]:
    with plugin_server._Server(("::", 0), plugin_server._handler(plugin)) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield server.server_address[1]
        server.shutdown()
        thread.join()


def post(
    port: int, token: str, content: t.Any, path: str = "/api/v1/template.execute", host: str = "127.0.0.1"
) -> t.Any:
    connection = http.client.HTTPConnection(host, port, timeout=10)
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    connection.request("POST", path, data, {"Authorization": f"Bearer {token}"})
    response = connection.getresponse()
    raw = response.read()
    connection.close()
    return response.status, json.loads(raw) if raw else None


class TestServer:
    @pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
    def test_the_agent_is_answered_on_both_kinds_of_localhost(self, token_file: str, host: str) -> None:
        plugin = Plugin(FixedGate(Verdict("Healthy", "Healthy", "Healthy at x")), token_file)
        with listening(plugin) as port:
            status, reply = post(port, "the-agents-token", body(SYNC), host=host)
        assert (status, reply["node"]["phase"]) == (200, "Succeeded")

    @pytest.mark.parametrize(
        ("token", "content", "path", "expected"),
        [
            ("somebody-else", body(SYNC), "/api/v1/template.execute", 403),
            ("", body(SYNC), "/api/v1/template.execute", 403),
            ("the-agents-token", body({}, key="slack"), "/api/v1/template.execute", 404),
            ("the-agents-token", body(SYNC), "/api/v1/other", 404),
            ("the-agents-token", b"{", "/api/v1/template.execute", 400),
        ],
    )
    def test_everything_else_is_refused(
        self, token_file: str, token: str, content: t.Any, path: str, expected: int
    ) -> None:
        gate = FixedGate()
        with listening(Plugin(gate, token_file)) as port:
            assert post(port, token, content, path)[0] == expected
        assert gate.asked == []

    def test_without_the_agents_token_nobody_is_the_agent(self, tmp_path: Path) -> None:
        with listening(Plugin(FixedGate(), str(tmp_path / "absent"))) as port:
            assert post(port, "", body(SYNC))[0] == 403


class TestCommand:
    def run(self, fake: FakeArgoCD, request: t.Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> int:
        monkeypatch.setattr(command, "Clock", lambda: fake.clock)
        environment = {"ARGOCD_SERVER": fake.url, "ARGOCD_TOKEN": TOKEN}
        arguments = ["run", json.dumps(request), "--run", UID, "--outputs", str(tmp_path / "outputs")]
        return command.main(arguments, environment)

    def test_healthy(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        with serving(FakeArgoCD(VirtualClock())) as fake:
            assert self.run(fake, SYNC, tmp_path, monkeypatch) == 0
        assert (tmp_path / "outputs" / "verdict").read_text() == "Healthy"
        assert fake.operations[0]["info"][0] == {"name": "deploy-ops-run", "value": f"{UID}/ceph-cluster/1"}
        lines = capsys.readouterr().out.splitlines()
        assert lines[-1] == "ceph-cluster: Healthy: Healthy at 8d1f6c1"
        assert len(lines) == len(set(lines)), "a message is told once"

    def test_a_verdict(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        with serving(FakeArgoCD(VirtualClock())) as fake:
            fake.refusal = (404, {"message": "not found"})
            assert self.run(fake, SYNC, tmp_path, monkeypatch) == 1
        assert json.loads((tmp_path / "outputs" / "details").read_text())["reason"] == "Refused"

    def test_an_outage_is_worth_another_try(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        clock = VirtualClock()
        away = Verdict("Unknown", "Unreachable", "Argo CD refuses connections", transient=True)
        monkeypatch.setattr(command.Gate, "step", lambda *_arguments: away)
        monkeypatch.setattr(command, "Clock", lambda: clock)
        environment = {"ARGOCD_SERVER": "http://127.0.0.1:1", "ARGOCD_TOKEN": TOKEN}
        assert command.main(["run", json.dumps(SYNC), "--run", UID], environment) == 75

    @pytest.mark.parametrize(
        ("request_text", "environment", "message"),
        [
            ("{", {"ARGOCD_SERVER": "http://x", "ARGOCD_TOKEN": "t"}, "no JSON"),
            ("[]", {"ARGOCD_SERVER": "http://x", "ARGOCD_TOKEN": "t"}, "no mapping"),
            (json.dumps(SYNC), {"ARGOCD_SERVER": "http://x"}, "ARGOCD_TOKEN"),
            (json.dumps(SYNC), {"ARGOCD_TOKEN": "t"}, "must be a URL"),
            (json.dumps(SYNC), {"ARGOCD_SERVER": "https://u:hunter2@x", "ARGOCD_TOKEN": "t"}, "without credentials"),
            (json.dumps(SYNC), {"ARGOCD_SERVER": "https://x", "ARGOCD_TOKEN": "t", "ARGOCD_CA": "no pem"}, "ARGOCD_CA"),
        ],
    )
    def test_a_bad_call(
        self, request_text: str, environment: dict[str, str], message: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert command.main(["run", request_text, "--run", UID], environment) == 2
        told = capsys.readouterr().err
        assert message in told
        assert "hunter2" not in told


class TestRequests:
    def test_numbers_may_be_text(self) -> None:
        wish = parse_request({**SYNC, "sync_timeout_seconds": "90", "backoff_seconds": 4, "prune": "false"}, UID).wish
        assert (wish.sync_timeout, wish.backoff, wish.prune, wish.settle, wish.attempts) == (90, 4, False, 5, 3)
        assert wish.run == f"{UID}/ceph-cluster"

    def test_empty_parameters_are_left_to_the_defaults(self) -> None:
        wish = parse_request({**SYNC, "health_timeout_seconds": "", "revision": ""}, UID).wish
        assert (wish.health_timeout, wish.revision) == (300, "")

    def test_verify_neither_syncs_nor_settles(self) -> None:
        wish = parse_request({"do": "verify", "application": "a", "project": "p"}, UID).wish
        assert (wish.sync, wish.settle) == (False, 0)

    @pytest.mark.parametrize("providers", [["a", "b"], "a,b", "a, b,"])
    def test_providers_may_be_text(self, providers: t.Any) -> None:
        raw = {"do": "resource", "reference": "resource:x.y.io", "project": "p", "providers": providers}
        assert parse_request(raw, UID).providers == ("a", "b")

    @pytest.mark.parametrize(
        ("raw", "message"),
        [
            ({"do": "destroy"}, "`do` must be one of"),
            ({}, "`do` must be one of"),
            ({**SYNC, "sync_timeout": 5}, "unknown parameters of `sync`: sync_timeout"),
            ({**SYNC, "application": "../x"}, "is no Kubernetes name"),
            ({**SYNC, "project": "a b"}, "is no Kubernetes name"),
            ({**SYNC, "attempts": 0}, "at least 1"),
            ({**SYNC, "attempts": "many"}, "whole number"),
            ({**SYNC, "grace_seconds": -1}, "whole number"),
            ({**SYNC, "wait_for": "ready"}, "healthy or synced"),
            ({"do": "resource", "reference": "pods", "project": "p"}, "not of the form"),
            (
                {"do": "resource", "reference": "resource:x.y", "project": "p", "providers": "A"},
                "is no Kubernetes name",
            ),
            ({"do": "bootstrap", "namespace": "argocd"}, "needs release"),
        ],
    )
    def test_what_cannot_be_carried_out_is_refused(self, raw: t.Any, message: str) -> None:
        with pytest.raises(BadRequest, match=message):
            parse_request(raw, UID)
