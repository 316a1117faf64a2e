# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The removal of one Application, step by step, against servers that answer from a table."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.argocd import ArgoCD
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.errors import (
    Absent,
    Forbidden,
    Refused,
    Unavailable,
)
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.gate import Gate
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.kubernetes import Kubernetes
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.moments import parse_moment
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.request import BadRequest, parse_request
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.retry import Retry
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.transport import Answer, Transport
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.verdict import Verdict

NOW = parse_moment("2026-11-16T10:00:00Z")
APPLICATION = "/api/v1/applications/vault"
STATEFUL_SET = "/apis/apps/v1/namespaces/security/statefulsets/vault"
CLAIM = "/api/v1/namespaces/security/persistentvolumeclaims/data-vault-0"
VOLUME = "/api/v1/persistentvolumes/pvc-1"


class Server(Transport):
    """One table for both servers; what is asked for again and again may change by being asked for."""

    def __init__(self, objects: t.Mapping[str, t.Any]) -> None:
        self.name = "The server"
        self.objects = dict(objects)
        self.written: list[str] = []

    def request(self, method: str, path: str, query: dict[str, str], body: t.Any, timeout: float) -> Answer:
        if method != "GET":
            self.written.append(f"{method} {path}" + (f" {query['propagationPolicy']}" if "cascade" in query else ""))
        answer = self.objects.get(path if method == "GET" else f"{method} {path}")
        if isinstance(answer, Exception):
            raise answer
        if answer is None and method == "GET":
            raise Absent("no", 404)
        assert NOW is not None
        return Answer(answer or {}, NOW)


def item(name: str, **metadata: t.Any) -> dict[str, t.Any]:
    return {"metadata": {"name": name, "namespace": "security", **metadata}}


def step(server: Server, looked_for: float = 0, **parameters: str) -> Verdict:
    raw = {"do": "remove", "application": "vault", "project": "platform", "delete_timeout_seconds": "60", **parameters}
    raw.setdefault("resources", f"StatefulSet {STATEFUL_SET}")
    argocd = ArgoCD(server, Retry(0))
    return Gate(argocd, Kubernetes(server, Retry(0)), argocd).step(parse_request(raw, "run"), "look", looked_for)


def test_it_is_deleted_with_all_it_has() -> None:
    server = Server({APPLICATION: {"metadata": {"name": "vault"}}})
    verdict = step(server)
    assert (verdict.verdict, verdict.message) == ("Progressing", "deleting")
    assert server.written == [f"DELETE {APPLICATION} foreground"]


def test_an_operation_is_ended_first() -> None:
    state = {
        "phase": "Running",
        "operation": {"initiatedBy": {"username": "jane"}},
        "startedAt": "2026-11-16T09:59:00Z",
    }
    app = {"metadata": {"name": "vault"}, "operation": state["operation"], "status": {"operationState": state}}
    server = Server({APPLICATION: app})
    assert step(server).message == "ending an operation of jane"
    state["phase"] = "Terminating"
    assert step(server).message == "ending an operation of jane"
    assert server.written == [f"DELETE {APPLICATION}/operation"]
    del app["operation"]
    assert step(server).message == "deleting", "what Argo CD last said about it does not count"


def test_what_is_being_deleted_is_only_waited_for() -> None:
    server = Server({APPLICATION: {"metadata": {"name": "vault", "deletionTimestamp": "2026-11-16T10:00:00Z"}}})
    assert not step(server).is_final
    assert server.written == []


def test_it_is_gone_when_all_it_had_is_gone() -> None:
    verdict = step(Server({}))
    assert (verdict.verdict, verdict.is_good) == ("Removed", True)


def test_what_is_left_is_waited_for_and_then_named_with_its_finalizer() -> None:
    held = item("vault", deletionTimestamp="2026-11-16T10:00:00Z", finalizers=["example.com/backup"])
    server = Server({STATEFUL_SET: held})
    assert not step(server, 59).is_final
    verdict = step(server, 60)
    assert (verdict.verdict, verdict.reason) == ("Failed", "Orphaned")
    assert "StatefulSet security/vault is Terminating: held by the finalizer example.com/backup" in verdict.message


def test_a_deletion_that_does_not_end_names_what_holds_it_and_what_argo_cd_says() -> None:
    condition = {"type": "DeletionError", "message": "no such project"}
    app = {"metadata": {"deletionTimestamp": "2026-11-16T10:00:00Z"}, "status": {"conditions": [condition]}}
    verdict = step(Server({APPLICATION: app, STATEFUL_SET: item("vault")}), 61)
    assert verdict.reason == "DeletionTimeout"
    assert "StatefulSet security/vault is still there" in verdict.message
    assert "Argo CD says: no such project" in verdict.message


@pytest.mark.parametrize(
    "annotations",
    [
        {"argocd.argoproj.io/sync-options": "Prune=false,Delete=false"},
        {"helm.sh/resource-policy": "keep"},
        {"argocd.argoproj.io/tracking-id": "other:apps/StatefulSet:security/vault"},
    ],
)
def test_what_is_kept_or_has_become_anothers_does_not_count(annotations: dict[str, str]) -> None:
    assert step(Server({STATEFUL_SET: item("vault", annotations=annotations)})).is_good


def test_definitions_stay() -> None:
    path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/vaults.example.com"
    assert step(Server({path: item("x")}), resources=f"CustomResourceDefinition {path}").is_good


def test_claims_go_after_everything_else_and_their_volumes_with_them() -> None:
    wanted = {"claims": f"PersistentVolumeClaim {CLAIM}", "volumes": f"PersistentVolume {VOLUME}"}
    server = Server({STATEFUL_SET: item("vault"), CLAIM: item("data-vault-0"), VOLUME: item("pvc-1")})
    assert not step(server, **wanted).is_final
    assert server.written == [], "the set still uses it"
    del server.objects[STATEFUL_SET]
    assert not step(server, **wanted).is_final
    assert server.written == [f"DELETE {CLAIM}"]
    del server.objects[CLAIM]
    assert "PersistentVolume" in step(server, **wanted).message
    del server.objects[VOLUME]
    assert step(server, **wanted).is_good


def test_a_lost_answer_is_looked_up_and_a_refusal_is_final() -> None:
    server = Server({APPLICATION: {"metadata": {}}, f"DELETE {APPLICATION}": Unavailable("no answer")})
    assert not step(server).is_final
    server.objects[f"DELETE {APPLICATION}"] = Forbidden("permission denied: applications, delete", 403)
    verdict = step(server)
    assert verdict.verdict == "Failed"
    assert "grant it `applications, delete, platform/*`" in verdict.message
    server.objects[f"DELETE {APPLICATION}"] = Refused("the object has been modified", 409)
    assert not step(server).is_final


def test_without_the_account_that_may_delete_it_is_refused() -> None:
    raw = {"do": "remove", "application": "vault", "project": "platform"}
    server = Server({APPLICATION: {"metadata": {}}})
    gate = Gate(ArgoCD(server, Retry(0)), Kubernetes(server, Retry(0)))
    verdict = gate.step(parse_request(raw, "run"), "look", 0)
    assert verdict.verdict == "Failed"
    assert "no Argo CD account that may delete" in verdict.message
    assert server.written == []


def vacant(server: Server, looked_for: float = 0, reference: str = "resource:vaults.example.com") -> Verdict:
    raw = {"do": "vacant", "reference": reference, "health_timeout_seconds": "60"}
    return Gate(ArgoCD(server, Retry(0)), Kubernetes(server, Retry(0))).step(
        parse_request(raw, "run"), "look", looked_for
    )


def test_an_operator_stays_while_objects_of_its_kind_are_left() -> None:
    group = {"preferredVersion": {"groupVersion": "example.com/v1"}}
    server = Server({"/apis/example.com": group, "/apis/example.com/v1/vaults": {"items": [item("mine")]}})
    assert not vacant(server, 59).is_final
    verdict = vacant(server, 60)
    assert verdict.reason == "InUse"
    assert "vaults security/mine is still there" in verdict.message
    server.objects["/apis/example.com/v1/vaults"] = {"items": []}
    assert vacant(server).is_good
    assert vacant(Server({})).is_good, "the kind is not served any more"


def test_a_single_object_goes_with_its_provider() -> None:
    assert vacant(Server({}), reference="resource:secrets/security/root").is_good


def test_what_is_not_the_teardowns_is_kept() -> None:
    server = Server({})
    request = parse_request({"do": "keep", "message": "the bootstrap owns it"}, "run")
    verdict = Gate(ArgoCD(server, Retry(0)), None).step(request, "look", 0)
    assert (verdict.verdict, verdict.is_good) == ("Retained", True)


@pytest.mark.parametrize("text", ["vault", "StatefulSet apps/v1", "Secret /api/v1/../secrets/x?watch=1", "Secret /"])
def test_a_record_that_is_no_path_is_refused(text: str) -> None:
    raw = {"do": "remove", "application": "vault", "project": "platform", "resources": text}
    with pytest.raises(BadRequest, match="is not of the form"):
        parse_request(raw, "run")


def test_records_are_read_as_they_are_written() -> None:
    text = "Namespace /api/v1/namespaces/x;ClusterRole /apis/rbac.authorization.k8s.io/v1/clusterroles/system:x;"
    raw = {"do": "remove", "application": "vault", "project": "platform", "resources": text}
    removal = parse_request(raw, "run").removal
    assert removal is not None
    assert [(one.kind, one.namespace, one.name) for one in removal.resources] == [
        ("Namespace", "", "x"),
        ("ClusterRole", "", "system:x"),
    ]
