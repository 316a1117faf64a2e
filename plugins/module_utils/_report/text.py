# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""A report for a terminal: what is wrong, why, and what to do. What is in order is only counted. Pure."""

from __future__ import annotations

import textwrap
import typing as t

from .model import BUSY, IDLE, SKIPPED, Node, Report, complete, counts, nodes_of, number, place, span, troubled

WIDTH = 120
_MOST_NODES = 10
_MOST_LINES = 5


def report_text(given: t.Any) -> str:
    """Raises ReportError."""
    report = complete(given)
    blocks = [
        _head(report),
        [line for text in report["summary"] for line in _wrapped(text, "  ")],
        *[_trouble(node) for node in troubled(report)[:_MOST_NODES]],
        _more(len(troubled(report))),
        _not_started(report),
        _under_way(report),
        _findings(report),
        *[_listed(name, report[name]) for name in ("removed", "retained", "orphans")],
        _metrics(report),
        _next(report),
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def _head(report: Report) -> list[str]:
    where = " ".join(
        part
        for part in (
            report["scope"] or "platform",
            f"({report['strategy']})" if report["strategy"] else "",
            f"of {report['environment']}" if report["environment"] else "",
            f"on {report['cluster']}" if report["cluster"] else "",
        )
        if part
    )
    lines = [f"{report['kind']} {report['outcome'].upper()}: {where}"]
    told = [f"run {report['run']}"] if report["run"] else []
    told += [f"started {report['started']}"] if report["started"] else []
    told += [f"took {span(report['seconds'])}"] if span(report["seconds"]) else []
    if told:
        lines.append("  " + ", ".join(told))
    if report["nodes"]:
        states = ", ".join(f"{count} {state}" for state, count in counts(report))
        lines.append(f"  {len(report['nodes'])} nodes: {states}")
    return lines


def _trouble(node: Node) -> list[str]:
    place_in_graph = ", ".join(
        part
        for part in (
            f"stack {node['stack']}" if node["stack"] else "",
            f"wave {node['wave']}" if node["wave"] is not None else "",
            f"{node['attempts']} attempts" if (node["attempts"] or 0) > 1 else "",
        )
        if part
    )
    lines = [f"{node['state'].upper()}  {node['name']}" + (f"  ({place_in_graph})" if place_in_graph else "")]
    lines += _wrapped(node["message"], "    ")
    for resource in node["resources"][:_MOST_LINES]:
        status = f" is {resource['status']}" if resource["status"] else ""
        reason = f": {resource['message']}" if resource["message"] else ""
        lines += _wrapped(f"{place(resource)}{status}{reason}", "    ")
        for event in resource["events"][:_MOST_LINES]:
            lines += _wrapped(f"event: {event}", "      ")
    if node["because"]:
        lines += _wrapped("because of " + ", ".join(node["because"]), "    ")
    if node["recommendation"]:
        lines += _wrapped("what to do: " + node["recommendation"], "    ")
    return lines


def _more(count: int) -> list[str]:
    return [f"... and {count - _MOST_NODES} more"] if count > _MOST_NODES else []


def _not_started(report: Report) -> list[str]:
    """Skipped nodes, one line for those with the same reason."""
    reasons: dict[tuple[str, ...], list[str]] = {}
    for node in nodes_of(report, SKIPPED):
        reasons.setdefault(tuple(node["because"]), []).append(node["name"])
    lines = []
    for because, names in reasons.items():
        reason = f" (waits for {', '.join(because)})" if because else ""
        lines += _wrapped(f"{', '.join(names)}{reason}", "    ")
    return ["NOT STARTED", *lines] if lines else []


def _under_way(report: Report) -> list[str]:
    lines = []
    for node in nodes_of(report, BUSY)[:_MOST_NODES]:
        lines += _wrapped(f"{node['name']}: {node['message']}" if node["message"] else node["name"], "    ")
    waiting = nodes_of(report, IDLE)
    if waiting:
        lines.append(f"    {len(waiting)} wait for their turn")
    return ["UNDER WAY", *lines] if lines else []


def _findings(report: Report) -> list[str]:
    lines = []
    for finding in report["findings"]:
        lines += _wrapped(f"{finding['severity']}: {finding['where']}: {finding['found']}", "    ")
        if finding["wanted"]:
            lines += _wrapped(f"wanted: {finding['wanted']}", "      ")
        if finding["fix"]:
            lines += _wrapped(f"what to do: {finding['fix']}", "      ")
    return ["FINDINGS", *lines] if lines else []


def _listed(name: str, items: list[t.Any]) -> list[str]:
    if not items:
        return []
    return [name.upper(), *(line for item in items for line in _wrapped(_item(item), "    "))]


def _item(item: t.Any) -> str:
    if isinstance(item, dict):
        return ", ".join(f"{key} {value}" for key, value in item.items() if value not in (None, "", [], {}))
    return str(item)


def _metrics(report: Report) -> list[str]:
    if not report["metrics"]:
        return []
    told = ", ".join(f"{name} {number(value)}" for name, value in report["metrics"].items())
    return ["METRICS", *_wrapped(told, "    ")]


def _next(report: Report) -> list[str]:
    # Not wrapped: somebody will copy it.
    return ["WHAT TO DO NEXT", *(f"    {command}" for command in report["next"])] if report["next"] else []


def _wrapped(text: str, indent: str) -> list[str]:
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent + "  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
