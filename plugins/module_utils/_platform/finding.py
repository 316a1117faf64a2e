# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""One thing that is not as it should be: what, where, and how to put it right."""

from __future__ import annotations

import typing as t

# An invariant does not hold, or nobody could find out whether it does: the platform counts as Degraded at best.
BLOCKING = "blocking"
# To be put right, and nothing is broken by it today.
WARNING = "warning"
# Good to know.
INFO = "info"

_RANK = (BLOCKING, WARNING, INFO)


class Finding(t.NamedTuple):
    id: str
    severity: str
    where: str
    found: str
    wanted: str
    fix: str

    @property
    def order(self) -> tuple[int, str, str]:
        """The worst first, then by place: the same platform gives the same list."""
        return _RANK.index(self.severity), self.id, self.where


def not_known(what: str, reason: str, fix: str) -> Finding:
    """A question without an answer is not a pass."""
    return Finding(f"not-known.{what}", BLOCKING, what, f"not known: {reason}", "an answer", fix)
