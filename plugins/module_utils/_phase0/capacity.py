# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Room for what will be installed (RFC 3.2.4, warning) and disk on the nodes (RFC 6.1, blocking)."""

from __future__ import annotations

import typing as t

from . import quantity
from .check import WARNING, Check, Rule, Unknown, listing
from .components import Component
from .nodes import Node, usable


class Requested(t.NamedTuple):
    """Sum of what the pods of one node ask for."""

    cpu: float
    memory: int


class CapacityFacts(t.NamedTuple):
    nodes: list[Node] | Unknown
    # By node name.
    requested: t.Mapping[str, Requested] | Unknown
    # Free bytes of the kubelet's file system by node name, as the kubelet itself says it.
    disk_free: t.Mapping[str, int | Unknown]


def evaluate(facts: CapacityFacts, components: t.Sequence[Component], minimum_disk: str) -> list[Check]:
    return [
        *_compute(facts, components),
        _disk_pressure(facts.nodes),
        _disk_size(facts.nodes, minimum_disk),
        _disk_free(facts, minimum_disk),
    ]


def _compute(facts: CapacityFacts, components: t.Sequence[Component]) -> list[Check]:
    cpu = sum(quantity.parse(component.cpu) for component in components)
    memory = sum(quantity.parse(component.memory) for component in components)
    fix = "Add a node, or make room: kubectl describe nodes shows what is requested by whom."
    cpu_rule = Rule("capacity.cpu", "CPU for the bootstrap", f"{cpu:.2f} cores free", fix, WARNING)
    memory_rule = Rule(
        "capacity.memory", "Memory for the bootstrap", f"{quantity.bytes_text(memory)} free", fix, WARNING
    )
    for fact in (facts.nodes, facts.requested):
        if isinstance(fact, Unknown):
            return [cpu_rule.unknown(fact), memory_rule.unknown(fact)]
    if not components:
        reason = "no components given"
        return [cpu_rule.skipped(reason), memory_rule.skipped(reason)]
    nodes = usable(t.cast("list[Node]", facts.nodes))
    pods = t.cast("t.Mapping[str, Requested]", facts.requested)
    requested = [pods[node.name] for node in nodes if node.name in pods]
    cpu_total, memory_total = sum(node.cpu for node in nodes), sum(node.memory for node in nodes)
    cpu_free = cpu_total - sum(one.cpu for one in requested)
    memory_free = memory_total - sum(one.memory for one in requested)
    return [
        cpu_rule.judge(cpu_free >= cpu, f"{cpu_free:.2f} of {cpu_total:.2f} cores not requested"),
        memory_rule.judge(
            memory_free >= memory,
            f"{quantity.bytes_text(memory_free)} of {quantity.bytes_text(memory_total)} not requested",
        ),
    ]


def _disk_pressure(nodes: list[Node] | Unknown) -> Check:
    rule = Rule(
        "capacity.disk_pressure",
        "No node is short of disk",
        "no Ready node under DiskPressure",
        "Free disk space on the node (old images, logs), or cordon it.",
    )
    if isinstance(nodes, Unknown):
        return rule.unknown(nodes)
    if not nodes:
        return rule.skipped("there are no nodes")
    # The kubelet taints a node under pressure, so «usable» would hide exactly the nodes in question.
    pressed = [node.name for node in nodes if node.ready and node.disk_pressure]
    return rule.judge(not pressed, f"DiskPressure on {listing(pressed)}" if pressed else f"none of {len(nodes)}")


def _disk_size(nodes: list[Node] | Unknown, minimum: str) -> Check:
    rule = Rule(
        "capacity.disk_size",
        "Disk of the nodes is large enough",
        f"{minimum} of allocatable ephemeral storage on every node that takes pods",
        "Give the node a larger disk, or cordon it.",
    )
    if isinstance(nodes, Unknown):
        return rule.unknown(nodes)
    sizes = {node.name: node.ephemeral_storage for node in usable(nodes)}
    return _smallest(rule, sizes, minimum)


def _disk_free(facts: CapacityFacts, minimum: str) -> Check:
    rule = Rule(
        "capacity.disk_free",
        "Free disk on the nodes",
        f"{minimum} free on every node that takes pods, as its kubelet counts",
        "Free disk space on the node (old images, logs), give it a larger disk, or cordon it.",
    )
    if isinstance(facts.nodes, Unknown):
        return rule.unknown(facts.nodes)
    known = {name: free for name, free in facts.disk_free.items() if not isinstance(free, Unknown)}
    if not known:
        reasons = listing(fact.reason for fact in facts.disk_free.values() if isinstance(fact, Unknown))
        return rule.skipped(f"no kubelet told: {reasons or 'no usable node'}")
    return _smallest(rule, known, minimum)


def _smallest(rule: Rule, sizes: t.Mapping[str, int], minimum: str) -> Check:
    if not sizes:
        return rule.skipped("no usable node")
    small = {name: size for name, size in sizes.items() if size < quantity.parse(minimum)}
    if small:
        return rule.failed(listing(f"{name} {quantity.bytes_text(size)}" for name, size in small.items()))
    return rule.passed(f"at least {quantity.bytes_text(min(sizes.values()))} on {len(sizes)} nodes")
