# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""What an Application still lacks to be Synced and Healthy: the status table of RFC 6.3."""

from __future__ import annotations

import typing as t

from .application import Application
from .moments import Moment
from .verdict import DEGRADED, FAILED, PROGRESSING, UNKNOWN, Blocker
from .wish import Wish

_SHOWN = 5

# What each health status of Argo CD other than Healthy means to the gate, and what a person can do about it.
_HEALTH = {
    "Progressing": (PROGRESSING, "is still Progressing"),
    "Degraded": (DEGRADED, "is Degraded"),
    "Missing": (FAILED, "is Missing: nothing of it exists in the cluster although its sync succeeded"),
    "Suspended": (FAILED, "is Suspended: a paused rollout or a suspended job does not become Healthy by itself"),
}
_UNKNOWN_HEALTH = (UNKNOWN, "has Unknown health: its health check failed or its cluster does not answer")


class Shortfall(t.NamedTuple):
    verdict: str
    reason: str
    message: str
    # Since when it has been so, as far as the Application tells
    since: Moment | None = None
    blockers: tuple[Blocker, ...] = ()


def find_shortfall(app: Application, wish: Wish) -> Shortfall | None:
    """None when it stands. Errors come first: without manifests Argo CD still calls what is running Healthy."""
    error = app.error()
    if error is not None:
        return Shortfall(UNKNOWN, error.type, f"{error.type}: {error.message}", error.since)
    if not app.is_compared_with_spec:
        return Shortfall(PROGRESSING, "SpecChanged", "Argo CD has not yet compared the changed Application")
    if app.sync_status == "Unknown":
        return Shortfall(UNKNOWN, "SyncUnknown", "Argo CD cannot tell whether it is in sync")
    differences = app.out_of_sync(wish.prune)
    if app.sync_status != "Synced" and (differences or wish.prune):
        message = ("is OutOfSync after its sync" if wish.sync else "is OutOfSync") + listed(differences)
        return Shortfall(FAILED, "OutOfSync", message, None, tuple(differences))
    if wish.health and app.health_status != "Healthy":
        verdict, message = _HEALTH.get(app.health_status, _UNKNOWN_HEALTH)
        blockers = tuple(app.unhealthy())
        return Shortfall(verdict, app.health_status, message + listed(blockers), app.health_since, blockers)
    return None


def listed(blockers: t.Sequence[Blocker]) -> str:
    """The first of them, for the end of a sentence."""
    if not blockers:
        return ""
    shown = "; ".join(blocker.text() for blocker in blockers[:_SHOWN])
    more = len(blockers) - _SHOWN
    return f": {shown}" + (f"; and {more} more" if more > 0 else "")
