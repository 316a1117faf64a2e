# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Who stands on what is not Healthy. Nothing is done to them: dependencies rule deployments only (RFC 3.7)."""

from __future__ import annotations

import typing as t

from .health import HEALTHY


def ancestors(needs: t.Mapping[str, t.Sequence[str]]) -> dict[str, frozenset[str]]:
    """For every node, all that it depends on, directly or not. `needs` has no cycles."""
    found: dict[str, frozenset[str]] = {}
    for name in needs:
        stack = [name]
        while stack:
            current = stack[-1]
            missing = [other for other in needs.get(current, ()) if other not in found]
            if missing:
                stack += missing
                continue
            stack.pop()
            direct = needs.get(current, ())
            found[current] = frozenset(direct).union(*(found[other] for other in direct))
    return found


def at_risk(needs: t.Mapping[str, t.Sequence[str]], states: t.Mapping[str, str]) -> dict[str, list[str]]:
    """Node -> what it depends on and is not Healthy; only nodes with such a dependency. Unjudged ones do not count."""
    ill = {name for name, state in states.items() if state != HEALTHY}
    above = ancestors(needs)
    found = {name: sorted(above.get(name, frozenset()) & ill) for name in states}
    return {name: causes for name, causes in found.items() if causes}


def roots_of_trouble(needs: t.Mapping[str, t.Sequence[str]], states: t.Mapping[str, str]) -> list[str]:
    """What is not Healthy although all that it depends on is: where to begin."""
    risks = at_risk(needs, states)
    return sorted(name for name, state in states.items() if state != HEALTHY and name not in risks)
