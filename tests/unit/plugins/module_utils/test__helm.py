# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import base64
import gzip
import json

import pytest

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._helm.objects import (
    ObjectRef,
    manifest_objects,
    shortfalls,
)
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._helm.observe import Observer
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._helm.processes import helm_processes
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._helm.readiness import (
    services_without_endpoint,
    why_not_ready,
)
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._helm.release import (
    decode_record,
    name_problem,
    read_release,
)
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._helm.rollback import (
    RollbackError,
    plan_rollback,
)
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._helm.wanted import chart_digest, differences

MANIFEST = """\
---
# Source: argo-cd/templates/crds/crd-application.yaml
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: applications.argoproj.io
spec:
  names: {kind: Application}
  text: |
    kind: not a kind
---
apiVersion: v1
kind: Service
metadata:
  name: argocd-server
  namespace: elsewhere
---
apiVersion: v1
kind: ConfigMapList
items:
  - apiVersion: v1
    kind: ConfigMap
    metadata: {name: one}
  - apiVersion: v1
    kind: ConfigMap
    metadata: {name: two}
---
# only a comment
"""


def record(status="deployed", version=1, **config):
    return {
        "version": version,
        "info": {"status": status, "last_deployed": "2026-11-16T10:00:00.123456789+02:00", "description": "x"},
        "chart": {"metadata": {"name": "argo-cd", "version": "10.8.0", "appVersion": "v3.5.2"}},
        "config": config,
        "manifest": MANIFEST,
    }


def encoded(body):
    return base64.b64encode(base64.b64encode(gzip.compress(json.dumps(body).encode()))).decode()


class Secrets:
    """The two requests that reading a release makes."""

    def __init__(self, *records):
        self.records = {body["version"]: body for body in records}

    def metadata_items(self, path, **query):
        assert query == {"labelSelector": "owner=helm,name=argocd"}
        return [
            {"metadata": {"labels": {"version": str(number), "status": body["info"]["status"]}}}
            for number, body in self.records.items()
        ]

    def get(self, path):
        return {"data": {"release": encoded(self.records[int(path.rsplit(".v", 1)[1])])}}


def test_a_release_record_is_read_in_full():
    release = read_release(
        Secrets(record(version=2, server={"replicas": 2}), record("superseded", 1)), "argocd", "argocd"
    )
    assert (release.revision, release.status, release.pending) == (2, "deployed", False)
    assert (release.chart, release.chart_version, release.app_version) == ("argo-cd", "10.8.0", "v3.5.2")
    assert release.values == {"server": {"replicas": 2}}
    assert release.updated == 1794816000.0  # 08:00 UTC: the offset counts
    assert release.last_deployed == 2


def test_a_killed_upgrade_is_pending_and_knows_where_to_return_to():
    history = Secrets(record("superseded", 1), record("deployed", 2), record("failed", 3), record("pending-upgrade", 4))
    release = read_release(history, "argocd", "argocd")
    assert release.pending
    assert release.last_deployed == 2


def test_a_killed_first_install_has_nowhere_to_return_to():
    assert read_release(Secrets(record("pending-install", 1)), "argocd", "argocd").last_deployed is None


def test_an_uninstalled_release_with_kept_history_is_none():
    assert read_release(Secrets(record("uninstalled", 1)), "argocd", "argocd") is None


def test_the_record_decodes_what_helm_encodes():
    assert decode_record(encoded({"a": "ü"})) == {"a": "ü"}


@pytest.mark.parametrize("name", ["x --post-renderer=evil", "", "-a", "A", "a" * 54, "a\n", "a.b/c", "ä"])
def test_names_that_helm_would_take_apart_are_refused(name):
    assert name_problem(name)


def test_ordinary_names_are_not_refused():
    assert name_problem("argo-cd") is None
    assert name_problem("a" * 53) is None


def test_objects_of_a_manifest():
    assert manifest_objects(MANIFEST, "argocd") == [
        ObjectRef("apiextensions.k8s.io/v1", "CustomResourceDefinition", "argocd", "applications.argoproj.io"),
        ObjectRef("v1", "Service", "elsewhere", "argocd-server"),
        ObjectRef("v1", "ConfigMap", "argocd", "one"),
        ObjectRef("v1", "ConfigMap", "argocd", "two"),
    ]


def test_required_objects_are_looked_up_where_they_live():
    class Serving:
        def __init__(self):
            self.asked = []

        def path_of(self, api_version, kind, namespace, name):
            return f"{api_version} {kind} {namespace} {name}"

        def metadata_exists(self, path):
            self.asked.append(path)
            return False

    needs = [
        {"kind": "Secret", "name": "license"},
        {"kind": "ConfigMap", "name": "settings", "namespace": "other"},
        {"kind": "CustomResourceDefinition", "name": "certificates.cert-manager.io"},
    ]
    api = Serving()
    assert Observer(api, "kargo", "kargo").missing(needs) == [
        "Secret kargo/license",
        "ConfigMap other/settings",
        "CustomResourceDefinition certificates.cert-manager.io",
    ]
    assert api.asked[2] == "apiextensions.k8s.io/v1 CustomResourceDefinition  certificates.cert-manager.io"


def test_shortfalls_name_what_is_missing():
    class Serving:
        def path_of(self, api_version, kind):
            return "/x" if kind == "Application" else None

    live = {
        ObjectRef("apps/v1", "Deployment", "argocd", "here"): {},
        ObjectRef("apps/v1", "Deployment", "argocd", "gone"): None,
    }
    wanted = ["argoproj.io/v1alpha1/Application", "argoproj.io/v1alpha1/AppProject"]
    assert shortfalls(Serving(), live, {"Deployment": 2}, wanted) == [
        "Deployment argocd/gone is in the release but not in the cluster",
        "1 objects of kind Deployment, at least 2 expected",
        "the API server does not serve argoproj.io/v1alpha1/AppProject: its CustomResourceDefinition is missing",
    ]


def workload(kind, generation=2, wanted=2, **status):
    return {"kind": kind, "metadata": {"generation": generation}, "spec": {"replicas": wanted}, "status": status}


READY = {"observedGeneration": 2, "replicas": 2, "updatedReplicas": 2, "availableReplicas": 2, "readyReplicas": 2}


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (workload("Deployment", **READY), None),
        (workload("Deployment"), "its controller has not seen the current specification yet"),
        (workload("Deployment", **{**READY, "availableReplicas": 1}), "1 of 2 pods available"),
        (workload("Deployment", **{**READY, "updatedReplicas": 0}), "0 of 2 pods updated"),
        (workload("Deployment", **{**READY, "replicas": 3}), "old pods are still ending"),
        (workload("Deployment", wanted=0, observedGeneration=2), None),
        (
            workload(
                "Deployment",
                conditions=[{"type": "Progressing", "reason": "ProgressDeadlineExceeded", "message": "too slow"}],
            ),
            "too slow",
        ),
        (workload("StatefulSet", **{**READY, "currentRevision": "a", "updateRevision": "a"}), None),
        (workload("StatefulSet", **{**READY, "readyReplicas": 1}), "1 of 2 pods ready"),
        (
            workload("StatefulSet", **{**READY, "updatedReplicas": 1, "currentRevision": "a", "updateRevision": "b"}),
            "1 of 2 pods updated",
        ),
        (
            {
                "kind": "DaemonSet",
                "metadata": {"generation": 1},
                "spec": {},
                "status": {
                    "observedGeneration": 1,
                    "desiredNumberScheduled": 2,
                    "updatedNumberScheduled": 2,
                    "numberAvailable": 1,
                },
            },
            "1 of 2 pods available",
        ),
        ({"kind": "Job", "metadata": {}, "status": {"conditions": [{"type": "Complete", "status": "True"}]}}, None),
        ({"kind": "Job", "metadata": {}, "status": {}}, "not complete"),
        (
            {
                "kind": "Job",
                "metadata": {},
                "status": {"conditions": [{"type": "Failed", "status": "True", "message": "no luck"}]},
            },
            "failed: no luck",
        ),
        ({"kind": "PersistentVolumeClaim", "metadata": {}, "status": {"phase": "Bound"}}, None),
        ({"kind": "PersistentVolumeClaim", "metadata": {}}, "is Pending"),
        ({"kind": "ConfigMap", "metadata": {}}, None),
    ],
)
def test_readiness(body, reason):
    assert why_not_ready(body) == reason


def test_services_need_a_ready_endpoint():
    services = [
        {"metadata": {"name": "up"}, "spec": {"selector": {"a": "b"}}},
        {"metadata": {"name": "down"}, "spec": {"selector": {"a": "c"}}},
        {"metadata": {"name": "manual"}, "spec": {}},
    ]
    slices = [
        {
            "metadata": {"labels": {"kubernetes.io/service-name": "up"}},
            "endpoints": [{"conditions": {"ready": False}}, {"conditions": {"ready": True}}],
        },
        {
            "metadata": {"labels": {"kubernetes.io/service-name": "down"}},
            "endpoints": [{"conditions": {"ready": False}}],
        },
    ]
    assert services_without_endpoint(services, slices) == ["down"]


def revision(number, status, description=""):
    return {"revision": number, "status": status, "description": description}


def test_a_rollback_leads_to_the_newest_other_revision_that_worked():
    plan = plan_rollback([revision(1, "superseded"), revision(2, "superseded"), revision(3, "pending-upgrade")], None)
    assert (plan.from_revision, plan.to_revision, plan.needed) == (3, 2, True)


def test_a_rollback_that_was_made_is_not_made_again():
    history = [revision(1, "superseded"), revision(2, "failed"), revision(3, "deployed", "Rollback to 1")]
    assert not plan_rollback(history, 1).needed
    assert not plan_rollback(history, 3).needed


def test_a_failed_rollback_is_made_again():
    assert plan_rollback([revision(1, "superseded"), revision(2, "failed", "Rollback to 1")], 1).needed


@pytest.mark.parametrize(
    ("history", "wanted", "words"),
    [
        ([], None, "no such release"),
        ([revision(1, "pending-install")], None, "no earlier revision ever worked"),
        ([revision(4, "deployed"), revision(5, "failed")], 2, "there are: 4, 5"),
    ],
)
def test_a_rollback_to_nowhere_says_so(history, wanted, words):
    with pytest.raises(RollbackError, match=words):
        plan_rollback(history, wanted)


def test_differences_name_paths_and_no_values():
    release = read_release(Secrets(record(a={"password": "old"}, kept=1)), "argocd", "argocd")
    assert differences(release, "argo-cd", "10.8.0", {"a": {"password": "old"}, "kept": 1}) == []
    found = differences(release, "argo-cd", "10.9.0", {"a": {"password": "hunter2"}, "kept": 1})
    assert found == ["chart argo-cd 10.8.0 becomes argo-cd 10.9.0", "values change: a.password"]


def test_a_failed_release_differs_although_its_values_do_not():
    release = read_release(Secrets(record("failed")), "argocd", "argocd")
    assert differences(release, "argo-cd", "10.8.0", {}) == ["its last revision is failed"]


def test_the_digest_of_a_chart_sees_names_and_contents(tmp_path):
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "a.yaml").write_text("x")
    first = chart_digest(str(tmp_path))
    (tmp_path / "templates" / "a.yaml").write_text("y")
    second = chart_digest(str(tmp_path))
    (tmp_path / "templates" / "a.yaml").rename(tmp_path / "templates" / "b.yaml")
    assert len({first, second, chart_digest(str(tmp_path))}) == 3


def test_only_writing_helm_processes_of_the_release_count(tmp_path):
    processes = {
        "11": ["/usr/bin/helm", "upgrade", "-i", "argocd", "chart"],
        "12": ["/usr/bin/helm", "list", "--filter", "argocd"],
        "13": ["/usr/bin/helm", "upgrade", "-i", "other", "chart"],
        "14": ["grep", "upgrade", "argocd"],
        "15": [""],
    }
    for pid, argv in processes.items():
        (tmp_path / pid).mkdir()
        (tmp_path / pid / "cmdline").write_bytes("\0".join(argv).encode())
    (tmp_path / "16").mkdir()
    (tmp_path / "self").mkdir()
    assert helm_processes("argocd", str(tmp_path)) == [11]
