# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Pods as the Kubernetes API describes them."""

from __future__ import annotations

import typing as t

from .. import quantity
from ..capacity import Requested


def is_ready(pod: t.Mapping[str, t.Any]) -> bool:
    conditions = (pod.get("status") or {}).get("conditions") or []
    return any(condition["type"] == "Ready" and condition["status"] == "True" for condition in conditions)


def requested_by_node(pods: t.Iterable[t.Mapping[str, t.Any]]) -> dict[str, Requested]:
    total: dict[str, Requested] = {}
    for pod in pods:
        spec = pod.get("spec") or {}
        node = spec.get("nodeName")
        if node:
            before = total.get(node, Requested(0.0, 0))
            cpu, memory = _requested(spec, "cpu"), int(_requested(spec, "memory"))
            total[node] = Requested(before.cpu + cpu, before.memory + memory)
    return total


def _requested(spec: t.Mapping[str, t.Any], resource: str) -> float:
    """As the scheduler counts: what runs together is added up, an init container runs alone before."""

    def amount(container: t.Mapping[str, t.Any]) -> float:
        requests = (container.get("resources") or {}).get("requests") or {}
        return quantity.parse(requests.get(resource, "0"))

    inits = spec.get("initContainers") or []
    sidecars = [container for container in inits if container.get("restartPolicy") == "Always"]
    alone = [amount(container) for container in inits if container not in sidecars]
    together = sum(amount(container) for container in [*(spec.get("containers") or []), *sidecars])
    overhead = quantity.parse((spec.get("overhead") or {}).get(resource, "0"))
    return max([together, *alone]) + overhead
