# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The sample platforms hold together: graph, root chart, applications and simulator agree."""

from __future__ import annotations

import filecmp
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[3]
PLATFORMS = ROOT / "testbed" / "platforms"
sys.path.insert(0, str(ROOT / "testbed" / "simulator"))

from behaviour import behaviour, parse
from kinds import KINDS

platforms = pytest.mark.parametrize("platform", ["demo", "rfc"])


def repository(platform: str) -> Path:
    return PLATFORMS / platform / "repository"


def load(path: Path) -> dict:
    return yaml.safe_load(path.read_text())


def graph(path: Path) -> dict[str, dict]:
    """Application name to its entry, with its stack and the stack's dependencies filled in."""
    stacks = load(path)["stacks"]
    return {
        name: {**entry, "stack": stack, "stack_depends_on": sorted(content.get("depends_on", []))}
        for stack, content in stacks.items()
        for name, entry in content["applications"].items()
    }


def deployed(platform: str) -> dict[str, str]:
    """Application name to stack, of what Argo CD is to deploy."""
    nodes = graph(repository(platform) / "dag.yaml")
    return {name: entry["stack"] for name, entry in nodes.items() if entry.get("managed_by") != "bootstrap"}


def values(platform: str) -> dict[str, dict]:
    return {path.parent.name: load(path) for path in repository(platform).glob("apps/*/values.yaml")}


def helm_template(*arguments: object) -> list[dict]:
    helm = shutil.which("helm", path=os.pathsep.join([*_built("helm"), os.environ["PATH"]]))
    if not helm:
        pytest.skip("helm is not built yet: testbed/testbed build")
    done = subprocess.run([helm, "template", *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [document for document in yaml.safe_load_all(done.stdout) if document]


def _built(program: str) -> list[str]:
    cache = os.environ.get("DEPLOY_OPS_CACHE") or Path(
        os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"), "deploy_ops"
    )
    return [str(path.parent) for path in Path(cache).glob(f"builds/{program}/*/{program}")]


def component(platform: str, name: str) -> list[dict]:
    folder = repository(platform)
    return helm_template(name, folder / "charts/component", "--values", folder / f"apps/{name}/values.yaml")


@platforms
def test_graph_and_root_list_the_same_applications(platform: str) -> None:
    root = load(repository(platform) / "charts/root/values.yaml")["stacks"]
    assert {name: stack for stack, names in root.items() for name in names} == deployed(platform)


@platforms
def test_every_application_has_its_values_and_the_other_way_round(platform: str) -> None:
    assert set(values(platform)) == set(deployed(platform))


def test_rfc_platform_is_the_example_but_for_what_cannot_be_had() -> None:
    def edges(path: Path) -> dict[str, dict]:
        ignored = ("expected_duration",)
        return {
            name: {
                key: sorted(value) if key in ("depends_on", "provides") else value
                for key, value in entry.items()
                if key not in ignored
            }
            for name, entry in graph(path).items()
        }

    example = edges(ROOT / "inventories/example/dag.yaml")
    assert len(example) == 43
    # No package registry has Kargo, so no bootstrap can install it here; nothing depends on it.
    example.pop("kargo")
    assert edges(repository("rfc") / "dag.yaml") == example


def test_demo_depends_as_the_rfc_platform_does() -> None:
    demo, rfc = (graph(repository(platform) / "dag.yaml") for platform in ("demo", "rfc"))
    for name, entry in demo.items():
        assert entry.get("depends_on") == rfc[name].get("depends_on"), name


def test_demo_applications_are_those_of_the_rfc_platform() -> None:
    """Each platform is a repository of its own, so what they share exists twice: it must be the same."""
    demo, rfc = repository("demo"), repository("rfc")
    shared = [path.relative_to(demo) for path in demo.rglob("*") if path.is_file()]
    own = {Path("dag.yaml"), Path("charts/root/values.yaml")}
    assert own <= set(shared)
    assert [
        path for path in shared if path not in own and not filecmp.cmp(demo / path, rfc / path, shallow=False)
    ] == []


@platforms
def test_delays_are_the_expected_durations(platform: str) -> None:
    nodes = graph(repository(platform) / "dag.yaml")
    for name, content in values(platform).items():
        delay = content.get("behaviour", {}).get("delay", 0)
        assert delay <= int(nodes[name]["expected_duration"].rstrip("s")) <= delay + 1, name


@platforms
def test_committed_behaviours_are_valid(platform: str) -> None:
    for name, content in values(platform).items():
        assert behaviour(parse(json.dumps(content.get("behaviour", {})))).mode == "ready", name


@platforms
def test_crds_come_from_an_application_that_their_users_depend_on(platform: str) -> None:
    nodes = graph(repository(platform) / "dag.yaml")
    owner = {
        (crd["group"], crd["version"], crd["kind"]): name
        for name, content in values(platform).items()
        for crd in content.get("crds", [])
    }
    used = 0
    for name, content in values(platform).items():
        for resource in content.get("resources", []):
            group, _slash, version = resource["apiVersion"].rpartition("/")
            if group.endswith("k8s.io"):
                continue
            used += 1
            needed = [*nodes[name]["depends_on"]]
            needed += [parent for parent in needed if parent in nodes for parent in nodes[parent].get("depends_on", [])]
            assert owner[group, version, resource["kind"]] in needed, name
    assert used >= 2


def test_simulator_knows_every_custom_resource_but_the_silent_ones() -> None:
    brought = {
        (crd["group"], crd["version"], crd["plural"], crd["kind"])
        for c in values("rfc").values()
        for crd in c.get("crds", [])
    }
    simulated = {tuple(kind[:4]) for kind in KINDS}
    assert simulated <= brought
    assert {crd[3] for crd in brought - simulated} == {"IPAddressPool", "L2Advertisement", "Certificate"}


def test_simulator_may_read_and_write_every_kind_that_it_drives() -> None:
    manifest = ROOT / "testbed/simulator/manifests/simulator.yaml"
    role = next(item for item in yaml.safe_load_all(manifest.read_text()) if item["kind"] == "ClusterRole")
    assert [sorted(rule["apiGroups"]) for rule in role["rules"]] == [sorted({kind.group for kind in KINDS})] * 2


@platforms
def test_resource_nodes_are_brought_by_who_provides_them(platform: str) -> None:
    content = values(platform)
    for name, entry in graph(repository(platform) / "dag.yaml").items():
        for node in entry.get("provides", []):
            kind, _slash, instance = node.removeprefix("resource:").partition("/")
            if instance:
                assert instance == f"{entry['stack']}/{name}"
            else:
                assert kind in [f"{crd['plural']}.{crd['group']}" for crd in content[name]["crds"]]


@platforms
def test_root_renders_one_application_for_each_at_the_given_revision(platform: str) -> None:
    rendered = helm_template(
        "root", repository(platform) / "charts/root", "--namespace", "argocd",
        "--set", "repoURL=http://git/x.git", "--set-string", "revision=0123456",
    )  # fmt: skip
    assert {item["metadata"]["name"]: item["spec"]["destination"]["namespace"] for item in rendered} == deployed(
        platform
    )
    assert {item["spec"]["source"]["targetRevision"] for item in rendered} == {"0123456"}
    assert {item["spec"]["source"]["repoURL"] for item in rendered} == {"http://git/x.git"}
    for item in rendered:
        folder = repository(platform) / item["spec"]["source"]["path"]
        assert (folder / item["spec"]["source"]["helm"]["valueFiles"][0]).resolve().is_file()


def test_root_without_a_repository_says_what_is_missing() -> None:
    with pytest.raises(AssertionError, match="repoURL: the address of this repository is needed"):
        helm_template("root", repository("demo") / "charts/root")


@pytest.mark.parametrize("name", sorted(path.name for path in (PLATFORMS / "rfc/repository/apps").iterdir()))
def test_application_renders_objects_that_a_watcher_can_judge(name: str) -> None:
    rendered = component("rfc", name)
    assert [item["metadata"]["name"] for item in rendered if item["kind"] == "ConfigMap"] == [f"{name}-release"]
    for item in rendered:
        assert item["metadata"]["labels"]["simulator.deploy-ops.test/application"] == name
    for item in rendered:
        if item["kind"] in ("Deployment", "StatefulSet"):
            pod = item["spec"]["template"]
            assert pod["metadata"]["labels"]["simulator.deploy-ops.test/release"] == "1"
            environment = {entry["name"]: entry["value"] for entry in pod["spec"]["containers"][0]["env"]}
            assert environment["APPLICATION"] == name
            assert parse(environment["BEHAVIOUR"]) == values("rfc")[name].get("behaviour", {})


def test_new_release_changes_every_object_that_has_a_spec_to_change() -> None:
    folder = repository("rfc")
    for name in ("ceph-cluster", "vault", "storage-classes"):
        arguments = (name, folder / "charts/component", "--values", folder / f"apps/{name}/values.yaml")
        before, after = helm_template(*arguments), helm_template(*arguments, "--set-string", "release=2")
        assert [item["kind"] for item in before] == [item["kind"] for item in after]
        same = [old["kind"] for old, new in zip(before, after, strict=True) if old.get("spec") == new.get("spec")]
        assert set(same) <= {"ConfigMap", "StorageClass", "Service"}, name
