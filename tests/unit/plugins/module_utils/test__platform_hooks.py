# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""INV-8: hooks that wait for others are found, those that work are left alone."""

from __future__ import annotations

import json
import typing as t

import pytest

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._platform.finding import Finding
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._platform.hooks import (
    Owners,
    check_hooks,
    phases,
)
from ansible_collections.proficientnow.deploy_ops.tests.unit.plugins.module_utils.platform_objects import (
    application,
    job,
    resource,
)

CLUSTER = [
    application("vault", resources=[resource("StatefulSet", name="vault", namespace="security")]),
    application("postgres", resources=[resource("Service", "", name="pg", namespace="data")]),
]


def check(*manifests: dict[str, t.Any], above: frozenset[str] = frozenset()) -> list[Finding]:
    return check_hooks("keycloak", "security", manifests, Owners(CLUSTER), above)


@pytest.mark.parametrize(
    "command",
    [
        ["kubectl", "wait", "--for=condition=Ready", "pod/vault-0", "-n", "security", "--timeout=300s"],
        ["kubectl", "-n", "security", "rollout", "status", "statefulset/vault"],
        ["sh", "-c", "until nc -z vault.security.svc 8200; do echo waiting; sleep 2; done"],
        ["sh", "-c", "while ! curl -fs https://vault.security.svc.cluster.local:8200/v1/sys/health; do sleep 5; done"],
        ["sh", "-c", "until kubectl get statefulset vault -n security; do sleep 1; done"],
        ["nc", "-zv", "vault.security", "8200"],
        ["sh", "-c", "curl --retry 60 --retry-connrefused http://vault:8200/"],
        ["curl", "-f", "http://vault.security.svc:8200/healthz"],
        ["argocd", "app", "wait", "vault", "--health"],
        ["pg_isready", "-h", "vault"],
        ["/wait-for-it.sh", "vault:8200", "-t", "60"],
        "kubectl wait --for=condition=Ready pods -l app=vault -n security ",
    ],
)
def test_a_hook_that_waits_for_vault(command: t.Any) -> None:
    (finding,) = check(job(command))
    assert (finding.id, finding.severity) == ("hooks.dependency", "blocking")
    assert "vault" in finding.found
    assert "depends_on: [vault] for keycloak" in finding.fix
    patch = json.loads(finding.fix.partition("Remove the waiting: ")[2])
    assert patch["$patch"] == "delete"
    assert patch["metadata"] == {"name": "wait", "namespace": "security"}


@pytest.mark.parametrize(
    "command",
    [
        ["python", "manage.py", "migrate"],
        ["sh", "-c", "curl -X POST https://hooks.example.com/deployed"],
        ["flyway", "-url=jdbc:postgresql://pg.data:5432/app", "migrate"],
        None,
        [],
        [1, None, True],
        "",
    ],
)
def test_a_hook_that_works(command: t.Any) -> None:
    assert check(job(command)) == []


def test_the_graph_that_already_orders_is_said() -> None:
    (finding,) = check(job(["argocd", "app", "wait", "vault"]), above=frozenset({"vault"}))
    assert "already puts vault before keycloak" in finding.fix


def test_waiting_for_a_part_of_itself_is_allowed() -> None:
    own = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "keycloak-db"}}
    hook = job(["sh", "-c", "until nc -z keycloak-db 5432; do sleep 1; done"])
    assert check(own, hook) == []
    # The same name elsewhere is somebody else.
    hook = job(["sh", "-c", "until nc -z keycloak-db.data.svc 5432; do sleep 1; done"])
    assert len(check(own, hook)) == 1


def test_what_it_waits_for_may_stand_in_a_variable_or_nowhere() -> None:
    command = ["sh", "-c", 'until nc -z "$HOST" 5432; do sleep 1; done']
    assert check(job(command))[0].severity == "warning"
    command = ["sh", "-c", "until nc -z ${HOST} 5432; do sleep 1; done"]
    (finding,) = check(job(command, env=[{"name": "HOST", "value": "pg.data"}, {"name": "other"}]))
    assert finding.severity == "blocking"
    assert "depends_on: [postgres]" in finding.fix


@pytest.mark.parametrize("image", ["groundnuty/k8s-wait-for:v2.0", "mirror.example.com/x/wait4x@sha256:" + "0" * 64])
def test_images_that_only_wait(image: str) -> None:
    (finding,) = check(job(None, image=image, args=["job", "vault"]))
    assert finding.severity == "blocking"


def test_an_init_container_of_a_hook_goes_alone() -> None:
    hook = job(["python", "manage.py", "migrate"])
    waiting = {
        "name": "wait-db",
        "image": "busybox",
        "command": ["sh", "-c", "until nc -z pg.data 5432; do sleep 1; done"],
    }
    hook["spec"]["template"]["spec"]["initContainers"] = [waiting]
    (finding,) = check(hook)
    patch = json.loads(finding.fix.partition("Remove the waiting: ")[2])
    assert "$patch" not in patch
    assert patch["spec"]["template"]["spec"] == {"initContainers": [{"name": "wait-db", "$patch": "delete"}]}


def test_an_init_container_of_a_workload_is_a_warning_when_it_is_clear_whom_it_waits_for() -> None:
    deployment = job(["serve"], hook="")
    deployment.update(kind="Deployment", apiVersion="apps/v1")
    pod = deployment["spec"]["template"]["spec"]
    pod["initContainers"] = [{"name": "w", "image": "busybox", "command": ["sh", "-c", "nc -z pg.data 5432"]}]
    (finding,) = check(deployment)
    assert (finding.id, finding.severity) == ("hooks.init-container", "warning")
    pod["initContainers"][0]["command"] = ["sh", "-c", "nc -z db.example.com 5432"]
    assert check(deployment) == []


def test_a_workflow_as_a_hook() -> None:
    template = {"name": "x", "container": {"image": "argocd", "command": ["argocd", "app", "sync", "vault"]}}
    hook = {**job(None), "kind": "Workflow", "spec": {"templates": [template]}}
    assert check(hook)[0].severity == "blocking"


def test_phases() -> None:
    def of(**notes: str) -> set[str]:
        return phases({"metadata": {"annotations": {key.replace("_", "/"): value for key, value in notes.items()}}})

    assert of(**{"argocd.argoproj.io_hook": "PreSync, PostSync"}) == {"PreSync", "PostSync"}
    assert of(**{"helm.sh_hook": "pre-install,pre-upgrade"}) == {"PreSync"}
    assert of(**{"helm.sh_hook": "post-upgrade"}) == {"PostSync"}
    assert of(**{"helm.sh_hook": "test"}) == set()
    assert of(**{"argocd.argoproj.io_hook": "Skip"}) == set()
    assert phases({}) == set()
    assert phases({"metadata": {"annotations": None}}) == set()


def test_secrets_in_commands_stay_there() -> None:
    (finding,) = check(job(["sh", "-c", "until psql postgres://app:hunter2@pg.data:5432/app; do sleep 1; done"]))
    assert "hunter2" not in repr(finding)


@pytest.mark.parametrize("body", [{}, {"kind": "Job"}, {"metadata": None, "spec": []}, {"spec": {"template": "x"}}])
def test_foreign_objects(body: dict[str, t.Any]) -> None:
    assert check(body) == []
