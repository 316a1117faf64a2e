# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Validate a deployed platform: Healthy, then with one thing broken of each kind, and always without a trace.

The tests stand in the order of a story on one platform, which the last ones break.
"""

from __future__ import annotations

import base64
import datetime
import json
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import yaml

sys.path.insert(0, str(Path(__file__).parent))

from account import Account, audit_log, requests_of
from conftest import Playbook
from deployment import bootstrap, eventually
from validation import Platform

# docs/validate.md, Rights: these and no others
RIGHTS = [
    {"apiGroups": ["argoproj.io"], "resources": ["applications", "appprojects", "workflows"]},
    {"apiGroups": ["apps"], "resources": ["deployments", "statefulsets", "daemonsets"]},
    {"apiGroups": [""], "resources": ["configmaps", "events", "secrets", "services/proxy"]},
    {"apiGroups": ["apiextensions.k8s.io"], "resources": ["customresourcedefinitions"]},
]
TOKEN = "deploy-ops-argocd-token"
HEALTH_OF_APPLICATIONS = "resource.customizations.health.argoproj.io_Application"
LOCK = {
    "kind": "deny",
    "schedule": "* * * * *",
    "duration": "1h",
    "applications": ["*"],
    "manualSync": True,
    "description": "deploy-ops authority",
}
HOOK = """
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ .Release.Name }}-wait
  annotations:
    argocd.argoproj.io/hook: PreSync
    argocd.argoproj.io/sync-wave: "-10"
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: wait
          image: testbed.local/simulator:1
          command: [sh, -c, "until nc -z prometheus.monitoring.svc 8080; do sleep 1; done"]
"""


@pytest.fixture(scope="module")
def platform(
    playbook: Playbook, kubectl: Callable[..., str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Platform]:
    """Deployed. What the tests break outside of it is put right again."""
    bootstrap(playbook)
    platform = Platform(playbook, kubectl, tmp_path_factory.mktemp("platform"))
    platform.remove()
    platform.hand_over()
    done = platform.deploy(deploy_ops_strategy="dag")
    assert done.code == 0, done
    settings = json.loads(kubectl("get", "configmap", "argocd-cm", "--namespace=argocd", "--output=json"))
    secret = json.loads(kubectl("get", "secret", TOKEN, "--namespace=argo", "--output=json"))
    yield platform
    platform.patch("configmap", "argocd-cm", "argocd", data=settings["data"])
    platform.patch(
        "secret", TOKEN, "argo", data=secret["data"], metadata={"annotations": secret["metadata"]["annotations"]}
    )
    kubectl("scale", "deployment/argo-events-controller-manager", "--replicas=1", "--namespace=argo-events")
    kubectl("delete", "applications.argoproj.io", "intruder", "--namespace=argocd", "--ignore-not-found")
    platform.remove()


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[Account]:
    account = Account(
        f"reader-{uuid.uuid4().hex[:8]}", [{**rule, "verbs": ["get", "list"]} for rule in RIGHTS], tmp_path
    )
    yield account
    account.remove()


def test_a_deployed_platform_is_healthy_and_nothing_is_written(
    platform: Platform, reader: Account, tmp_path: Path
) -> None:
    """INV-6; the API server itself says what was asked of it, by us and by Argo CD's API on our behalf."""
    offset = audit_log().stat().st_size
    verdict = platform.validate(tmp_path, deploy_ops_kubeconfig=str(reader.kubeconfig))
    assert verdict.run.code == 0, verdict.run
    assert verdict.run.changed == 0
    assert verdict.report["outcome"] == "Healthy"
    assert verdict.blocking() == set()
    assert {node["state"] for node in verdict.report["nodes"]} == {"Healthy"}
    assert {stack["state"] for stack in verdict.report["stacks"]} == {"Healthy"}
    # The only image of Sealed Secrets that can be had here is a release that is known to be bad.
    assert {one["id"] for one in verdict.report["findings"]} <= {"versions.sealed_secrets"}
    for ending in ("txt", "xml", "html"):
        assert (tmp_path / f"validate.{ending}").stat().st_size > 0

    asked = requests_of(reader.user, offset)
    assert len(asked) > len(platform.applications())
    assert {event["verb"] for event in asked} <= {"get", "list"}
    assert not any("refresh" in event["requestURI"] for event in asked)
    by_argocd = requests_of("system:serviceaccount:argocd:argocd-server", offset)
    writes = [event for event in by_argocd if event["verb"] not in ("get", "list", "watch")]
    assert [event["requestURI"] for event in writes if "selfsubject" not in event["requestURI"]] == []


def test_check_mode_a_scope_and_no_compliance(platform: Platform, tmp_path: Path) -> None:
    verdict = platform.validate(tmp_path, "--check", deploy_ops_scope="stack:monitoring", validate_compliance=False)
    assert verdict.run.code == 0, verdict.run
    # In check mode no file is written; the text is shown.
    assert "validate HEALTHY: stack:monitoring" in verdict.run.output
    assert platform.run("verify").code == 0


@pytest.mark.long
def test_a_token_that_argocd_refuses_and_one_that_is_gone(platform: Platform, tmp_path: Path) -> None:
    secret = json.loads(platform.kubectl("get", "secret", TOKEN, "--namespace=argo", "--output=json"))
    wrong = base64.b64encode(b"canary-of-validate").decode()
    platform.patch("secret", TOKEN, "argo", data={"token": wrong})
    refused = platform.validate(tmp_path / "refused")
    platform.kubectl("delete", "secret", TOKEN, "--namespace=argo")
    gone = platform.validate(tmp_path / "gone")
    kept = {"apiVersion": "v1", "kind": "Secret", "type": secret["type"], "data": secret["data"]}
    kept["metadata"] = {key: secret["metadata"][key] for key in ("name", "namespace", "labels", "annotations")}
    subprocess.run(["kubectl", "apply", "--filename=-"], input=yaml.safe_dump(kept), text=True, check=True)

    assert (refused.run.code, refused.report["outcome"]) == (2, "Degraded")
    (finding,) = (one for one in refused.report["findings"] if one["severity"] == "blocking")
    assert "Argo CD does not accept the token in Secret argo/" in finding["found"]
    assert "rotate_credentials" in finding["fix"]
    assert "canary-of-validate" not in refused.run.output + json.dumps(refused.report)
    assert gone.blocking() == {"tokens.missing", "not-known.manifests"}


@pytest.mark.long
def test_a_cluster_that_does_not_answer(platform: Platform, reader: Account, tmp_path: Path) -> None:
    config = yaml.safe_load(reader.kubeconfig.read_text())
    config["clusters"][0]["cluster"]["server"] = "https://127.0.0.1:9"
    dead = tmp_path / "dead"
    dead.touch(mode=0o600)
    dead.write_text(yaml.safe_dump(config))
    verdict = platform.validate(tmp_path, deploy_ops_kubeconfig=str(dead))
    assert verdict.run.code != 0
    assert "The platform could not be judged; nothing was changed" in verdict.run.output
    assert "Traceback" not in verdict.run.output
    assert verdict.report == {}


def test_one_of_each_kind_broken(platform: Platform, tmp_path: Path) -> None:
    commit = break_everything(platform)
    verdict = platform.validate(tmp_path, deploy_ops_validate_fail_on="unhealthy")
    assert verdict.run.code != 0, verdict.run
    assert verdict.report["outcome"] == "Unhealthy"
    assert "Nothing was changed" in verdict.run.output

    # Health, and who is at risk because of it
    assert verdict.node("postgres-platform")["state"] == "Degraded"
    assert verdict.node("postgres-platform")["resources"][0]["kind"] == "postgresql"
    assert verdict.node("backstage")["state"] == "Healthy"
    assert "postgres-platform" in verdict.node("backstage")["because"]
    assert "Nothing is done to it (RFC 3.7)" in verdict.node("backstage")["message"]
    assert verdict.node("metallb")["state"] == "Degraded"
    assert "ConfigMap infrastructure/metallb-release" in verdict.node("metallb")["message"]
    assert verdict.node("cert-manager")["state"] == "Missing"
    assert verdict.node("argo-events")["state"] == "Failed"
    stacks = {stack["name"]: stack["state"] for stack in verdict.report["stacks"]}
    assert (stacks["platform-data"], stacks["primitives"], stacks["storage"]) == ("Degraded", "Failed", "Healthy")

    # Compliance
    hooks = verdict.findings("hooks.dependency")
    assert set(hooks) == {"grafana: Job monitoring/grafana-wait", "vault: Job security/vault-wait"}
    assert "Write depends_on: [prometheus] for vault in dag.yaml" in hooks["vault: Job security/vault-wait"]["fix"]
    fix = hooks["grafana: Job monitoring/grafana-wait"]["fix"]
    assert "The graph already puts prometheus before grafana" in fix
    assert json.loads(fix.partition("Remove the waiting: ")[2])["$patch"] == "delete"
    expected = {
        "waves.too-low": {"grafana: Job grafana-wait"},
        "waves.on-application": {"vault"},
        "graph.no-application": {"cert-manager"},
        "graph.outside": {"stranger"},
        "authority.automated-outside": {"intruder"},
        "authority.held": {"AppProject platform"},
        "health.no-check": {"argoproj.io/Application"},
        "tokens.expiring": {f"Secret argo/{TOKEN}"},
        "revisions.unpinned": {"vault"},
        "revisions.mixed": {"grafana"},
        "drift.changed": {"metallb"},
        "drift.pending": {"grafana"},
        "versions.sealed_secrets": {"sealed-secrets"},
    }
    found = {name: set(verdict.findings(name)) for name in expected}
    assert {name: found[name] >= places for name, places in expected.items()} == dict.fromkeys(expected, True), found
    assert platform.status("grafana")["sync"]["revision"] == commit
    assert platform.run("verify").code != 0


def break_everything(platform: Platform) -> str:
    """With the authority held, so that nothing heals itself. The commit that grafana is moved to."""
    kubectl = platform.kubectl
    platform.patch("appproject", "platform", "argocd", spec={"syncWindows": [LOCK]})
    platform.behave("postgres-platform", "degraded")
    platform.patch("configmap", "metallb-release", "infrastructure", data={"release": "by hand"})
    kubectl("scale", "deployment/argo-events-controller-manager", "--replicas=0", "--namespace=argo-events")
    platform.patch("configmap", "argocd-cm", "argocd", data={HEALTH_OF_APPLICATIONS: None})
    soon = datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=3)
    expires = {"deploy-ops.proficientnow.com/token-expires": soon.strftime("%Y-%m-%dT%H:%M:%SZ")}
    platform.patch("secret", TOKEN, "argo", metadata={"annotations": expires})
    platform.repository.write("charts/component/templates/hook.yaml", HOOK)
    commit = platform.repository.release("2", "grafana")
    platform.patch("application", "grafana", "argocd", spec={"source": {"targetRevision": commit}})
    branch = {"source": {"targetRevision": platform.repository.branch}}
    wave = {"annotations": {"argocd.argoproj.io/sync-wave": "5"}}
    platform.patch("application", "vault", "argocd", spec=branch, metadata=wave)
    platform.patch("application", "cert-manager", "argocd", metadata={"finalizers": None})
    kubectl("delete", "application", "cert-manager", "--namespace=argocd")
    grafana = platform.applications()["grafana"]["spec"]
    stranger = {**grafana, "syncPolicy": {}}
    intruder = {
        "project": "default",
        "source": {"repoURL": "https://127.0.0.1:9/none.git", "path": "x", "targetRevision": "v1.0.0"},
        "destination": grafana["destination"],
        "syncPolicy": {"automated": {}},
    }
    for name, spec in (("stranger", stranger), ("intruder", intruder)):
        meta = {"name": name, "namespace": "argocd"}
        body = {"apiVersion": "argoproj.io/v1alpha1", "kind": "Application", "metadata": meta, "spec": spec}
        subprocess.run(["kubectl", "apply", "--filename=-"], input=yaml.safe_dump(body), text=True, check=True)
    for name in ("grafana", "vault"):
        eventually(
            lambda name=name: platform.status(name)["sync"].get("revision") == commit, f"{name} is compared anew"
        )
    eventually(lambda: platform.status("metallb")["sync"]["status"] == "OutOfSync", "the drift is seen")
    eventually(
        lambda: platform.status("postgres-platform")["health"]["status"] == "Degraded", "the database is Degraded"
    )
    return commit
