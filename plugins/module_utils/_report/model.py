# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""The report: one structure for deploy, validate and teardown, and what all of its renderers need. Pure.

docs/report.md describes the structure. Only schema, kind and outcome must be there; `complete` fills in the rest.
"""

from __future__ import annotations

import typing as t

Report = dict[str, t.Any]
Node = dict[str, t.Any]

SCHEMA = 1
OUTCOMES: t.Mapping[str, tuple[str, ...]] = {
    "deploy": ("Running", "Succeeded", "Partial", "Failed"),
    "validate": ("Healthy", "Degraded", "Unhealthy"),
    "teardown": ("Running", "Complete", "Partial", "Failed"),
}

# How a state is to be read, whatever the kind of report: what a person looks for first comes first.
BAD, WARNING, BUSY, SKIPPED, IDLE, KEPT, GOOD = "bad", "warning", "busy", "skipped", "idle", "kept", "good"
_TONES = {
    "Failed": BAD,
    "Degraded": BAD,
    "Missing": BAD,
    "Unhealthy": BAD,
    "Progressing": WARNING,
    "Suspended": WARNING,
    "Unknown": WARNING,
    "Partial": WARNING,
    "Running": BUSY,
    "Skipped": SKIPPED,
    "Waiting": IDLE,
    "Retained": KEPT,
    "Healthy": GOOD,
    "Removed": GOOD,
    "Succeeded": GOOD,
    "Complete": GOOD,
}
_ORDER = (BAD, WARNING, BUSY, SKIPPED, IDLE, KEPT, GOOD)

_REPORT: Report = {
    "environment": "",
    "cluster": "",
    "scope": "",
    "strategy": "",
    "run": "",
    "started": "",
    "finished": "",
    "seconds": None,
    "summary": [],
    "nodes": [],
    "stacks": [],
    "findings": [],
    "metrics": {},
    "retained": [],
    "removed": [],
    "orphans": [],
    "next": [],
}
_NODE: Node = {
    "name": "",
    "stack": "",
    "kind": "application",
    "wave": None,
    "needs": [],
    "state": "Unknown",
    "started": "",
    "finished": "",
    "sync_seconds": None,
    "health_seconds": None,
    "attempts": None,
    "synced": None,
    "revision": "",
    "message": "",
    "resources": [],
    "recommendation": "",
    "because": [],
    "log": [],
}
_RESOURCE = {"kind": "", "namespace": "", "name": "", "status": "", "message": "", "events": []}
_STACK = {"name": "", "state": "Unknown", "nodes": 0, "healthy": 0}
_FINDING = {"id": "", "severity": "info", "where": "", "found": "", "wanted": "", "fix": ""}


class ReportError(Exception):
    """What was given is no report; the message says what is missing."""


def complete(given: t.Any) -> Report:
    """The report with every key, plain text that any format can hold, and nothing shared with what was given."""
    if not isinstance(given, t.Mapping):
        raise ReportError(f"a report is a mapping, not {type(given).__name__}")
    if given.get("schema") != SCHEMA:
        raise ReportError(f"schema must be {SCHEMA}, not {given.get('schema')!r}")
    kind = str(given.get("kind"))
    if kind not in OUTCOMES:
        raise ReportError(f"kind must be one of {', '.join(OUTCOMES)}, not {kind}")
    if given.get("outcome") not in OUTCOMES[kind]:
        raise ReportError(f"outcome of {kind} must be one of {', '.join(OUTCOMES[kind])}, not {given.get('outcome')!r}")
    report = _filled(given, {**_REPORT, "schema": SCHEMA, "kind": "", "outcome": ""}, "the report")
    report["nodes"] = [_node(node) for node in report["nodes"]]
    report["stacks"] = [_filled(stack, _STACK, "stacks") for stack in report["stacks"]]
    report["findings"] = [_filled(finding, _FINDING, "findings") for finding in report["findings"]]
    return report


def _node(given: t.Any) -> Node:
    node = _filled(given, _NODE, "nodes")
    node["resources"] = [_filled(resource, _RESOURCE, "resources") for resource in node["resources"]]
    return node


def _filled(given: t.Any, defaults: t.Mapping[str, t.Any], where: str) -> dict[str, t.Any]:
    if not isinstance(given, t.Mapping):
        raise ReportError(f"{where}: each must be a mapping, not {type(given).__name__}")
    values = {key: given[key] for key in defaults if given.get(key) is not None}
    for key, default in defaults.items():
        if isinstance(default, list) and not isinstance(values.get(key, []), (list, tuple)):
            raise ReportError(f"{where}: {key} must be a list, not {type(values[key]).__name__}")
        if isinstance(default, dict) and not isinstance(values.get(key, {}), t.Mapping):
            raise ReportError(f"{where}: {key} must be a mapping, not {type(values[key]).__name__}")
    return {key: plain(values.get(key, default)) for key, default in defaults.items()}


def plain(value: t.Any) -> t.Any:
    """Without the types of Ansible, and without the characters that XML, HTML and UTF-8 cannot hold."""
    if isinstance(value, t.Mapping):
        return {str(plain(key)): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, (bool, int, float)) or value is None:
        return value
    return "".join(character if _is_text(character) else "\N{REPLACEMENT CHARACTER}" for character in str(value))


def _is_text(character: str) -> bool:
    code = ord(character)
    if code < 0xA0:
        return 0x20 <= code < 0x7F or character in "\t\n"
    return not (0xD800 <= code <= 0xDFFF or 0xFDD0 <= code <= 0xFDEF or code & 0xFFFE == 0xFFFE)


def tone(state: str) -> str:
    """How to read a state of a node or a stack."""
    return _TONES.get(state, WARNING)


def outcome_tone(report: Report) -> str:
    """Degraded is a platform that works and a node that does not."""
    return WARNING if report["outcome"] == "Degraded" else tone(report["outcome"])


def nodes_of(report: Report, *tones: str) -> list[Node]:
    return [node for node in report["nodes"] if tone(node["state"]) in tones]


def troubled(report: Report) -> list[Node]:
    """What somebody has to look at, the worst first."""
    return [*nodes_of(report, BAD), *nodes_of(report, WARNING)]


def counts(report: Report) -> list[tuple[str, int]]:
    """How many nodes are in each state; the worst first."""
    found: dict[str, int] = {}
    for node in report["nodes"]:
        found[node["state"]] = found.get(node["state"], 0) + 1
    return sorted(found.items(), key=lambda item: (_ORDER.index(tone(item[0])), item[0]))


def place(resource: t.Mapping[str, t.Any]) -> str:
    name = f"{resource['namespace']}/{resource['name']}" if resource["namespace"] else resource["name"]
    return f"{resource['kind']} {name}".strip()


def span(seconds: t.Any) -> str:
    """Seconds as a person says them; empty for none."""
    if seconds is None or isinstance(seconds, (str, bool)):
        return ""
    if not abs(seconds) <= 10**9:  # not a number, or no time that a run could take
        return ""
    if 0 < seconds < 10:
        return f"{seconds:.3g} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s" if whole % 60 else f"{whole // 60} min"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def number(value: t.Any) -> str:
    """A metric as a person writes it."""
    if isinstance(value, float):
        return f"{value:.2f}".rstrip("0").rstrip(".") if abs(value) < 10**12 else f"{value:g}"
    return str(value)
