# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The outside watcher of the sample platforms: spans and violations out of API timestamps."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[3] / "testbed/platforms/ordering.py"
spec = importlib.util.spec_from_file_location("ordering", SOURCE)
ordering = importlib.util.module_from_spec(spec)
spec.loader.exec_module(ordering)


def mark(name: str, at: str, release: str = "1") -> dict:
    fields = {"fieldsV1": {"f:data": {}}, "time": f"2026-01-01T00:00:{at}Z"}
    labels = {ordering.APPLICATION: name, ordering.RELEASE: release}
    created = {"creationTimestamp": "2026-01-01T00:00:00Z", "managedFields": [fields]}
    return {"kind": "ConfigMap", "metadata": {"labels": labels, **created}, "data": {"release": release}}


def pod(name: str, ready: str | None, release: str = "1") -> dict:
    condition = {"type": "Ready", "status": "True" if ready else "False"}
    condition["lastTransitionTime"] = f"2026-01-01T00:00:{ready or '59'}Z"
    labels = {ordering.APPLICATION: name, ordering.RELEASE: release}
    return {"kind": "Pod", "metadata": {"labels": labels}, "status": {"conditions": [condition]}}


def custom(name: str, status: dict, kind: str = "Kafka", generation: int = 1) -> dict:
    labels = {ordering.APPLICATION: name, ordering.RELEASE: "1"}
    metadata = {"labels": labels, "generation": generation, "creationTimestamp": "2026-01-01T00:00:03Z"}
    return {"kind": kind, "metadata": metadata, "status": status}


READY_AT_5 = {"simulation": {"generation": 1, "readyAt": "2026-01-01T00:00:05.900000Z"}}


@pytest.mark.parametrize(
    ("first", "second_arrives", "found"),
    [
        (pod("a", "05"), "05", False),
        (pod("a", "05"), "04", True),
        (pod("a", None), "30", True),
        (pod("a", "05", release="0"), "30", True),
        (custom("a", READY_AT_5), "05", False),
        (custom("a", READY_AT_5), "04", True),
        (custom("a", {}), "30", True),
        (custom("a", READY_AT_5, generation=2), "30", True),
        (custom("a", {}, kind="IPAddressPool"), "03", False),
    ],
)
def test_dependent_must_not_arrive_before_its_dependency_is_ready(
    first: dict, second_arrives: str, found: bool
) -> None:
    spans = ordering.timeline([mark("a", "01"), first, mark("b", second_arrives), pod("b", "40")])
    assert bool(ordering.violations([("a", "b")], spans)) is found


def test_all_parts_of_an_application_must_be_ready() -> None:
    spans = ordering.timeline([mark("a", "01"), pod("a", "02"), custom("a", READY_AT_5), mark("b", "04")])
    assert ordering.violations([("a", "b")], spans) == ["b arrived at 00:00:04, a was ready at 00:00:05"]


def test_what_has_not_arrived_violates_nothing() -> None:
    assert ordering.violations([("a", "b")], ordering.timeline([mark("a", "01")])) == []


def test_dependency_that_does_not_exist_is_not_ready() -> None:
    assert ordering.violations([("a", "b")], ordering.timeline([mark("b", "01")])) != []


def event(kind: str, name: str, number: int, what: str = "MODIFIED", deleting: bool = False) -> dict:
    metadata = {"name": name, "labels": {ordering.APPLICATION: name}, "resourceVersion": str(number)}
    if deleting:
        metadata["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    return {"type": what, "object": {"kind": kind, "metadata": metadata}}


@pytest.mark.parametrize(("last_of_b", "found"), [(5, False), (7, True)])
def test_a_dependency_must_not_be_about_to_go_before_all_of_its_dependent_is_gone(last_of_b: int, found: bool) -> None:
    seen = ordering.removals(
        [
            event("Application", "b", 1, "ADDED"),
            event("Application", "b", 2, deleting=True),
            event("Application", "b", 4, "DELETED"),
            event("Pod", "b", last_of_b, "DELETED"),
            event("Application", "a", 6, deleting=True),
            event("Application", "a", 8, "DELETED"),
        ]
    )
    assert seen["a"] == (6, 8)
    assert bool(ordering.removal_violations([("a", "b"), ("a", "unseen")], seen)) is found


def test_what_only_stops_existing_has_begun_to_go_then() -> None:
    assert ordering.removals([event("ConfigMap", "a", 3, "DELETED")])["a"] == (3, 3)
