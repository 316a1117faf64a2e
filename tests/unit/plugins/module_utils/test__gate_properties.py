# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What must hold for every Application that could ever be seen: random ones, judged by rules written here anew."""

from __future__ import annotations

import typing as t

from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.judge import judge
from ansible_collections.proficientnow.deploy_ops.tests.unit.plugins.module_utils.gate_objects import (
    COMMIT,
    OTHER_COMMIT,
    SOURCE,
    WISH,
    application,
    at,
    request,
    seen,
    state,
)

SHORT = WISH._replace(sync_timeout=30, health_timeout=40, settle=3, grace=10, attempts=2, backoff=5)
SOMEBODY = {"info": [], "initiatedBy": {"username": "alice"}, "sync": {}}

moments = st.integers(0, 60)
requests = st.one_of(
    st.just(SOMEBODY),
    st.builds(request, attempt=st.integers(1, 3)),
    st.builds(request, run=st.just("another/ceph-cluster")),
)
states = st.builds(
    state,
    phase=st.sampled_from(["Running", "Terminating", "Succeeded", "Failed", "Error"]),
    started=moments,
    finished=st.one_of(st.none(), moments),
    message=st.sampled_from(["", "Operation terminated", "connection refused", "x is invalid"]),
    revision=st.sampled_from([COMMIT, OTHER_COMMIT]),
    operation=requests,
)
conditions = st.lists(
    st.tuples(
        st.sampled_from(["ComparisonError", "SyncError", "InvalidSpecError", "SharedResourceWarning"]),
        st.sampled_from(["no", "Manifest generation error (cached): no"]),
        moments,
    ),
    max_size=2,
)
applications = st.builds(
    application,
    operation_state=st.one_of(st.none(), states),
    operation=st.one_of(st.none(), requests),
    sync=st.sampled_from(["Synced", "Synced", "OutOfSync", "Unknown"]),
    health=st.sampled_from(["Healthy", "Healthy", "Progressing", "Degraded", "Missing", "Suspended", "Unknown"]),
    health_since=moments,
    compared=moments,
    revision=st.sampled_from([COMMIT, OTHER_COMMIT]),
    conditions=conditions,
    compared_source=st.sampled_from([None, None, {**SOURCE, "path": "elsewhere"}]),
    deleting=st.sampled_from([False, False, False, True]),
)


def in_progress(raw: dict[str, t.Any]) -> bool:
    return bool(raw.get("operation")) or raw["status"].get("operationState", {}).get("phase") in (
        "Running",
        "Terminating",
    )


@given(applications, moments, st.booleans())
def test_healthy_is_never_said_of_anything_less(raw: dict[str, t.Any], now: int, refreshed: bool) -> None:
    if judge(seen(raw, now=now, refreshed=refreshed), SHORT).verdict != "Healthy":
        return
    status = raw["status"]
    last = status["operationState"]
    assert refreshed
    assert not in_progress(raw)
    assert "deletionTimestamp" not in raw["metadata"]
    assert (last["phase"], status["sync"]["status"], status["health"]["status"]) == ("Succeeded", "Synced", "Healthy")
    assert status["sync"]["comparedTo"]["source"] == raw["spec"]["source"]
    ended = last.get("finishedAt", "")
    assert status["reconciledAt"] > ended
    for condition in status.get("conditions", []):
        is_history = condition["type"] == "SyncError" and condition["lastTransitionTime"] <= ended
        assert is_history or condition["type"] == "SharedResourceWarning"
    settled_from = max(ended, status["health"]["lastTransitionTime"])
    assert status["reconciledAt"] >= settled_from
    assert at(now - SHORT.settle) >= settled_from


@given(applications, moments, st.booleans())
def test_a_sync_is_only_asked_for_when_it_is_due(raw: dict[str, t.Any], now: int, refreshed: bool) -> None:
    verdict = judge(seen(raw, now=now, refreshed=refreshed), SHORT)
    if verdict.call != "sync":
        return
    assert refreshed
    assert not in_progress(raw)
    last = raw["status"].get("operationState")
    is_own = last is not None and request(attempt=1)["info"][0]["value"][:-1] in str(last["operation"]["info"])
    if is_own and last is not None:
        attempt = int(last["operation"]["info"][0]["value"].rpartition("/")[2])
        assert verdict.attempt == attempt + 1, "every operation of a run has a number of its own"
    else:
        assert verdict.attempt == 1


@given(applications, moments, st.booleans())
def test_only_the_runs_own_operation_is_ever_terminated(raw: dict[str, t.Any], now: int, refreshed: bool) -> None:
    if judge(seen(raw, now=now, refreshed=refreshed), SHORT).call != "terminate":
        return
    last = raw["status"]["operationState"]
    assert last["phase"] == "Running"
    assert any(item["value"].startswith(SHORT.run + "/") for item in last["operation"]["info"])
    assert at(now - SHORT.sync_timeout) >= last["startedAt"]


@given(applications, moments)
def test_every_wait_ends_whatever_argo_cd_does_not_do(raw: dict[str, t.Any], start: int) -> None:
    """The Application never changes again: no sync is taken up, no refresh helps. The gate still comes to an end."""
    now, how = float(start), "refresh"
    longest = 60 + SHORT.sync_timeout + SHORT.health_timeout + 60 + SHORT.settle
    for _look in range(10_000):
        verdict = judge(seen(raw, now=now, refreshed=how != "look", looked_for=now - start), SHORT)
        if verdict.is_final:
            return
        assert now <= start + longest, verdict
        how = verdict.call if verdict.call in ("refresh", "hard-refresh") else "look"
        now += max(0.3, verdict.look_again)
    raise AssertionError(f"still waiting at second {now}: {verdict}")
