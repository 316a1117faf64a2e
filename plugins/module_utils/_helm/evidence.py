# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a person on call would look up first when pods do not come up: reasons, last words, warnings."""

from __future__ import annotations

import typing as t

from .._kube.api import KubeApi, KubeError

LOG_LINES = 8
LONGEST_LINE = 300
MOST_PODS = 6
MOST_EVENTS = 8


def evidence(api: KubeApi, namespace: str) -> list[str]:
    """Lines for a failure message; the worst first, bounded in number."""
    pods = [pod for pod in api.items(f"/api/v1/namespaces/{namespace}/pods") if not _pod_is_fine(pod)]
    lines: list[str] = []
    for pod in pods[:MOST_PODS]:
        lines += _pod_lines(api, pod)
    events = api.items(f"/api/v1/namespaces/{namespace}/events", fieldSelector="type=Warning")
    return lines + warning_lines(events)


def _pod_is_fine(pod: dict[str, t.Any]) -> bool:
    status = pod.get("status") or {}
    if status.get("phase") == "Succeeded":
        return True
    return any(c.get("type") == "Ready" and c.get("status") == "True" for c in status.get("conditions") or [])


def pod_reasons(pod: dict[str, t.Any]) -> list[tuple[str, str]]:
    """(container, why it does not run) of one pod; an unscheduled pod has one reason and no container."""
    status = pod.get("status") or {}
    for condition in status.get("conditions") or []:
        if condition.get("type") == "PodScheduled" and condition.get("status") == "False":
            return [("", f"not scheduled: {condition.get('message', 'no reason given')}")]
    reasons = []
    for container in (status.get("initContainerStatuses") or []) + (status.get("containerStatuses") or []):
        state = container.get("state") or {}
        ended = state.get("terminated") or (container.get("lastState") or {}).get("terminated") or {}
        waiting = state.get("waiting") or {}
        if waiting.get("reason") in ("PodInitializing", "ContainerCreating") and not ended:
            continue
        if waiting:
            text = f"{waiting.get('reason', 'waiting')} {waiting.get('message', '')}".strip()
            reasons.append((container["name"], text))
        elif ended and ended.get("exitCode") != 0:
            reasons.append(
                (container["name"], f"{ended.get('reason', 'ended')} with exit code {ended.get('exitCode')}")
            )
        elif "running" in state and not container.get("ready", True):
            reasons.append((container["name"], "runs, but its readiness probe fails"))
    return reasons


def _pod_lines(api: KubeApi, pod: dict[str, t.Any]) -> list[str]:
    metadata = pod["metadata"]
    lines = []
    for container, reason in pod_reasons(pod):
        lines.append(f"pod {metadata['name']}" + (f" container {container}" if container else "") + f": {reason}")
        if container and "ImagePull" not in reason:
            lines += [f"    | {line}" for line in _last_words(api, metadata["namespace"], metadata["name"], container)]
    return lines or [f"pod {metadata['name']}: {pod.get('status', {}).get('phase', 'Unknown')}, starting"]


def _last_words(api: KubeApi, namespace: str, pod: str, container: str) -> list[str]:
    path = f"/api/v1/namespaces/{namespace}/pods/{pod}/log"
    for previous in ("true", "false"):
        try:
            text = api.text(path, container=container, tailLines=str(LOG_LINES), previous=previous)
        except KubeError:  # no log yet, or none of an earlier run
            continue
        if text.strip():
            return [line[:LONGEST_LINE] for line in text.strip().splitlines()[-LOG_LINES:]]
    return []


def warning_lines(events: list[dict[str, t.Any]]) -> list[str]:
    """The newest warnings, each text once."""
    newest_first = sorted(events, key=lambda event: event.get("lastTimestamp") or "", reverse=True)
    lines: list[str] = []
    for event in newest_first:
        about = event.get("involvedObject") or {}
        subject = f"{about.get('kind', '')} {about.get('name', '')}"
        line = f"event {subject}: {event.get('reason', '')} {event.get('message', '')}"
        if line not in lines:
            lines.append(line)
    return lines[:MOST_EVENTS]
