# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is generated against Argo Workflows' own full schemas, judged by a real API server, its CEL rules included.

The bootstrap installs the CRDs without schemas, so they are served here under another group, and dry runs do the rest.
"""

from __future__ import annotations

import copy
import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.plan import make_plan
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.reader import read_graph
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.source import read_file
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._workflow.run import next_run
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._workflow.settings import Release, Settings
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._workflow.template import workflow_template

ROOT = Path(__file__).resolve().parents[2]
GROUP = "schemas.deploy-ops.test"
KINDS = ("workflows", "workflowtemplates", "clusterworkflowtemplates")
COMPONENTS = ("sealed-secrets", "argo-rollouts", "kargo")
SETTINGS = Settings(namespace="default", bootstrap={name: Release(name, name) for name in COMPONENTS})
Dict = dict[str, Any]


def kubectl(*arguments: str, given: Any) -> subprocess.CompletedProcess[str]:
    command = ["kubectl", *arguments, "--filename=-"]
    return subprocess.run(command, input=json.dumps(given), capture_output=True, text=True, check=False, timeout=120)


def without_descriptions(value: Any) -> Any:
    """They are most of the size, and etcd takes no object of that size."""
    if isinstance(value, dict):
        return {
            key: without_descriptions(item)
            for key, item in value.items()
            if key != "description" or not isinstance(item, str)
        }
    return [without_descriptions(item) for item in value] if isinstance(value, list) else value


def definition(plural: str) -> Dict:
    module = Path(os.environ["DEPLOY_OPS_CACHE"], "go/mod/github.com/argoproj/argo-workflows/v4@v4.1.4")
    path = module / "manifests" / "base" / "crds" / "full" / f"argoproj.io_{plural}.yaml"
    assert path.exists(), f"{path} is missing: it comes with `testbed/testbed build`"
    crd = yaml.load(path.read_text(), yaml.CSafeLoader)
    crd["metadata"] = {"name": f"{plural}.{GROUP}"}
    crd["spec"]["group"] = GROUP
    return without_descriptions(crd)


@pytest.fixture(scope="module", autouse=True)
def schemas() -> Iterator[None]:
    crds = {"apiVersion": "v1", "kind": "List", "items": [definition(plural) for plural in KINDS]}
    made = kubectl("create", given=crds)
    assert made.returncode == 0, made.stderr
    try:
        ready = kubectl("wait", "--for=condition=Established", "--timeout=60s", given=crds)
        assert ready.returncode == 0, ready.stderr
        yield
    finally:
        kubectl("delete", given=crds)


def refusal(made: Dict) -> str:
    """What the API server says against it; empty when it would take it."""
    renamed = {**copy.deepcopy(made), "apiVersion": f"{GROUP}/v1alpha1"}
    tried = kubectl("create", "--dry-run=server", "--validate=strict", given=renamed)
    return tried.stderr if tried.returncode else ""


def template(platform: str, strategy: str) -> Dict:
    graph = read_graph(read_file(str(ROOT / "testbed" / "platforms" / platform / "repository" / "dag.yaml")))
    return workflow_template(make_plan(graph, "platform", strategy), SETTINGS)


@pytest.mark.parametrize("platform", ["demo", "rfc"])
@pytest.mark.parametrize("strategy", ["waves", "dag"])
def test_templates_and_runs_are_valid(platform: str, strategy: str) -> None:
    made = template(platform, strategy)
    assert refusal(made) == ""
    assert refusal(next_run(made, "platform", "0" * 40, []).definition) == ""


def test_the_charts_templates_are_valid() -> None:
    chart = ROOT / "roles" / "workflow_templates" / "files" / "chart"
    done = subprocess.run(["helm", "template", "x", str(chart)], capture_output=True, text=True, check=True)
    found = [item for item in yaml.safe_load_all(done.stdout) if item and item["kind"] == "ClusterWorkflowTemplate"]
    assert {item["metadata"]["name"] for item in found} == {
        "sync-and-wait",
        "validate",
        "authority",
        "survey",
        "teardown",
    }
    for item in found:
        assert refusal(item) == ""


def test_the_schemas_do_refuse() -> None:
    """The judge can say no: to an unknown field, to a bad type, and by a CEL rule."""
    made = template("demo", "dag")
    unknown = {**made, "spec": {**made["spec"], "colour": "green"}}
    assert "unknown field" in refusal(unknown)
    typed = {**made, "spec": {**made["spec"], "activeDeadlineSeconds": {"soon": True}}}
    assert "activeDeadlineSeconds" in refusal(typed)
    main, *others = made["spec"]["templates"]
    late = {**made, "spec": {**made["spec"], "templates": [{**main, "activeDeadlineSeconds": 5}, *others]}}
    assert "only valid for leaf templates" in refusal(late)
