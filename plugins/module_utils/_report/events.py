# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""What Kubernetes has noted about the resources that keep a node from being Healthy. Reads only."""

from __future__ import annotations

import typing as t

from .._gate.safe_text import safe_text
from .._kube.api import KubeApi, KubeError

_MOST_EVENTS = 5
_LONGEST = 300

Resource = t.Mapping[str, t.Any]
Event = t.Mapping[str, t.Any]


def read_events(api: KubeApi, resources: t.Iterable[Resource]) -> dict[tuple[str, str, str], list[str]]:
    """The events of each resource by its kind, namespace and name; one request for each namespace."""
    by_namespace: dict[str, list[Event]] = {}
    found = {}
    for resource in resources:
        # Those about cluster-wide objects are in `default`.
        namespace = resource["namespace"] or "default"
        if namespace not in by_namespace:
            try:
                by_namespace[namespace] = list(api.items(f"/api/v1/namespaces/{namespace}/events"))
            except KubeError as error:
                # A report without events is better than none.
                by_namespace[namespace] = [{"reason": "Unreadable", "message": str(error), "involvedObject": None}]
        key = (resource["kind"], resource["namespace"], resource["name"])
        found[key] = event_lines(by_namespace[namespace], resource["name"])
    return found


def event_lines(events: t.Iterable[Event], name: str) -> list[str]:
    """Those about the object and what it owns (named after it): warnings first, the newest first, each text once."""
    about = [event for event in events if _concerns(event, name)]
    about.sort(key=_moment, reverse=True)
    about.sort(key=lambda event: event.get("type") != "Warning")
    lines: dict[str, None] = {}
    for event in about:
        subject = event.get("involvedObject") or {}
        count = event.get("count") or 1
        times = f"{count} times " if count > 1 else ""
        where = f" ({subject.get('kind')} {subject.get('name')})" if subject else ""
        line = f"{times}{event.get('type') or 'Note'} {event.get('reason') or ''}{where}: {event.get('message') or ''}"
        lines[safe_text(line, _LONGEST)] = None
    return list(lines)[:_MOST_EVENTS]


def _concerns(event: Event, name: str) -> bool:
    subject = event.get("involvedObject")
    if subject is None:
        return True
    other = str(subject.get("name") or "")
    return other == name or other.startswith(name + "-")


def _moment(event: Event) -> str:
    return str(
        event.get("lastTimestamp")
        or event.get("eventTime")
        or (event.get("metadata") or {}).get("creationTimestamp")
        or ""
    )
