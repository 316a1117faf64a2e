# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""What one check says, in the same words everywhere: report, text, failure message."""

from __future__ import annotations

import typing as t

BLOCKING = "blocking"
WARNING = "warning"

PASSED = "passed"
FAILED = "failed"
SKIPPED = "skipped"


class Check(t.NamedTuple):
    """The outcome of one check."""

    id: str
    title: str
    severity: str
    status: str
    found: str
    wanted: str
    fix: str
    reason: str

    @property
    def family(self) -> str:
        return self.id.split(".", 1)[0]

    @property
    def blocks(self) -> bool:
        return self.status == FAILED and self.severity == BLOCKING


class Unknown(t.NamedTuple):
    """Stands for a fact that could not be had."""

    reason: str
    # Another check already fails because of the same cause: do not fail a second time.
    reported: bool = False


class Rule(t.NamedTuple):
    """What a check is about, before anything was looked at."""

    id: str
    title: str
    wanted: str
    fix: str
    severity: str = BLOCKING

    def passed(self, found: str) -> Check:
        return self._check(PASSED, found=found)

    def failed(self, found: str, fix: str | None = None) -> Check:
        return self._check(FAILED, found=found, fix=fix or self.fix)

    def skipped(self, reason: str) -> Check:
        return self._check(SKIPPED, reason=reason)

    def judge(self, good: bool, found: str) -> Check:
        return self.passed(found) if good else self.failed(found)

    def unknown(self, fact: Unknown) -> Check:
        """Nobody may read «ready» because a question went unanswered."""
        if fact.reported:
            return self.skipped(fact.reason)
        return self.failed(f"not known: {fact.reason}")

    def _check(self, status: str, found: str = "", fix: str = "", reason: str = "") -> Check:
        return Check(self.id, self.title, self.severity, status, found, self.wanted, fix, reason)


def listing(items: t.Iterable[str], limit: int = 10) -> str:
    """Names in a sentence: enough of them to act on, not a wall of text."""
    names = sorted(set(items))
    if len(names) <= limit:
        return ", ".join(names)
    return f"{', '.join(names[:limit])} and {len(names) - limit} more"
