# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is told about a cluster before and after a removal: what is ours, what is in the way, what is left."""

from __future__ import annotations

import pytest

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._leftovers.catalog import (
    OWNER_LABEL,
    RELEASE,
    RELEASE_NAMESPACE,
    Catalog,
    Contents,
    Thing,
)
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._leftovers.namespaces import content, holders
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._leftovers.orphans import orphans
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._leftovers.survey import (
    Component,
    Wanted,
    additional,
    survey,
)

MARK = {OWNER_LABEL: "deploy-ops"}
WANTED = Wanted(
    [Component("argo_events", "argo-events", ("argo-events",)), Component("argocd", "argocd", ("argocd",))],
    namespaces=["storage"],
)
NOTHING = Contents([], [], [], [], [])


def thing(kind, name, namespace="", group="", **more):
    return Thing(group, "v1", kind.lower() + "s", kind, namespace, name, **more)


def argo(kind, plural, name, namespace, **more):
    return Thing("argoproj.io", "v1alpha1", plural, kind, namespace, name, **more)


def of_release(name, namespace):
    return {RELEASE: name, RELEASE_NAMESPACE: namespace}


def record(name, namespace, status="deployed", version=1):
    labels = {"owner": "helm", "name": name, "status": status, "version": str(version)}
    return thing("Secret", f"sh.helm.release.v1.{name}.v{version}", namespace, labels=labels)


def crd(name, annotations=None):
    return thing("CustomResourceDefinition", name, group="apiextensions.k8s.io", annotations=annotations or {})


def look(*things, wanted=WANTED):
    return survey(Catalog([thing("Namespace", "argo-events", labels=MARK), *things], []), wanted)


def left(*things, contents=NOTHING):
    catalog = Catalog([thing("Namespace", "argo-events", labels=MARK), *things], [])
    return orphans(catalog, contents, WANTED.ours(catalog))


def test_a_release_is_known_by_its_newest_record():
    found = look(
        record("argo-events", "argo-events", "superseded", 9), record("argo-events", "argo-events", "uninstalling", 10)
    )
    assert found["components"][0]["releases"] == [
        {"name": "argo-events", "namespace": "argo-events", "status": "uninstalling"}
    ]


def test_a_release_of_somebody_else_in_a_namespace_that_is_not_ours_is_named_and_left():
    foreign = thing("Deployment", "argocd-server", "argocd", group="apps", annotations=of_release("argocd", "argocd"))
    component = look(record("argocd", "argocd"), foreign)["components"][1]
    assert (component["releases"], component["foreign"]) == ([], ["argocd/argocd"])


def test_a_release_of_ours_in_a_shared_namespace_is_known_by_its_mark():
    ours = thing(
        "Deployment", "argocd-server", "argocd", group="apps", annotations=of_release("argocd", "argocd"), labels=MARK
    )
    component = look(record("argocd", "argocd"), ours)["components"][1]
    assert [one["name"] for one in component["releases"]] == ["argocd"]


def test_objects_in_our_namespace_go_first_and_those_elsewhere_are_in_the_way_when_only_the_controller_can_end_them():
    component = look(
        argo("Sensor", "sensors", "inside", "argo-events", finalizers=("sensor-controller",)),
        argo("EventBus", "eventbus", "default", "argo-events", annotations=of_release("argo-events", "argo-events")),
        argo("Sensor", "sensors", "outside", "shop", finalizers=("sensor-controller",)),
        argo("Sensor", "sensors", "free", "shop"),
    )["components"][0]
    assert [one["metadata"]["name"] for one in component["objects"]] == ["inside"]
    assert component["dependents"] == ["Sensor shop/outside"]


def test_applications_are_never_among_the_objects_that_go():
    application = argo("Application", "applications", "metallb", "argo-events")
    root = argo("Application", "applications", "root", "argocd", annotations=of_release("argocd", "argocd"))
    found = look(application, root)
    assert found["applications"] == ["Application argo-events/metallb"]
    assert all(not component["objects"] for component in found["components"])


def test_workflows_that_have_not_ended_are_named():
    ended = {"workflows.argoproj.io/completed": "true"}
    found = look(argo("Workflow", "workflows", "a", "argo"), argo("Workflow", "workflows", "b", "argo", labels=ended))
    assert found["unfinished_workflows"] == ["Workflow argo/a"]


def test_only_marked_namespaces_of_the_primitives_go_and_shared_ones_never():
    wanted = Wanted([*WANTED.components, Component("sealed_secrets", "kube-system", ())], namespaces=["storage"])
    found = look(
        thing("Namespace", "argocd"),
        thing("Namespace", "kube-system", labels=MARK),
        thing("Namespace", "storage"),
        thing("PersistentVolumeClaim", "data", "storage"),
        wanted=wanted,
    )["namespaces"]
    assert [(one["name"], one["of"], one["claims"]) for one in found] == [
        ("argo-events", "primitives", []),
        ("storage", "platform", ["PersistentVolumeClaim storage/data"]),
    ]


def test_what_kubernetes_puts_into_every_namespace_is_no_content():
    things = [
        thing("ServiceAccount", "default", "a"),
        thing("ConfigMap", "kube-root-ca.crt", "a"),
        thing("Pod", "child", "a", owned=True),
        thing("ConfigMap", "mine", "a"),
        thing("ConfigMap", "other", "b"),
    ]
    assert [str(one) for one in content("a", things)] == ["ConfigMap a/mine"]


@pytest.mark.parametrize(
    ("annotations", "foreign"),
    [
        (of_release("argo-events", "argo-events"), ""),
        (of_release("events", "other"), "the Helm release other/events"),
        (None, "no Helm release"),
    ],
)
def test_a_definition_is_ours_by_its_release(annotations, foreign):
    (found,) = look(crd("sensors.argoproj.io", annotations))["definitions"]
    assert found["foreign"] == foreign


def test_a_definition_is_used_by_objects_outside_of_our_namespaces():
    (found,) = look(
        crd("sensors.argoproj.io", of_release("argo-events", "argo-events")),
        argo("Sensor", "sensors", "inside", "argo-events"),
        argo("Sensor", "sensors", "outside", "shop"),
    )["definitions"]
    assert found["used"] == ["Sensor shop/outside"]


def test_secrets_that_were_delivered_elsewhere_and_sealing_keys_are_found():
    key = {"sealedsecrets.bitnami.com/sealed-secrets-key": "active"}
    found = look(
        thing("Secret", "registry", "kube-system", labels=MARK),
        thing("Secret", "git", "argo-events", labels=MARK),
        thing("Secret", "key", "kube-system", labels=key),
    )
    assert [one["metadata"]["name"] for one in found["secrets"]] == ["registry"]
    assert [one["metadata"]["name"] for one in found["sealing_keys"]] == ["key"]


def test_additional_is_what_the_snapshot_did_not_have():
    catalog = Catalog([thing("Namespace", "old"), thing("Namespace", "new"), record("r", "old"), crd("a.b")], [])
    snapshot = {"namespaces": {"old": False}, "crds": [], "releases": ["old/r revision 3 deployed"]}
    assert additional(catalog, snapshot) == ["Namespace new", "CustomResourceDefinition a.b"]


def namespace(finalizers=(), **conditions):
    told = [{"type": kind, "status": "True", "message": text} for kind, text in conditions.items()]
    return {"metadata": {"name": "a", "finalizers": list(finalizers)}, "status": {"conditions": told}}


def test_what_holds_a_namespace_is_named_with_the_finalizer_and_the_command_that_removes_just_that():
    stuck = argo("Sensor", "sensors", "s", "a", finalizers=("sensor-controller",), deleting=True)
    (holder,) = holders(namespace(), Catalog([stuck, thing("ConfigMap", "c", "a")], []))
    assert (holder["object"], holder["finalizers"]) == ("Sensor a/s", ["sensor-controller"])
    for part in (
        "recover_kind=Sensor",
        "recover_name=s",
        "recover_namespace=a",
        "recover_finalizers=sensor-controller",
    ):
        assert part in holder["fix"]


@pytest.mark.parametrize(
    ("body", "unanswered", "told"),
    [
        (namespace(finalizers=["custom/guard"]), [], "Namespace a"),
        (namespace(), ["metrics.k8s.io: no answer"], "metrics.k8s.io: no answer"),
        (namespace(NamespaceContentRemaining="pods. has 1 resource"), [], "pods. has 1 resource"),
    ],
)
def test_a_namespace_without_a_held_object_says_what_else_holds_it(body, unanswered, told):
    assert [one["object"] for one in holders(body, Catalog([], unanswered))] == [told]


def test_objects_of_ours_that_are_left_count_and_say_how_to_remove_them():
    role = thing("ClusterRole", "r", group="rbac.authorization.k8s.io", annotations=of_release("argocd", "argocd"))
    (found,) = left(role)
    assert (found.what, found.counts) == ("ClusterRole r", True)
    assert found.fix == "Run: kubectl delete clusterroles.rbac.authorization.k8s.io r"


def test_an_object_of_ours_that_is_held_names_its_finalizer():
    stuck = thing("ClusterRole", "r", annotations=of_release("argocd", "argocd"), deleting=True, finalizers=("x/y",))
    (found,) = left(stuck)
    assert "held by x/y" in found.why
    assert "recover_remove" in found.fix


def test_objects_of_others_and_of_our_namespaces_are_no_orphans():
    assert left(thing("ClusterRole", "other"), thing("Secret", "s", "argo-events", labels=MARK)) == []


def test_kept_definitions_are_told_and_do_not_count():
    (found,) = left(crd("sensors.argoproj.io", of_release("argo-events", "argo-events")))
    assert (found.id, found.counts) == ("orphan.definition", False)


@pytest.mark.parametrize(("claims", "ids"), [([], ["orphan.volume"]), ([thing("PersistentVolumeClaim", "c", "a")], [])])
def test_volumes_whose_claim_is_gone(claims, ids):
    volume = {"metadata": {"name": "v"}, "spec": {"claimRef": {"namespace": "a", "name": "c"}}}
    free = {"metadata": {"name": "free"}, "spec": {}}
    found = left(*claims, contents=NOTHING._replace(volumes=[volume, free]))
    assert [one.id for one in found] == ids


@pytest.mark.parametrize(("ready", "ids"), [(True, []), (False, ["orphan.service"])])
def test_services_without_endpoints_in_the_platforms_namespaces(ready, ids):
    service = {"metadata": {"namespace": "storage", "name": "s"}, "spec": {"selector": {"a": "b"}}}
    external = {"metadata": {"namespace": "storage", "name": "e"}, "spec": {}}
    other = {"metadata": {"namespace": "default", "name": "o"}, "spec": {"selector": {"a": "b"}}}
    endpoints = {
        "metadata": {"namespace": "storage", "labels": {"kubernetes.io/service-name": "s"}},
        "endpoints": [{"conditions": {"ready": ready}}],
    }
    found = left(contents=NOTHING._replace(services=[service, external, other], slices=[endpoints]))
    assert [one.id for one in found] == ids


def test_webhooks_and_api_services_whose_service_is_gone():
    service = {"metadata": {"namespace": "a", "name": "there"}, "spec": {}}

    def webhook(name, *services):
        hooks = [{"clientConfig": {"service": {"namespace": "a", "name": one}}} for one in services]
        return {"kind": "ValidatingWebhookConfiguration", "metadata": {"name": name}, "webhooks": hooks}

    api_service = {
        "kind": "APIService",
        "metadata": {"name": "v1.x"},
        "spec": {"service": {"namespace": "a", "name": "no"}},
    }
    local = {"kind": "APIService", "metadata": {"name": "v1."}, "spec": {}}
    contents = NOTHING._replace(
        services=[service],
        webhooks=[webhook("good", "there"), webhook("bad", "there", "gone")],
        api_services=[api_service, local],
    )
    found = left(contents=contents)
    assert [one.what for one in found] == ["ValidatingWebhookConfiguration bad", "APIService v1.x"]
    assert found[0].fix == "Run: kubectl delete validatingwebhookconfiguration bad"


def test_stuck_namespaces_are_told_and_count_only_when_they_are_ours():
    stuck = [thing("Namespace", name, deleting=True) for name in ("storage", "other")]
    held = argo("Sensor", "sensors", "s", "storage", finalizers=("sensor-controller",))
    found = [one for one in left(*stuck, held) if one.id == "orphan.namespace"]
    assert [(one.what, one.counts) for one in found] == [("Namespace storage", True), ("Namespace other", False)]
    assert "Sensor storage/s by sensor-controller" in found[0].why
