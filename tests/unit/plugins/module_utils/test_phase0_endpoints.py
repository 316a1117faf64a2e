# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Connectivity, credentials and versions: the rules."""

from __future__ import annotations

import pytest

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0 import (
    connectivity,
    credentials,
    semver,
    versions,
)
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.check import Unknown
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.components import Component
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.connectivity import (
    ChartFact,
    GitFact,
    Reach,
    RegistryFact,
)
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.credentials import DnsFact

UP, DOWN = Reach(True, "answers (200)", 0.1), Reach(False, "connection refused")
COMMIT = "c" * 40
GIT = GitFact("git.example.com/p.git", UP, True, "main", COMMIT, False)
REGISTRY = RegistryFact("quay.io", UP, {"quay.io/a:1": True, "quay.io/b:1": True}, True)
CHART = ChartFact("argocd", "argo-cd-10.8.0", "https://charts.example.com", UP, True, "v3.5.2")


def reach(registries=(REGISTRY,), repositories=(GIT,), charts=(CHART,)):
    return {check.id: check for check in connectivity.evaluate(registries, repositories, charts)}


def trust(registries=(REGISTRY,), problem="", repositories=(GIT,), dns=None, allow_git_write=False):
    checks = credentials.evaluate(registries, problem, repositories, dns, allow_git_write)
    return {check.id: check for check in checks}


def test_all_there():
    assert {check.status for check in reach().values()} == {"passed"}
    assert {check.status for check in trust(dns=DnsFact("cloudflare", accepted=True)).values()} == {"passed"}


def test_dead_endpoints_fail_once_each_and_what_hangs_on_them_is_skipped():
    registry = REGISTRY._replace(reach=DOWN, images={"quay.io/a:1": Unknown("not asked", True)})
    git = GIT._replace(reach=DOWN, readable=Unknown("not tried", True))
    chart = CHART._replace(reach=DOWN, found=Unknown("x", True))
    checks = {**reach([registry], [git], [chart]), **trust([registry], "", [git])}
    failed = sorted(check.id for check in checks.values() if check.status == "failed")
    assert failed == [
        "connectivity.charts.https://charts.example.com",
        "connectivity.git.git.example.com/p.git",
        "connectivity.registry.quay.io",
    ]
    assert all(checks[name].blocks for name in failed)


def test_missing_and_unanswered_images_block():
    check = reach([REGISTRY._replace(images={"quay.io/a:1": False, "quay.io/b:1": Unknown("HTTP 500")})])
    check = check["connectivity.images.quay.io"]
    assert check.blocks
    assert "missing: quay.io/a:1" in check.found
    assert "quay.io/b:1 (HTTP 500)" in check.found


def test_missing_revision_and_chart_block():
    assert reach(repositories=[GIT._replace(commit="")])["connectivity.git_revision.git.example.com/p.git"].blocks
    assert reach(charts=[CHART._replace(found=False)])["connectivity.chart.argocd"].blocks
    assert reach(charts=[CHART._replace(found=Unknown("HTTP 500"))])["connectivity.chart.argocd"].blocks


def test_refused_credentials_block():
    assert trust([REGISTRY._replace(accepted=False)])["credentials.registry.quay.io"].blocks
    assert trust(repositories=[GIT._replace(readable=False)])["credentials.git.git.example.com/p.git"].blocks
    assert trust(dns=DnsFact("cloudflare", accepted=False))["credentials.dns"].blocks
    assert trust(problem="has no auths")["credentials.registry_auth"].blocks


def test_registry_without_credential_is_not_a_credential():
    assert "credentials.registry.quay.io" not in trust([REGISTRY._replace(accepted=None)])


def test_credential_that_can_push_blocks_unless_allowed():
    name = "credentials.git_read_only.git.example.com/p.git"
    writable = [GIT._replace(writable=True)]
    assert trust(repositories=writable)[name].blocks
    allowed = trust(repositories=writable, allow_git_write=True)[name]
    assert allowed.status == "passed"
    assert "allowed by the inventory" in allowed.found


def test_unproven_read_only_is_not_a_pass():
    name = "credentials.git_read_only.git.example.com/p.git"
    assert trust(repositories=[GIT._replace(writable=Unknown("HTTP 500"))])[name].blocks


def test_dns_says_honestly_what_was_not_verified():
    check = trust(dns=DnsFact("google"))["credentials.dns"]
    assert check.status == "skipped"
    assert "not verified" in check.reason
    assert trust(dns=DnsFact("route53", missing=("access_key_id",)))["credentials.dns"].blocks
    assert trust(dns=DnsFact("cloudflare", accepted=Unknown("HTTP 500")))["credentials.dns"].blocks
    assert trust(dns=None)["credentials.dns"].status == "skipped"


def component(name, app_version=""):
    return Component(name, "x", "x", "x", "1.0.0", app_version)


@pytest.mark.parametrize(
    ("name", "version", "outcome"),
    [
        ("argocd", "v3.5.2", "passed"),
        ("argocd", "v3.1.2", "passed"),
        ("argocd", "v3.1.1", "blocking"),
        ("argocd", "v3.0.13", "passed"),
        ("argocd", "v2.14.15", "blocking"),
        ("argocd", "v2.12.99", "blocking"),
        ("argo_workflows", "v4.1.4", "passed"),
        ("argo_workflows", "v4.0.4", "blocking"),
        ("argo_workflows", "v3.7.14", "passed"),
        ("argo_workflows", "v3.6.20", "blocking"),
        ("sealed_secrets", "0.36.1", "passed"),
        ("sealed_secrets", "0.36.6", "warning"),
        ("argo_events", "v1.9.11", "passed"),
    ],
)
def test_versions_known_to_be_unsafe(name, version, outcome):
    (check,) = versions.evaluate([component(name, version)], {})
    assert (check.severity if check.status == "failed" else check.status) == outcome


def test_all_open_holes_are_named():
    (check,) = versions.evaluate([component("argo_workflows", "v4.0.1")], {})
    assert check.found.count("CVE-2026") == 3
    (check,) = versions.evaluate([component("argo_workflows", "v4.0.4")], {})
    assert check.found.count("CVE-2026") == 1


def test_version_comes_from_the_chart_when_nobody_names_it():
    (check,) = versions.evaluate([component("argocd")], {"argocd": "v3.1.1"})
    assert check.blocks
    (check,) = versions.evaluate([component("argocd", "v3.5.2")], {"argocd": "v3.1.1"})
    assert check.status == "passed"
    (check,) = versions.evaluate([component("argocd")], {})
    assert check.status == "skipped"


def test_fix_of_a_branch_does_not_cover_an_older_branch():
    assert versions.is_fixed(semver.require("4.1.0"), ("3.7.11", "4.0.2"))
    assert not versions.is_fixed(semver.require("3.8.0"), ("3.7.11", "4.0.2"))
