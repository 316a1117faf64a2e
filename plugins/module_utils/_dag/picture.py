# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""A plan as a picture: Mermaid for Markdown pages, DOT for Graphviz."""

from __future__ import annotations

import json
import typing as t

from .durations import duration_text

FORMATS = ("mermaid", "dot")

# Reducing a graph to its necessary edges is quadratic (17 s at 10,000 nodes), and no one reads such a picture.
MAX_REDUCED_NODES = 500

_CRITICAL_COLOUR = "#c0392b"


class _Drawing(t.NamedTuple):
    """What both formats draw: boxes in frames, and arrows."""

    frames: dict[str, list[str]]
    identity: dict[str, str]
    label: dict[str, str]
    arrows: list[tuple[str, str]]
    critical_nodes: set[str]
    critical_arrows: set[tuple[str, str]]
    direction_note: str


def draw(plan: t.Mapping[str, t.Any], form: str) -> str:
    """The picture as text. Arrows that follow from others are left out."""
    drawing = _drawing(plan)
    return _mermaid(drawing) if form == "mermaid" else _dot(drawing)


def _drawing(plan: t.Mapping[str, t.Any]) -> _Drawing:
    nodes = plan["nodes"]
    frames: dict[str, list[str]] = {}
    for name in nodes:
        frames.setdefault(nodes[name]["stack"], []).append(name)
    chain = plan["critical_path"]["nodes"]
    # A chain may follow an arrow that the reduction leaves out; it is drawn all the same.
    critical_arrows = set(zip(chain, chain[1:]))
    arrows = sorted({*_necessary(plan), *critical_arrows})
    return _Drawing(
        frames={stack: frames[stack] for stack in sorted(frames)},
        identity={name: f"n{number}" for number, name in enumerate(nodes)},
        label={name: _label(node) for name, node in nodes.items()},
        arrows=arrows,
        critical_nodes=set(chain),
        critical_arrows=critical_arrows,
        direction_note="is removed before" if plan["action"] == "teardown" else "is Healthy before",
    )


def _label(node: t.Mapping[str, t.Any]) -> str:
    if node["kind"] == "resource":
        return str(node["name"])
    note = "bootstrap" if node["managed_by"] == "bootstrap" else duration_text(node["expected_seconds"])
    return f"{node['name']} ({note})"


def _necessary(plan: t.Mapping[str, t.Any]) -> set[tuple[str, str]]:
    """The edges that do not follow from other edges."""
    edges: list[tuple[str, str]] = list(map(tuple, plan["edges"]))
    if len(plan["nodes"]) > MAX_REDUCED_NODES:
        return set(edges)
    # Imported here because loading networkx takes longer than planning a platform.
    import networkx as nx

    return set(nx.transitive_reduction(nx.DiGraph(edges)).edges)


def _mermaid(drawing: _Drawing) -> str:
    lines = [
        f"%% an arrow points from what {drawing.direction_note} what it points at; red: the critical path",
        "flowchart LR",
    ]
    for number, (stack, names) in enumerate(drawing.frames.items()):
        lines.append(f'  subgraph s{number}["{stack}"]')
        lines += [f'    {drawing.identity[name]}["{drawing.label[name]}"]' for name in names]
        lines.append("  end")
    lines += [f"  {drawing.identity[first]} --> {drawing.identity[second]}" for first, second in drawing.arrows]
    critical = sorted(drawing.identity[name] for name in drawing.critical_nodes)
    lines.append(f"  classDef critical stroke:{_CRITICAL_COLOUR},stroke-width:3px")
    lines.append(f"  class {','.join(critical)} critical")
    numbers = [str(number) for number, arrow in enumerate(drawing.arrows) if arrow in drawing.critical_arrows]
    if numbers:
        lines.append(f"  linkStyle {','.join(numbers)} stroke:{_CRITICAL_COLOUR},stroke-width:3px")
    return "\n".join(lines) + "\n"


def _dot(drawing: _Drawing) -> str:
    lines = [
        f"// an arrow points from what {drawing.direction_note} what it points at; red: the critical path",
        "digraph platform {",
        '  graph [rankdir=LR, compound=true, fontname="sans-serif"]',
        '  node [shape=box, style=rounded, fontname="sans-serif"]',
    ]
    for number, (stack, names) in enumerate(drawing.frames.items()):
        lines += [f"  subgraph cluster_{number} {{", f"    label={json.dumps(stack)}"]
        for name in names:
            marked = f', color="{_CRITICAL_COLOUR}", penwidth=2' if name in drawing.critical_nodes else ""
            lines.append(f"    {drawing.identity[name]} [label={json.dumps(drawing.label[name])}{marked}]")
        lines.append("  }")
    for first, second in drawing.arrows:
        marked = f' [color="{_CRITICAL_COLOUR}", penwidth=2]' if (first, second) in drawing.critical_arrows else ""
        lines.append(f"  {drawing.identity[first]} -> {drawing.identity[second]}{marked}")
    return "\n".join([*lines, "}"]) + "\n"
