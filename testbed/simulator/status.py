# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""From a custom resource as it is now to the status that its operator would write now. Pure: no clock, no cluster."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from behaviour import READY, Behaviour
from kinds import Fields, Kind, Moment

PREFIX = "simulator.deploy-ops.test"
APPLICATION = f"{PREFIX}/application"
BEHAVIOUR = f"{PREFIX}/behaviour"


def application_of(resource: Fields) -> str:
    """The application that a resource belongs to; only labelled resources are ours to drive."""
    return str(resource["metadata"]["labels"][APPLICATION])


def committed_text(resource: Fields) -> str:
    """The behaviour that came with the manifest, as written there."""
    return str(resource["metadata"].get("annotations", {}).get(BEHAVIOUR, "{}"))


def next_status(kind: Kind, resource: Fields, wanted: Behaviour, now: float) -> Fields:
    """The whole status of `resource` at `now` (seconds since the epoch).

    `simulation` is what makes this work without a memory of its own: since when this generation is being worked on,
    and when it first became ready. An outside watcher judges the order of things by it.
    """
    generation = resource["metadata"]["generation"]
    before = resource.get("status") or {}
    last = before.get("simulation") or {}
    known = last.get("generation") == generation
    since = _seconds(last["since"]) if known else now
    age = max(now - since, 0.0)

    moment = Moment(wanted.phase(age), wanted.progress(age), first=generation == 1)
    status = kind.build(resource.get("spec") or {}, moment)
    if "conditions" in status:
        status["conditions"] = _stamp(status["conditions"], before.get("conditions") or [], now)
    simulation = {"generation": generation, "since": _timestamp(since), "phase": moment.phase}
    if known and "readyAt" in last:
        simulation["readyAt"] = last["readyAt"]
    elif moment.phase == READY:
        simulation["readyAt"] = _timestamp(now)
    return {**status, "observedGeneration": generation, "simulation": simulation}


def merge_patch(before: Any, after: Any) -> Fields:
    """The JSON merge patch (RFC 7386) that turns one object into the other; empty when nothing is to be done."""
    patch: Fields = {key: None for key in before if key not in after}
    for key, value in after.items():
        old = before.get(key)
        if isinstance(value, dict) and isinstance(old, dict):
            if inner := merge_patch(old, value):
                patch[key] = inner
        elif key not in before or old != value:
            patch[key] = value
    return patch


def _stamp(conditions: list[Fields], before: list[Fields], now: float) -> list[Fields]:
    known = {(old.get("type"), old.get("status")): old.get("lastTransitionTime") for old in before}
    moment = datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return [
        {**condition, "lastTransitionTime": known.get((condition["type"], condition["status"])) or moment}
        for condition in conditions
    ]


def _timestamp(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _seconds(timestamp: str) -> float:
    return datetime.strptime(timestamp, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=UTC).timestamp()
