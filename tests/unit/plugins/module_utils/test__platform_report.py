# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The whole report, from facts to first lines."""

from __future__ import annotations

import json
import typing as t

import pytest

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.check import Unknown
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._platform.facts import Facts
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._platform.options import (
    OptionError,
    read_settings,
)
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._platform.report import make_report
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._report.text import report_text
from ansible_collections.proficientnow.deploy_ops.tests.unit.plugins.module_utils.platform_objects import (
    NAMES,
    NOW,
    SETTINGS,
    application,
    facts,
    job,
    plan,
    rules,
    workload,
)


def report(found: Facts, scope: str = "platform", **settings: t.Any) -> dict[str, t.Any]:
    made = make_report(plan(), plan(scope), found, SETTINGS._replace(**settings))
    json.dumps(made)
    assert report_text(made)
    return made


def node(made: dict[str, t.Any], name: str) -> dict[str, t.Any]:
    return next(one for one in made["nodes"] if one["name"] == name)


def test_a_healthy_platform() -> None:
    made = report(facts())
    assert made["outcome"] == "Healthy", made["findings"]
    assert made["findings"] == []
    assert made["next"] == []
    assert {one["state"] for one in made["stacks"]} == {"Healthy"}
    assert [one["name"] for one in made["stacks"]] == ["base", "data", "apps", "primitives"]
    assert len(made["summary"]) == 1


def test_a_dependency_that_is_not_healthy() -> None:
    made = report(facts(application("operator", health="Degraded")))
    assert made["outcome"] == "Degraded"
    assert node(made, "backstage")["state"] == "Healthy"
    assert node(made, "backstage")["because"] == ["operator"]
    assert "Nothing is done to it (RFC 3.7)" in node(made, "backstage")["message"]
    assert node(made, "metallb")["because"] == []
    told = "\n".join(made["summary"])
    assert "At risk because of it: backstage, database, resource:postgresqls.acid.zalan.do" in told
    assert "Nothing is done to them (RFC 3.7)" in told
    assert {one["name"]: one["state"] for one in made["stacks"]}["data"] == "Degraded"
    assert made["next"][0] == "kubectl -n argocd describe application operator"
    assert made["next"][-1] == "ansible-playbook proficientnow.deploy_ops.validate"


def test_several_ills_begin_at_the_root() -> None:
    made = report(facts(application("operator", health="Progressing"), application("backstage", health="Degraded")))
    assert made["summary"][1].startswith("operator is Progressing")
    assert made["summary"][-1] == "Not Healthy either, behind something that is not: backstage."


@pytest.mark.parametrize(
    ("found", "outcome"),
    [
        (facts(application("operator", health="Progressing")), "Degraded"),
        (facts(application("operator", health="Suspended")), "Degraded"),
        (facts(application("operator", health="Unknown")), "Unhealthy"),
        (facts(application("operator", conditions=[{"type": "ComparisonError", "message": "x"}])), "Unhealthy"),
        (facts(components={"argo-cd": [], "sealed-secrets": [workload()]}), "Unhealthy"),
        (facts(applications=[]), "Unhealthy"),
        (facts(applications=[], components={}, resources={}), "Unhealthy"),
        (facts(resources={"resource:postgresqls.acid.zalan.do": None}), "Degraded"),
    ],
)
def test_outcomes_by_health(found: Facts, outcome: str) -> None:
    assert report(found)["outcome"] == outcome


def test_a_platform_that_is_not_deployed_is_told_in_one_finding() -> None:
    made = report(facts(applications=[]))
    assert made["outcome"] == "Unhealthy"
    assert [one["id"] for one in made["findings"]] == ["graph.not-deployed"]
    assert made["next"][0] == "ansible-playbook proficientnow.deploy_ops.site"


def test_all_degraded_is_degraded() -> None:
    assert report(facts(*[application(name, health="Degraded") for name in NAMES]))["outcome"] == "Degraded"


def test_a_blocking_finding_makes_it_degraded_and_a_warning_does_not() -> None:
    hook = job(["kubectl", "wait", "deployment/metallb"])
    blocked = report(facts(rules=rules(manifests={"backstage": [hook]})))
    assert blocked["outcome"] == "Degraded"
    assert [one["id"] for one in blocked["findings"]] == ["hooks.dependency"]
    assert "The graph already puts metallb before backstage" in blocked["findings"][0]["fix"]
    warned = report(
        facts(components={"argo-cd": [workload()], "sealed-secrets": [workload("x/sealed-secrets-controller:0.36.6")]})
    )
    assert (warned["outcome"], [one["severity"] for one in warned["findings"]]) == ("Healthy", ["warning"])


def test_without_compliance_only_health_counts() -> None:
    made = report(facts(rules=None, components={"sealed-secrets": [workload()]}), compliance=False)
    assert (made["outcome"], made["findings"]) == ("Healthy", [])
    assert "primitives" not in [one["name"] for one in made["stacks"]]


def test_what_was_not_read_is_no_pass() -> None:
    unread = Unknown("403")
    made = report(
        facts(
            runs=unread,
            rules=rules(argocd=unread, definitions=unread, tokens=unread, manifests=dict.fromkeys(NAMES, unread)),
        )
    )
    assert made["outcome"] == "Degraded"
    assert {one["id"] for one in made["findings"]} == {
        f"not-known.{what}" for what in ("argocd-cm", "definitions", "manifests", "runs", "tokens")
    }


def test_a_refused_token_is_told_once_with_the_way_out() -> None:
    refused = Unknown("Argo CD does not accept the token in Secret argo/deploy-ops-argocd-token")
    made = report(facts(rules=rules(manifests=dict.fromkeys(NAMES, refused))))
    (finding,) = made["findings"]
    assert "does not accept the token" in finding["found"]
    assert "rotate_credentials" in finding["fix"]
    assert "ansible-playbook proficientnow.deploy_ops.rotate_credentials" in made["next"]


def test_a_part_of_the_platform() -> None:
    made = report(facts(application("operator", health="Degraded")), scope="stack:apps")
    assert [one["name"] for one in made["nodes"]] == ["backstage", "argo-cd"]
    assert made["outcome"] == "Healthy"
    assert node(made, "backstage")["because"] == ["operator"]


def test_a_run_at_work_is_said() -> None:
    runs = [
        {"metadata": {"name": "old", "labels": {"workflows.argoproj.io/completed": "true"}}},
        {"metadata": {"name": "platform-7"}},
    ]
    made = report(facts(runs=runs))
    assert made["run"] == "platform-7"
    assert "A run is at work (platform-7)" in made["summary"][1]


def test_events_of_what_is_in_the_way() -> None:
    ill = application("operator", health="Degraded")
    detail = application(
        "operator",
        resources=[{"kind": "Deployment", "name": "op", "namespace": "data", "health": {"status": "Degraded"}}],
    )
    event = {"involvedObject": {"name": "op-5f-x2"}, "reason": "BackOff", "message": "restarting"}
    made = report(facts(ill, details={"operator": detail}, events={"data": [event, event, {}]}))
    (blocker,) = node(made, "operator")["resources"]
    assert blocker["events"] == ["BackOff: restarting"]
    assert made["next"][0] == "kubectl -n data describe deployment op"


def test_objects_of_others_do_not_break_it() -> None:
    strange = [{"metadata": {"name": "x"}}, {"metadata": {"name": "y"}, "spec": None, "status": None}, {"metadata": {}}]
    made = report(facts(*strange, rules=rules(manifests={"metallb": [{}, {"kind": 1, "metadata": {"name": None}}]})))
    assert made["outcome"] == "Healthy"


def test_a_thousand_applications() -> None:
    names = [f"app-{number:04}" for number in range(1000)]
    graph = {
        "version": 1,
        "stacks": {
            f"stack-{number}": {
                "applications": {
                    name: {"depends_on": [names[100 * number + offset - 1]] if offset else []}
                    for offset, name in enumerate(names[100 * number : 100 * number + 100])
                }
            }
            for number in range(10)
        },
    }
    hook = job(["kubectl", "wait", "deployment/app-0001"])
    found = facts(*map(application, names), rules=rules(manifests={name: [hook] for name in names}))
    whole = plan(graph=graph)
    made = make_report(whole, whole, found, SETTINGS._replace(components={}))
    assert made["metrics"]["healthy"] == 1000
    assert made["metrics"]["findings_blocking"] == 999


OPTIONS: dict[str, t.Any] = {
    "project": "platform",
    "argocd_namespace": "argocd",
    "workflows_namespace": "argo",
    "steady_state": "pinned",
    "components": {"argo-cd": {"namespace": "argocd", "release": "argocd"}},
    "tokens": {"orchestrator": "x"},
    "token_warn_days": 14,
    "kinds_without_health": [],
    "compliance": True,
}


def test_options() -> None:
    assert read_settings(OPTIONS, NOW).components["argo-cd"].release == "argocd"
    wrong = {
        "components": {"a": {}, "b": "x", "c": {"namespace": 1, "release": "r"}},
        "tokens": {"orchestrator": ""},
        "token_warn_days": -1,
        "kinds_without_health": ["Widget"],
    }
    with pytest.raises(OptionError) as refused:
        read_settings({**OPTIONS, **wrong}, NOW)
    assert len(refused.value.problems) == 6
