# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is said in the end: removed, retained, in the way, and how long it took."""

from __future__ import annotations

import json
import typing as t

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._teardown.outlook import outlook
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._teardown.report import teardown_report
from ansible_collections.proficientnow.deploy_ops.tests.unit.plugins.module_utils.teardown_objects import (
    SETTINGS,
    plan,
    seen,
)


def look(**changed: t.Any) -> dict[str, t.Any]:
    return {**outlook(seen(**changed), plan(), SETTINGS), "left": []}


def test_the_report_of_a_complete_teardown() -> None:
    run = {"outcome": "Succeeded", "nodes": {name: {"state": "healthy"} for name in plan()["nodes"]}, "summary": []}
    report = teardown_report(plan(), look(), look(applications={}), run, {"environment": "local"})
    assert report["outcome"] == "Complete"
    assert report["removed"] == ["Application db", "Application operator", "Application web"]
    assert any("PersistentVolumeClaim data/data-db-0" in one for one in report["retained"])
    assert {node["state"] for node in report["nodes"]} == {"Removed"}


def test_the_report_names_what_is_in_the_way_and_what_is_kept_for_it() -> None:
    blocker = {"kind": "Db", "namespace": "data", "name": "main", "message": "held by the finalizer example.com/x"}
    run = {
        "outcome": "Partial",
        "summary": ["db failed: not deleted"],
        "nodes": {
            "web": {"state": "healthy"},
            "db": {"state": "failed", "message": "not deleted", "details": json.dumps({"unhealthy": [blocker]})},
            "operator": {"state": "skipped"},
            "resource:dbs.example.com": {"state": "healthy"},
        },
    }
    after = look(applications={name: seen().applications[name] for name in ("db", "operator")})
    report = teardown_report(plan(), look(), after, run, {})
    nodes = {node["name"]: node for node in report["nodes"]}
    assert report["outcome"] == "Partial"
    assert "Db data/main is held by the finalizer example.com/x" in nodes["db"]["recommendation"]
    assert (nodes["operator"]["state"], nodes["operator"]["because"]) == ("Skipped", ["db"])


def test_a_volume_whose_claim_is_gone_comes_with_the_way_to_bind_it() -> None:
    report = teardown_report(plan(), look(), look(applications={}, claims=()), {}, {})
    (line,) = [one for one in report["retained"] if "PersistentVolume pv-1" in one]
    assert "kubectl patch persistentvolume pv-1" in line


def test_what_nobody_kept_makes_it_partial() -> None:
    left = {
        "node": "db",
        "kind": "Secret",
        "namespace": "data",
        "name": "x",
        "kept": False,
        "status": "still there",
        "message": "",
    }
    report = teardown_report(plan(), look(), {**look(applications={}), "left": [left]}, {"nodes": {}}, {})
    assert report["outcome"] == "Partial"
    assert report["findings"][0]["where"] == "Secret data/x"


def test_a_dry_run_says_what_would_go_and_what_would_stay() -> None:
    report = teardown_report(plan(), look(), look(), {}, {}, dry_run=True)
    assert report["outcome"] == "Complete"
    assert report["summary"][0] == "Dry run: nothing was changed"
    assert report["removed"] == ["Application db", "Application operator", "Application web"]
    assert any("PersistentVolumeClaim data/data-db-0" in one for one in report["retained"])


def test_the_longest_chain_is_measured() -> None:
    moments = {"web": (0, 10), "db": (10, 30), "operator": (30, 35), "resource:dbs.example.com": (0, 2)}
    nodes = {
        name: {
            "state": "healthy",
            "started": f"2026-11-16T10:00:{begin:02}Z",
            "finished": f"2026-11-16T10:00:{end:02}Z",
        }
        for name, (begin, end) in moments.items()
    }
    run = {
        "outcome": "Succeeded",
        "nodes": nodes,
        "started": "2026-11-16T10:00:00Z",
        "finished": "2026-11-16T10:00:40Z",
    }
    metrics = teardown_report(plan(), look(), look(applications={}), run, {})["metrics"]
    assert metrics == {"removed": 3.0, "critical_path_seconds": 35.0, "workflow_seconds": 40.0}
