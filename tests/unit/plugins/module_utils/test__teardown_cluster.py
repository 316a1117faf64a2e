# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A teardown is made ready against an API server in memory: seen, changed, and nothing left to change."""

from __future__ import annotations

import json
import typing as t

import pytest

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._kube.api import KubeApi, KubeError
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._teardown.aftermath import left_of
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._teardown.outlook import outlook
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._teardown.seen import see
from ansible_collections.proficientnow.deploy_ops.plugins.modules.teardown_prepare import Refusal, prepare
from ansible_collections.proficientnow.deploy_ops.tests.unit.plugins.module_utils.teardown_objects import (
    ROOT,
    SET,
    SETTINGS,
    application,
    claim,
    plan,
    stateful_set,
    volume,
)

ARGOCD = "/apis/argoproj.io/v1alpha1/namespaces/argocd"
COLLECTIONS = (
    "applications",
    "applicationsets",
    "workflows",
    "persistentvolumeclaims",
    "persistentvolumes",
    "statefulsets",
)
PARAMETERS: dict[str, t.Any] = {
    "project": "platform",
    "argocd_namespace": "argocd",
    "workflows_namespace": "argo",
    "namespaces": [],
    "volumes": "retain",
    "volumes_overrides": {},
    "snapshot_class": "",
    "environment_name": "local",
    "confirm_volumes": "",
    "state": "prepared",
    "wait_timeout": 1,
}


class Refused(Exception):
    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status
        self.body = b"{}"


class Server:
    """Objects by path. Collections are what begins with their path; discovery is a table."""

    def __init__(self, objects: dict[str, t.Any]) -> None:
        self.objects = objects
        self.written: list[str] = []
        self.kinds = {
            "/apis/argoproj.io/v1alpha1": ("applications", "applicationsets", "appprojects", "workflows"),
            "/apis/apps/v1": ("statefulsets",),
        }

    def __call__(self, method: str, path: str, body: t.Any = None, **_parameters: t.Any) -> t.Any:
        if method != "get":
            self.written.append(f"{method} {path}")
        answer = getattr(self, f"_{method}")(path, body)
        if answer is None:
            raise Refused(404)
        return type("Response", (), {"data": json.dumps(answer).encode()})

    def _get(self, path: str, _body: t.Any) -> t.Any:
        if path in self.kinds:
            names = {"statefulsets": "StatefulSet"}
            return {
                "resources": [
                    {"name": one, "kind": names.get(one, one), "namespaced": True} for one in self.kinds[path]
                ]
            }
        if path in self.objects:
            return self.objects[path]
        found = [item for name, item in self.objects.items() if name.rpartition("/")[0] == path]
        return {"items": found} if found or path.rpartition("/")[2] in COLLECTIONS else None

    def _post(self, path: str, body: t.Any) -> t.Any:
        self.objects[f"{path}/{body['metadata']['name']}"] = body
        return body

    def _patch(self, path: str, body: t.Any) -> t.Any:
        self.objects[path] = _merged(self.objects[path], body)
        return self.objects[path]

    def _delete(self, path: str, _body: t.Any) -> t.Any:
        return self.objects.pop(path, None)


def _merged(old: t.Any, new: t.Any) -> t.Any:
    if not isinstance(old, dict) or not isinstance(new, dict):
        return new
    merged = {**old, **{key: _merged(old.get(key, {}), value) for key, value in new.items()}}
    return {key: value for key, value in merged.items() if value is not None}


@pytest.fixture
def server() -> Server:
    root = json.loads(json.dumps(ROOT))
    root["metadata"]["finalizers"] = ["resources-finalizer.argocd.argoproj.io"]
    made = [{"kind": "ApplicationSet", "name": "webs"}]
    return Server(
        {
            f"{ARGOCD}/applications/db": application("db", SET),
            f"{ARGOCD}/applications/web": application("web", namespace="apps", ownerReferences=made),
            f"{ARGOCD}/applications/platform-root": root,
            f"{ARGOCD}/applicationsets/webs": {"metadata": {"name": "webs"}},
            f"{ARGOCD}/appprojects/platform": {"metadata": {"name": "platform"}, "spec": {}},
            "/api/v1/namespaces/data": {"metadata": {"name": "data"}},
            "/api/v1/namespaces/data/persistentvolumeclaims/data-db-0": claim("data-db-0"),
            "/api/v1/persistentvolumes/pv-1": volume(),
            "/apis/apps/v1/namespaces/data/statefulsets/db": stateful_set(),
        }
    )


def made_ready(server: Server, check_mode: bool = False, **parameters: t.Any) -> list[str]:
    return prepare(KubeApi(server, 0), {**PARAMETERS, "plan": plan(), **parameters}, check_mode)


def test_check_mode_tells_everything_and_writes_nothing(server: Server) -> None:
    told = made_ready(server, check_mode=True)
    assert server.written == []
    assert told == made_ready(server)


def test_once_ready_there_is_nothing_to_do(server: Server) -> None:
    assert made_ready(server)
    assert made_ready(server) == []
    assert "Retain" in str(server.objects["/api/v1/persistentvolumes/pv-1"])
    assert f"{ARGOCD}/applicationsets/webs" not in server.objects
    assert "finalizers" not in server.objects[f"{ARGOCD}/applications/platform-root"]["metadata"]
    assert f"{ARGOCD}/applications/web" in server.objects


def test_it_can_be_interrupted_after_every_write_and_goes_on(server: Server) -> None:
    complete = Server(json.loads(json.dumps(server.objects)))
    made_ready(complete)
    for writes in range(1, len(complete.written) + 1):
        interrupted = Server(json.loads(json.dumps(server.objects)))
        interrupted.written = _Bounded(writes)
        with pytest.raises(KubeError):
            made_ready(interrupted)
        interrupted.written = []
        made_ready(interrupted)
        assert interrupted.objects == complete.objects


class _Bounded(list):  # type: ignore[type-arg]
    """Lets so many writes pass."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def append(self, item: str) -> None:
        if len(self) == self._most - 1:
            raise Refused(500)
        super().append(item)


def test_what_speaks_against_it_changes_nothing(server: Server) -> None:
    with pytest.raises(Refusal, match="deploy_ops_confirm_volumes=local"):
        made_ready(server, volumes="delete")
    assert server.written == []


def test_a_claim_of_nobody_goes_only_when_its_snapshot_is_ready(server: Server) -> None:
    snapshots = "/apis/snapshot.storage.k8s.io/v1"
    server.kinds[snapshots] = ("VolumeSnapshot",)
    server.objects = {
        name: item
        for name, item in server.objects.items()
        if "/applications/" not in name and "statefulsets" not in name
    }
    server.objects[f"{snapshots}/volumesnapshotclasses/fast"] = {"metadata": {"name": "fast"}}
    wanted = {"volumes": "snapshot", "snapshot_class": "fast", "namespaces": ["data"]}
    path = "/api/v1/namespaces/data/persistentvolumeclaims/data-db-0"
    with pytest.raises(KubeError, match="is not ready within 1 s"):
        made_ready(server, **wanted)
    assert path in server.objects

    content = f"{snapshots}/volumesnapshotcontents/c"
    server.objects[content] = {"metadata": {"name": "c"}, "spec": {"deletionPolicy": "Delete"}}
    ready = {"readyToUse": True, "boundVolumeSnapshotContentName": "c"}
    server.objects[f"{snapshots}/namespaces/data/volumesnapshots/teardown-data-db-0"]["status"] = ready
    made_ready(server, **wanted)
    assert path not in server.objects
    assert server.objects[content]["spec"] == {"deletionPolicy": "Retain"}


def test_the_end_forgets_the_record(server: Server) -> None:
    made_ready(server)
    record = "/api/v1/namespaces/argo/configmaps/platform-teardown-record"
    assert record in server.objects
    assert made_ready(server, state="finished") == ["forget what the applications had"]
    assert record not in server.objects


def test_a_run_after_another_knows_what_there_was(server: Server) -> None:
    made_ready(server)
    before = outlook(see(KubeApi(server, 0), plan(), SETTINGS), plan(), SETTINGS)
    del server.objects[f"{ARGOCD}/applications/db"]
    after = outlook(see(KubeApi(server, 0), plan(), SETTINGS), plan(), SETTINGS)
    assert after["records"] == before["records"], "so the second run attaches to the workflow of the first"
    (left,) = left_of(KubeApi(server, 0), after["records"])
    assert (left["kind"], left["name"], left["kept"]) == ("StatefulSet", "db", False)


def test_a_cluster_without_argo_cd_has_nothing_to_remove() -> None:
    empty = Server({})
    empty.kinds = {}
    found = outlook(see(KubeApi(empty, 0), plan(), SETTINGS), plan(), SETTINGS)
    assert found["idle"]
    assert made_ready(empty) == []
