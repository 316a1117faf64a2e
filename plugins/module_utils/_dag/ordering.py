# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Topological order, levels and longest chain of a graph of names.

Why not a library: graphlib takes three times as long, and importing networkx alone takes longer than planning a
platform (tests/benchmark/plan.py prints both). Names become numbers in alphabetical order, because lists of small
integers are walked faster than dictionaries of strings, and because sorting numbers then sorts names.
"""

from __future__ import annotations

import heapq
import typing as t

Numbers = list[int]


class Ordering:
    """What comes before what. Names that are no keys of the mapping are ignored.

    In levels every node comes as early as possible: level 0 waits for nothing, each level only for earlier ones.
    Nodes in a cycle, and all that come after them, are in no level.
    """

    def __init__(self, before: t.Mapping[str, t.Iterable[str]]) -> None:
        self.names = sorted(before)
        number_of = {name: number for number, name in enumerate(self.names)}
        self.after: list[Numbers] = [[] for _name in self.names]
        self._before_count: Numbers = []
        for number, name in enumerate(self.names):
            known = [number_of[other] for other in before[name] if other in number_of]
            self._before_count.append(len(known))
            for other in known:
                self.after[other].append(number)
        self.levels = self._find_levels()

    def named(self, numbers: t.Iterable[int]) -> list[str]:
        return [self.names[number] for number in numbers]

    def edges(self) -> list[list[str]]:
        """Pairs of names, the first before the second, in alphabetical order."""
        names = self.names
        return [[names[number], names[other]] for number, others in enumerate(self.after) for other in others]

    def by_priority(self, priority: t.Sequence[int]) -> Numbers:
        """A topological order in which, of all that could come next, the highest priority comes first."""
        waiting = list(self._before_count)
        ready = [(-priority[number], number) for number, count in enumerate(waiting) if count == 0]
        heapq.heapify(ready)
        order = []
        while ready:
            number = heapq.heappop(ready)[1]
            order.append(number)
            for other in self._set_free([number], waiting):
                heapq.heappush(ready, (-priority[other], other))
        return order

    def remaining(self, weight: t.Sequence[int]) -> Numbers:
        """For every node, the weight of the heaviest chain that begins with it."""
        remaining = [0] * len(self.names)
        for level in reversed(self.levels):
            for number in level:
                remaining[number] = weight[number] + max([remaining[other] for other in self.after[number]], default=0)
        return remaining

    def heaviest_chain(self, remaining: t.Sequence[int]) -> Numbers:
        """The chain with the largest weight; among equals the one that comes first in the alphabet."""
        chain: Numbers = []
        candidates = self.levels[0]
        while candidates:
            number = min(candidates, key=lambda candidate: (-remaining[candidate], candidate))
            chain.append(number)
            candidates = self.after[number]
        return chain

    def _find_levels(self) -> list[Numbers]:
        waiting = list(self._before_count)
        level = [number for number, count in enumerate(waiting) if count == 0]
        found = []
        while level:
            found.append(level)
            level = sorted(self._set_free(level, waiting))
        return found

    def _set_free(self, done: t.Iterable[int], waiting: Numbers) -> Numbers:
        """Count down what waits for the nodes that are done; those that wait for nothing more."""
        free = []
        for number in done:
            for other in self.after[number]:
                waiting[other] -= 1
                if waiting[other] == 0:
                    free.append(other)
        return free
