# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Every check of compliance but the hooks': what it finds, and what it leaves alone."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.authority import WINDOW
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.check import Unknown
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._platform.customisations import (
    check_health_checks,
    configured,
)
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._platform.drift import check_drift
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._platform.membership import (
    check_authority,
    check_graph,
)
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._platform.revisions import (
    check_mixed,
    check_revisions,
)
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._platform.upkeep import (
    check_freshness,
    check_tokens,
    check_versions,
)
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._platform.waves import (
    check_application_waves,
    check_waves,
)
from ansible_collections.proficientnow.deploy_ops.tests.unit.plugins.module_utils.platform_objects import (
    NAMES,
    OTHER_COMMIT,
    REPOSITORY,
    SETTINGS,
    application,
    resource,
    root,
    token,
    workload,
)

PROJECT = {"metadata": {"name": "platform"}, "spec": {"destinations": [{"namespace": "default"}, {}]}}
WAVE = "argocd.argoproj.io/sync-wave"


def ids(findings: t.Iterable[t.Any]) -> list[tuple[str, str, str]]:
    return [(finding.id, finding.severity, finding.where) for finding in findings]


def wave(number: t.Any) -> dict[str, t.Any]:
    return {"kind": "ConfigMap", "metadata": {"name": "x", "annotations": {WAVE: number}}}


@pytest.mark.parametrize(
    ("number", "wanted"), [("-4", "waves.too-low"), ("-30", "waves.too-low"), ("x", "waves.no-number")]
)
def test_waves_that_are_wrong(number: str, wanted: str) -> None:
    assert ids(check_waves("vault", [wave(number)])) == [(wanted, "warning", "vault: ConfigMap x")]


def test_waves_that_are_right() -> None:
    right = [wave("-3"), wave("0"), wave("50"), {}, {"metadata": None}, {"metadata": {"annotations": {}}}]
    assert check_waves("vault", right) == []


def test_waves_on_applications() -> None:
    found = check_application_waves([application("a"), application("b", annotations={WAVE: "2"})])
    assert ids(found) == [("waves.on-application", "blocking", "b")]


def test_graph_and_applications() -> None:
    wanted = frozenset(NAMES)
    everything = [application(name) for name in NAMES] + [root()]
    assert check_graph(wanted, everything, SETTINGS) == []
    assert ids(check_graph(wanted, everything[1:], SETTINGS)) == [("graph.no-application", "blocking", "metallb")]
    stranger, other = application("stranger"), application("other", project="default")
    assert ids(check_graph(wanted, [*everything, stranger, other], SETTINGS)) == [
        ("graph.outside", "warning", "stranger")
    ]


@pytest.mark.parametrize(
    ("extra", "state", "wanted"),
    [
        (application("metallb", project="default"), "pinned", [("authority.out-of-reach", "blocking", "metallb")]),
        (application("x", project="default"), "pinned", [("authority.automated-outside", "warning", "x")]),
        (application("x", project="default", automated={"enabled": False}), "pinned", []),
        (application("x", project="default", namespace="elsewhere"), "pinned", []),
        (root(automated={"selfHeal": True}), "pinned", [("authority.root-automated", "blocking", "platform-root")]),
        (root(automated={"selfHeal": True}), "self_heal", []),
    ],
)
def test_who_syncs_outside_the_authority(extra: dict[str, t.Any], state: str, wanted: list[t.Any]) -> None:
    settings = SETTINGS._replace(steady_state=state)
    assert ids(check_authority(frozenset(NAMES), [extra], PROJECT, False, settings)) == wanted


def test_the_authority_itself() -> None:
    locked = {**PROJECT, "spec": {"syncWindows": [WINDOW]}}

    def found(project: dict[str, t.Any] | None, state: str = "pinned", at_work: bool = False) -> list[t.Any]:
        return [
            one[:2]
            for one in ids(check_authority(frozenset(), [], project, at_work, SETTINGS._replace(steady_state=state)))
        ]

    assert found(PROJECT) == []
    assert found(locked) == [("authority.held", "warning")]
    assert found(locked, at_work=True) == [("authority.held", "info")]
    assert found(locked, "locked") == []
    assert found(PROJECT, "locked") == [("authority.not-locked", "blocking")]
    assert found(None) == [("authority.no-project", "blocking")]


HEALTH = "resource.customizations.health."
DEFINITIONS = frozenset(
    {"postgresqls.acid.zalan.do", "widgets.example.com", "applications.argoproj.io", "ipaddresspools.metallb.io"}
)


@pytest.mark.parametrize(
    ("kind", "group", "settings", "wanted"),
    [
        ("Widget", "example.com", {}, "warning"),
        ("Widget", "example.com", {f"{HEALTH}example.com_Widget": "x"}, None),
        ("Widget", "example.com", {"resource.customizations": "example.com/*: {health.lua: x}"}, None),
        ("Widget", "example.com", {"resource.customizations": "example.com/Widget: {actions: x}"}, "warning"),
        ("Widget", "example.com", {"resource.customizations": "{: broken"}, "warning"),
        ("Widget", "example.com", {"resource.customizations": "- a list"}, "warning"),
        ("Application", "argoproj.io", {}, "blocking"),
        ("Application", "argoproj.io", {f"{HEALTH}argoproj.io_Application": "x"}, None),
        ("postgresql", "acid.zalan.do", {}, None),
        ("IPAddressPool", "metallb.io", {}, None),
        ("Deployment", "apps", {}, None),
        ("ConfigMap", "", {}, None),
    ],
)
def test_health_checks(kind: str, group: str, settings: dict[str, str], wanted: str | None) -> None:
    using = application("x", resources=[resource(kind, group), {}])
    found = check_health_checks([using, {}], DEFINITIONS, settings, ())
    assert [one.severity for one in found] == ([wanted] if wanted else [])


def test_kinds_that_somebody_answers_for() -> None:
    using = application("x", resources=[resource("Widget", "example.com"), resource("Application", "argoproj.io")])
    found = check_health_checks([using], DEFINITIONS, {}, ("example.com/*", "argoproj.io/Application"))
    # Not for what INV-7 names.
    assert ids(found) == [("health.no-check", "blocking", "argoproj.io/Application")]


def test_empty_scripts_do_not_count() -> None:
    assert configured({f"{HEALTH}example.com_Widget": "", f"{HEALTH}Pod": "x"}) == ["/Pod"]


@pytest.mark.parametrize(
    ("expires", "wanted"),
    [
        ("2027-02-01T00:00:00Z", []),
        ("2026-11-20T00:00:00Z", [("tokens.expiring", "warning")]),
        ("2026-11-01T00:00:00Z", [("tokens.expired", "blocking")]),
        ("no date", []),
    ],
)
def test_tokens(expires: str, wanted: list[t.Any]) -> None:
    found = check_tokens({"deploy-ops-argocd-token": token(expires)}, SETTINGS)
    assert [one[:2] for one in ids(found)] == wanted


def test_a_token_that_is_missing() -> None:
    assert ids(check_tokens({}, SETTINGS)) == [("tokens.missing", "blocking", "Secret argo/deploy-ops-argocd-token")]


@pytest.mark.parametrize(
    ("component", "image", "wanted"),
    [
        ("argo-cd", "quay.io/argoproj/argocd:v3.5.2", None),
        ("argo-cd", "mirror.example.com:5000/quay/argocd:v3.1.0", "blocking"),
        ("argo-cd", "quay.io/argoproj/argocd:v3.1.0@sha256:" + "0" * 64, "blocking"),
        ("argo-cd", "quay.io/argoproj/argocd@sha256:" + "0" * 64, None),
        ("argo-cd", "redis:1.0.0", None),
        ("argo-workflows", "quay.io/argoproj/workflow-controller:v4.0.1", "blocking"),
        ("sealed-secrets", "docker.io/bitnami/sealed-secrets-controller:0.36.6", "warning"),
        ("unheard-of", "x:1.0.0", None),
    ],
)
def test_versions(component: str, image: str, wanted: str | None) -> None:
    found = check_versions({component: [workload(image), {}], "other": Unknown("403")})
    assert [one.severity for one in found] == ([wanted] if wanted else [])


@pytest.mark.parametrize(
    ("source", "state", "wanted"),
    [
        ({"chart": "vault", "targetRevision": "0.28.1"}, "pinned", None),
        ({"chart": "vault", "targetRevision": "0.28.*"}, "pinned", "revisions.unpinned-chart"),
        ({"chart": "vault", "targetRevision": "~0.28.0"}, "self_heal", "revisions.unpinned-chart"),
        ({"chart": "vault"}, "pinned", "revisions.unpinned-chart"),
        ({"repoURL": "oci://registry.example.com/x", "targetRevision": "latest"}, "pinned", "revisions.unpinned-chart"),
        ({"path": "x", "targetRevision": OTHER_COMMIT}, "pinned", None),
        ({"path": "x", "targetRevision": "v1.2.3"}, "pinned", None),
        ({"path": "x", "targetRevision": "main"}, "pinned", "revisions.unpinned"),
        ({"path": "x"}, "pinned", "revisions.unpinned"),
        ({"path": "x", "targetRevision": "main"}, "locked", None),
        ({"path": "x", "targetRevision": "main"}, "self_heal", None),
    ],
)
def test_revisions(source: dict[str, str], state: str, wanted: str | None) -> None:
    body = application("vault", source={"repoURL": REPOSITORY, **source})
    found = check_revisions([body], SETTINGS._replace(steady_state=state))
    assert [one.id for one in found] == ([wanted] if wanted else [])


def test_several_sources_are_judged_one_by_one() -> None:
    body = application("vault")
    body["spec"]["sources"] = [{"chart": "vault", "targetRevision": "1.x"}, {"path": "x", "targetRevision": "main"}]
    assert [one.id for one in check_revisions([body], SETTINGS)] == ["revisions.unpinned-chart", "revisions.unpinned"]


def test_one_platform_one_commit() -> None:
    same, other = [application(name) for name in NAMES], application("late", revision=OTHER_COMMIT)
    elsewhere = application("x", revision=OTHER_COMMIT, source={"repoURL": "https://git.example.com/x.git"})
    assert check_mixed([*same, elsewhere], root(), SETTINGS) == []
    assert ids(check_mixed([*same, other], root(), SETTINGS)) == [("revisions.mixed", "warning", "late")]
    assert check_mixed([*same, other], root(), SETTINGS._replace(steady_state="self_heal")) == []
    assert check_mixed([*same, other], None, SETTINGS) == []


def test_what_argocd_has_not_looked_at_for_long() -> None:
    old = application("old", compared="2026-11-16T09:00:00Z")
    never = application("never", compared=None)
    assert ids(check_freshness([application(), old, never, {}], {}, SETTINGS)) == [
        ("freshness.stale", "warning", "old")
    ]
    assert check_freshness([old], {"timeout.reconciliation": "0s"}, SETTINGS) == []
    assert check_freshness([old], {"timeout.reconciliation": "3h"}, SETTINGS) == []


def test_drift() -> None:
    out = resource("ConfigMap", "", name="settings", status="OutOfSync")
    bodies = [
        application("fine"),
        application("changed", sync="OutOfSync", resources=[out]),
        application("pending", sync="OutOfSync", resources=[out], deployed=OTHER_COMMIT),
        application("left", sync="OutOfSync", resources=[{**out, "requiresPruning": True}]),
        {},
    ]
    assert ids(check_drift(bodies)) == [
        ("drift.changed", "warning", "changed"),
        ("drift.pending", "info", "pending"),
        ("drift.left-over", "warning", "left"),
    ]
    assert "ConfigMap default/settings" in check_drift(bodies)[0].found
