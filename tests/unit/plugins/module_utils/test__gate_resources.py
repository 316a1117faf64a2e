# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the gate reads besides Applications: resource trees, workloads, the authority over a project."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.argocd import ArgoCD
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.authority import (
    WINDOW,
    is_held,
    step_authority,
    with_authority,
)
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.errors import (
    Absent,
    Forbidden,
    Refused,
    Unavailable,
)
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.gate import Gate
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.kubernetes import Kubernetes
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.moments import parse_moment
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.request import parse_request
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.resource_tree import deepest_causes
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.retry import Retry
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.transport import Answer, Transport

NOW = parse_moment("2026-11-16T10:00:00Z")

CRD = {"group": "apiextensions.k8s.io", "kind": "CustomResourceDefinition", "name": "cephclusters.ceph.rook.io"}
CEPH = {"group": "ceph.rook.io", "kind": "CephCluster", "namespace": "rook-ceph", "name": "rook", "uid": "1"}
POLICY = {"group": "kyverno.io", "kind": "ClusterPolicy", "name": "baseline"}


class PreparedTransport(Transport):
    """Answers from a table of paths, and notes what was asked."""

    def __init__(self, answers: t.Mapping[str, t.Any]) -> None:
        self.name = "The server"
        self.answers = dict(answers)
        self.sent: list[tuple[str, str, t.Any]] = []

    def request(self, method: str, path: str, query: dict[str, str], body: t.Any, timeout: float) -> Answer:
        self.sent.append((method, path, body))
        answer = self.answers.get(f"{method} {path}")
        if isinstance(answer, list):
            answer = answer.pop(0)
        if isinstance(answer, Exception):
            raise answer
        if answer is None:
            raise Absent("no", 404)
        assert NOW is not None
        return Answer(answer, NOW)


def argocd(**answers: t.Any) -> ArgoCD:
    return ArgoCD(PreparedTransport(answers), Retry(0))


def healthy(node: dict[str, t.Any], status: str = "Healthy", message: str = "") -> dict[str, t.Any]:
    return {**node, "health": {"status": status, "message": message}}


class TestResourceNodes:
    def verdict(self, reference: str, *nodes: dict[str, t.Any], looked_for: float = 1) -> t.Any:
        server = argocd(**{"GET /api/v1/applications/ceph/resource-tree": {"nodes": list(nodes)}})
        raw = {
            "do": "resource",
            "reference": reference,
            "project": "p",
            "providers": ["ceph"],
            "health_timeout_seconds": 60,
        }
        return Gate(server, None).step(parse_request(raw, "uid"), "look", looked_for)

    @pytest.mark.parametrize(
        ("reference", "node"),
        [
            ("resource:cephclusters.ceph.rook.io", healthy(CRD)),
            ("resource:cephclusters.ceph.rook.io/rook-ceph/rook", healthy(CEPH)),
            ("resource:cephclusters.ceph.rook.io/rook", healthy(CEPH)),
            ("resource:clusterpolicies.kyverno.io/baseline", POLICY),
        ],
    )
    def test_there_and_healthy(self, reference: str, node: dict[str, t.Any]) -> None:
        assert self.verdict(reference, {"kind": "Service", "name": "x"}, node).verdict == "Healthy"

    @pytest.mark.parametrize(
        ("reference", "node"),
        [
            ("resource:cephclusters.ceph.rook.io", healthy(CEPH)),
            ("resource:cephclusters.ceph.rook.io/other/rook", healthy(CEPH)),
            ("resource:cephclusters.other.io/rook", healthy(CEPH)),
            ("resource:cephclusters.ceph.rook.io/rook", healthy(CEPH, "Progressing", "creating OSDs")),
        ],
    )
    def test_absent_or_unhealthy_is_waited_for_and_named_at_the_end(
        self, reference: str, node: dict[str, t.Any]
    ) -> None:
        assert self.verdict(reference, node).verdict == "Progressing"
        late = self.verdict(reference, node, looked_for=60)
        assert (late.verdict, late.reason) == ("Failed", "HealthTimeout")
        assert "cephcluster" in late.message.lower()

    def test_the_message_of_an_unhealthy_one_is_told(self) -> None:
        verdict = self.verdict("resource:cephclusters.ceph.rook.io/rook", healthy(CEPH, "Degraded", "HEALTH_ERR"))
        assert verdict.message == "waiting: CephCluster rook-ceph/rook is Degraded: HEALTH_ERR"

    def test_a_resource_that_nobody_provides_is_asked_of_kubernetes(self) -> None:
        path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/certificates.cert-manager.io"
        definition = {
            "kind": "CustomResourceDefinition",
            "metadata": {"name": "certificates.cert-manager.io"},
            "status": {"conditions": [{"type": "Established", "status": "False"}]},
        }
        request = parse_request(
            {"do": "resource", "reference": "resource:certificates.cert-manager.io", "project": "p"}, "u"
        )
        gate = Gate(argocd(), Kubernetes(PreparedTransport({f"GET {path}": definition}), Retry(0)))
        assert "Established is False" in gate.step(request, "look", 1).message
        definition["status"] = {"conditions": [{"type": "Established", "status": "True"}]}
        assert gate.step(request, "look", 1).verdict == "Healthy"

    def test_a_named_object_is_looked_up_in_its_preferred_version(self) -> None:
        answers = {
            "GET /apis/cert-manager.io": {"preferredVersion": {"groupVersion": "cert-manager.io/v1"}},
            "GET /apis/cert-manager.io/v1/namespaces/web/certificates/tls": {"kind": "Certificate", "metadata": {}},
        }
        reference = "resource:certificates.cert-manager.io/web/tls"
        request = parse_request({"do": "resource", "reference": reference, "project": "p"}, "u")
        assert Gate(argocd(), Kubernetes(PreparedTransport(answers), Retry(0))).step(request, "look", 1).is_good


class TestBootstrap:
    def verdict(self, deployments: list[dict[str, t.Any]], looked_for: float = 1) -> t.Any:
        base = "GET /apis/apps/v1/namespaces/argocd/"
        empty: dict[str, t.Any] = {"items": []}
        answers = {
            f"{base}deployments": {"items": deployments},
            f"{base}statefulsets": empty,
            f"{base}daemonsets": empty,
        }
        request = parse_request({"do": "bootstrap", "namespace": "argocd", "release": "argocd"}, "u")
        return Gate(argocd(), Kubernetes(PreparedTransport(answers), Retry(0))).step(request, "look", looked_for)

    def deployment(self, ready: int = 1, observed: int = 3, updated: int = 1) -> dict[str, t.Any]:
        status = {"readyReplicas": ready, "updatedReplicas": updated, "observedGeneration": observed}
        metadata = {"name": "argocd-server", "namespace": "argocd", "generation": 3}
        return {"metadata": metadata, "spec": {"replicas": 1}, "status": status}

    def test_all_ready(self) -> None:
        assert self.verdict([self.deployment()]).verdict == "Healthy"

    @pytest.mark.parametrize("fields", [{"ready": 0}, {"observed": 2}, {"updated": 0}])
    def test_not_ready(self, fields: dict[str, int]) -> None:
        assert self.verdict([self.deployment(**fields)]).verdict == "Progressing"
        late = self.verdict([self.deployment(**fields)], looked_for=300)
        assert "Deployment argocd/argocd-server is Progressing" in late.message

    def test_nothing_there(self) -> None:
        assert "it has no workloads" in self.verdict([]).message

    def test_no_rights(self) -> None:
        transport = PreparedTransport({"GET /apis/apps/v1/namespaces/argocd/deployments": Forbidden("no", 403)})
        request = parse_request({"do": "bootstrap", "namespace": "argocd", "release": "argocd"}, "u")
        verdict = Gate(argocd(), Kubernetes(transport, Retry(0))).step(request, "look", 1)
        assert verdict.verdict == "Failed"
        assert "may not read" in verdict.message

    def test_outside_a_pod_it_says_so(self) -> None:
        request = parse_request({"do": "bootstrap", "namespace": "argocd", "release": "argocd"}, "u")
        assert "no access to Kubernetes" in Gate(argocd(), None).step(request, "look", 1).message


class TestAuthority:
    PATH = "/api/v1/projects/platform"

    def project(self, *windows: dict[str, t.Any]) -> dict[str, t.Any]:
        return {"metadata": {"name": "platform", "resourceVersion": "7"}, "spec": {"syncWindows": list(windows)}}

    def test_take_and_release_leave_other_windows_alone(self) -> None:
        own = {"kind": "allow", "schedule": "0 22 * * *", "duration": "1h", "applications": ["*"]}
        taken = with_authority(self.project(own), "run-1")
        assert taken["spec"]["syncWindows"] == [own, WINDOW]
        assert is_held(taken)
        released = with_authority(taken, "")
        assert released["spec"]["syncWindows"] == [own]
        assert released["metadata"]["annotations"] == {}
        assert not is_held(released)

    def test_the_window_lets_syncs_on_request_through(self) -> None:
        assert (WINDOW["kind"], WINDOW["manualSync"], WINDOW["applications"]) == ("deny", True, ["*"])

    def step(self, put: t.Any, project: dict[str, t.Any], take: bool = True) -> tuple[t.Any, PreparedTransport]:
        transport = PreparedTransport({f"GET {self.PATH}": project, f"PUT {self.PATH}": put})
        return step_authority(ArgoCD(transport, Retry(0)), "platform", "run-1", take), transport

    def test_it_is_written_with_the_version_that_was_read(self) -> None:
        verdict, transport = self.step({}, self.project())
        assert (verdict.verdict, verdict.is_good, verdict.message) == ("taken", True, "authority over platform taken")
        method, _path, body = transport.sent[-1]
        assert (method, body["project"]["metadata"]["resourceVersion"]) == ("PUT", "7")

    @pytest.mark.parametrize(
        ("project_of", "take", "expected"),
        [
            (lambda project: with_authority(project, "run-1"), True, "taken"),
            (lambda project: with_authority(project, "run-2"), True, "held"),
            (lambda project: {**project, "spec": {"syncWindows": [WINDOW]}}, True, "held"),
            (lambda project: project, False, "released"),
        ],
        ids=["mine", "another run's", "the chart's", "nobody's"],
    )
    def test_as_it_should_be_nothing_is_written(self, project_of: t.Any, take: bool, expected: str) -> None:
        verdict, transport = self.step({}, project_of(self.project()), take)
        assert (verdict.verdict, verdict.is_good) == (expected, True)
        assert [sent[0] for sent in transport.sent] == ["GET"]

    @pytest.mark.parametrize("error", [Refused("conflict", 409), Unavailable("Argo CD answered 503", 503)])
    def test_a_lost_race_or_answer_is_read_again(self, error: Exception) -> None:
        assert self.step(error, self.project())[0].verdict == "Progressing"

    def test_no_rights_names_the_ones_to_grant(self) -> None:
        transport = PreparedTransport({f"GET {self.PATH}": Forbidden("permission denied", 403)})
        request = parse_request({"do": "take-authority", "project": "platform"}, "u")
        verdict = Gate(ArgoCD(transport, Retry(0)), None).step(request, "look", 1)
        assert verdict.verdict == "Failed"
        assert "`projects, get`" in verdict.message


def test_the_pod_explains_its_deployment() -> None:
    nodes = [
        {"kind": "Deployment", "name": "web", "uid": "d", "health": {"status": "Progressing", "message": "0 of 1"}},
        {
            "kind": "ReplicaSet",
            "name": "web-1",
            "uid": "r",
            "health": {"status": "Progressing"},
            "parentRefs": [{"uid": "d"}],
        },
        {
            "kind": "Pod",
            "name": "web-1-x",
            "uid": "p",
            "health": {"status": "Degraded", "message": 'Back-off pulling image "nope"'},
            "parentRefs": [{"uid": "r"}],
        },
        {"kind": "Service", "name": "web", "uid": "s", "health": {"status": "Healthy"}},
    ]
    assert [cause.text() for cause in deepest_causes(nodes)] == [
        'Pod web-1-x is Degraded: Back-off pulling image "nope"'
    ]
