# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""What follows from the run's own operation on an Application: while it runs, when it failed, when it succeeded."""

from __future__ import annotations

import re

from .answers import TICK, Observation, bad_for, compare_anew, failed, good, pace, sync, wait
from .application import PENDING, TERMINATING, Operation
from .moments import after, latest, seconds_between, span
from .revisions import short
from .shortfall import find_shortfall, listed
from .verdict import FAILED, LOOK, PROGRESSING, REFRESH, TERMINATE, UNKNOWN, Verdict
from .wish import Wish

# How long a terminated operation may take to end.
_TERMINATION = 60
# How often a target may move on while its application is being deployed, on top of the attempts.
_MOVES = 2
_LONGEST_BACKOFF = 300

# No second try makes these right: the manifest has to change.
_is_lasting = re.compile(
    r"is invalid|immutable|strict decoding error|unknown field|error validating|unable to decode|error converting YAML"
    r"|error unmarshaling|not permitted in project|failed to generate manifest|Manifest generation error",
    re.IGNORECASE,
).search


def judge_running(seen: Observation, wish: Wish, operation: Operation) -> Verdict:
    since = operation.started or operation.requested or seen.looking_since
    deadline = after(since, wish.sync_timeout)
    waits_for = operation.unfinished()
    if seen.now < deadline:
        what = "sync requested" if operation.phase == PENDING else "syncing"
        tries = f" (attempt {operation.attempt} of {wish.attempts})" if operation.attempt > 1 else ""
        told = operation.message or "waiting for Argo CD to start it"
        return wait(seen, f"{what}{tries}: {told}", LOOK, pace(seen, since), waits_for)
    told = f" ({operation.message})" if operation.message else ""
    late = f"the sync has not ended within {span(wish.sync_timeout)}{told}"
    if operation.phase == PENDING:
        message = f"{late}: Argo CD never started it. Check its application controller, then run again"
        return failed(seen, "SyncTimeout", message)
    if seen.now >= after(deadline, _TERMINATION):
        message = f"{late}, and cannot be ended. Check Argo CD's application controller"
        return failed(seen, "SyncTimeout", message, FAILED, waits_for)
    if operation.phase == TERMINATING:
        return wait(seen, f"{late}: it is being ended", LOOK, 1.0, waits_for)
    return Verdict(PROGRESSING, "SyncTimeout", f"{late}: ending it", TERMINATE, 0.5, attempt=operation.attempt)


def judge_failure(seen: Observation, wish: Wish, operation: Operation) -> Verdict:
    failures = operation.failures()
    if seconds_between(operation.started, operation.finished) >= wish.sync_timeout:
        # A hook that was ended with its operation counts as failed from then on.
        waited_for = [*operation.unfinished(), *failures] or seen.application.unhealthy()
        message = f"the sync was ended after its timeout of {span(wish.sync_timeout)}{listed(waited_for)}"
        return failed(seen, "SyncTimeout", message, FAILED, waited_for)
    if operation.message.lower().startswith("operation terminat"):
        return failed(seen, "Terminated", f"its sync was ended by somebody: {operation.message}")
    told = operation.message + listed(failures)
    backoff = min(_LONGEST_BACKOFF, wish.backoff * 2 ** (operation.attempt - 1))
    left = (after(operation.finished or seen.looking_since, backoff) - seen.now).total_seconds()
    # The last: Argo CD does not take the next attempt up.
    if operation.attempt >= wish.attempts or _is_lasting(told) or left <= -wish.sync_timeout:
        tries = f" ({operation.attempt} attempts)" if operation.attempt > 1 else ""
        return failed(seen, "SyncFailed", f"the sync failed{tries}: {told}", FAILED, failures)
    if left > 0:
        message = f"attempt {operation.attempt} of {wish.attempts} failed, next in {span(left)}: {told}"
        return wait(seen, message, REFRESH, left, failures)
    if not seen.refreshed:
        return compare_anew(seen)
    return sync(seen, operation.attempt + 1, f"trying again, attempt {operation.attempt + 1} of {wish.attempts}")


def judge_success(seen: Observation, wish: Wish, operation: Operation) -> Verdict:
    """The operation is done; now Argo CD has to compare after it, and the result has to be good and to stay so."""
    app, now = seen.application, seen.now
    ended = operation.finished or seen.looking_since
    deadline = after(ended, wish.health_timeout)
    if app.compared_at is None or app.compared_at <= ended:
        return _judge_uncompared(seen, wish, operation)
    gap = find_shortfall(app, wish)
    if gap is None:
        if wish.health and (latest(app.health_since, ended) or ended) > deadline:
            message = f"became Healthy only after its health timeout of {span(wish.health_timeout)}"
            return failed(seen, "HealthTimeout", f"{message}. Run again: that costs no sync once it stays so")
        return good(seen, wish)
    if now >= deadline:
        message = f"not Healthy within {span(wish.health_timeout)} after its sync: {gap.message}"
        verdict = FAILED if gap.verdict == PROGRESSING else gap.verdict
        return failed(seen, "HealthTimeout", message, verdict, gap.blockers)
    if gap.reason == "OutOfSync" and app.revision != operation.revision and seen.refreshed:
        return _follow(seen, wish, operation)
    if gap.verdict == PROGRESSING:
        return wait(seen, gap.message, LOOK, pace(seen, ended, wish.settle), gap.blockers)
    # What was bad before the operation gets its grace all the same: the operation may be the cure.
    return bad_for(seen, wish, gap, latest(gap.since, ended) or ended)


def _judge_uncompared(seen: Observation, wish: Wish, operation: Operation) -> Verdict:
    ended = operation.finished or seen.looking_since
    if seen.now >= after(ended, wish.health_timeout):
        message = f"Argo CD has not compared it within {span(wish.health_timeout)} after its sync"
        return failed(seen, "HealthTimeout", f"{message}. Check its application controller", UNKNOWN)
    until_next_tick = max(0.0, (after(ended, TICK) - seen.now).total_seconds())
    look_again = until_next_tick or (1.0 if seen.refreshed else 0)
    return wait(seen, "synced, waiting for Argo CD to compare it again", REFRESH, look_again)


def _follow(seen: Observation, wish: Wish, operation: Operation) -> Verdict:
    """The target moved while it was being deployed: what was synced is no longer what is wanted."""
    revision = short(seen.application.revision)
    if operation.attempt >= wish.attempts + _MOVES:
        message = f"its target moved on again and again while it was being synced, now to {revision}"
        return failed(seen, "MovingTarget", f"{message}. Pin it to a commit, or run again when pushes have stopped")
    return sync(seen, operation.attempt + 1, f"its target moved to {revision}, syncing again")
