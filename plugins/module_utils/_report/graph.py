# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Where the nodes of a report stand in its picture: a column for each wave, neighbours side by side. Pure."""

from __future__ import annotations

import typing as t

from .model import Node

BOX_WIDTH, BOX_HEIGHT = 158, 28
_COLUMN, _ROW, _MARGIN, _TITLE = BOX_WIDTH + 34, BOX_HEIGHT + 10, 12, 22
_LONGEST_LABEL = 21
_SWEEPS = 4

Edge = tuple[int, int]


class Box(t.NamedTuple):
    number: int
    x: float
    y: float
    label: str


class Line(t.NamedTuple):
    before: int
    after: int
    path: str


class Picture(t.NamedTuple):
    width: float
    height: float
    boxes: list[Box]
    lines: list[Line]
    # The x of each column, and its wave
    columns: list[tuple[float, str]]


def picture(nodes: list[Node]) -> Picture:
    numbers = {node["name"]: number for number, node in enumerate(nodes)}
    needs = [
        sorted({numbers[name] for name in node["needs"] if name in numbers} - {numbers[node["name"]]}) for node in nodes
    ]
    levels = _levels(nodes, needs)
    edges = [(before, after) for before, after in _reduced(needs) if levels[before] < levels[after]]
    columns = _ordered(levels, edges)
    tallest = max((len(column) for column in columns), default=0)
    places: dict[int, tuple[float, float]] = {}
    for index, column in enumerate(columns):
        top = _MARGIN + _TITLE + (tallest - len(column)) * _ROW / 2
        places.update({number: (_MARGIN + index * _COLUMN, top + row * _ROW) for row, number in enumerate(column)})
    return Picture(
        2 * _MARGIN + max(0, len(columns) - 1) * _COLUMN + BOX_WIDTH,
        2 * _MARGIN + _TITLE + tallest * _ROW,
        [Box(number, *places[number], _label(nodes[number]["name"])) for number in range(len(nodes))],
        [Line(before, after, _path(places[before], places[after])) for before, after in edges],
        [(_MARGIN + index * _COLUMN, f"wave {index}") for index in range(len(columns))],
    )


def _levels(nodes: list[Node], needs: list[list[int]]) -> list[int]:
    """The waves where all are known, otherwise the length of the longest chain before a node."""
    waves = [node["wave"] for node in nodes]
    if all(isinstance(wave, int) for wave in waves):
        ranks = {wave: rank for rank, wave in enumerate(sorted(set(waves)))}
        return [ranks[wave] for wave in waves]
    levels = [0] * len(nodes)
    waiting = [len(before) for before in needs]
    dependents = _turned(needs)
    ready = [number for number, count in enumerate(waiting) if count == 0]
    while ready:
        number = ready.pop()
        for other in dependents[number]:
            levels[other] = max(levels[other], levels[number] + 1)
            waiting[other] -= 1
            if waiting[other] == 0:
                ready.append(other)
    return levels


def _turned(needs: list[list[int]]) -> list[list[int]]:
    dependents: list[list[int]] = [[] for _number in needs]
    for number, before in enumerate(needs):
        for other in before:
            dependents[other].append(number)
    return dependents


def _reduced(needs: list[list[int]]) -> list[Edge]:
    """Without the edges that follow from others: a stack that waits for a stack would fill the picture with lines."""
    behind: dict[int, int] = {}  # as bits, everything that a node waits for, at whatever distance

    def all_behind(number: int) -> int:
        stack = [number]
        while stack:
            top = stack[-1]
            missing = [other for other in needs[top] if other not in behind]
            # A cycle cannot be in a plan; a report that has one is drawn all the same.
            if missing and len(stack) <= len(needs):
                stack.extend(missing)
                continue
            stack.pop()
            bits = 0
            for other in needs[top]:
                bits |= 1 << other | behind.get(other, 0)
            behind[top] = bits
        return behind[number]

    edges = []
    for number, before in enumerate(needs):
        indirect = 0
        for other in before:
            indirect |= all_behind(other) & ~(1 << other)
        edges += [(other, number) for other in before if not indirect >> other & 1]
    return edges


def _ordered(levels: list[int], edges: list[Edge]) -> list[list[int]]:
    """Columns in which a node stands near the middle of its neighbours (barycentre method)."""
    columns: list[list[int]] = [[] for _level in range(max(levels, default=-1) + 1)]
    for number, level in enumerate(levels):
        columns[level].append(number)
    neighbours: list[list[int]] = [[] for _level in levels]
    for before, after in edges:
        neighbours[before].append(after)
        neighbours[after].append(before)
    position: dict[int, float] = {}
    for column in columns:
        position.update({number: row - len(column) / 2 for row, number in enumerate(column)})
    for sweep in range(_SWEEPS):
        for column in columns if sweep % 2 == 0 else reversed(columns):
            middle = {
                number: sum(position[other] for other in neighbours[number]) / len(neighbours[number])
                if neighbours[number]
                else position[number]
                for number in column
            }
            column.sort(key=lambda number, middle=middle: (middle[number], number))  # type: ignore[misc]
            position.update({number: row - len(column) / 2 for row, number in enumerate(column)})
    return columns


def _path(start: tuple[float, float], end: tuple[float, float]) -> str:
    x1, y1 = start[0] + BOX_WIDTH, start[1] + BOX_HEIGHT / 2
    x2, y2 = end[0], end[1] + BOX_HEIGHT / 2
    bend = min((x2 - x1) / 2, 90)
    return f"M{x1:g} {y1:g}C{x1 + bend:g} {y1:g} {x2 - bend:g} {y2:g} {x2:g} {y2:g}"


def _label(name: str) -> str:
    name = name[len("resource:") :] if name.startswith("resource:") else name
    return name if len(name) <= _LONGEST_LABEL else name[: _LONGEST_LABEL - 1] + "…"
