# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Cluster, capacity and permissions: the rules, on facts as the API server gives them."""

from __future__ import annotations

import copy

import pytest

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0 import (
    capacity,
    cluster,
    nodes,
    permissions,
    quantity,
)
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.capacity import CapacityFacts, Requested
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.check import Unknown
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.cluster import ClusterFacts, DnsPod
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.collect import pods
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.components import Component

NODE = {
    "metadata": {"name": "node1", "labels": {"kubernetes.io/hostname": "node1"}},
    "spec": {},
    "status": {
        "allocatable": {"cpu": "1950m", "memory": "4Gi", "ephemeral-storage": "100Gi"},
        "conditions": [
            {"type": "DiskPressure", "status": "False"},
            {"type": "Ready", "status": "True", "message": "kubelet is posting ready status"},
        ],
        "nodeInfo": {
            "kubeletVersion": "v1.36.1",
            "containerRuntimeVersion": "containerd://1.6.20",
            "osImage": "Debian",
            "architecture": "amd64",
        },
    },
}
GOOD_DNS = [DnsPod("coredns-1", True, "Running")]
ARGOCD = Component("argocd", "argocd", "argocd", "argo-cd", "10.8.0", cpu="500m", memory="1Gi")


def node(name="node1", **changes):
    """A node as NODE, changed after it was read."""
    return nodes.from_api(copy.deepcopy({**NODE, "metadata": {**NODE["metadata"], "name": name}}))._replace(**changes)


def judge(**changes):
    facts = ClusterFacts("v1.36.1", True, [node("a"), node("b"), node("c")], GOOD_DNS)._replace(**changes)
    return {check.id.split(".", 1)[1]: check for check in cluster.evaluate(facts)}


def test_healthy_cluster_passes():
    assert {check.status for check in judge().values()} == {"passed"}


def test_node_is_read_as_the_api_gives_it():
    one = node()
    assert (one.cpu, one.memory, one.ephemeral_storage) == (1.95, 4 * 2**30, 100 * 2**30)
    assert one.ready
    assert one.schedulable
    assert not one.control_plane
    assert one.runtime == "containerd://1.6.20"


def test_unreachable_api_fails_once_and_the_rest_is_skipped():
    why = Unknown("connection refused", reported=True)
    checks = judge(version=Unknown("connection refused"), authenticated=why, nodes=why, dns_pods=why)
    assert checks["api"].blocks
    assert checks["api"].found == "connection refused"
    assert {check.status for name, check in checks.items() if name != "api"} == {"skipped"}


def test_refused_credentials_block():
    assert judge(authenticated=False)["authentication"].blocks


def test_question_without_answer_is_not_a_pass():
    checks = judge(nodes=Unknown("no answer within 5 s"))
    assert checks["nodes_ready"].blocks
    assert "not known" in checks["nodes_ready"].found


@pytest.mark.parametrize("change", [{"ready": False, "ready_message": "kubelet stopped"}, {"schedulable": False}])
def test_no_usable_node_blocks(change):
    assert judge(nodes=[node(**change)])["nodes_ready"].blocks


def test_cluster_without_nodes_fails_once():
    checks = judge(nodes=[])
    assert [name for name, check in checks.items() if check.status == "failed"] == ["nodes_ready"]
    assert room(nodes=[])["disk_pressure"].status == "skipped"


def test_cordon_and_taint_make_a_node_unschedulable():
    cordoned, tainted, tolerable = (copy.deepcopy(NODE) for _number in range(3))
    cordoned["spec"] = {"unschedulable": True}
    tainted["spec"] = {"taints": [{"key": "x", "effect": "NoSchedule"}]}
    tolerable["spec"] = {"taints": [{"key": "x", "effect": "PreferNoSchedule"}]}
    assert [nodes.from_api(item).schedulable for item in (cordoned, tainted, tolerable)] == [False, False, True]


def test_one_node_down_is_a_warning():
    checks = judge(nodes=[node("a"), node("b"), node("c"), node("d", ready=False, ready_message="gone")])
    assert checks["nodes_ready"].status == "passed"
    assert (checks["nodes_all_ready"].status, checks["nodes_all_ready"].severity) == ("failed", "warning")
    assert "d (gone)" in checks["nodes_all_ready"].found


def test_broken_runtime_blocks():
    message = "container runtime is down: rpc error"
    check = judge(nodes=[node("a"), node("b", ready=False, ready_message=message)])["runtime"]
    assert check.blocks
    assert message in check.found
    assert judge(nodes=[node(runtime="")])["runtime"].blocks
    assert judge(nodes=[node(ready=False, ready_message="gone")])["runtime"].status == "skipped"


def test_dns():
    assert judge(dns_pods=[])["dns"].blocks
    assert judge(dns_pods=[DnsPod("coredns-1", False, "Pending")])["dns"].blocks
    assert judge(dns_pods=[DnsPod("coredns-1", False, "Pending"), *GOOD_DNS])["dns"].status == "passed"


def test_fewer_than_three_workers_is_a_warning():
    control_plane = node("cp", control_plane=True)
    check = judge(nodes=[node("a"), node("b"), control_plane])["workers"]
    assert (check.status, check.severity, check.found) == ("failed", "warning", "2 Ready workers")


def room(minimum_disk="10Gi", **changes):
    facts = CapacityFacts([node("a"), node("b")], {"a": Requested(1.0, 2**30)}, {"a": 50 * 2**30, "b": 60 * 2**30})
    checks = capacity.evaluate(facts._replace(**changes), [ARGOCD], minimum_disk)
    return {check.id.split(".", 1)[1]: check for check in checks}


def test_capacity_suffices():
    checks = room()
    assert {check.status for check in checks.values()} == {"passed"}
    assert checks["cpu"].found == "2.90 of 3.90 cores not requested"


def test_full_nodes_are_a_warning():
    checks = room(requested={"a": Requested(1.95, 4 * 2**30), "b": Requested(1.9, 4 * 2**30)})
    for name in ("cpu", "memory"):
        assert (checks[name].status, checks[name].severity) == ("failed", "warning")


def test_pods_on_unusable_nodes_do_not_count():
    elsewhere = {"a": Requested(0, 0), "b": Requested(0, 0), "cordoned": Requested(100, 2**40)}
    assert room(requested=elsewhere)["cpu"].status == "passed"


def test_disk_pressure_blocks_although_the_node_is_tainted_then():
    check = room(nodes=[node("a"), node("b", disk_pressure=True, schedulable=False)])["disk_pressure"]
    assert check.blocks
    assert "b" in check.found


def test_small_or_full_disk_blocks():
    assert room(nodes=[node("a"), node("b", ephemeral_storage=5 * 2**30)])["disk_size"].blocks
    check = room(disk_free={"a": 50 * 2**30, "b": 9 * 2**30})["disk_free"]
    assert check.blocks
    assert check.found == "b 9.0 GiB"
    assert room("8Gi", disk_free={"b": 9 * 2**30})["disk_free"].status == "passed"


def test_silent_kubelet_is_told_and_does_not_block():
    check = room(disk_free={"a": Unknown("a: HTTP 403", reported=True)})["disk_free"]
    assert check.status == "skipped"
    assert "HTTP 403" in check.reason


def test_capacity_of_an_unseen_cluster_is_skipped():
    why = Unknown("down", reported=True)
    assert {check.status for check in room(nodes=why, requested=why, disk_free={}).values()} == {"skipped"}


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("250m", 0.25),
        ("2", 2.0),
        ("64Mi", 64 * 2**20),
        ("1k", 1000.0),
        ("1e3", 1000.0),
        (3, 3.0),
        ("1.5Gi", 1.5 * 2**30),
    ],
)
def test_quantities(text, number):
    assert quantity.parse(text) == pytest.approx(number)


@pytest.mark.parametrize("text", ["", "1K", "many", "1 Gi", "0x10", "Gi", "1.2.3"])
def test_bad_quantities(text):
    with pytest.raises(ValueError, match=r"quantity|float"):
        quantity.parse(text)


def test_requests_are_added_up_as_the_scheduler_does():
    def container(cpu, **more):
        return {"resources": {"requests": {"cpu": cpu, "memory": "1Mi"}}, **more}

    pod = {
        "spec": {
            "nodeName": "a",
            "containers": [container("100m"), {"name": "no requests"}],
            "initContainers": [container("500m"), container("50m", restartPolicy="Always")],
            "overhead": {"cpu": "10m"},
        }
    }
    small = {"spec": {"nodeName": "a", "containers": [container("1")]}}
    waiting = {"spec": {"containers": [container("9")]}}
    totals = pods.requested_by_node([pod, small, waiting])
    assert set(totals) == {"a"}
    assert totals["a"].cpu == pytest.approx(0.5 + 0.01 + 1)


def test_permissions_ask_for_what_the_components_need():
    asked = permissions.needed([ARGOCD])
    assert len(asked) == len(set(asked))
    assert permissions.Access("create", "argoproj.io", "applications", "argocd") in asked
    assert permissions.Access("create", "", "namespaces", "") in asked
    assert permissions.Access("escalate", "rbac.authorization.k8s.io", "clusterroles", "") in asked
    assert not [access for access in asked if access.resource == "workflows"]


def test_permissions():
    answers: dict = dict.fromkeys(permissions.needed([ARGOCD]), True)
    assert {check.status for check in permissions.evaluate(answers)} == {"passed"}
    denied = permissions.Access("create", "apps", "deployments", "argocd")
    answers[denied] = False
    checks = {check.id: check for check in permissions.evaluate(answers)}
    assert checks["permissions.argocd"].blocks
    assert "create deployments.apps" in checks["permissions.argocd"].found
    assert checks["permissions.cluster"].status == "passed"
    answers[denied] = Unknown("no answer")
    assert {check.id: check for check in permissions.evaluate(answers)}["permissions.argocd"].blocks
