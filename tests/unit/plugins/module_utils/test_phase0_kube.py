# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reading a cluster. The API server here is a fake that injects faults; the real one is in tests/integration."""

from __future__ import annotations

import json
import threading

import pytest

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.check import Unknown
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.collect import kube, kubeconfig
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.collect.cluster import look
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.collect.kube import KubeError, KubeReader
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.collect.parallel import (
    Deadline,
    Job,
    run,
)
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.components import Component
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.permissions import Access
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.redact import Secrets
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.view import Release

pytest.importorskip("kubernetes")

SEALED = Component("sealed_secrets", "kube-system", "sealed-secrets", "sealed-secrets", "2.18.4")
ACCESS = Access("get", "", "pods/log", "argocd")


def reply(content, status=200):
    return status, {"Content-Type": "application/json"}, json.dumps(content).encode()


def items(*objects):
    return reply({"items": list(objects), "metadata": {}})


def named(name, **metadata):
    return {"metadata": {"name": name, **metadata}}


def healthy(request):
    path = request.path.split("?")[0]
    if request.headers.get("Authorization") != "Bearer the-token":
        return reply({"kind": "Status"}, 401)
    answers = {
        "/version": reply({"gitVersion": "v1.36.1"}),
        "/api/v1/namespaces/kube-system": reply({"metadata": {"uid": "uid-1"}}),
        "/api/v1/nodes": items(
            {
                **named("node1"),
                "status": {"conditions": [{"type": "Ready", "status": "True"}], "allocatable": {"cpu": "2"}},
            }
        ),
        "/api/v1/nodes/node1/proxy/stats/summary": reply(
            {"node": {"fs": {"availableBytes": 300}, "runtime": {"imageFs": {"availableBytes": 200}}}}
        ),
        "/api/v1/namespaces": items(named("argocd", labels={"a": "b"}), named("old", deletionTimestamp="2026-01-01")),
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions": items(
            named("a.b", annotations={"meta.helm.sh/release-name": "r", "meta.helm.sh/release-namespace": "n"})
        ),
        "/api/v1/secrets": items(
            named("s1", namespace="argocd", labels={"name": "argocd", "version": "9", "status": "superseded"}),
            named("s2", namespace="argocd", labels={"name": "argocd", "version": "10", "status": "deployed"}),
        ),
        "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews": reply({"status": {"allowed": True}}, 201),
    }
    if path in answers:
        return answers[path]
    if path.endswith(("/pods", "/storageclasses")):
        return items()
    return reply({"kind": "Status"}, 404)


def reader(server, token="the-token", timeout=5.0, seconds=30.0):
    config = {
        "current-context": "c",
        "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
        "clusters": [{"name": "c", "cluster": {"server": server.url}}],
        "users": [{"name": "u", "user": {"token": token}}],
    }
    return KubeReader(kubeconfig.load("", json.dumps(config), "", Secrets()), timeout, Deadline(seconds))


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch):
    monkeypatch.setattr(kube.time, "sleep", lambda _seconds: None)


def test_healthy_cluster_is_read(serve_http):
    server = serve_http(healthy)
    view = look(reader(server), [SEALED], [ACCESS], Deadline(30))
    assert (view.version, view.authenticated, view.uid) == ("v1.36.1", True, "uid-1")
    assert [node.name for node in view.nodes] == ["node1"]
    assert view.disk_free == {"node1": 200}
    assert view.namespaces["old"].terminating
    assert not view.namespaces["argocd"].terminating
    assert view.crds["a.b"].release == ("n", "r")
    assert view.releases == [Release("argocd", "argocd", 10, "deployed")]
    assert view.shared_deployments == {}
    assert view.permissions == {ACCESS: True}
    writes = [path for method, path in server.asked if method != "GET"]
    assert set(writes) == {"/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"}


def test_access_review_asks_for_the_subresource(serve_http):
    asked = []

    def answer(request):
        asked.append(json.loads(request.body)["spec"]["resourceAttributes"])
        return reply({"status": {"allowed": False}}, 201)

    assert reader(serve_http(answer)).allowed(ACCESS) is False
    assert (asked[0]["resource"], asked[0]["subresource"], asked[0]["namespace"]) == ("pods", "log", "argocd")


def test_wrong_token(serve_http):
    view = look(reader(serve_http(healthy), token="wrong"), [], [ACCESS], Deadline(30))
    assert (view.version, view.authenticated) == ("answers (HTTP 401)", False)
    assert view.nodes.reported
    assert view.permissions[ACCESS].reported


def test_missing_right_is_left_to_the_permissions_check(serve_http):
    def answer(request):
        return reply({}, 403) if request.path.startswith("/api/v1/nodes") else healthy(request)

    view = look(reader(serve_http(answer)), [], [], Deadline(30))
    assert view.nodes == Unknown("the right to read this is missing", reported=True)


@pytest.mark.parametrize("fault", [429, 500, 502, 503, 504, None])
def test_passing_fault_is_overcome(serve_http, fault):
    faults = [fault]

    def answer(request):
        if faults:
            status = faults.pop()
            return None if status is None else reply({}, status)
        return healthy(request)

    assert reader(serve_http(answer)).get("/version")["gitVersion"] == "v1.36.1"


def test_lasting_fault_ends_after_three_attempts(serve_http):
    server = serve_http(lambda _request: reply({}, 503))
    with pytest.raises(KubeError, match="HTTP 503"):
        reader(server).get("/version")
    assert len(server.asked) == 3


def test_refusal_is_not_tried_again(serve_http):
    server = serve_http(lambda _request: reply({}, 403))
    with pytest.raises(KubeError, match="HTTP 403"):
        reader(server).get("/api/v1/nodes")
    assert len(server.asked) == 1


def test_dead_api_is_one_finding(serve_http):
    server = serve_http(healthy)
    server.shutdown()
    server.server_close()
    view = look(reader(server), [], [ACCESS], Deadline(30))
    assert view.version == Unknown("connection refused")
    assert view.nodes == Unknown("connection refused", reported=True)


def test_long_lists_come_in_pages(serve_http):
    def answer(request):
        if "continue=more" in request.path:
            return reply({"items": [named("b")], "metadata": {}})
        return reply({"items": [named("a")], "metadata": {"continue": "more"}})

    assert [item["metadata"]["name"] for item in reader(serve_http(answer)).items("/api/v1/pods")] == ["a", "b"]


def test_answer_that_is_not_json(serve_http):
    with pytest.raises(KubeError, match="not JSON"):
        reader(serve_http(lambda _request: (200, {}, b"<html>"))).get("/version")


def test_jobs_that_hang_or_break_do_not_keep_the_others():
    gate = threading.Event()
    jobs = {
        "good": Job(lambda: 1),
        "broken": Job(lambda: 1 / 0),
        "silent": Job(gate.wait, lambda why: f"no: {why.reason}"),
    }
    answers = run(jobs, Deadline(0.3))
    gate.set()
    assert answers["good"] == 1
    assert answers["broken"] == Unknown("unexpected ZeroDivisionError while asking")
    assert answers["silent"].startswith("no: no answer")


def test_more_jobs_than_workers():
    answers = run({number: Job(lambda number=number: number * 2) for number in range(100)}, Deadline(30), workers=3)
    assert answers == {number: number * 2 for number in range(100)}


def test_nothing_is_asked_when_the_time_is_over(serve_http):
    server = serve_http(healthy)
    with pytest.raises(KubeError, match="no time left"):
        reader(server, seconds=0).get("/version")
    assert server.asked == []


def test_deadline_counts_down():
    deadline = Deadline(5)
    assert 0 < deadline.left <= 5
    assert Deadline(-1).left == 0
