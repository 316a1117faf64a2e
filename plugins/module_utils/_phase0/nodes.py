# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Nodes as the Kubernetes API describes them, reduced to what the checks and the inventory need."""

from __future__ import annotations

import typing as t

from . import quantity

_CONTROL_PLANE_MARKS = ("node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master")


class Node(t.NamedTuple):
    name: str
    ready: bool
    ready_message: str
    schedulable: bool
    control_plane: bool
    disk_pressure: bool
    kubelet_version: str
    runtime: str
    os_image: str
    architecture: str
    cpu: float
    memory: int
    ephemeral_storage: int


def from_api(item: t.Mapping[str, t.Any]) -> Node:
    status = item.get("status") or {}
    spec = item.get("spec") or {}
    info = status.get("nodeInfo") or {}
    allocatable = status.get("allocatable") or {}
    conditions = {condition["type"]: condition for condition in status.get("conditions") or []}
    ready = conditions.get("Ready") or {}
    labels = item["metadata"].get("labels") or {}
    taints = [taint for taint in spec.get("taints") or [] if taint.get("effect") in ("NoSchedule", "NoExecute")]
    return Node(
        name=item["metadata"]["name"],
        ready=ready.get("status") == "True",
        ready_message=str(ready.get("message") or "the kubelet never reported"),
        schedulable=not spec.get("unschedulable") and not taints,
        control_plane=any(mark in labels for mark in _CONTROL_PLANE_MARKS),
        disk_pressure=(conditions.get("DiskPressure") or {}).get("status") == "True",
        kubelet_version=info.get("kubeletVersion", ""),
        runtime=info.get("containerRuntimeVersion", ""),
        os_image=info.get("osImage", ""),
        architecture=info.get("architecture", ""),
        cpu=quantity.parse(allocatable.get("cpu", "0")),
        memory=int(quantity.parse(allocatable.get("memory", "0"))),
        ephemeral_storage=int(quantity.parse(allocatable.get("ephemeral-storage", "0"))),
    )


def usable(nodes: t.Iterable[Node]) -> list[Node]:
    """Nodes that will take the bootstrap's pods."""
    return [node for node in nodes if node.ready and node.schedulable]
