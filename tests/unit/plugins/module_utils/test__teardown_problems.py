# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What speaks against a teardown, and what is changed before it begins."""

from __future__ import annotations

import json
import typing as t

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.authority import WINDOW
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._teardown.changes import (
    Change,
    changes,
    closing_changes,
)
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._teardown.claims import claims_of
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._teardown.outlook import outlook
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._teardown.problems import problems
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._teardown.record import record_of
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._teardown.seen import Seen
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._teardown.settings import Settings
from ansible_collections.proficientnow.deploy_ops.tests.unit.plugins.module_utils.teardown_objects import (
    ROOT,
    SETTINGS,
    application,
    plan,
    recorded,
    resource,
    seen,
)


def against(looked_at: Seen, scope: str = "platform", settings: Settings = SETTINGS) -> list[str]:
    return problems(looked_at, plan(scope), settings, claims_of(looked_at, plan(scope), settings))


def made(looked_at: Seen, scope: str = "platform") -> list[Change]:
    claims = claims_of(looked_at, plan(scope), SETTINGS)
    return changes(looked_at, plan(scope), SETTINGS, claims, record_of(looked_at, plan(scope), claims))


def with_set(**extra: t.Any) -> Seen:
    owner = [{"kind": "ApplicationSet", "name": "webs"}]
    apps = {**seen().applications, "web": application("web", namespace="apps", ownerReferences=owner), **extra}
    return seen(applications=apps, application_sets=({"metadata": {"name": "webs", "finalizers": ["x"]}},))


def test_nothing_speaks_against_the_whole_platform() -> None:
    assert against(seen()) == []


def test_what_others_depend_on_stays_and_they_are_named() -> None:
    (problem,) = against(seen(), "app:db")
    assert "web depends on db and is still deployed" in problem
    assert "deploy_ops_scope=app:web" in problem
    without = {name: app for name, app in seen().applications.items() if name != "web"}
    assert against(seen(applications=without), "app:db") == []


def test_volumes_are_deleted_only_when_that_is_confirmed() -> None:
    settings = SETTINGS._replace(overrides={"db": "delete"})
    (problem,) = against(seen(), settings=settings)
    assert "-e deploy_ops_confirm_volumes=local" in problem
    assert against(seen(), settings=settings._replace(confirm_volumes="local")) == []
    assert against(seen(), settings=settings._replace(environment="", confirm_volumes="")) != []


def test_bad_policies_and_names_are_told() -> None:
    settings = SETTINGS._replace(overrides={"db": "retian", "bd": "retain"})
    told = against(seen(), settings=settings)
    assert any("deploy_ops_volumes_overrides.db must be one of" in one for one in told)
    assert any("names bd, which is no application" in one for one in told)


def test_a_deployment_at_work_is_not_disturbed() -> None:
    running = {"metadata": {"name": "platform-bootstrap-abc-1"}, "status": {"phase": "Running"}}
    own = {"metadata": {"name": "platform-teardown-abc-1"}, "status": {"phase": "Running"}}
    done = {"metadata": {"name": "platform-bootstrap-abd-1"}, "status": {"phase": "Failed"}}
    (problem,) = against(seen(workflows=(running, own, done)))
    assert "platform-bootstrap-abc-1 is at work" in problem


def test_an_application_of_another_project_is_not_ours() -> None:
    app = application("web")
    app["spec"]["project"] = "other"
    assert "belongs to the AppProject other" in against(seen(applications={"web": app}))[0]


def test_snapshots_need_a_cluster_that_can_make_them() -> None:
    settings = SETTINGS._replace(volumes="snapshot")
    assert "cannot make snapshots" in against(seen(), settings=settings)[0]
    able = seen(has_snapshots=True)
    assert "no VolumeSnapshotClass is for its driver" in against(able, settings=settings)[0]
    classes = ({"metadata": {"name": "fast"}, "driver": "csi.example.com"},)
    able = seen(has_snapshots=True, snapshot_classes=classes)
    assert against(able, settings=settings._replace(snapshot_class="fast")) == []
    assert against(able, settings=settings._replace(snapshot_class="slow")) != []
    able.volumes["pv-1"]["spec"]["csi"] = {"driver": "csi.example.com"}
    assert against(able, settings=settings) == []


def test_for_a_part_nothing_may_bring_back_what_goes() -> None:
    eager = json.loads(json.dumps(ROOT))
    eager["spec"]["syncPolicy"] = {"automated": {}}
    eager["status"]["resources"] = [resource("Application", "web", "argoproj.io", "argocd")]
    apps = {**seen().applications, "platform-root": eager}
    assert "platform-root syncs by itself and would create web" in against(seen(applications=apps), "app:web")[0]
    other = application("other", ownerReferences=[{"kind": "ApplicationSet", "name": "webs"}])
    assert "makes other as well" in against(with_set(other=other), "app:web")[0]
    assert against(with_set(), "app:web") == []


def test_the_authority_and_the_record_come_first_and_detaching_last() -> None:
    texts = [change.text for change in made(with_set())]
    assert texts[0] == "take the authority over platform"
    assert texts[1] == "write down what the applications have"
    assert texts[-2:] == ["detach the ApplicationSet webs", "remove the ApplicationSet webs, without its Applications"]


def test_root_is_detached_without_cascade() -> None:
    root = json.loads(json.dumps(ROOT))
    root["metadata"]["finalizers"] = ["resources-finalizer.argocd.argoproj.io"]
    root["spec"]["syncPolicy"] = {"automated": {"selfHeal": True}}
    looked_at = seen(applications={**seen().applications, "platform-root": root})
    (change,) = [change for change in made(looked_at) if change.path.endswith("/platform-root")]
    assert change.body == {"metadata": {"finalizers": None}, "spec": {"syncPolicy": {"automated": None}}}
    assert not [change for change in made(seen()) if change.path.endswith("/platform-root")]


def test_only_argo_cds_own_syncs_are_ended_here() -> None:
    apps = {name: application(name) for name in ("db", "web")}
    apps["db"]["operation"] = {"initiatedBy": {"automated": True}}
    apps["web"]["operation"] = {"initiatedBy": {"username": "jane"}}
    ended = [change for change in made(seen(applications=apps)) if change.text.startswith("end the automatic sync")]
    assert [(change.path.rpartition("/")[2], change.body) for change in ended] == [("db", {"operation": None})]


def test_promotions_are_stopped_everywhere() -> None:
    policies = [{"stage": "prod", "autoPromotionEnabled": True}, {"stage": "test"}]
    promoters = (
        ("/p", {"kind": "ProjectConfig", "metadata": {"name": "p"}, "spec": {"promotionPolicies": policies}}),
        ("/s", {"kind": "Stage", "metadata": {"name": "s"}, "spec": {"autoPromotionEnabled": True}}),
        ("/q", {"kind": "Project", "metadata": {"name": "q"}, "spec": {}}),
    )
    stopped = {
        change.path: change.body for change in made(seen(promoters=promoters)) if change.path in ("/p", "/s", "/q")
    }
    assert set(stopped) == {"/p", "/s"}
    assert [one["autoPromotionEnabled"] for one in stopped["/p"]["spec"]["promotionPolicies"]] == [False, False]
    assert not [change for change in made(seen(promoters=promoters), "app:web") if change.path in ("/p", "/s")]


def test_the_authority_of_a_part_is_given_back_by_who_took_it() -> None:
    held = {
        "metadata": {"annotations": {"deploy-ops.proficientnow.com/authority": "teardown"}},
        "spec": {"syncWindows": [WINDOW]},
    }
    record = recorded({"web": {"namespaces": [], "resources": [], "claims": {}}})
    texts = [change.text for change in closing_changes(seen(project=held, record=record), plan("app:web"), SETTINGS)]
    assert texts == ["forget what the applications had", "give back the authority over platform"]
    foreign = {"metadata": {}, "spec": {"syncWindows": [WINDOW]}}
    assert closing_changes(seen(project=foreign), plan("app:web"), SETTINGS) == []
    assert closing_changes(seen(project=held), plan(), SETTINGS) == []


def test_there_is_nothing_to_do_on_a_clean_cluster() -> None:
    found = outlook(Seen(False), plan(), SETTINGS)
    assert found["idle"]
    assert (found["changes"], found["problems"], found["records"]) == ([], [], {})
