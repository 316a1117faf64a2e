# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Command line tools on the host that runs the bootstrap (RFC 3.2.1)."""

from __future__ import annotations

import typing as t

from . import semver
from .check import Check, Rule


class Tool(t.NamedTuple):
    name: str
    arguments: tuple[str, ...]
    minimum: str
    purpose: str


# The verification commands are those of the RFC.
TOOLS = (
    Tool("ansible-playbook", ("--version",), "2.15", "runs the playbooks"),
    Tool("kubectl", ("version", "--client"), "1.28", "access to the Kubernetes API"),
    Tool("helm", ("version", "--short"), "3.12", "installs the charts"),
    Tool("kubeseal", ("--version",), "0.24", "encrypts secrets"),
    Tool("jq", ("--version",), "1.6", "reads JSON"),
    Tool("yq", ("--version",), "4.0", "reads YAML"),
)


class ToolFact(t.NamedTuple):
    """What a tool said when asked for its version; ``path`` is empty when it is not there."""

    path: str
    output: str = ""
    problem: str = ""


def evaluate(facts: t.Mapping[str, ToolFact]) -> list[Check]:
    return [_judge(tool, facts[tool.name]) for tool in TOOLS]


def _judge(tool: Tool, fact: ToolFact) -> Check:
    rule = Rule(
        id=f"tools.{tool.name}",
        title=f"{tool.name} ({tool.purpose})",
        wanted=f"{tool.name} {tool.minimum} or newer on PATH",
        fix=f"Install {tool.name} {tool.minimum} or newer and put it on the PATH of the host that runs the playbook.",
    )
    if not fact.path:
        return rule.failed("not on PATH")
    if fact.problem:
        return rule.failed(f"{fact.path}: {fact.problem}")
    first_line = fact.output.strip().split("\n", 1)[0][:100]
    if tool.name == "yq" and "mikefarah" not in fact.output:
        return rule.failed(
            f"{fact.path}: «{first_line}»: another program of the same name",
            fix="Put yq 4 by Mike Farah (github.com/mikefarah/yq) in front on PATH. Debian's and PyPI's «yq» "
            "is a wrapper around jq.",
        )
    good = semver.at_least(fact.output, tool.minimum)
    if good is None:
        return rule.failed(f"{fact.path}: no version in «{first_line}»")
    return rule.judge(good, f"{_number(fact.output)} ({fact.path})")


def _number(output: str) -> str:
    return ".".join(str(part) for part in semver.parse(output) or ())
