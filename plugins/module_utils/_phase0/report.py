# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""The report of phase 0 (RFC 3.2.8, 6.1): validation, inventory, connectivity, credentials, snapshot."""

from __future__ import annotations

import hashlib
import json
import typing as t

from . import quantity
from .check import BLOCKING, FAILED, PASSED, SKIPPED, WARNING, Check, Unknown
from .gather import Facts
from .leftovers import is_ours
from .view import ClusterView

# What is wrong here is wrong on this host or in the inventory: the executor ends with 3 (RFC 3.2.1, 7).
CONFIGURATION_FAMILIES = ("tools", "python_packages", "collections", "identity", "versions")
EXIT_READY, EXIT_CLUSTER, EXIT_CONFIGURATION = 0, 1, 3

_VERIFIED = {PASSED: "verified", FAILED: "refused", SKIPPED: "not verified"}


def build(checks: t.Sequence[Check], facts: Facts, taken_at: str, seconds: float) -> dict[str, t.Any]:
    blocking = [check for check in checks if check.blocks]
    return {
        "ready": not blocking,
        "exit_code_hint": exit_code_hint(blocking),
        "summary": summary(checks),
        "validation": [check._asdict() for check in checks],
        "inventory": inventory(facts.cluster, facts.kubeconfig.server),
        "connectivity": connectivity(facts),
        "credentials": credentials(checks),
        "snapshot": snapshot(facts.cluster, taken_at),
        "taken_at": taken_at,
        "duration_seconds": round(seconds, 1),
    }


def exit_code_hint(blocking: t.Sequence[Check]) -> int:
    if not blocking:
        return EXIT_READY
    configuration = any(check.family in CONFIGURATION_FAMILIES for check in blocking)
    return EXIT_CONFIGURATION if configuration else EXIT_CLUSTER


def summary(checks: t.Sequence[Check]) -> dict[str, int]:
    return {
        "passed": sum(check.status == PASSED for check in checks),
        "blocking": sum(check.blocks for check in checks),
        "warnings": sum(check.status == FAILED and check.severity == WARNING for check in checks),
        "skipped": sum(check.status == SKIPPED for check in checks),
    }


def inventory(view: ClusterView, server: str) -> dict[str, t.Any]:
    nodes = _known(view.nodes, [])
    requested = _known(view.requested, {})
    return {
        "server": server,
        "version": _known(view.version, ""),
        "uid": _known(view.uid, ""),
        "node_count": len(nodes),
        "cpu": round(sum(node.cpu for node in nodes), 2),
        "memory": quantity.bytes_text(sum(node.memory for node in nodes)),
        "nodes": [
            {
                **node._asdict(),
                "requested": requested[node.name]._asdict() if node.name in requested else {"cpu": 0.0, "memory": 0},
                "disk_free": _known(view.disk_free.get(node.name, Unknown("")), None),
            }
            for node in nodes
        ],
        "storage_classes": _known(view.storage_classes, []),
        "sealing_keys": _known(view.sealing_keys, []),
    }


def connectivity(facts: Facts) -> list[dict[str, t.Any]]:
    """Seen from this host. That the nodes reach the registries too, the first probe pod of the bootstrap proves."""
    endpoints = [("registry", fact.host, fact.reach) for fact in facts.registries]
    endpoints += [("git", fact.name, fact.reach) for fact in facts.repositories]
    endpoints += [
        ("charts", source, reach) for source, reach in {one.source: one.reach for one in facts.charts}.items()
    ]
    return [
        {
            "kind": kind,
            "endpoint": name,
            "reachable": reach.reachable,
            "detail": reach.detail,
            "seconds": round(reach.seconds, 2),
        }
        for kind, name, reach in endpoints
    ]


def credentials(checks: t.Sequence[Check]) -> list[dict[str, str]]:
    used = [check for check in checks if check.family == "credentials" or check.id == "cluster.authentication"]
    return [
        {"id": check.id, "result": _VERIFIED[check.status], "detail": check.found or check.reason} for check in used
    ]


def snapshot(view: ClusterView, taken_at: str) -> dict[str, t.Any]:
    """The cluster before anything was done to it; two equal clusters have equal digests."""
    content: dict[str, t.Any] = {
        "uid": _known(view.uid, ""),
        "version": _known(view.version, ""),
        "nodes": sorted(f"{node.name} {node.kubelet_version}" for node in _known(view.nodes, [])),
        "namespaces": {name: is_ours(fact.labels) for name, fact in sorted(_known(view.namespaces, {}).items())},
        "crds": sorted(_known(view.crds, {})),
        "releases": [
            f"{one.namespace}/{one.name} revision {one.revision} {one.status}" for one in _known(view.releases, [])
        ],
        "storage_classes": _known(view.storage_classes, []),
    }
    digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    return {**content, "digest": f"sha256:{digest}", "taken_at": taken_at}


def _known(fact: t.Any, otherwise: t.Any) -> t.Any:
    return otherwise if isinstance(fact, Unknown) else fact


def problems_text(checks: t.Sequence[Check], severity: str = BLOCKING) -> str:
    """Every failed check of a severity, ready to act on."""
    return "\n".join(
        f"[{check.id}] {check.title}\n    found:  {check.found}\n    wanted: {check.wanted}\n    fix:    {check.fix}"
        for check in checks
        if check.status == FAILED and check.severity == severity
    )


def headline(report: t.Mapping[str, t.Any]) -> str:
    counts = report["summary"]
    return (
        f"Phase 0: {'ready' if report['ready'] else 'NOT READY'}: {counts['blocking']} blocking, "
        f"{counts['warnings']} warnings, {counts['passed']} passed, {counts['skipped']} skipped, "
        f"in {report['duration_seconds']} s at {report['taken_at']}"
    )


def text(report: t.Mapping[str, t.Any], checks: t.Sequence[Check]) -> str:
    """The report for people: what to do first, what was fine last."""
    cluster = report["inventory"]
    lines = [
        headline(report),
        f"Cluster: {cluster['server'] or 'none'}, Kubernetes {cluster['version'] or 'unknown'}, "
        f"{cluster['node_count']} nodes, {cluster['cpu']} cores, {cluster['memory']}, "
        f"uid {cluster['uid'] or 'unknown'}",
    ]
    for heading, severity in (("BLOCKING", BLOCKING), ("WARNINGS", WARNING)):
        problems = problems_text(checks, severity)
        lines += ["", heading, problems] if problems else []
    lines += ["", "CONNECTIVITY (from this host)"]
    lines += [
        f"{one['kind']:9} {one['endpoint']}: {one['detail']} ({one['seconds']} s)" for one in report["connectivity"]
    ]
    lines += ["", "CREDENTIALS"]
    lines += [f"{one['result']:13} {one['id']}: {one['detail']}" for one in report["credentials"]]
    for heading, status in (("SKIPPED", SKIPPED), ("PASSED", PASSED)):
        lines += ["", heading]
        lines += [f"{check.id}: {check.found or check.reason}" for check in checks if check.status == status]
    return "\n".join(lines) + "\n"
