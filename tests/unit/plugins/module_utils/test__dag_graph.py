# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a graph says, resolved; and the example platform."""

from __future__ import annotations

import pytest

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.durations import (
    duration_text,
    parse_duration,
)
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.model import Graph, Retries
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.names import parse_resource, task_name
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.plan import make_plan
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.reader import read_graph
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.source import read_text

DESIGN = """
version: 1
types:
  ceph: {sync_timeout: 40m, health_timeout: 40m}
  kafka: {sync_timeout: 7m, health_timeout: 8m}
stacks:
  infrastructure:
    applications:
      metallb:
      ingress-nginx: {depends_on: [metallb]}
      sealed-secrets: {managed_by: bootstrap}
  storage:
    depends_on: [infrastructure]
    applications:
      ceph-operator: {type: operator, depends_on: [metallb], provides: ["resource:cephclusters.ceph.rook.io"]}
      ceph-cluster:
        type: ceph
        depends_on: [ceph-operator, "resource:cephclusters.ceph.rook.io"]
        expected_duration: 20m
        retries: {backoff: 1m}
      pg-main:
        type: database
        application: postgres.main
        depends_on: [ceph-cluster, "resource:postgresqls.acid.zalan.do"]
        retries: 5
        health_timeout: 1h30m
      queue: {type: kafka}
"""


@pytest.fixture(name="graph")
def fixture_graph() -> Graph:
    return read_graph(read_text(DESIGN, "dag.yaml"))


def test_built_in_types_have_the_timeouts_of_the_rfc() -> None:
    types = ("simple", "operator", "ceph", "database", "vault")
    applications = "".join(f"      {name}: {{type: {name}}}\n" for name in types)
    graph = read_graph(read_text(f"version: 1\nstacks:\n  s:\n    applications:\n{applications}", "dag.yaml"))
    minutes = {
        name: (node.sync_timeout_seconds // 60, node.health_timeout_seconds // 60) for name, node in graph.nodes.items()
    }
    assert minutes == {
        "simple": (5, 5),
        "operator": (10, 10),
        "ceph": (30, 30),
        "database": (15, 15),
        "vault": (15, 15),
    }


def test_types_are_changed_and_added(graph: Graph) -> None:
    assert graph.nodes["ceph-cluster"].sync_timeout_seconds == 2400
    assert graph.nodes["queue"].health_timeout_seconds == 480


def test_an_application_overrides_its_type(graph: Graph) -> None:
    node = graph.nodes["pg-main"]
    assert (node.sync_timeout_seconds, node.health_timeout_seconds) == (900, 5400)
    assert node.application == "postgres.main"
    assert node.retries == Retries(attempts=5, backoff_seconds=10)
    assert graph.nodes["ceph-cluster"].retries == Retries(attempts=3, backoff_seconds=60)
    assert graph.nodes["ceph-cluster"].expected_seconds == 1200


def test_a_stack_dependency_reaches_every_application_of_that_stack(graph: Graph) -> None:
    for name in graph.stacks["storage"]:
        assert {"metallb", "ingress-nginx", "sealed-secrets"} <= set(graph.nodes[name].depends_on)


def test_a_provided_resource_is_a_node_after_its_provider(graph: Graph) -> None:
    node = graph.nodes["resource:cephclusters.ceph.rook.io"]
    assert (node.kind, node.stack, node.depends_on) == ("resource", "storage", ("ceph-operator",))
    assert node.health_timeout_seconds == graph.nodes["ceph-operator"].health_timeout_seconds


def test_a_resource_that_nobody_provides_is_required_from_outside(graph: Graph) -> None:
    plan = make_plan(graph)
    assert plan["requires"] == ["resource:postgresqls.acid.zalan.do"]
    assert plan["required_nodes"] == {}
    assert "resource:postgresqls.acid.zalan.do" not in plan["nodes"]
    assert make_plan(graph, action="teardown")["requires"] == []


def test_what_the_bootstrap_owns_costs_no_time(graph: Graph) -> None:
    assert graph.nodes["sealed-secrets"].managed_by == "bootstrap"
    assert graph.nodes["sealed-secrets"].expected_seconds == 0


def test_a_scope_takes_the_resources_that_its_applications_provide(graph: Graph) -> None:
    plan = make_plan(graph, scope="app:ceph-operator")
    assert plan["order"] == ["ceph-operator", "resource:cephclusters.ceph.rook.io"]
    assert plan["requires"] == ["ingress-nginx", "metallb", "sealed-secrets"]


def test_teardown_of_a_scope_requires_what_still_depends_on_it(graph: Graph) -> None:
    plan = make_plan(graph, scope="stack:infrastructure", action="teardown")
    assert plan["order"] == ["ingress-nginx", "sealed-secrets", "metallb"]
    assert plan["requires"] == ["ceph-cluster", "ceph-operator", "pg-main", "queue"]


def test_dag_order_starts_the_longest_chain_first() -> None:
    text = (
        "version: 1\nstacks:\n  s:\n    applications:\n"
        "      a-short: {expected_duration: 1s}\n"
        "      z-first: {expected_duration: 1s}\n"
        "      z-slow: {depends_on: [z-first], expected_duration: 1h}\n"
    )
    graph = read_graph(read_text(text, "dag.yaml"))
    assert make_plan(graph, strategy="waves")["order"] == ["a-short", "z-first", "z-slow"]
    assert make_plan(graph, strategy="dag")["order"] == ["z-first", "z-slow", "a-short"]


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90s", 90), ("5m", 300), ("1h30m", 5400), ("1h", 3600), ("0s", 0), ("1h1m1s", 3661), ("90m", 5400)],
)
def test_durations(text: str, seconds: int) -> None:
    assert parse_duration(text) == seconds
    assert parse_duration(duration_text(seconds)) == seconds


@pytest.mark.parametrize("value", ["", "5", "5d", "m", "1m1h", " 5m", "5m\n", "1.5h", 5, None, True, 1.5, ["5m"]])
def test_no_durations(value: object) -> None:
    assert parse_duration(value) is None


@pytest.mark.parametrize(
    ("reference", "parts"),
    [
        ("resource:postgresqls.acid.zalan.do", ("postgresqls", "acid.zalan.do", "", "")),
        ("resource:kafkas.kafka.strimzi.io/data/main", ("kafkas", "kafka.strimzi.io", "data", "main")),
        ("resource:storageclasses.storage.k8s.io/ceph-block", ("storageclasses", "storage.k8s.io", "", "ceph-block")),
        ("resource:namespaces/vault", ("namespaces", "", "", "vault")),
        ("resource:secrets/vault/token", ("secrets", "", "vault", "token")),
    ],
)
def test_resource_references(reference: str, parts: tuple[str, ...]) -> None:
    assert parse_resource(reference) == parts


def test_task_names_fit_the_workflow_schema() -> None:
    assert task_name("1password.connect") == "app-1password-connect"
    assert task_name("resource:kafkas.kafka.strimzi.io/data/main") == "resource-kafkas-kafka-strimzi-io-data-main"
