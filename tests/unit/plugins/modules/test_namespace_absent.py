# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Namespaces that go, that hang, and that are on their way already. The API server is a fake, to have them hang."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("ansible_collections.kubernetes.core")

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._kube.api import KubeApi
from ansible_collections.proficientnow.deploy_ops.plugins.modules import namespace_absent


class NotFound(Exception):
    status = 404
    body = b"{}"


class Answer:
    def __init__(self, body):
        self.data = json.dumps(body).encode()


class Cluster:
    """Namespaces by name; those in `stuck` stay, with a ConfigMap that holds them."""

    def __init__(self, *names, stuck=(), leaving=()):
        self.namespaces = {name: {"metadata": {"name": name}} for name in names}
        for name in leaving:
            self.namespaces[name]["metadata"]["deletionTimestamp"] = "earlier"
        self.stuck = stuck
        self.deleted = []

    def __call__(self, method, path, body=None, **params):
        name = path.rpartition("/")[2]
        if path.startswith("/api/v1/namespaces/"):
            if name not in self.namespaces:
                raise NotFound
            if method == "delete":
                self.deleted.append(name)
                if name in self.stuck:
                    self.namespaces[name]["metadata"]["deletionTimestamp"] = "now"
                    return Answer({})
                return Answer(self.namespaces.pop(name))
            return Answer(self.namespaces[name])
        if path == "/api/v1":
            return Answer({"resources": [{"name": "configmaps", "kind": "ConfigMap", "verbs": ["list"]}]})
        if path == "/api/v1/configmaps":
            metadata = [{"name": "c", "namespace": name, "finalizers": ["x/y"]} for name in self.stuck]
            return Answer({"items": [{"metadata": one} for one in metadata]})
        if path == "/apis":
            return Answer({"groups": []})
        raise NotFound


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch):
    monkeypatch.setattr("time.sleep", lambda seconds: None)


def remove(cluster, *names):
    return namespace_absent.remove(KubeApi(cluster, patience=0), names, 0.01)


def test_what_is_there_goes_and_what_is_not_is_no_change():
    assert remove(Cluster("a", "b"), "a", "c") == {"changed": True, "removed": ["a"], "held": []}
    assert remove(Cluster("b"), "a") == {"changed": False, "removed": [], "held": []}


def test_what_hangs_is_named_with_the_object_and_its_finalizer():
    found = remove(Cluster("a", "b", stuck=["a"]), "a", "b")
    assert found["removed"] == ["b"]
    (held,) = found["held"]
    assert held["namespace"] == "a"
    assert [(one["object"], one["finalizers"]) for one in held["holders"]] == [("ConfigMap a/c", ["x/y"])]


def test_what_is_on_its_way_is_not_deleted_again():
    cluster = Cluster("a", stuck=["a"], leaving=["a"])
    found = remove(cluster, "a")
    assert cluster.deleted == []
    assert found["changed"] is False
    assert [one["namespace"] for one in found["held"]] == ["a"]
