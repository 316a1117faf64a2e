# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Complete, Partial or Failed: what the report of a removal says, and that every renderer can take it."""

from __future__ import annotations

import copy

import pytest

from ansible_collections.proficientnow.deploy_ops.plugins.filter.removal_report import removal_report
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._report.model import complete

CLEAN = {
    "components": [{"name": "argocd", "namespace": "argocd", "releases": [], "foreign": [], "objects": []}],
    "secrets": [],
    "sealing_keys": [],
    "definitions": [],
    "namespaces": [],
    "orphans": [],
}
KEY = {"kind": "Secret", "metadata": {"namespace": "kube-system", "name": "key"}}


def survey(releases=("argocd",), namespaces=("argocd",), definitions=(), used=(), orphans=(), **more):
    found = copy.deepcopy(CLEAN)
    found["components"][0]["releases"] = [{"name": name, "namespace": "argocd"} for name in releases]
    found["namespaces"] = [{"name": name, "of": "platform", "content": ["Pod a/b"]} for name in namespaces]
    found["definitions"] = [{"name": name, "foreign": "", "used": list(used)} for name in definitions]
    found["orphans"] = [
        {"id": "orphan.object", "what": one, "why": "w", "fix": "f", "severity": "warning", "counts": True}
        for one in orphans
    ]
    return {**found, **more}


def make(before, after, **more):
    report = removal_report(before, after=after, **more)
    complete(report)
    return report


def test_everything_gone_is_complete():
    report = make(survey(), CLEAN)
    assert report["outcome"] == "Complete"
    assert report["removed"] == ["Helm release argocd/argocd", "Namespace argocd"]
    assert [node["state"] for node in report["nodes"]] == ["Removed"]
    assert report["next"] == []


def test_nothing_to_do_is_complete_and_says_so():
    report = make(CLEAN, CLEAN)
    assert (report["outcome"], report["removed"], report["summary"]) == (
        "Complete",
        [],
        ["There was nothing to remove."],
    )


def test_check_mode_foretells_what_goes_and_what_stays():
    before = survey(definitions=["a.b"], sealing_keys=[KEY])
    report = make(before, None, kept=["storage"])
    assert report["outcome"] == "Complete"
    assert report["removed"] == ["Helm release argocd/argocd", "Namespace argocd"]
    assert report["retained"] == ["CustomResourceDefinition a.b: policy", "Secret kube-system/key: policy"]
    assert [node["state"] for node in report["nodes"]] == ["Waiting"]


def test_keys_and_definitions_go_when_asked():
    before = survey(definitions=["a.b"], sealing_keys=[KEY])
    report = make(before, None, remove_definitions=True, remove_keys=True)
    assert {"CustomResourceDefinition a.b", "Secret kube-system/key"} < set(report["removed"])
    assert report["retained"] == []


@pytest.mark.parametrize(
    ("after", "more", "where"),
    [
        (survey((), (), orphans=["ClusterRole r"]), {}, "ClusterRole r"),
        (
            survey((), (), definitions=["a.b"], used=["B x/y"]),
            {"remove_definitions": True},
            "CustomResourceDefinition a.b",
        ),
        (survey((), ("storage",)), {}, "Namespace storage"),
        (
            survey((), ("storage",)),
            {"held": [{"namespace": "storage", "holders": [{"object": "Pod a/b", "finalizers": ["x/y"], "fix": "f"}]}]},
            "Namespace storage",
        ),
    ],
)
def test_what_is_left_makes_it_partial_and_is_named_with_a_way_out(after, more, where):
    report = make(survey(), after, **more)
    assert report["outcome"] == "Partial"
    (finding,) = report["findings"]
    assert finding["where"] == where
    assert finding["fix"]
    assert report["next"]


def test_what_a_policy_keeps_leaves_it_complete():
    after = survey((), ("storage",), definitions=["a.b"])
    report = make(survey(definitions=["a.b"]), after, kept=["storage"])
    assert report["outcome"] == "Complete"
    assert report["retained"] == ["CustomResourceDefinition a.b: policy", "Namespace storage: policy"]


def test_a_failure_names_the_release_that_it_ended_at():
    before = survey(("event-bus", "argo-events", "argocd"))
    report = make(before, survey(("argo-events", "argocd")), failure="timed out")
    assert [node["state"] for node in report["nodes"]] == ["Removed", "Failed", "Waiting"]
    assert report["outcome"] == "Failed"
    assert report["summary"][0] == "Failed: timed out"


def test_the_platforms_report_comes_first():
    platform = {
        "nodes": [{"name": "metallb", "state": "Removed"}],
        "removed": ["Application metallb"],
        "run": "teardown-1",
    }
    report = make(survey(), CLEAN, platform=platform, facts={"environment": "local"})
    assert [node["name"] for node in report["nodes"]] == ["metallb", "argocd/argocd"]
    assert report["removed"][0] == "Application metallb"
    assert (report["run"], report["environment"]) == ("teardown-1", "local")


def test_more_than_the_snapshot_had_is_told_unless_it_is_kept():
    after = survey((), (), definitions=["a.b"], additional=["CustomResourceDefinition a.b", "StorageClass fast"])
    report = make(survey(definitions=["a.b"]), after)
    assert [one["where"] for one in report["findings"]] == ["StorageClass fast"]
    assert report["outcome"] == "Complete"


def test_a_foreign_release_is_retained():
    after = copy.deepcopy(CLEAN)
    after["components"][0]["foreign"] = ["argocd/argocd"]
    report = make(survey(()), after)
    assert report["retained"] == ["Helm release argocd/argocd: not installed by this collection"]


def test_a_definition_of_somebody_else_stays_and_does_not_count():
    before = survey(definitions=["a.b"])
    before["definitions"][0]["foreign"] = "the Helm release other/x"
    after = survey((), (), definitions=["a.b"])
    after["definitions"][0]["foreign"] = "the Helm release other/x"
    report = make(before, after, remove_definitions=True)
    assert (report["outcome"], report["findings"]) == ("Complete", [])
    assert report["retained"] == ["CustomResourceDefinition a.b: policy"]
