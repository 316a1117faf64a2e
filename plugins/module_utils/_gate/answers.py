# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""The verdicts that the gate gives in more than one situation."""

from __future__ import annotations

import typing as t

from .application import Application, Operation
from .moments import Moment, after, latest, moment_text, seconds_between, span
from .revisions import is_mixed, short
from .shortfall import Shortfall
from .verdict import FAILED, HARD_REFRESH, HEALTHY, LOOK, PROGRESSING, REFRESH, SYNC, SYNCED, Blocker, Verdict
from .wish import Wish

# Times have whole seconds: only a comparison in a later second has certainly begun after the operation ended.
TICK = 1.1
# Health changes show by themselves; what Git and the manifests say is asked for anew this often.
_REFRESH_EVERY = 15


class Observation(t.NamedTuple):
    application: Application
    # Argo CD has resolved the target and compared anew for this very answer.
    refreshed: bool
    # The server's clock
    now: Moment
    # Since when the driver has been looking, as far as it knows; bounds what no time in the Application bounds.
    looking_since: Moment


def is_own(operation: Operation | None, wish: Wish) -> bool:
    return operation is not None and operation.run == wish.run and operation.attempt > 0


def wait(seen: Observation, message: str, call: str, look_again: float, blockers: t.Iterable[Blocker] = ()) -> Verdict:
    app = seen.application
    is_busy = app.operation is not None and app.operation.in_progress
    if call == LOOK and not is_busy and seconds_between(app.compared_at, seen.now) >= _REFRESH_EVERY:
        call = REFRESH
    return Verdict(PROGRESSING, "Waiting", message, call, look_again, revision=app.revision, blockers=tuple(blockers))


def compare_anew(seen: Observation) -> Verdict:
    return wait(seen, "asking Argo CD to compare anew", REFRESH, 0)


def sync(seen: Observation, attempt: int, message: str) -> Verdict:
    return Verdict(PROGRESSING, "Syncing", message, SYNC, 0.5, attempt=attempt, revision=seen.application.revision)


def failed(
    seen: Observation, reason: str, message: str, verdict: str = FAILED, blockers: t.Iterable[Blocker] = ()
) -> Verdict:
    answer = Verdict(verdict, reason, message, revision=seen.application.revision, blockers=tuple(blockers))
    operation = seen.application.operation
    return answer if operation is None else with_times(answer, operation, seen.now)


def with_times(answer: Verdict, operation: Operation, healthy_at: Moment) -> Verdict:
    return answer._replace(
        attempt=operation.attempt,
        started=moment_text(operation.started) if operation.started else "",
        sync_seconds=seconds_between(operation.started, operation.finished),
        health_seconds=seconds_between(operation.finished, healthy_at),
    )


def bad_for(seen: Observation, wish: Wish, gap: Shortfall, since: Moment) -> Verdict:
    """A bad state fails the application once it has lasted for the grace time, and a refresh has confirmed it."""
    if "(cached)" in gap.message:
        return wait(seen, gap.message, HARD_REFRESH, 1.0, gap.blockers)
    left = (after(since, wish.grace) - seen.now).total_seconds()
    if left > 0:
        return wait(seen, f"{gap.message} (counts in {span(left)})", REFRESH, min(left, 5.0), gap.blockers)
    if not seen.refreshed:
        return wait(seen, gap.message, REFRESH, 0, gap.blockers)
    message = f"{gap.message} (for {span(seconds_between(since, seen.now))})"
    return failed(seen, gap.reason, message, gap.verdict, gap.blockers)


def good(seen: Observation, wish: Wish) -> Verdict:
    """Synced and Healthy: accepted when compared after the last operation, held for the settle time, and refreshed."""
    app, operation = seen.application, seen.application.operation
    ended = operation.finished if operation else None
    if app.compared_at is None or (ended and app.compared_at <= ended):
        return wait(seen, "Healthy, waiting for Argo CD to compare it again", REFRESH, TICK)
    healthy_since = latest(app.health_since, ended)
    if wish.health and healthy_since:
        settled = after(healthy_since, wish.settle)
        if seen.now < settled or (seen.refreshed and app.compared_at < settled):
            left = max(0.3, (settled - seen.now).total_seconds())
            return wait(seen, f"Healthy, holding for {wish.settle} s", REFRESH, left)
    if not seen.refreshed:
        return wait(seen, "Healthy, asking Argo CD to compare anew", REFRESH, 0)
    mixed = is_mixed(app, wish)
    verdict = HEALTHY if wish.health else SYNCED
    message = f"{verdict} at {short(app.revision)}"
    if not is_own(operation, wish):
        message = f"already {message}, nothing to do"
    if not app.has_resources:
        message += ", and it has no resources"
    if mixed:
        message += f"; the run began with {short(wish.revision or wish.resolved)}: its target has moved on since,"
        message += " this run has mixed revisions"
    answer = Verdict(verdict, verdict, message, revision=app.revision, mixed=mixed)
    if operation is None or not is_own(operation, wish) or healthy_since is None:
        return answer
    return with_times(answer, operation, healthy_since)


def pace(seen: Observation, since: Moment, settle: int = 0) -> float:
    """Often at first, when things happen, and less so the longer it takes: a hundredth of the wait is lost to it.

    Whoever waits for health loses nothing within the settle time: Healthy has to hold for longer anyway.
    """
    return min(5.0, max(0.5, settle / 2, seconds_between(since, seen.now) / 50))
