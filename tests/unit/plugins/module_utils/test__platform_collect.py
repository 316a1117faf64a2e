# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is asked of the API server, and what becomes of refusals. The server is a table of answers."""

from __future__ import annotations

import base64
import json
import typing as t

import pytest

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._kube.api import KubeApi, KubeError
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.check import Unknown
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._platform import argocd_reader
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._platform.collect import collect
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._platform.report import make_report
from ansible_collections.proficientnow.deploy_ops.tests.unit.plugins.module_utils.platform_objects import (
    NAMES,
    SETTINGS,
    application,
    job,
    plan,
    root,
    rules,
    token,
    workload,
)

ARGO = "/apis/argoproj.io/v1alpha1/namespaces"
PROXY = "/api/v1/namespaces/argocd/services/https:argocd-server:https/proxy/api/v1"
DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"


class Refusal(Exception):
    def __init__(self, status: int, message: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.body = json.dumps({"message": message}).encode()


class Answer(t.NamedTuple):
    data: bytes


class Server:
    """Answers from a table; what is not in it does not exist."""

    def __init__(self, **changes: t.Any) -> None:
        self.asked: list[tuple[str, str, dict[str, t.Any]]] = []
        self.table: dict[str, t.Any] = {
            f"{ARGO}/argocd/applications": {"items": [*map(application, NAMES), root()]},
            f"{ARGO}/argocd/appprojects": {"items": list(rules().projects.values())},
            f"{ARGO}/argo/workflows": {"items": []},
            "/api/v1/namespaces/argocd/configmaps/argocd-cm": {"data": rules().argocd},
            DEFINITIONS: {"items": [{"metadata": {"name": "postgresqls.acid.zalan.do"}}]},
            f"{DEFINITIONS}/postgresqls.acid.zalan.do": {"status": {}},
            "/api/v1/namespaces/argo/secrets": {"items": [token("2027-02-01T00:00:00Z")]},
            "/api/v1/namespaces/argo/secrets/deploy-ops-argocd-token": {
                "data": {"token": base64.b64encode(b"s3cret").decode()}
            },
            f"{PROXY}/account/orchestrator": {"name": "orchestrator"},
            **{
                f"/apis/apps/v1/namespaces/{place}/deployments": {"items": [workload()]}
                for place in ("argocd", "kube-system")
            },
            **{f"{PROXY}/applications/{name}/manifests": {"manifests": ["{}"]} for name in NAMES},
        }
        self.table.update(changes.get("table", {}))

    def __call__(self, method: str, path: str, body: t.Any = None, **params: t.Any) -> Answer:
        self.asked.append((method, path, params))
        answer = self.table.get(path, Refusal(404))
        if isinstance(answer, Exception):
            raise answer
        return Answer(answer if isinstance(answer, bytes) else json.dumps(answer).encode())


def look(server: Server, scope: str = "platform", **settings: t.Any) -> t.Any:
    return collect(KubeApi(server, patience=0), SETTINGS._replace(**settings), plan(), plan(scope))


def with_answers(table: dict[str, t.Any]) -> Server:
    return Server(table=table)


def test_nothing_but_reading_and_no_refresh() -> None:
    server = Server()
    facts = look(server)
    assert {method for method, _path, _params in server.asked} == {"get"}
    assert not any("refresh" in str(params.get("query_params")) for _method, _path, params in server.asked)
    assert not any("resource-tree" in path for _method, path, _params in server.asked)
    assert make_report(plan(), plan(), facts, SETTINGS)["outcome"] == "Healthy"


def test_tokens_are_listed_without_their_content() -> None:
    server = Server()
    look(server)
    (listed,) = (params for _method, path, params in server.asked if path == "/api/v1/namespaces/argo/secrets")
    assert "PartialObjectMetadataList" in listed["header_params"]["Accept"]


def test_health_alone_asks_for_little() -> None:
    server = Server()
    assert look(server, compliance=False).rules is None
    paths = {path for _method, path, _params in server.asked}
    assert not any("secrets" in path or "proxy" in path or "appprojects" in path for path in paths)


def test_manifests_of_the_scope_only() -> None:
    facts = look(Server(), scope="app:backstage")
    assert list(facts.rules.manifests) == ["backstage"]


def test_manifests_are_parsed() -> None:
    server = with_answers({f"{PROXY}/applications/metallb/manifests": {"manifests": [json.dumps(job("x")), "[]"]}})
    assert [body["kind"] for body in look(server).rules.manifests["metallb"]] == ["Job"]


@pytest.mark.parametrize(
    "answer", [b"<html>", {"manifests": ["{"]}, Refusal(403, "permission denied"), Refusal(500, "x")]
)
def test_one_that_does_not_render_leaves_the_others(answer: t.Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(argocd_reader, "_PATIENCE", 0)
    facts = look(with_answers({f"{PROXY}/applications/metallb/manifests": answer}))
    assert isinstance(facts.rules.manifests["metallb"], Unknown)
    assert facts.rules.manifests["operator"] == [{}]


@pytest.mark.parametrize(
    ("path", "answer", "told"),
    [
        (f"{PROXY}/account/orchestrator", Refusal(401, "no session information"), "does not accept the token"),
        ("/api/v1/namespaces/argo/secrets/deploy-ops-argocd-token", Refusal(404), "there is no token"),
        ("/api/v1/namespaces/argo/secrets/deploy-ops-argocd-token", Refusal(403, "forbidden"), "forbidden"),
        (f"{PROXY}/account/orchestrator", Refusal(503, "no endpoints"), "no endpoints"),
    ],
)
def test_without_a_token(path: str, answer: Exception, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(argocd_reader, "_PATIENCE", 0)
    server = with_answers({path: answer})
    facts = look(server)
    reasons = {manifests.reason for manifests in facts.rules.manifests.values()}
    assert len(reasons) == 1
    assert told in reasons.pop()
    assert "s3cret" not in repr(facts)
    made = make_report(plan(), plan(), facts, SETTINGS)
    assert made["outcome"] == "Degraded"
    assert len([one for one in made["findings"] if one["id"] == "not-known.manifests"]) == 1


@pytest.mark.parametrize(
    ("path", "part"),
    [
        ("/api/v1/namespaces/argocd/configmaps/argocd-cm", "argocd"),
        (DEFINITIONS, "definitions"),
        ("/api/v1/namespaces/argo/secrets", "tokens"),
    ],
)
def test_a_missing_right_is_told_and_the_rest_is_judged(path: str, part: str) -> None:
    facts = look(with_answers({path: Refusal(403, "forbidden")}))
    assert isinstance(getattr(facts.rules, part), Unknown)
    assert make_report(plan(), plan(), facts, SETTINGS)["outcome"] == "Degraded"


@pytest.mark.parametrize("answer", [Refusal(404), Refusal(403, "forbidden"), OSError("gone")])
def test_without_applications_there_is_nothing_to_judge(answer: Exception) -> None:
    with pytest.raises(KubeError):
        look(with_answers({f"{ARGO}/argocd/applications": answer}))


def test_one_that_is_ill_is_looked_at_closer() -> None:
    ill = application("operator", health="Degraded", namespace="data")
    others = [application(name) for name in NAMES if name != "operator"]
    event = {"involvedObject": {"name": "op"}, "reason": "BackOff"}
    server = with_answers(
        {
            f"{ARGO}/argocd/applications": {"items": [*others, ill]},
            f"{PROXY}/applications/operator": ill,
            "/api/v1/namespaces/data/events": {"items": [event]},
        }
    )
    facts = look(server)
    assert facts.details == {"operator": ill}
    assert facts.events == {"data": [event]}


def test_resources_that_the_graph_waits_for() -> None:
    graph = {
        "version": 1,
        "stacks": {
            "s": {"applications": {"a": {"depends_on": ["resource:widgets.example.com/ns/w", "resource:nodes/n1"]}}}
        },
    }
    table = {
        "/apis/example.com": {"preferredVersion": {"groupVersion": "example.com/v1"}},
        "/apis/example.com/v1/namespaces/ns/widgets/w": {"kind": "Widget"},
    }
    whole = plan(graph=graph)
    facts = collect(KubeApi(with_answers(table), patience=0), SETTINGS._replace(compliance=False), whole, whole)
    assert facts.resources == {"resource:widgets.example.com/ns/w": {"kind": "Widget"}, "resource:nodes/n1": None}
    states = {node["name"]: node["state"] for node in make_report(whole, whole, facts, SETTINGS)["nodes"]}
    assert states["resource:nodes/n1"] == "Missing"
    assert states["resource:widgets.example.com/ns/w"] == "Healthy"
