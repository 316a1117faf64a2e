# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The simulator's pure half: what a behaviour means at an age, and what a resource's status says then."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "testbed" / "simulator"))

from app import plain_answer, vault_answer
from behaviour import CRASHED, FAILED, READY, STARTING, Behaviour, BehaviourError, behaviour, parse
from kinds import KINDS
from status import merge_patch, next_status

KIND = {kind.kind: kind for kind in KINDS}
NOON = 1794830400.0


def resource(generation: int = 1, status: dict | None = None, spec: dict | None = None) -> dict:
    metadata = {"name": "x", "generation": generation, "labels": {"simulator.deploy-ops.test/application": "x"}}
    return {"metadata": metadata, "spec": spec or {}, "status": status or {}}


def life(kind: str, wanted: Behaviour, ages: list[float], **kwargs: dict) -> list[dict]:
    """The status at each age, each made from the one before as the operator does it."""
    item = resource(**kwargs)
    told = []
    for age in ages:
        item["status"] = next_status(KIND[kind], item, wanted, NOON + age)
        told.append(item["status"])
    return told


class TestBehaviour:
    @pytest.mark.parametrize(
        ("mode", "phases"),
        [
            ("ready", [STARTING, STARTING, READY, READY, READY]),
            ("never-ready", [STARTING] * 5),
            ("degraded", [STARTING, STARTING, FAILED, FAILED, FAILED]),
            ("crash", [STARTING, STARTING, CRASHED, CRASHED, CRASHED]),
            ("flapping", [STARTING, STARTING, READY, FAILED, READY]),
        ],
    )
    def test_phases_over_time(self, mode: str, phases: list[str]) -> None:
        wanted = Behaviour(mode, delay=5, period=10)
        assert [wanted.phase(age) for age in (0, 4.9, 5, 15, 25)] == phases

    def test_no_delay_is_ready_at_once(self) -> None:
        assert Behaviour().phase(0) == READY
        assert Behaviour().progress(0) == 1

    def test_never_ready_never_gets_there(self) -> None:
        assert Behaviour("never-ready", delay=1).progress(1e6) < 1

    def test_run_time_wins_over_commit_key_by_key(self) -> None:
        merged = behaviour(parse('{"delay": 7, "mode": "degraded"}'), parse('{"mode": "ready"}'))
        assert (merged.mode, merged.delay) == ("ready", 7)

    @pytest.mark.parametrize(
        ("text", "says"),
        [
            ("never-ready", "is not JSON"),
            ("", "is not JSON"),
            ("[1]", "is not a JSON object"),
            ('{"mood": "ready"}', "'mood' is not known; there are mode, delay, period"),
            ('{"mode": "neverready"}', "there are ready, never-ready, degraded, flapping, crash"),
            ('{"mode": ["ready"]}', "mode ['ready'] is not known"),
            ('{"delay": "5"}', "delay is '5'; it must be a number of seconds"),
            ('{"delay": true}', "delay is True"),
            ('{"delay": -1}', "from 0 to 86400"),
            ('{"delay": NaN}', "delay is nan"),
            ('{"delay": 1e9}', "from 0 to 86400"),
            ('{"period": 0}', "from 0.1 to 86400"),
        ],
    )
    def test_bad_behaviour_is_refused_with_the_way_out(self, text: str, says: str) -> None:
        with pytest.raises(BehaviourError, match=r"it must|there are|write it like") as error:
            parse(text)
        assert says in str(error.value)


class TestApp:
    def test_plain_application_answers_503_until_ready(self) -> None:
        assert [plain_answer(Behaviour(delay=2), age)[0] for age in (0, 1.9, 2)] == [503, 503, 200]

    def test_vault_is_uninitialised_then_sealed_then_active(self) -> None:
        assert [vault_answer(Behaviour(delay=6), age)[0] for age in (0, 3, 6)] == [501, 503, 200]

    def test_degraded_vault_is_sealed(self) -> None:
        assert vault_answer(Behaviour("degraded"), 10) == (
            503,
            '{"initialized": true, "sealed": true, "standby": false}',
        )


class TestStages:
    def test_ceph_goes_through_warn_to_ok(self) -> None:
        told = life("CephCluster", Behaviour(delay=9), [0, 4, 8.9, 9])
        assert [s["phase"] for s in told] == ["Progressing", "Progressing", "Progressing", "Ready"]
        health = [s.get("ceph", {}).get("health") for s in told]
        assert health == [None, "HEALTH_WARN", "HEALTH_WARN", "HEALTH_OK"]

    def test_postgres_creates_then_runs_then_updates(self) -> None:
        told = life("postgresql", Behaviour(delay=4), [0, 2, 4], spec={"numberOfInstances": 2})
        assert [(s["PostgresClusterStatus"], s["numberOfInstances"]) for s in told] == [
            ("Creating", 0), ("Creating", 1), ("Running", 2),
        ]  # fmt: skip
        again = life("postgresql", Behaviour(delay=4), [100, 104], generation=2, status=told[-1])
        assert [s["PostgresClusterStatus"] for s in again] == ["Updating", "Running"]

    def test_redis_initialises_and_bootstraps(self) -> None:
        assert [s["state"] for s in life("RedisCluster", Behaviour(delay=4), [0, 2, 4])] == [
            "Initializing", "Bootstrap", "Ready",
        ]  # fmt: skip

    def test_kafka_is_not_ready_while_creating(self) -> None:
        told = [s["conditions"][0] for s in life("Kafka", Behaviour(delay=4), [0, 4])]
        assert [(c["type"], c["status"], c["reason"]) for c in told] == [
            ("NotReady", "True", "Creating"), ("Ready", "True", "Ready"),
        ]  # fmt: skip

    @pytest.mark.parametrize("kind", ["Keycloak", "TemporalCluster", "ClusterPolicy"])
    def test_ready_condition_turns_true(self, kind: str) -> None:
        told = [{c["type"]: c["status"] for c in s["conditions"]} for s in life(kind, Behaviour(delay=4), [0, 4])]
        assert [conditions["Ready"] for conditions in told] == ["False", "True"]

    @pytest.mark.parametrize("kind", ["ClusterIssuer", "ClusterSecretStore", "KafkaTopic"])
    def test_silent_until_there_is_an_answer(self, kind: str) -> None:
        told = life(kind, Behaviour(delay=4), [0, 4])
        assert told[0]["conditions"] == []
        assert told[1]["conditions"][0]["status"] == "True"

    def test_kubevirt_is_deployed(self) -> None:
        assert [s["phase"] for s in life("KubeVirt", Behaviour(delay=4), [0, 4])] == ["Deploying", "Deployed"]

    @pytest.mark.parametrize("kind", sorted(KIND))
    @pytest.mark.parametrize("mode", ["degraded", "crash"])
    def test_failure_shows_and_recovery_follows_at_once(self, kind: str, mode: str) -> None:
        healthy, failed, recovered = (
            life(kind, Behaviour(), [0])[0],
            life(kind, Behaviour(mode), [0])[0],
            life(kind, Behaviour(), [60], status=life(kind, Behaviour(mode), [0])[0])[0],
        )
        ignored = ("simulation", "conditions")
        assert failed["simulation"]["phase"] in (FAILED, CRASHED)
        assert {k: v for k, v in recovered.items() if k not in ignored} == {
            k: v for k, v in healthy.items() if k not in ignored
        }
        told = [[(c["type"], c["status"]) for c in s.get("conditions", [])] for s in (healthy, failed, recovered)]
        assert told[0] == told[2]
        assert {**failed, "simulation": 0} != {**healthy, "simulation": 0}

    @pytest.mark.parametrize("kind", sorted(KIND))
    def test_nothing_to_write_when_nothing_happens(self, kind: str) -> None:
        starting, ready, later = life(kind, Behaviour(delay=3), [0, 3, 3600])
        assert merge_patch(starting, ready) != {}
        assert merge_patch(ready, later) == {}

    def test_times_change_only_when_a_condition_does(self) -> None:
        told = life("Keycloak", Behaviour(delay=4), [0, 2, 4, 50])
        times = [next(c["lastTransitionTime"] for c in s["conditions"] if c["type"] == "Ready") for s in told]
        assert times[0] == times[1] < times[2] == times[3]

    def test_ready_time_is_kept_for_a_generation_and_forgotten_with_the_next(self) -> None:
        told = life("Kafka", Behaviour(delay=4), [0, 4, 50])
        assert "readyAt" not in told[0]["simulation"]
        assert told[1]["simulation"]["readyAt"] == told[2]["simulation"]["readyAt"]
        update = life("Kafka", Behaviour(delay=4), [100, 104], generation=2, status=told[2])
        assert "readyAt" not in update[0]["simulation"]
        assert update[1]["simulation"]["readyAt"] > told[2]["simulation"]["readyAt"]

    def test_clock_that_goes_back_does_no_harm(self) -> None:
        assert life("Kafka", Behaviour(delay=4), [10, 0])[1]["simulation"]["phase"] == STARTING


class TestMergePatch:
    @pytest.mark.parametrize(
        ("before", "after", "patch"),
        [
            ({}, {"a": 1}, {"a": 1}),
            ({"a": 1}, {}, {"a": None}),
            ({"a": {"b": 1, "c": 2}}, {"a": {"b": 1}}, {"a": {"c": None}}),
            ({"a": [1]}, {"a": [1, 2]}, {"a": [1, 2]}),
            ({"a": 1}, {"a": {"b": 1}}, {"a": {"b": 1}}),
            ({"a": {"b": 1}}, {"a": {"b": 1}}, {}),
        ],
    )
    def test_patch_turns_one_into_the_other(self, before: dict, after: dict, patch: dict) -> None:
        assert merge_patch(before, after) == patch
