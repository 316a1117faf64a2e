# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""A plan in words, for the person who is about to run it."""

from __future__ import annotations

import typing as t

from .durations import duration_text


def summarize(plan: t.Mapping[str, t.Any]) -> list[str]:
    """The lines of the summary."""
    nodes = plan["nodes"]
    lines = [_headline(plan)]
    if plan["requires"]:
        lines += ["", _requirement(plan["action"])]
        lines += [f"  {name}{_hint(plan, name)}" for name in plan["requires"]]
    width = max(len(name) for name in nodes)
    for number, wave in enumerate(plan["waves"]):
        longest = max(nodes[name]["expected_seconds"] for name in wave)
        lines += ["", f"Wave {number} ({_count(len(wave), 'node')}, about {duration_text(longest)})"]
        lines += [f"  {name:<{width}}  {_facts(nodes[name])}" for name in wave]
    path = plan["critical_path"]
    estimated = plan["estimated_seconds"]
    lines += [
        "",
        f"Critical path ({duration_text(path['seconds'])}): {' -> '.join(path['nodes'])}",
        f"Estimated time: {duration_text(estimated['waves'])} with strategy waves,"
        f" {duration_text(estimated['dag'])} with strategy dag",
        f"Digest: {plan['digest'][:12]}",
    ]
    return lines


def _headline(plan: t.Mapping[str, t.Any]) -> str:
    verb = "Deploy" if plan["action"] == "deploy" else "Remove"
    nodes = plan["nodes"].values()
    touched = sum(1 for node in nodes if node["kind"] == "application" and node["managed_by"] == "argocd")
    verified = len(plan["nodes"]) - touched
    also = f", {_count(verified, 'node')} only looked at" if verified else ""
    waves = _count(len(plan["waves"]), "wave")
    return (
        f"{verb} {plan['scope']}, strategy {plan['strategy']}: {_count(touched, 'application')} touched{also}, {waves}"
    )


def _requirement(action: str) -> str:
    if action == "deploy":
        return "Must be Healthy before anything starts (not deployed by this plan):"
    return "Must be gone before anything is removed (they depend on what this plan removes):"


def _hint(plan: t.Mapping[str, t.Any], name: str) -> str:
    if name in plan["required_nodes"]:
        return ""
    return "  (no application of the graph provides it: if one should, name it there under 'provides')"


def _facts(node: t.Mapping[str, t.Any]) -> str:
    if node["kind"] == "resource":
        return f"resource, provided by {', '.join(node['depends_on'])}"
    facts = [node["stack"], node["type"]]
    if node["managed_by"] == "bootstrap":
        facts.append("verified only: the bootstrap owns it")
    else:
        facts.append(f"about {duration_text(node['expected_seconds'])}")
    if node["application"] != node["name"]:
        facts.append(f"Application {node['application']}")
    return ", ".join(facts)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
