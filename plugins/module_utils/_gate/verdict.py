# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""What the gate says about an Application, in the words of RFC 6.3."""

from __future__ import annotations

import typing as t

HEALTHY = "Healthy"
SYNCED = "Synced"  # as good, where health is not waited for
PROGRESSING = "Progressing"
DEGRADED = "Degraded"
FAILED = "Failed"
UNKNOWN = "Unknown"

# About the authority over a project: it was set by this step, it was there before, it is given back.
TAKEN = "taken"
HELD = "held"
RELEASED = "released"

# About everything that a run is for, before it starts: nothing is left to do, or something is.
STANDING = "standing"
OPEN = "open"

# About what a teardown meets: it is gone, or it stays on purpose.
REMOVED = "Removed"
RETAINED = "Retained"

# What to do next: look, look after Argo CD has compared anew (hard: without its cache), or act first.
LOOK = "look"
REFRESH = "refresh"
HARD_REFRESH = "hard-refresh"
SYNC = "sync"
TERMINATE = "terminate"


class Blocker(t.NamedTuple):
    """A resource that keeps an Application from being done."""

    kind: str
    name: str
    namespace: str
    status: str
    message: str

    def text(self) -> str:
        place = f"{self.namespace}/{self.name}" if self.namespace else self.name
        return f"{self.kind} {place} is {self.status}" + (f": {self.message}" if self.message else "")


class Verdict(t.NamedTuple):
    verdict: str
    # One word that programs can rely on, such as HealthTimeout
    reason: str
    message: str
    call: str = LOOK
    look_again: float = 1.0
    # The attempt that `call` starts, or the last one that was made by this run
    attempt: int = 0
    revision: str = ""
    # It stands at something else than its target resolved to when the run began.
    mixed: bool = False
    started: str = ""
    sync_seconds: int = 0
    health_seconds: int = 0
    blockers: tuple[Blocker, ...] = ()
    # The failure is nobody's fault who could fix it: trying again later may do.
    transient: bool = False
    # This step has asked Argo CD for a sync.
    synced: bool = False
    # What the targets resolve to, by Application; for a survey.
    revisions: t.Mapping[str, str] | None = None

    @property
    def is_final(self) -> bool:
        return self.verdict != PROGRESSING

    @property
    def is_good(self) -> bool:
        return self.verdict in (HEALTHY, SYNCED, TAKEN, HELD, RELEASED, STANDING, OPEN, REMOVED, RETAINED)
