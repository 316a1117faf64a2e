# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The gate's verdicts: every race and every status of facts/argo.md 2.3 and 2.4, and the table of RFC 6.3."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.judge import judge
from ansible_collections.proficientnow.deploy_ops.tests.unit.plugins.module_utils.gate_objects import (
    COMMIT,
    OTHER_COMMIT,
    SOURCE,
    WISH,
    application,
    request,
    resource,
    seen,
    state,
)

SOMEBODY = {"info": [], "initiatedBy": {"username": "alice"}, "sync": {"prune": True, "revision": COMMIT}}
EARLIER_RUN = request(run="11111111-0000-0000-0000-000000000000/ceph-cluster")
AUTOMATIC = {"initiatedBy": {"automated": True}, "sync": {"revision": COMMIT}}


class TestAlreadyStanding:
    """Resume: what stands costs one request and no sync."""

    @pytest.mark.parametrize("operation", [SOMEBODY, EARLIER_RUN, AUTOMATIC])
    def test_one_refreshed_look_is_enough(self, operation: dict[str, t.Any]) -> None:
        verdict = judge(seen(application(state(operation=operation), compared=1000), now=1001), WISH)
        assert (verdict.verdict, verdict.attempt, verdict.revision) == ("Healthy", 0, COMMIT)
        assert verdict.message == "already Healthy at 8d1f6c1, nothing to do"

    def test_without_a_refresh_it_proves_nothing(self) -> None:
        verdict = judge(seen(application(state(operation=SOMEBODY)), now=1000, refreshed=False), WISH)
        assert (verdict.verdict, verdict.call, verdict.look_again) == ("Progressing", "refresh", 0)

    def test_healthy_a_moment_ago_has_to_hold(self) -> None:
        raw = application(state(operation=SOMEBODY), health_since=998, compared=1000)
        verdict = judge(seen(raw, now=1000), WISH)
        assert (verdict.verdict, verdict.call, verdict.look_again) == ("Progressing", "refresh", 3)

    @pytest.mark.parametrize(
        "last",
        [
            None,
            state("Failed", message="one or more synchronization tasks completed unsuccessfully", operation=SOMEBODY),
            state("Error", message="ComparisonError: connection refused", operation=SOMEBODY),
            state(operation={**SOMEBODY, "sync": {"dryRun": True}}),
        ],
        ids=["never synced", "failed", "error", "dry run"],
    )
    def test_an_unproven_sync_is_done_again(self, last: dict[str, t.Any] | None) -> None:
        verdict = judge(seen(application(last, compared=1000), now=1001), WISH)
        assert (verdict.verdict, verdict.call, verdict.attempt) == ("Progressing", "sync", 1)

    def test_in_sync_and_still_progressing_is_waited_for_without_a_sync(self) -> None:
        raw = application(state(operation=EARLIER_RUN), health="Progressing", health_since=990, compared=1000)
        verdict = judge(seen(raw, now=1001), WISH)
        assert (verdict.verdict, verdict.call) == ("Progressing", "look")

    def test_progressing_for_longer_than_the_health_timeout_is_synced(self) -> None:
        raw = application(state(operation=EARLIER_RUN), health="Progressing", health_since=20, compared=1000)
        verdict = judge(seen(raw, now=1001), WISH)
        assert (verdict.call, verdict.attempt) == ("sync", 1)

    @pytest.mark.parametrize("health", ["Degraded", "Missing", "Unknown", "Suspended"])
    def test_a_bad_state_from_before_the_run_gets_a_sync(self, health: str) -> None:
        verdict = judge(seen(application(state(operation=EARLIER_RUN), health=health, compared=1000), now=1001), WISH)
        assert verdict.call == "sync"

    def test_out_of_sync_gets_a_sync(self) -> None:
        raw = application(state(operation=EARLIER_RUN), sync="OutOfSync", compared=1000, revision=OTHER_COMMIT)
        assert judge(seen(raw, now=1001), WISH).call == "sync"


class TestRaces:
    """facts/argo.md 2.3, by number."""

    def test_1_a_comparison_in_the_same_second_is_not_after_the_operation(self) -> None:
        raw = application(state(finished=10), compared=10, health_since=2)
        verdict = judge(seen(raw, now=30), WISH)
        assert (verdict.verdict, verdict.call) == ("Progressing", "refresh")
        assert "compare it again" in verdict.message

    def test_1_one_second_later_it_is(self) -> None:
        raw = application(state(finished=10), compared=11, health_since=2)
        wish = WISH._replace(settle=0)
        assert judge(seen(raw, now=30), wish).verdict == "Healthy"

    def test_2_health_that_changed_without_a_comparison_is_not_enough(self) -> None:
        """An event turned it Healthy; the last comparison with Git is from before the operation."""
        raw = application(state(finished=10), compared=3, health_since=15)
        assert judge(seen(raw, now=30), WISH).call == "refresh"

    def test_3_stale_objects_in_the_cache_show_as_out_of_sync_and_are_given_time(self) -> None:
        raw = application(state(finished=10), sync="OutOfSync", compared=12, resources=[resource(sync="OutOfSync")])
        verdict = judge(seen(raw, now=13), WISH)
        assert (verdict.verdict, verdict.call) == ("Progressing", "refresh")

    def test_4_an_operator_that_has_not_looked_yet_is_what_the_settle_time_is_for(self) -> None:
        raw = application(state(finished=10), compared=12, health_since=2)
        early = judge(seen(raw, now=12), WISH)
        assert (early.verdict, early.look_again) == ("Progressing", 3)
        late = judge(seen(application(state(finished=10), compared=16, health_since=2), now=16), WISH)
        assert late.verdict == "Healthy"

    def test_4_after_the_settle_time_a_comparison_from_before_does_not_count(self) -> None:
        raw = application(state(finished=10), compared=12, health_since=2)
        assert judge(seen(raw, now=16), WISH).verdict == "Progressing"

    def test_4_a_flap_starts_the_settle_time_again(self) -> None:
        raw = application(state(finished=10), compared=40, health_since=38)
        verdict = judge(seen(raw, now=40), WISH)
        assert (verdict.verdict, verdict.look_again) == ("Progressing", 3)

    def test_5_a_status_about_an_older_spec_is_not_accepted(self) -> None:
        raw = application(state(), compared=20, compared_source={**SOURCE, "path": "apps/other"})
        verdict = judge(seen(raw, now=30), WISH)
        assert verdict.verdict == "Progressing"
        assert "changed Application" in verdict.message

    def test_5_empty_fields_are_no_change(self) -> None:
        raw = application(state(), compared=20, compared_source={**SOURCE, "directory": {"jsonnet": {}}, "chart": ""})
        assert judge(seen(raw, now=30), WISH).verdict == "Healthy"

    def test_6_a_target_that_moved_and_differs_is_synced_again(self) -> None:
        raw = application(state(revision=COMMIT), sync="OutOfSync", revision=OTHER_COMMIT, compared=20)
        verdict = judge(seen(raw, now=30), WISH._replace(revision=COMMIT))
        assert (verdict.call, verdict.attempt) == ("sync", 2)
        assert "moved to 0b6e5a3" in verdict.message

    def test_6_a_target_that_moved_and_is_in_sync_is_accepted_and_called_mixed(self) -> None:
        raw = application(state(revision=COMMIT), revision=OTHER_COMMIT, compared=20)
        verdict = judge(seen(raw, now=30), WISH._replace(revision=COMMIT))
        assert (verdict.verdict, verdict.mixed, verdict.revision) == ("Healthy", True, OTHER_COMMIT)
        assert "mixed revisions" in verdict.message

    def test_6_a_target_that_never_rests_ends(self) -> None:
        last = state(revision=COMMIT, operation=request(attempt=5))
        raw = application(last, sync="OutOfSync", revision=OTHER_COMMIT, compared=20)
        assert judge(seen(raw, now=30), WISH).reason == "MovingTarget"

    def test_7_an_operation_of_argo_cd_itself_is_waited_for(self) -> None:
        raw = application(state("Running", finished=None, message="waiting", operation=AUTOMATIC), operation=AUTOMATIC)
        verdict = judge(seen(raw, now=20), WISH)
        assert (verdict.verdict, verdict.call) == ("Progressing", "look")
        assert "Argo CD itself" in verdict.message

    def test_7_our_operation_overwritten_by_a_partial_heal_needs_no_second_one_when_it_stands(self) -> None:
        partial = {**AUTOMATIC, "sync": {"revision": COMMIT, "resources": [{"kind": "Deployment", "name": "rook"}]}}
        raw = application(state(started=50, finished=52, operation=partial), compared=60)
        assert judge(seen(raw, now=61), WISH).verdict == "Healthy"


class TestStatuses:
    """facts/argo.md 2.4 and RFC 6.3: after our own operation succeeded at second 10."""

    def test_progressing_waits(self) -> None:
        raw = application(state(), health="Progressing", resources=[resource("Progressing", "0 of 1 updated")])
        verdict = judge(seen(raw, now=20, refreshed=False), WISH)
        assert (verdict.verdict, verdict.call) == ("Progressing", "look")
        assert "Deployment rook-ceph/rook is Progressing: 0 of 1 updated" in verdict.message

    def test_progressing_ends_at_the_deadline_and_names_what_blocks(self) -> None:
        raw = application(state(), health="Progressing", resources=[resource("Progressing", "0 of 1 updated")])
        verdict = judge(seen(raw, now=610), WISH)
        assert (verdict.verdict, verdict.reason) == ("Failed", "HealthTimeout")
        assert "Deployment rook-ceph/rook is Progressing: 0 of 1 updated" in verdict.message
        assert [blocker.name for blocker in verdict.blockers] == ["rook"]

    @pytest.mark.parametrize(
        ("health", "expected"),
        [("Degraded", "Degraded"), ("Unknown", "Unknown"), ("Missing", "Failed"), ("Suspended", "Failed")],
    )
    def test_a_bad_health_gets_a_grace_and_then_fails(self, health: str, expected: str) -> None:
        raw = application(state(), health=health, health_since=30, resources=[resource(health, "HEALTH_ERR")])
        early = judge(seen(raw, now=89), WISH)
        assert early.verdict == "Progressing"
        late = judge(seen(raw, now=90), WISH)
        assert (late.verdict, late.reason) == (expected, health)
        assert "HEALTH_ERR" in late.message

    def test_a_grace_counts_from_the_operation_when_it_was_bad_before(self) -> None:
        raw = application(state(), health="Degraded", health_since=-500)
        assert judge(seen(raw, now=69), WISH).verdict == "Progressing"
        assert judge(seen(raw, now=70), WISH).verdict == "Degraded"

    def test_a_bad_health_fails_only_when_a_refresh_confirms_it(self) -> None:
        raw = application(state(), health="Degraded", health_since=30)
        verdict = judge(seen(raw, now=500, refreshed=False), WISH)
        assert (verdict.verdict, verdict.call, verdict.look_again) == ("Progressing", "refresh", 0)

    def test_degraded_that_recovers_is_healthy(self) -> None:
        raw = application(state(), health_since=80, compared=86)
        assert judge(seen(raw, now=86), WISH).verdict == "Healthy"

    def test_out_of_sync_that_lasts_fails_and_lists_the_resources(self) -> None:
        raw = application(state(), sync="OutOfSync", compared=70, resources=[resource(sync="OutOfSync")])
        verdict = judge(seen(raw, now=71), WISH)
        assert (verdict.verdict, verdict.reason) == ("Failed", "OutOfSync")
        assert "Deployment rook-ceph/rook is OutOfSync" in verdict.message

    def test_what_only_waits_for_pruning_is_tolerated_when_nothing_is_pruned(self) -> None:
        left = resource(sync="OutOfSync", requiresPruning=True)
        raw = application(state(), sync="OutOfSync", compared=70, resources=[left])
        assert judge(seen(raw, now=71), WISH._replace(prune=False)).verdict == "Healthy"
        assert judge(seen(raw, now=71), WISH).reason == "OutOfSync"

    @pytest.mark.parametrize(
        "kind", ["ComparisonError", "InvalidSpecError", "UnknownError", "DeletionError", "SyncError"]
    )
    def test_healthy_with_an_error_condition_is_unknown(self, kind: str) -> None:
        raw = application(state(), conditions=[(kind, "rpc error: code = Unknown desc = no such file", 40)])
        assert judge(seen(raw, now=99), WISH).verdict == "Progressing"
        verdict = judge(seen(raw, now=100), WISH)
        assert (verdict.verdict, verdict.reason) == ("Unknown", kind)
        assert "no such file" in verdict.message

    def test_an_automatic_sync_that_failed_before_ours_is_history(self) -> None:
        raw = application(state(), compared=20, conditions=[("SyncError", "Failed sync attempt to 1234567", 0)])
        assert judge(seen(raw, now=30), WISH).verdict == "Healthy"

    def test_sync_status_unknown_is_a_failure_though_health_says_healthy(self) -> None:
        raw = application(state(), sync="Unknown", compared=70)
        assert judge(seen(raw, now=71), WISH).verdict == "Unknown"

    def test_healthy_reports_its_times(self) -> None:
        raw = application(state(started=1, finished=10), health_since=25, compared=31)
        verdict = judge(seen(raw, now=31), WISH._replace(revision=COMMIT))
        assert (verdict.verdict, verdict.sync_seconds, verdict.health_seconds, verdict.mixed) == (
            "Healthy",
            9,
            15,
            False,
        )
        assert verdict.message == "Healthy at 8d1f6c1"

    def test_an_application_without_resources_is_told(self) -> None:
        verdict = judge(seen(application(state(), compared=20, resources=[]), now=30), WISH)
        assert verdict.message == "Healthy at 8d1f6c1, and it has no resources"

    def test_healthy_only_after_the_deadline_is_too_late(self) -> None:
        raw = application(state(), health_since=615, compared=640)
        assert judge(seen(raw, now=640), WISH).reason == "HealthTimeout"

    def test_never_compared_again_ends(self) -> None:
        raw = application(state(finished=10), compared=3)
        assert judge(seen(raw, now=611), WISH).reason == "HealthTimeout"

    def test_an_error_from_the_cache_is_asked_for_without_it(self) -> None:
        message = "Failed to load target state: Manifest generation error (cached): chart not found"
        raw = application(state(), sync="Unknown", conditions=[("ComparisonError", message, 5)])
        assert judge(seen(raw, now=20), WISH).call == "hard-refresh"


class TestOwnOperation:
    def test_requested_and_not_yet_started(self) -> None:
        verdict = judge(seen(application(operation=request()), now=2, refreshed=False), WISH)
        assert (verdict.verdict, verdict.call) == ("Progressing", "look")

    def test_the_state_of_an_earlier_operation_is_not_taken_for_the_requested_one(self) -> None:
        raw = application(state(operation=SOMEBODY), operation=request())
        assert "sync requested" in judge(seen(raw, now=2, refreshed=False), WISH).message

    def test_never_started_ends_with_the_controller_to_look_at(self) -> None:
        verdict = judge(seen(application(operation=request()), now=300), WISH)
        assert verdict.reason == "SyncTimeout"
        assert "application controller" in verdict.message

    def test_running_shows_what_it_waits_for(self) -> None:
        raw = application(state("Running", finished=None, message="waiting for healthy state of apps/Deployment/rook"))
        verdict = judge(seen(raw, now=20, refreshed=False), WISH)
        assert "waiting for healthy state of apps/Deployment/rook" in verdict.message

    def test_running_with_an_end_waits_for_its_own_retry(self) -> None:
        last = state(
            "Running", finished=15, message="one or more objects failed to apply. Retrying attempt #1 at 10:01AM."
        )
        verdict = judge(seen(application(last, operation=request()), now=20), WISH)
        assert (verdict.verdict, verdict.call) == ("Progressing", "look")

    def test_stuck_it_is_terminated_at_its_deadline(self) -> None:
        raw = application(state("Running", started=1, finished=None, message="waiting for hook"), operation=request())
        assert judge(seen(raw, now=300), WISH).call == "look"
        assert judge(seen(raw, now=301), WISH).call == "terminate"

    def test_terminating_is_waited_for_and_ends(self) -> None:
        raw = application(state("Terminating", started=1, finished=None), operation=request())
        assert judge(seen(raw, now=310), WISH).verdict == "Progressing"
        assert judge(seen(raw, now=361), WISH).reason == "SyncTimeout"

    def test_what_cannot_be_terminated_ends_all_the_same(self) -> None:
        raw = application(state("Running", started=1, finished=None), operation=request())
        assert judge(seen(raw, now=360), WISH).call == "terminate"
        assert judge(seen(raw, now=361), WISH).reason == "SyncTimeout"

    def test_terminated_by_the_gate_is_a_timeout_and_not_tried_again(self) -> None:
        hook = {"kind": "Job", "name": "migrate", "namespace": "db", "hookPhase": "Failed", "message": "Terminated"}
        raw = application(state("Failed", started=1, finished=303, message="Operation terminated", resources=[hook]))
        verdict = judge(seen(raw, now=305), WISH)
        assert verdict.reason == "SyncTimeout"
        assert "Job db/migrate is Failed: Terminated" in verdict.message

    def test_a_wave_that_never_gets_healthy_is_a_timeout_that_names_it(self) -> None:
        early = {"kind": "Deployment", "name": "db", "namespace": "db", "hookPhase": "Running", "message": "db created"}
        raw = application(state("Failed", started=1, finished=303, message="Operation terminated", resources=[early]))
        assert "Deployment db/db is not done: db created" in judge(seen(raw, now=305), WISH).message

    def test_terminated_by_somebody_is_not_tried_again(self) -> None:
        hook = {"kind": "Job", "name": "migrate", "namespace": "db", "hookPhase": "Failed", "message": "Terminated"}
        raw = application(state("Failed", started=1, finished=20, message="Operation terminated", resources=[hook]))
        assert judge(seen(raw, now=400), WISH).reason == "Terminated"

    def test_failed_names_the_resources(self) -> None:
        failures = [
            {"kind": "Deployment", "name": "a", "namespace": "x", "status": "SyncFailed", "message": "webhook refused"},
            {"kind": "Job", "name": "b", "namespace": "x", "hookPhase": "Failed", "message": "backoff limit"},
            {"kind": "Service", "name": "c", "namespace": "x", "status": "Synced", "message": "service/c created"},
        ]
        last = state("Failed", message="one or more objects failed to apply", resources=failures)
        verdict = judge(seen(application(last), now=11), WISH._replace(attempts=1))
        assert (verdict.verdict, verdict.reason) == ("Failed", "SyncFailed")
        assert "Deployment x/a is SyncFailed: webhook refused; Job x/b is Failed: backoff limit" in verdict.message
        assert "Service" not in verdict.message

    @pytest.mark.parametrize("phase", ["Failed", "Error"])
    def test_failed_is_tried_again_after_a_growing_pause(self, phase: str) -> None:
        first = application(state(phase, message="connection refused"))
        early = judge(seen(first, now=15), WISH)
        assert (early.verdict, early.call, early.look_again) == ("Progressing", "refresh", 5)
        again = judge(seen(first, now=20), WISH)
        assert (again.call, again.attempt) == ("sync", 2)
        second = application(state(phase, message="connection refused", operation=request(attempt=2)))
        assert judge(seen(second, now=29), WISH).call == "refresh"
        assert judge(seen(second, now=30), WISH).attempt == 3
        assert judge(seen(second, now=330), WISH).reason == "SyncFailed", "Argo CD never took the third one up"
        third = application(state(phase, message="connection refused", operation=request(attempt=3)))
        assert judge(seen(third, now=500), WISH).reason == "SyncFailed"

    def test_a_sync_is_only_asked_for_after_a_refresh(self) -> None:
        raw = application(state("Failed", message="connection refused"))
        verdict = judge(seen(raw, now=30, refreshed=False), WISH)
        assert (verdict.call, verdict.look_again) == ("refresh", 0)

    @pytest.mark.parametrize(
        "message",
        [
            'Deployment.apps "x" is invalid: spec.selector: Required value',
            "error validating data: unknown object type",
            'strict decoding error: unknown field "spec.replica"',
            "Service is invalid: field is immutable",
            "resource :ClusterRole is not permitted in project platform",
        ],
    )
    def test_what_no_second_try_can_mend_fails_at_once(self, message: str) -> None:
        assert judge(seen(application(state("Failed", message=message)), now=11), WISH).reason == "SyncFailed"

    def test_a_closed_sync_window_shows_and_ends(self) -> None:
        blocked = state("Running", finished=None, message="Sync operation blocked by sync window")
        raw = application(blocked, operation=request())
        assert "blocked by sync window" in judge(seen(raw, now=20), WISH).message
        assert judge(seen(raw, now=301), WISH).call == "terminate"


class TestSomebodyElse:
    def test_a_stuck_operation_of_somebody_else_is_never_terminated(self) -> None:
        raw = application(state("Running", finished=None, message="waiting for hook", operation=SOMEBODY))
        waiting = judge(seen(raw, now=300), WISH)
        assert (waiting.verdict, waiting.call) == ("Progressing", "look")
        verdict = judge(seen(raw, now=301), WISH)
        assert (verdict.verdict, verdict.reason) == ("Failed", "Busy")
        assert "alice" in verdict.message
        assert "argocd app terminate-op ceph-cluster" in verdict.message

    def test_one_of_an_earlier_run_is_somebody_elses(self) -> None:
        raw = application(state("Running", finished=None, operation=EARLIER_RUN))
        assert judge(seen(raw, now=301), WISH).reason == "Busy"

    def test_one_of_another_node_of_this_run_is_somebody_elses(self) -> None:
        other = request(run=WISH.run + "-2")
        assert (
            judge(seen(application(state("Running", finished=None, operation=other)), now=301), WISH).reason == "Busy"
        )

    def test_when_it_is_done_the_run_looks_anew(self) -> None:
        raw = application(state(operation=SOMEBODY), sync="OutOfSync", compared=20)
        assert judge(seen(raw, now=30, refreshed=False), WISH).call == "refresh"
        assert judge(seen(raw, now=30), WISH).call == "sync"


class TestBeforeTheSync:
    def test_deleting_is_final(self) -> None:
        assert judge(seen(application(state(), deleting=True), now=20), WISH).reason == "Deleting"

    def test_an_error_that_has_lasted_fails_without_a_sync(self) -> None:
        raw = application(sync="Unknown", compared=100, conditions=[("ComparisonError", "chart not found", 30)])
        assert judge(seen(raw, now=89), WISH).verdict == "Progressing"
        verdict = judge(seen(raw, now=90), WISH)
        assert (verdict.verdict, verdict.reason) == ("Unknown", "ComparisonError")

    def test_a_failed_automatic_sync_does_not_keep_ours_away(self) -> None:
        raw = application(sync="OutOfSync", health="Missing", conditions=[("SyncError", "Failed sync attempt", 5)])
        assert judge(seen(raw, now=900), WISH).call == "sync"

    def test_looking_in_vain_ends(self) -> None:
        raw = application(sync="OutOfSync", health="Missing")
        assert judge(seen(raw, now=900, looked_for=900), WISH).reason == "Timeout"

    def test_pinned_to_another_commit_can_never_be_what_the_run_is_for(self) -> None:
        raw = application(state(operation=EARLIER_RUN), target=OTHER_COMMIT, revision=OTHER_COMMIT, compared=20)
        verdict = judge(seen(raw, now=30), WISH._replace(revision=COMMIT))
        assert (verdict.verdict, verdict.reason) == ("Failed", "WrongRevision")

    def test_pinned_to_the_commit_of_the_run_is_accepted(self) -> None:
        raw = application(state(operation=EARLIER_RUN), target=COMMIT, compared=20)
        verdict = judge(seen(raw, now=30), WISH._replace(revision=COMMIT))
        assert (verdict.verdict, verdict.mixed) == ("Healthy", False)

    def test_a_chart_is_not_measured_by_a_commit(self) -> None:
        raw = application(state(operation=EARLIER_RUN), target="1.2.3", revision="1.2.3", compared=20)
        raw["spec"]["source"]["chart"] = raw["status"]["sync"]["comparedTo"]["source"]["chart"] = "rook"
        verdict = judge(seen(raw, now=30), WISH._replace(revision=COMMIT))
        assert (verdict.verdict, verdict.mixed, verdict.revision) == ("Healthy", False, "1.2.3")

    def test_several_sources_are_compared_one_by_one(self) -> None:
        raw = application(state(operation=EARLIER_RUN), compared=20)
        sources = [{**SOURCE, "path": "values"}, {"repoURL": "https://charts.example.com", "chart": "rook"}]
        for holder in (raw["spec"], raw["status"]["sync"]["comparedTo"]):
            del holder["source"]
            holder["sources"] = sources
        raw["status"]["sync"]["revisions"] = [COMMIT, "1.2.3"]
        same = judge(seen(raw, now=30), WISH._replace(revision=f"{COMMIT},1.2.3"))
        assert (same.verdict, same.mixed, same.revision) == ("Healthy", False, f"{COMMIT},1.2.3")
        assert judge(seen(raw, now=30), WISH._replace(revision=f"{COMMIT},1.2.4")).mixed
        assert not judge(seen(raw, now=30), WISH._replace(revision=COMMIT)).mixed

    def test_what_a_target_resolved_to_when_the_run_began_is_what_it_should_stand_at(self) -> None:
        raw = application(state(operation=EARLIER_RUN), compared=20)
        same = judge(seen(raw, now=30), WISH._replace(resolved=COMMIT))
        assert (same.verdict, same.mixed) == ("Healthy", False)
        moved = judge(seen(raw, now=30), WISH._replace(resolved=OTHER_COMMIT))
        assert (moved.verdict, moved.mixed) == ("Healthy", True)
        assert "the run began with 0b6e5a3: its target has moved on since" in moved.message

    def test_a_chart_whose_range_resolves_to_another_version_is_mixed_too(self) -> None:
        raw = application(state(operation=EARLIER_RUN), target="1.*", revision="1.3.0", compared=20)
        raw["spec"]["source"]["chart"] = raw["status"]["sync"]["comparedTo"]["source"]["chart"] = "rook"
        assert not judge(seen(raw, now=30), WISH._replace(resolved="1.3.0")).mixed
        assert judge(seen(raw, now=30), WISH._replace(resolved="1.2.9")).mixed

    def test_a_pin_that_moved_with_root_in_mid_run_is_mixed_and_no_conflict(self) -> None:
        """Unlike a run that is for one commit: there a pin to another one can never become right."""
        raw = application(state(operation=EARLIER_RUN), target=OTHER_COMMIT, revision=OTHER_COMMIT, compared=20)
        verdict = judge(seen(raw, now=30), WISH._replace(resolved=COMMIT))
        assert (verdict.verdict, verdict.mixed) == ("Healthy", True)

    def test_each_of_several_sources_counts(self) -> None:
        raw = application(state(operation=EARLIER_RUN), compared=20)
        source = raw["spec"].pop("source")
        sources = [source, {**source, "path": "values"}]
        raw["spec"]["sources"] = sources
        raw["status"]["sync"]["comparedTo"] = {"sources": sources, "destination": raw["spec"]["destination"]}
        raw["status"]["sync"]["revisions"] = [COMMIT, OTHER_COMMIT]
        assert not judge(seen(raw, now=30), WISH._replace(resolved=f"{COMMIT},{OTHER_COMMIT}")).mixed
        assert judge(seen(raw, now=30), WISH._replace(resolved=f"{COMMIT},{COMMIT}")).mixed


class TestVerify:
    """What a scope requires: Healthy now, or not; nothing is synced."""

    VERIFY = WISH._replace(sync=False, settle=0)

    def test_standing(self) -> None:
        raw = application(state(operation=SOMEBODY), compared=1000)
        assert judge(seen(raw, now=1000), self.VERIFY).verdict == "Healthy"

    @pytest.mark.parametrize(
        ("fields", "verdict", "reason"),
        [
            ({"health": "Progressing"}, "Failed", "Progressing"),
            ({"health": "Degraded"}, "Degraded", "Degraded"),
            ({"sync": "OutOfSync"}, "Failed", "OutOfSync"),
            ({"conditions": [("ComparisonError", "no", 1)]}, "Unknown", "ComparisonError"),
        ],
    )
    def test_not_standing(self, fields: dict[str, t.Any], verdict: str, reason: str) -> None:
        found = judge(seen(application(state(operation=SOMEBODY), compared=1000, **fields), now=1001), self.VERIFY)
        assert (found.verdict, found.reason) == (verdict, reason)

    def test_changed_in_git_since_its_sync(self) -> None:
        raw = application(
            state(operation=SOMEBODY), compared=1000, sync="OutOfSync", resources=[resource(sync="OutOfSync")]
        )
        assert judge(seen(raw, now=1001), self.VERIFY).message.startswith("is OutOfSync: Deployment")

    def test_never_synced(self) -> None:
        fresh = application(sync="OutOfSync", health="Missing")
        assert "was never synced: deploy it first" in judge(seen(fresh, now=20), self.VERIFY).message
        unreadable = application(sync="Unknown", conditions=[("ComparisonError", "no such path", 1)])
        assert "no such path" in judge(seen(unreadable, now=20), self.VERIFY).message

    def test_busy(self) -> None:
        raw = application(state("Running", finished=None, operation=SOMEBODY))
        assert judge(seen(raw, now=20), self.VERIFY).reason == "Busy"

    def test_unrefreshed(self) -> None:
        assert (
            judge(seen(application(state(operation=SOMEBODY)), now=20, refreshed=False), self.VERIFY).call == "refresh"
        )
