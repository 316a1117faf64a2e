# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Volumes in a teardown: whose they are, what becomes of them, and that data are safe before anything goes."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._teardown.changes import Change, changes
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._teardown.claims import claims_of
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._teardown.outlook import outlook
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._teardown.record import (
    parameters,
    record_of,
    rules,
)
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._teardown.seen import Seen
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._teardown.settings import Settings
from ansible_collections.proficientnow.deploy_ops.tests.unit.plugins.module_utils.teardown_objects import (
    SET,
    SETTINGS,
    application,
    claim,
    plan,
    recorded,
    resource,
    seen,
    stateful_set,
    volume,
)

PVC = "/api/v1/namespaces/data/persistentvolumeclaims/data-db-0"
PV = "/api/v1/persistentvolumes/pv-1"


def owner(looked_at: Seen, scope: str = "platform") -> list[str]:
    return [found.node for found in claims_of(looked_at, plan(scope), SETTINGS)]


def made(looked_at: Seen, settings: Settings, scope: str = "platform") -> list[Change]:
    claims = claims_of(looked_at, plan(scope), settings)
    return changes(looked_at, plan(scope), settings, claims, record_of(looked_at, plan(scope), claims))


def bodies(found: t.Sequence[Change], path: str) -> list[t.Any]:
    return [change.body for change in found if change.path == path]


def test_the_claim_of_a_stateful_set_is_its_applications() -> None:
    assert owner(seen()) == ["db"]


@pytest.mark.parametrize(
    ("item", "resources"),
    [
        (claim("files"), [resource("PersistentVolumeClaim", "files", "")]),
        (claim("files", ownerReferences=[{"kind": "Db", "name": "main"}]), [resource("Db", "main", "example.com")]),
        (claim("files", labels={"app.kubernetes.io/instance": "db"}), []),
    ],
)
def test_a_claim_is_known_by_being_tracked_by_its_owner_or_by_its_label(item: t.Any, resources: t.Any) -> None:
    apps = {"db": application("db", *resources), "operator": application("operator")}
    assert owner(seen(claims=(item,), applications=apps, stateful_sets=())) == ["db"]


def test_a_claim_of_nobody_goes_with_the_application_that_leaves_its_namespace_last() -> None:
    assert owner(seen(claims=(claim("stray"),))) == ["operator"]


def test_a_claim_is_still_known_when_its_application_is_gone() -> None:
    entry = {
        "namespaces": ["data"],
        "resources": [],
        "claims": {"data/data-db-0": {"volume": "pv-1", "reclaimed": True}},
    }
    assert owner(seen(applications={}, stateful_sets=(), record=recorded({"db": entry}))) == ["db"]


def test_a_part_of_the_platform_leaves_the_claims_of_others_alone() -> None:
    assert owner(seen(), "app:web") == []


def test_retain_makes_volume_and_claim_safe() -> None:
    found = made(seen(), SETTINGS)
    (kept,) = bodies(found, PV)
    assert kept["spec"] == {"persistentVolumeReclaimPolicy": "Retain"}
    assert kept["metadata"]["annotations"] == {"deploy-ops.proficientnow.com/reclaim-policy": "Delete"}
    (marked,) = bodies(found, PVC)
    assert marked["metadata"]["annotations"]["argocd.argoproj.io/sync-options"] == "Delete=false,Prune=false"


def test_what_is_safe_is_not_made_safe_again() -> None:
    safe = claim("data-db-0", annotations={"deploy-ops.proficientnow.com/kept": "true"})
    found = made(seen(claims=(safe,), volumes={"pv-1": volume(reclaim="Retain")}), SETTINGS)
    assert bodies(found, PV) == bodies(found, PVC) == []


def test_a_set_that_takes_its_claims_along_is_told_not_to() -> None:
    greedy = stateful_set(persistentVolumeClaimRetentionPolicy={"whenDeleted": "Delete", "whenScaled": "Retain"})
    owned = claim("data-db-0", ownerReferences=[{"kind": "StatefulSet", "name": "db"}])
    found = made(seen(claims=(owned,), stateful_sets=(greedy,)), SETTINGS)
    (policy,) = bodies(found, "/apis/apps/v1/namespaces/data/statefulsets/db")
    assert policy["spec"]["persistentVolumeClaimRetentionPolicy"]["whenDeleted"] == "Retain"
    assert {"metadata": {"ownerReferences": None}} in bodies(found, PVC)


def test_a_namespace_with_data_that_an_application_has_is_kept() -> None:
    paths = {**seen().paths, ("v1", "Namespace", "", "data"): "/api/v1/namespaces/data"}
    found = made(seen(paths=paths), SETTINGS)
    assert len(bodies(found, "/api/v1/namespaces/data")) == 1
    assert bodies(made(seen(), SETTINGS), "/api/v1/namespaces/data") == []


def test_delete_undoes_what_an_earlier_retain_has_done() -> None:
    kept = {"deploy-ops.proficientnow.com/kept": "true", "argocd.argoproj.io/sync-options": "Delete=false,Prune=false"}
    held = volume(reclaim="Retain", annotations={"deploy-ops.proficientnow.com/reclaim-policy": "Delete"})
    looked_at = seen(claims=(claim("data-db-0", annotations=kept),), volumes={"pv-1": held})
    found = made(looked_at, SETTINGS._replace(volumes="delete", confirm_volumes="local"))
    assert bodies(found, PV)[0]["spec"] == {"persistentVolumeReclaimPolicy": "Delete"}
    assert bodies(found, PVC)[0]["metadata"]["annotations"]["argocd.argoproj.io/sync-options"] is None


def test_each_application_can_have_its_own_policy() -> None:
    settings = SETTINGS._replace(volumes="delete", overrides={"db": "retain"})
    assert [one.policy for one in claims_of(seen(), plan(), settings)] == ["retain"]


@pytest.mark.parametrize(
    ("policy", "claims", "volumes"),
    [
        ("retain", "", ""),
        ("retain_volumes", f"PersistentVolumeClaim {PVC}", ""),
        ("snapshot", f"PersistentVolumeClaim {PVC}", f"PersistentVolume {PV}"),
        ("delete", f"PersistentVolumeClaim {PVC}", f"PersistentVolume {PV}"),
    ],
)
def test_the_gate_is_told_which_claims_and_volumes_go(policy: str, claims: str, volumes: str) -> None:
    settings = SETTINGS._replace(volumes=policy)
    record = record_of(seen(), plan(), claims_of(seen(), plan(), settings))
    told = parameters("db", record["db"], settings)
    assert (told["claims"], told["volumes"]) == (claims, volumes)
    assert told["resources"] == "StatefulSet /apis/apps/v1/namespaces/data/statefulsets/db"


def test_a_volume_that_is_not_reclaimed_is_not_waited_for() -> None:
    settings = SETTINGS._replace(volumes="delete")
    looked_at = seen(volumes={"pv-1": volume(reclaim="Retain")})
    record = record_of(looked_at, plan(), claims_of(looked_at, plan(), settings))
    assert parameters("db", record["db"], settings)["volumes"] == ""


def test_the_record_grows_and_never_shrinks() -> None:
    entry = {"namespaces": ["old"], "resources": ["Secret /api/v1/namespaces/data/secrets/x"], "claims": {}}
    gone = record_of(seen(applications={}, record=recorded({"db": entry})), plan(), [])
    assert gone == {"db": entry}
    grown = record_of(seen(record=recorded({"db": entry})), plan(), [])["db"]
    assert grown["namespaces"] == ["data", "old"]
    assert len(grown["resources"]) == 2


def test_the_rights_are_those_for_what_there_is() -> None:
    settings = SETTINGS._replace(volumes="delete")
    record = record_of(seen(), plan(), claims_of(seen(), plan(), settings))
    found = rules(plan(), [parameters(name, entry, settings) for name, entry in record.items()])
    assert found == [
        {"apiGroups": [""], "resources": ["persistentvolumeclaims"], "verbs": ["delete", "get"]},
        {"apiGroups": [""], "resources": ["persistentvolumes"], "verbs": ["get"]},
        {"apiGroups": ["apiextensions.k8s.io"], "resources": ["customresourcedefinitions"], "verbs": ["get"]},
        {"apiGroups": ["apps"], "resources": ["statefulsets"], "verbs": ["get"]},
        {"apiGroups": ["example.com"], "resources": ["dbs"], "verbs": ["list"]},
    ]


def test_an_application_of_another_cluster_is_left_to_argo_cd() -> None:
    app = application("db", SET)
    app["spec"]["destination"] = {"server": "https://elsewhere.example.com", "namespace": "data"}
    assert record_of(seen(applications={"db": app}), plan(), [])["db"]["resources"] == []


def test_a_namespace_with_a_snapshot_is_kept_when_its_claim_is_gone() -> None:
    labels = {"deploy-ops.proficientnow.com/snapshot": "true"}
    made_before = {"metadata": {"name": "teardown-data-db-0", "namespace": "data", "labels": labels}, "spec": {}}
    foreign = {"metadata": {"name": "nightly", "namespace": "apps"}, "spec": {}}
    found = outlook(seen(applications={}, claims=(), snapshots=(made_before, foreign)), plan(), SETTINGS)
    assert found["kept_namespaces"] == ["data"]
