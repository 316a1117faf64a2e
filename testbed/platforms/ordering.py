# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Judges from outside in what order the applications of a sample platform came up, or went: by the API server alone."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

PREFIX = "simulator.deploy-ops.test"
APPLICATION = f"{PREFIX}/application"
RELEASE = f"{PREFIX}/release"
# MetalLB reports nothing about these: they are there, and that is all there is to it.
UNREPORTED = ("IPAddressPool", "L2Advertisement")


class Span(NamedTuple):
    """When the current release of an application arrived, and when all of it was ready (None: not yet)."""

    started: datetime
    ready: datetime | None


def collect() -> list[dict[str, Any]]:
    """Everything of the sample platforms that carries a time: release marks, pods, custom resources."""
    crds = _kubectl("get", "customresourcedefinitions", "--selector", APPLICATION)
    kinds = ["configmaps", "pods", *(crd["metadata"]["name"] for crd in crds)]
    return _kubectl("get", ",".join(kinds), "--all-namespaces", "--selector", APPLICATION)


def timeline(objects: Iterable[dict[str, Any]]) -> dict[str, Span]:
    """The span of every application that has its release mark."""
    parts: dict[str, list[dict[str, Any]]] = {}
    for item in objects:
        parts.setdefault(item["metadata"]["labels"][APPLICATION], []).append(item)
    return {
        application: _span(mark, [item for item in items if item["kind"] != "ConfigMap"])
        for application, items in parts.items()
        for mark in items
        if mark["kind"] == "ConfigMap"
    }


def violations(edges: Iterable[tuple[str, str]], spans: dict[str, Span]) -> list[str]:
    """Every edge [dependency, dependent] whose dependent arrived before its dependency was ready."""
    found = []
    for dependency, dependent in edges:
        if dependent not in spans:
            continue
        started = spans[dependent].started
        ready = spans[dependency].ready if dependency in spans else None
        if ready is None:
            found.append(f"{dependent} arrived at {started:%H:%M:%S}, {dependency} is not ready yet")
        # Arrival is known to the second only: within the same second there is no telling.
        elif started < ready.replace(microsecond=0):
            found.append(f"{dependent} arrived at {started:%H:%M:%S}, {dependency} was ready at {ready:%H:%M:%S}")
    return found


class Removal(NamedTuple):
    """Resource versions: when the first object of an application was about to go, and when the last one was gone."""

    began: int
    gone: int


def removals(events: Iterable[dict[str, Any]]) -> dict[str, Removal]:
    """From the watch events of Applications and of labelled objects. The API server numbers all changes in one row.

    What only stops existing because its owner does (pods, by garbage collection) counts as well: it was there.
    """
    began: dict[str, int] = {}
    gone: dict[str, int] = {}
    for event in events:
        metadata = event["object"]["metadata"]
        is_application = event["object"]["kind"] == "Application"
        name = metadata["name"] if is_application else metadata["labels"][APPLICATION]
        version = int(metadata["resourceVersion"])
        if event["type"] == "DELETED" or metadata.get("deletionTimestamp"):
            began[name] = min(version, began.get(name, version))
        if event["type"] == "DELETED":
            gone[name] = max(version, gone.get(name, version))
    return {name: Removal(began[name], gone[name]) for name in gone}


def removal_violations(edges: Iterable[tuple[str, str]], seen: dict[str, Removal]) -> list[str]:
    """Every edge [dependency, dependent] whose dependency was about to go before its dependent was gone."""
    return [
        f"{dependency} was about to go at {seen[dependency].began}, {dependent} was gone at {seen[dependent].gone}"
        for dependency, dependent in edges
        if dependency in seen and dependent in seen and seen[dependency].began < seen[dependent].gone
    ]


def _span(mark: dict[str, Any], parts: list[dict[str, Any]]) -> Span:
    release = mark["data"]["release"]
    # A new release changes the data, and with it the time of the manager that wrote them; at first that is creation.
    written = [entry["time"] for entry in mark["metadata"]["managedFields"] if "f:data" in entry["fieldsV1"]]
    started = _time(max(written))
    moments = [_ready(part) for part in parts if part["metadata"]["labels"][RELEASE] == release]
    if parts and (not moments or None in moments):
        return Span(started, None)
    return Span(started, max([started, *(moment for moment in moments if moment)]))


def _ready(part: dict[str, Any]) -> datetime | None:
    status = part.get("status") or {}
    if part["kind"] == "Pod":
        times = [
            condition["lastTransitionTime"]
            for condition in status.get("conditions") or []
            if condition["type"] == "Ready" and condition["status"] == "True"
        ]
        return _time(times[0]) if times else None
    if part["kind"] in UNREPORTED:
        return _time(part["metadata"]["creationTimestamp"])
    simulation = status.get("simulation") or {}
    current = simulation.get("generation") == part["metadata"]["generation"]
    return _time(simulation["readyAt"]) if current and "readyAt" in simulation else None


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def _kubectl(*arguments: str) -> list[dict[str, Any]]:
    command = ["kubectl", *arguments, "--show-managed-fields", "--output", "json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["items"]
