# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""A look at everything that a run is for, before it starts: what the targets resolve to, and whether anything is to do.

It changes nothing. Where all of it stands the run is over: its order matters only to what has to be synced.
"""

from __future__ import annotations

import concurrent.futures
import typing as t

from .request import SYNC, Request
from .retry import Clock
from .verdict import FAILED, LOOK, OPEN, PROGRESSING, STANDING, Verdict

_AT_ONCE = 10
# Seconds after which a step begins no further look: the agent that asks the plugin waits 30 s, a look may take most.
_STEP = 5.0
_SHOWN = 5

Look = t.Callable[[Request], Verdict]


class Survey:
    def __init__(self, nodes: t.Sequence[Request], clock: Clock | None = None) -> None:
        self._nodes = list(dict.fromkeys(nodes))
        self._clock = clock or Clock()
        self._seen: dict[Request, Verdict] = {}

    def advance(self, look: Look) -> Verdict:
        """Look at as many of the nodes as fit into one step."""
        deadline = self._clock.monotonic() + _STEP

        def look_in_time(node: Request) -> Verdict | None:
            return look(node) if self._clock.monotonic() < deadline else None

        left = [node for node in self._nodes if node not in self._seen]
        with concurrent.futures.ThreadPoolExecutor(_AT_ONCE) as pool:
            found = {node: verdict for node, verdict in zip(left, pool.map(look_in_time, left)) if verdict is not None}
        outages = [verdict for verdict in found.values() if verdict.transient]
        if outages:
            return outages[0]
        self._seen.update(found)
        if len(self._seen) < len(self._nodes):
            message = f"looking at what stands: {len(self._seen)} of {len(self._nodes)}"
            return Verdict(PROGRESSING, "Waiting", message, LOOK, 0)
        return self._result()

    def _result(self) -> Verdict:
        # An Application that is not there, or not ours to sync: no order of the others changes that.
        refused = [verdict.message for verdict in self._seen.values() if verdict.reason == "Refused"]
        if refused:
            return Verdict(FAILED, "Refused", _listed(refused, "; "))
        revisions = {
            node.wish.application: verdict.revision
            for node, verdict in self._seen.items()
            if node.do == SYNC and verdict.revision
        }
        to_do = [node.node for node, verdict in self._seen.items() if not (verdict.is_final and verdict.is_good)]
        if not to_do:
            message = f"all {len(self._nodes)} nodes stand, nothing to do"
            return Verdict(STANDING, "Standing", message, revisions=revisions)
        message = f"{len(to_do)} of {len(self._nodes)} nodes are to do: {_listed(to_do, ', ')}"
        return Verdict(OPEN, "Open", message, revisions=revisions)


def _listed(texts: t.Sequence[str], between: str) -> str:
    more = len(texts) - _SHOWN
    return between.join(texts[:_SHOWN]) + (f" and {more} more" if more > 0 else "")
