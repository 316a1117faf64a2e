# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""A report as JUnit XML, for the pages that continuous integration makes of it: a test case for each node. Pure."""

from __future__ import annotations

import typing as t
from xml.etree import ElementTree

from .model import BAD, BUSY, IDLE, SKIPPED, WARNING, Node, Report, complete, outcome_tone, place, tone
from .moments import between

Element = ElementTree.Element


def report_junit(given: t.Any) -> str:
    """Raises ReportError."""
    report = complete(given)
    suites = [_suite(report, "nodes", [_node_case(node) for node in report["nodes"]], report["seconds"])]
    if report["findings"]:
        suites.append(_suite(report, "findings", [_finding_case(finding) for finding in report["findings"]], 0))
    if outcome_tone(report) in (BAD, WARNING) and all(suite.get("failures") == "0" for suite in suites):
        # It ended before any node: nobody may take that for a success.
        suites.append(_suite(report, "outcome", [_outcome_case(report)], 0))
    root = ElementTree.Element("testsuites", {"name": f"deploy_ops {report['kind']}"})
    root.extend(suites)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _suite(report: Report, name: str, cases: list[Element], seconds: t.Any) -> Element:
    attributes = {
        "name": f"{report['kind']} {name}",
        "tests": str(len(cases)),
        "failures": str(sum(case.find("failure") is not None for case in cases)),
        "errors": "0",
        "skipped": str(sum(case.find("skipped") is not None for case in cases)),
        "time": _seconds(seconds),
    }
    if report["started"]:
        attributes["timestamp"] = report["started"].rstrip("Z")
    suite = ElementTree.Element("testsuite", attributes)
    properties = ElementTree.SubElement(suite, "properties")
    for key in ("outcome", "environment", "cluster", "scope", "strategy", "run"):
        if report[key]:
            ElementTree.SubElement(properties, "property", {"name": key, "value": str(report[key])})
    for key, value in report["metrics"].items():
        ElementTree.SubElement(properties, "property", {"name": key, "value": str(value)})
    suite.extend(cases)
    return suite


def _node_case(node: Node) -> Element:
    case = ElementTree.Element(
        "testcase",
        {
            "classname": str(node["stack"] or node["kind"]),
            "name": str(node["name"]),
            "time": _seconds(between(node["started"], node["finished"])),
        },
    )
    how = tone(node["state"])
    if how in (BAD, WARNING):
        failure = ElementTree.SubElement(case, "failure", {"type": node["state"], "message": node["message"]})
        failure.text = "\n".join(_evidence(node))
    elif how in (SKIPPED, IDLE, BUSY):
        ElementTree.SubElement(case, "skipped", {"message": _why_not(node)})
    elif node["message"]:
        ElementTree.SubElement(case, "system-out").text = node["message"]
    return case


def _evidence(node: Node) -> list[str]:
    lines = [node["message"]] if node["message"] else []
    for resource in node["resources"]:
        reason = f": {resource['message']}" if resource["message"] else ""
        lines.append(f"{place(resource)} is {resource['status']}{reason}")
        lines += [f"  event: {event}" for event in resource["events"]]
    if node["recommendation"]:
        lines.append(f"What to do: {node['recommendation']}")
    return lines


def _why_not(node: Node) -> str:
    if node["because"]:
        return f"{node['state']}: waits for {', '.join(node['because'])}"
    return f"{node['state']}: {node['message']}" if node["message"] else str(node["state"])


def _outcome_case(report: Report) -> Element:
    case = ElementTree.Element("testcase", {"classname": report["kind"], "name": "outcome", "time": "0"})
    message = " ".join(report["summary"][:1]) or report["outcome"]
    failure = ElementTree.SubElement(case, "failure", {"type": report["outcome"], "message": message})
    failure.text = "\n".join(report["summary"])
    return case


def _finding_case(finding: dict[str, t.Any]) -> Element:
    case = ElementTree.Element(
        "testcase", {"classname": str(finding["where"]), "name": str(finding["id"] or finding["found"]), "time": "0"}
    )
    told = [f"{word}: {finding[word]}" for word in ("found", "wanted", "fix") if finding[word]]
    if finding["severity"] == "blocking":
        failure = ElementTree.SubElement(case, "failure", {"type": "blocking", "message": str(finding["found"])})
        failure.text = "\n".join(told)
    else:
        ElementTree.SubElement(case, "system-out").text = "\n".join([f"severity: {finding['severity']}", *told])
    return case


def _seconds(value: t.Any) -> str:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < 10**9
    return f"{value:.3f}".rstrip("0").rstrip(".") if is_number else "0"
