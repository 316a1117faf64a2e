# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is ours, what is foreign, and what may stay."""

from __future__ import annotations

import base64
import gzip
import json

import pytest

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0 import leftovers
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.check import Unknown
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.collect import helm_record
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.components import (
    OWNER,
    OWNER_LABEL,
    Component,
)
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.leftovers import (
    CrdFact,
    LeftoverFacts,
    NamespaceFact,
)

OURS = {OWNER_LABEL: OWNER}
ARGOCD = Component("argocd", "argocd", "argocd", "argo-cd", "10.8.0")
SEALED = Component("sealed_secrets", "kube-system", "sealed-secrets", "sealed-secrets", "2.18.4")
BARE = LeftoverFacts({"kube-system": NamespaceFact({})}, {}, {}, {})
APPLICATIONS = "applications.argoproj.io"


def judge(platform=(), **changes):
    checks = leftovers.evaluate(BARE._replace(**changes), [ARGOCD, SEALED], platform)
    return {check.id.split(".", 1)[1]: check for check in checks}


def namespaces(**facts):
    return {"kube-system": NamespaceFact({}), **facts}


def test_bare_cluster_passes():
    checks = judge()
    assert checks.pop("platform_namespaces").status == "skipped"
    assert {check.status for check in checks.values()} == {"passed"}


def test_foreign_namespace_blocks_and_tells_how_to_hand_it_over():
    check = judge(namespaces=namespaces(argocd=NamespaceFact({"team": "other"})))["namespace.argocd"]
    assert check.blocks
    assert f"kubectl label namespace argocd {OWNER_LABEL}={OWNER}" in check.fix


def test_own_namespace_is_a_resume():
    check = judge(namespaces=namespaces(argocd=NamespaceFact(OURS)))["namespace.argocd"]
    assert (check.status, check.found) == ("passed", "ours: resuming")


def test_namespace_on_its_way_out_blocks_even_if_it_is_ours():
    check = judge(namespaces=namespaces(argocd=NamespaceFact(OURS, terminating=True)))["namespace.argocd"]
    assert check.blocks
    assert "being deleted" in check.found


def test_shared_namespace_is_never_claimed():
    assert "namespace.kube-system" not in judge()


RELEASE, DEPLOYMENT = ("kube-system", "sealed-secrets"), ("kube-system", "sealed-secrets-controller")


@pytest.mark.parametrize(
    ("releases", "deployments", "status"),
    [
        ({}, {}, "passed"),
        ({RELEASE: True}, {DEPLOYMENT: {}}, "passed"),
        ({RELEASE: True}, {}, "passed"),
        ({RELEASE: False}, {DEPLOYMENT: {}}, "failed"),
        ({RELEASE: False}, {}, "failed"),
        ({}, {DEPLOYMENT: {}}, "failed"),
        ({}, {DEPLOYMENT: OURS}, "passed"),
    ],
)
def test_release_in_a_shared_namespace(releases, deployments, status):
    check = judge(shared_releases=releases, shared_deployments=deployments)["release.sealed_secrets"]
    assert check.status == status


def test_foreign_controller_may_leave_its_keys():
    check = judge(shared_releases={RELEASE: False})["release.sealed_secrets"]
    assert "keys" in check.fix
    assert "may stay" in check.fix


@pytest.mark.parametrize(
    ("crd", "status"),
    [
        (CrdFact(("argocd", "argocd")), "passed"),
        (CrdFact(("tools", "my-argo")), "failed"),
        (CrdFact(None), "failed"),
        (CrdFact(("argocd", "argocd"), terminating=True), "failed"),
    ],
)
def test_crd_that_helm_templates(crd, status):
    assert judge(crds={APPLICATIONS: crd})["crds.argocd"].status == status


def test_crd_without_release_is_fine_in_our_own_installation():
    ours = namespaces(argocd=NamespaceFact(OURS))
    assert judge(crds={APPLICATIONS: CrdFact(None)}, namespaces=ours)["crds.argocd"].status == "passed"


def test_crd_that_helm_never_touches_may_stay():
    assert judge(crds={"sealedsecrets.bitnami.com": CrdFact(None)})["crds.sealed_secrets"].status == "passed"


def test_other_crds_are_nobodys_business():
    assert judge(crds={"widgets.example.com": CrdFact(("x", "y"))})["crds.argocd"].found == "absent"


def test_platform_namespaces():
    foreign = namespaces(vault=NamespaceFact({}))
    assert judge(["vault", "loki"], namespaces=foreign)["platform_namespaces"].blocks
    assert judge(["loki"], namespaces=foreign)["platform_namespaces"].status == "passed"
    own = {**foreign, "argocd": NamespaceFact(OURS)}
    assert judge(["vault"], namespaces=own)["platform_namespaces"].status == "passed"


def test_what_could_not_be_read_is_not_a_pass():
    silent = Unknown("no answer within 5 s")
    checks = judge(["vault"], namespaces=silent, crds=silent, shared_releases=silent)
    assert all(check.blocks for check in checks.values())


def record(content):
    packed = gzip.compress(json.dumps(content).encode())
    return base64.b64encode(base64.b64encode(packed)).decode()


@pytest.mark.parametrize(
    ("content", "ours"),
    [
        ({"config": {"commonLabels": OURS}}, True),
        ({"config": {"commonLabels": {"a": "b"}}}, False),
        ({"config": None}, False),
        ({}, False),
        ([], False),
    ],
)
def test_mark_in_a_helm_record(content, ours):
    assert helm_record.carries_label(record(content)) is ours


@pytest.mark.parametrize("text", ["", "not base64 !", base64.b64encode(b"plain").decode()])
def test_damaged_helm_record_is_not_ours(text):
    assert helm_record.carries_label(text) is False
