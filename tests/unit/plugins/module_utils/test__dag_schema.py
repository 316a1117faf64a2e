# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The JSON schema for editors says the same as the reader, as far as a schema can."""

from __future__ import annotations

import json
import typing as t
from pathlib import Path

import jsonschema
import pytest

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag import checks, model, reader
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.plan import make_plan
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.problems import DagError
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.reader import read_graph
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.source import Source, read_file

ROOT = Path(__file__).resolve().parents[4]
SCHEMA = json.loads((ROOT / "docs" / "dag.schema.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def graph(settings: t.Any, **top: t.Any) -> dict[str, t.Any]:
    return {"version": 1, "stacks": {"s": {"applications": {"other": {}, "x": settings}}}, **top}


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_the_schema_knows_the_same_keys() -> None:
    definitions = SCHEMA["$defs"]
    assert set(SCHEMA["properties"]) == set(reader.GRAPH_KEYS)
    assert set(SCHEMA["properties"]["types"]["properties"]) == set(model.BUILT_IN_TYPES)
    assert set(definitions["stack"]["properties"]) == set(reader.STACK_KEYS)
    assert set(definitions["type"]["properties"]) == set(reader.TYPE_KEYS)
    assert set(definitions["application"]["properties"]) == set(reader.APPLICATION_KEYS)
    retries = definitions["application"]["properties"]["retries"]["anyOf"][1]
    assert set(retries["properties"]) == set(checks.RETRIES_KEYS)
    assert definitions["attempts"]["maximum"] == checks.MAX_ATTEMPTS


@pytest.mark.parametrize(
    "good",
    [
        graph(None),
        graph({"depends_on": ["other", "resource:nodes", "resource:kafkas.kafka.strimzi.io/a/b"]}),
        graph({"depends_on": None, "provides": ["resource:postgresqls.acid.zalan.do"]}),
        graph({"sync_timeout": "1h30m", "health_timeout": "5m", "expected_duration": "0s"}),
        graph({"retries": 3, "application": "a.b", "managed_by": "bootstrap", "type": "vault"}),
        graph({"retries": {"attempts": 1, "backoff": "0s"}}),
        graph({"type": "mine"}, types={"mine": {"sync_timeout": "1m", "health_timeout": "1m"}, "ceph": {}}),
    ],
)
def test_both_accept(good: dict[str, t.Any]) -> None:
    VALIDATOR.validate(good)
    read_graph(Source("spec", good))


@pytest.mark.parametrize(
    "bad",
    [
        [],
        {},
        {"version": 1},
        {"version": 1, "stacks": {}},
        {"version": 2, "stacks": {"s": {"applications": {"a": {}}}}},
        {"version": 1, "stacks": {"s": {"applications": {}}}},
        {"version": 1, "stacks": {"s": {}}},
        {"version": 1, "stacks": {"S": {"applications": {"a": {}}}}},
        {"version": 1, "stacks": {"s": {"applications": {"a b": {}}}}},
        {"version": 1, "stacks": {"s": {"applications": {"a": {}}, "other": 1}}},
        graph([]),
        graph({"unknown": 1}),
        graph({"depends_on": "other"}),
        graph({"depends_on": ["other", "other"]}),
        graph({"depends_on": ["resource:"]}),
        graph({"provides": ["other"]}),
        graph({"sync_timeout": 90}),
        graph({"sync_timeout": ""}),
        graph({"sync_timeout": "1m1h"}),
        graph({"retries": 0}),
        graph({"retries": {"attempts": 11}}),
        graph({"retries": {"limit": 1}}),
        graph({"managed_by": "me"}),
        graph({"application": "A"}),
        graph({}, types={"mine": {"sync_timeout": "1m"}}),
        graph({}, other=1),
    ],
)
def test_both_refuse(bad: t.Any) -> None:
    assert not VALIDATOR.is_valid(bad)
    with pytest.raises(DagError):
        read_graph(Source("spec", bad))


def test_the_example_is_valid_and_is_the_platform_of_the_rfc() -> None:
    source = read_file(str(ROOT / "inventories" / "example" / "dag.yaml"))
    VALIDATOR.validate(source.data)
    example = read_graph(source)
    applications = [node for node in example.nodes.values() if node.kind == "application"]
    assert (len(applications), len(example.stacks)) == (43, 11)
    assert make_plan(example)["requires"] == []
    # Edges that RFC section 5 names, one for each of its layers.
    for dependent, dependency in [
        ("ceph-operator", "metallb"),
        ("ceph-cluster", "ceph-operator"),
        ("storage-classes", "ceph-cluster"),
        ("ingress-nginx", "metallb"),
        ("vault", "storage-classes"),
        ("secret-store", "external-secrets-operator"),
        ("keycloak", "ingress-nginx"),
        ("grafana", "prometheus"),
        ("harbor", "redis-platform"),
        ("backstage", "postgres-platform"),
        ("temporal", "postgres-temporal"),
    ]:
        assert dependency in example.nodes[dependent].depends_on, (dependent, dependency)
    owned = sorted(node.name for node in applications if node.managed_by == "bootstrap")
    assert owned == ["argo-rollouts", "kargo", "sealed-secrets"]
