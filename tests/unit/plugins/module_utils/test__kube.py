# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import json
import socket

import pytest
from kubernetes.client import ApiClient, Configuration
from kubernetes.client.rest import RESTClientObject
from urllib3.exceptions import MaxRetryError

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._helm.evidence import (
    pod_reasons,
    warning_lines,
)
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._kube import api as api_module
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._kube.api import KubeApi, KubeError
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._kube.probe import Probe, ProbeError, field


class Refused(Exception):
    def __init__(self, status, message=""):
        super().__init__(message)
        self.status = status
        self.body = json.dumps({"message": message})


class Answer:
    def __init__(self, body):
        self.data = json.dumps(body).encode() if not isinstance(body, str) else body.encode()


class Cluster:
    """Objects by path, and a script of failures: enough of an API server to inject faults."""

    def __init__(self, objects=None, faults=()):
        self.objects = dict(objects or {})
        self.faults = list(faults)
        self.calls = []

    def __call__(self, method, path, body=None, **params):
        self.calls.append((method, path))
        if self.faults:
            fault = self.faults.pop(0)
            if fault is not None:
                raise fault
        if method == "post":
            name = body["metadata"]["name"]
            self.objects[f"{path}/{name}"] = body
            return Answer(body)
        if path not in self.objects:
            raise Refused(404, "not found")
        if method == "delete":
            del self.objects[path]
            return Answer({})
        return Answer(self.objects[path])


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch):
    monkeypatch.setattr("time.sleep", lambda seconds: None)


def test_reads_survive_what_passes():
    cluster = Cluster({"/x": {"ok": 1}}, [Refused(503), ConnectionResetError(), Refused(429), None])
    assert KubeApi(cluster).get("/x") == {"ok": 1}
    assert len(cluster.calls) == 4


@pytest.mark.parametrize("status", [400, 401, 403, 422])
def test_reads_do_not_insist_on_what_is_refused(status):
    cluster = Cluster({"/x": {}}, [Refused(status, "no")])
    with pytest.raises(KubeError, match=f"answered {status} on GET /x: no"):
        KubeApi(cluster).get("/x")
    assert len(cluster.calls) == 1


def test_reads_end_when_the_patience_does():
    cluster = Cluster({}, [Refused(503)] * 1000)
    with pytest.raises(KubeError, match="answered 503"):
        KubeApi(cluster, patience=0).get("/x")


def test_a_dead_server_is_named_without_a_traceback():
    with pytest.raises(KubeError, match=r"did not answer \(ConnectionRefusedError\) on GET /x"):
        KubeApi(Cluster({}, [ConnectionRefusedError("secret-host")]), patience=0).get("/x")


def test_refusals_name_the_way_out():
    refused = Cluster({}, [Refused(403, "leases is forbidden")])
    with pytest.raises(KubeError, match="leases is forbidden. Use a kubeconfig with cluster-admin rights"):
        KubeApi(refused).get("/x")
    with pytest.raises(KubeError, match="credential is not valid"):
        KubeApi(Cluster({}, [Refused(401, "Unauthorized")])).get("/x")


def test_a_silent_server_does_not_hold_the_client_for_ever(monkeypatch):
    """As it connects, the client asks on its own account, and without a limit of its own."""
    monkeypatch.setattr(RESTClientObject, "request", RESTClientObject.request)
    monkeypatch.setattr(api_module, "CLIENT_TIMEOUT", (0.1, 0.1))
    api_module._never_wait_for_ever()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        host = f"http://127.0.0.1:{silent.getsockname()[1]}"
        client = ApiClient(Configuration(host=host))
        with pytest.raises(MaxRetryError):
            client.rest_client.request("GET", f"{host}/version")


def test_writes_are_made_once():
    cluster = Cluster({}, [Refused(503)])
    with pytest.raises(KubeError):
        KubeApi(cluster).create("/x", {"metadata": {"name": "a"}})
    assert len(cluster.calls) == 1


def test_missing_is_none_and_deleting_twice_is_no_error():
    api = KubeApi(Cluster({"/x": {}}))
    assert api.get("/y") is None
    assert api.delete("/x") is True
    assert api.delete("/x") is False


DISCOVERY = {
    "/apis/argoproj.io/v1alpha1": {
        "resources": [
            {"kind": "Workflow", "name": "workflows", "namespaced": True},
            {"kind": "ClusterWorkflowTemplate", "name": "clusterworkflowtemplates", "namespaced": False},
            {"kind": "Workflow", "name": "workflows/status", "namespaced": True},
        ]
    }
}


def test_paths_follow_the_scope_of_the_kind():
    api = KubeApi(Cluster(DISCOVERY))
    assert api.path_of("argoproj.io/v1alpha1", "Workflow", "argo", "a").endswith("/namespaces/argo/workflows/a")
    assert api.path_of("argoproj.io/v1alpha1", "ClusterWorkflowTemplate", "argo", "b").endswith(
        "v1alpha1/clusterworkflowtemplates/b"
    )
    assert api.path_of("argoproj.io/v1alpha1", "Sensor", "argo") is None


WORKFLOW = {"apiVersion": "argoproj.io/v1alpha1", "kind": "Workflow", "metadata": {"name": "probe"}}
COLLECTION = "/apis/argoproj.io/v1alpha1/namespaces/argo/workflows"


def steps(values=("Succeeded",), failures=("Failed",)):
    wait = {
        "api_version": "argoproj.io/v1alpha1",
        "kind": "Workflow",
        "name": "probe",
        "field": "status.phase",
        "values": list(values),
        "failures": list(failures),
    }
    return [{"create": WORKFLOW}, {"wait": wait}]


def run(cluster, timeout=0.0):
    return Probe(KubeApi(cluster), "argo", timeout).run(steps(), [])


def finishing(cluster, phase, message=""):
    """A controller: what is created is at once in that phase."""

    def request(method, path, body=None, **params):
        answer = cluster(method, path, body, **params)
        if method == "post":
            cluster.objects[f"{COLLECTION}/probe"]["status"] = {"phase": phase, "message": message}
        return answer

    return request


def test_a_probe_removes_what_it_made():
    cluster = Cluster(DISCOVERY)
    Probe(KubeApi(finishing(cluster, "Succeeded")), "argo", 5).run(steps(), [])
    assert f"{COLLECTION}/probe" not in cluster.objects
    assert ("post", COLLECTION) in cluster.calls


def test_a_failing_probe_says_why_and_removes_what_it_made():
    cluster = Cluster(DISCOVERY)
    with pytest.raises(ProbeError, match="Workflow probe: status.phase is Failed, no image"):
        Probe(KubeApi(finishing(cluster, "Failed", "no image")), "argo", 5).run(steps(), [])
    assert f"{COLLECTION}/probe" not in cluster.objects


def test_a_hanging_probe_ends_and_says_what_it_saw_last():
    cluster = Cluster(DISCOVERY)
    with pytest.raises(ProbeError, match="did not reach status.phase Succeeded within 0 s .*is Running"):
        Probe(KubeApi(finishing(cluster, "Running")), "argo", 0).run(steps(), [])
    assert f"{COLLECTION}/probe" not in cluster.objects


def test_a_probe_clears_away_what_a_killed_one_left():
    cluster = Cluster(dict(DISCOVERY, **{f"{COLLECTION}/probe": dict(WORKFLOW, status={"phase": "Succeeded"})}))
    Probe(KubeApi(finishing(cluster, "Succeeded")), "argo", 5).run(steps(), [])
    assert cluster.calls.index(("delete", f"{COLLECTION}/probe")) < cluster.calls.index(("post", COLLECTION))


def test_a_kind_that_is_not_served_is_named():
    with pytest.raises(ProbeError, match="does not serve argoproj.io/v1alpha1/Workflow"):
        run(Cluster({"/apis/argoproj.io/v1alpha1": {"resources": []}}))


def test_a_request_is_repeated_until_its_effect_is_there(monkeypatch):
    """The first event is lost, as when a sensor has not subscribed yet."""
    monkeypatch.setattr("ansible_collections.proficientnow.deploy_ops.plugins.module_utils._kube.probe.REPEAT", 0)
    answers = []

    def request(method, path, body=None, **params):
        if "/proxy/" in path:
            answers.append(path)
            return Answer("success")
        if path.endswith("configmaps/arrived") and len(answers) > 1:
            return Answer({"data": {"arrived": "true"}})
        if path == "/api/v1":
            return Answer({"resources": [{"kind": "ConfigMap", "name": "configmaps", "namespaced": True}]})
        raise Refused(404)

    wait = {"api_version": "v1", "kind": "ConfigMap", "name": "arrived", "field": "data.arrived", "values": ["true"]}
    send = {"service": "s", "port": "1", "scheme": "http", "method": "POST", "path": "/x", "contains": "success"}
    Probe(KubeApi(request), "argo", 5).run([{"request": send, "wait": wait}], [])
    assert len(answers) == 2


def test_fields():
    assert field({"a": {"b": 1}}, "a.b") == 1
    assert field({"a": "x"}, "a.b") is None
    assert field({"a": {"b": {"c": 1}}}, "a.b") == '{"c": 1}'


def pod(**container):
    return {"metadata": {"name": "p"}, "status": {"containerStatuses": [dict({"name": "main"}, **container)]}}


@pytest.mark.parametrize(
    ("body", "reasons"),
    [
        (
            pod(state={"waiting": {"reason": "ImagePullBackOff", "message": "not found"}}),
            [("main", "ImagePullBackOff not found")],
        ),
        (
            pod(
                state={"waiting": {"reason": "CrashLoopBackOff"}},
                lastState={"terminated": {"exitCode": 1, "reason": "Error"}},
            ),
            [("main", "CrashLoopBackOff")],
        ),
        (
            pod(state={"terminated": {"exitCode": 137, "reason": "OOMKilled"}}),
            [("main", "OOMKilled with exit code 137")],
        ),
        (pod(state={"running": {}}, ready=False), [("main", "runs, but its readiness probe fails")]),
        (pod(state={"waiting": {"reason": "ContainerCreating"}}), []),
        (
            {"status": {"conditions": [{"type": "PodScheduled", "status": "False", "message": "Insufficient memory"}]}},
            [("", "not scheduled: Insufficient memory")],
        ),
    ],
)
def test_reasons_of_pods(body, reasons):
    assert pod_reasons(body) == reasons


def test_warnings_are_newest_first_and_each_once():
    def event(stamp, message):
        return {
            "lastTimestamp": stamp,
            "involvedObject": {"kind": "Pod", "name": "p"},
            "reason": "R",
            "message": message,
        }

    events = [event("2026-01-01T00:00:00Z", "old"), event("2026-01-02T00:00:00Z", "new"), event(None, "old")]
    assert warning_lines(events) == ["event Pod p: R new", "event Pod p: R old"]
