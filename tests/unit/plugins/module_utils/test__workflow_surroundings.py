# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a run reads before it starts."""

from __future__ import annotations

import copy
import typing as t

import pytest

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._kube.api import KubeApi, KubeError
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._workflow.surroundings import (
    REFRESH,
    Places,
    is_installed,
    look,
    missing_templates,
    refresh,
)

Dict = dict[str, t.Any]
ROOT = "/apis/argoproj.io/v1alpha1/namespaces/argocd/applications/platform-root"
REFERENCE = {"name": "survey", "template": "survey", "clusterScope": True}
TEMPLATE: Dict = {
    "metadata": {"name": "platform-bootstrap", "annotations": {"digest": "abc"}},
    "spec": {
        "templates": [
            {"name": "main", "dag": {"tasks": [{"name": "survey", "templateRef": REFERENCE}, {"name": "x"}]}},
            {"name": "other"},
        ]
    },
}


class Cluster:
    """A few objects by path; Root is compared after so many looks at it."""

    def __init__(self, objects: Dict, looks: int = 2) -> None:
        self.objects = objects
        self.looks = looks
        self.merged: list[t.Any] = []

    def merge(self, path: str, body: Dict) -> Dict:
        if path not in self.objects:
            raise KubeError("not found", 404)
        self.merged.append(body)
        self.objects[path]["metadata"]["annotations"] = {REFRESH: "normal"}
        return {}

    def get(self, path: str, **_query: str) -> Dict | None:
        if path == ROOT:
            self.looks -= 1
            if self.looks <= 0:
                self.objects[path]["metadata"]["annotations"] = {}
        return self.objects.get(path)

    def items(self, path: str, **_query: str) -> list[Dict]:
        return t.cast("list[Dict]", self.objects.get(path, []))


def root() -> Dict:
    return {"metadata": {"name": "platform-root"}, "spec": {"project": "platform-root"}}


def test_everything_is_read_and_little_of_it_is_handed_on() -> None:
    base = "/apis/argoproj.io/v1alpha1"
    run = {
        "metadata": {"name": "run-1", "labels": {"deploy-ops.proficientnow.com/run": "k", "x": "y"}},
        "spec": {"a": 1},
    }
    found_root, metallb = root(), {"metadata": {"name": "metallb"}, "spec": {"project": "platform"}}
    cluster = Cluster(
        {
            ROOT: found_root,
            f"{base}/namespaces/argocd/applications": [found_root, metallb],
            f"{base}/namespaces/argo/workflowtemplates/platform-bootstrap": copy.deepcopy(TEMPLATE),
            f"{base}/clusterworkflowtemplates": [
                {"metadata": {"name": "survey"}, "spec": {"templates": [{"name": "survey"}]}}
            ],
            f"{base}/namespaces/argo/workflows": [run],
        }
    )
    found = look(t.cast(KubeApi, cluster), Places("argocd", "platform-root", "argo"), TEMPLATE, 5)
    assert len(cluster.merged) == 1
    assert found == {
        "root": found_root,
        "applications": {"platform-root": "platform-root", "metallb": "platform"},
        "installed": True,
        "missing_templates": [],
        "workflows": [
            {
                "metadata": {"name": "run-1", "labels": {"deploy-ops.proficientnow.com/run": "k"}},
                "status": {"phase": ""},
            }
        ],
    }


def test_a_bare_cluster_has_nothing_and_that_is_no_error() -> None:
    found = look(t.cast(KubeApi, Cluster({})), Places("argocd", "platform-root", "argo"), TEMPLATE, 5)
    assert (found["root"], found["applications"], found["installed"], found["workflows"]) == (None, {}, False, [])
    assert found["missing_templates"] == ["survey/survey"]


def test_a_comparison_that_does_not_come_ends_with_the_reason() -> None:
    cluster = Cluster({ROOT: root()}, looks=10**6)
    with pytest.raises(KubeError, match="has not compared platform-root within 0 s: check its application controller"):
        refresh(t.cast(KubeApi, cluster), ROOT, 0.01, sleep=lambda _seconds: None)


def test_the_installed_template_is_compared_as_a_whole() -> None:
    live = copy.deepcopy(TEMPLATE)
    live["metadata"]["annotations"]["meta.helm.sh/release-name"] = "platform-workflow"
    assert is_installed(live, TEMPLATE)
    assert not is_installed({**live, "spec": {"templates": []}}, TEMPLATE)
    assert not is_installed({**live, "metadata": {"annotations": {"digest": "other"}}}, TEMPLATE)


def test_what_an_older_installation_lacks_is_named() -> None:
    old = {"metadata": {"name": "survey"}, "spec": {"templates": [{"name": "look"}]}}
    assert missing_templates(TEMPLATE, [old]) == ["survey/survey"]
