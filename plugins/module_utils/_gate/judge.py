# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""The gate's verdict: a pure function of what Argo CD says now, what the run wants, and the server's time.

It remembers nothing. Every deadline counts from a time that the Application carries itself, and the run's own
operation is known by its correlation id: whoever asks next, after whatever crash, gets the same answer.
"""

from __future__ import annotations

from .answers import Observation, bad_for, compare_anew, failed, good, is_own, pace, sync, wait
from .application import SUCCEEDED, Operation
from .moments import after, latest, moment_text, span
from .own_operation import judge_failure, judge_running, judge_success
from .revisions import pinned_elsewhere
from .shortfall import find_shortfall
from .verdict import FAILED, LOOK, PROGRESSING, Verdict
from .wish import Wish

# Errors that a sync of its own cannot get over: Argo CD does not know what to apply, or must not.
_NO_MANIFESTS = ("InvalidSpecError", "ComparisonError", "DeletionError", "UnknownError", "SyncUnknown")


def judge(seen: Observation, wish: Wish) -> Verdict:
    app, operation = seen.application, seen.application.operation
    if app.is_deleting:
        return failed(seen, "Deleting", "is being deleted. Wait until it is gone, or restore it, then run again")
    conflict = pinned_elsewhere(app, wish)
    if conflict:
        return failed(seen, "WrongRevision", conflict)
    if not wish.sync:
        return _judge_standing(seen, wish)
    if operation is None:
        return _judge_before(seen, wish)
    if operation.in_progress:
        return judge_running(seen, wish, operation) if is_own(operation, wish) else _judge_busy(seen, wish, operation)
    if not is_own(operation, wish):
        return _judge_before(seen, wish)
    if operation.phase == SUCCEEDED:
        return judge_success(seen, wish, operation)
    return judge_failure(seen, wish, operation)


def _judge_standing(seen: Observation, wish: Wish) -> Verdict:
    """Without an operation: Synced and Healthy now, proven by a refresh, or not."""
    operation = seen.application.operation
    if not seen.refreshed:
        return compare_anew(seen)
    if operation is not None and operation.in_progress:
        return failed(seen, "Busy", f"has an operation in progress, started by {operation.initiator}")
    gap = find_shortfall(seen.application, wish)
    if gap is not None:
        verdict = FAILED if gap.verdict == PROGRESSING else gap.verdict
        is_new = operation is None and gap.reason == "OutOfSync"
        message = "was never synced: deploy it first, or the whole platform" if is_new else gap.message
        return failed(seen, gap.reason, message, verdict, gap.blockers)
    return good(seen, wish)


def _judge_before(seen: Observation, wish: Wish) -> Verdict:
    """The run has no operation here: either the application already stands, or it gets one."""
    app, last = seen.application, seen.application.operation
    gap = find_shortfall(app, wish)
    # A sync that failed, or only pretended, may have left hooks undone that no comparison shows.
    is_proven = last is not None and last.phase == SUCCEEDED and not last.is_dry_run
    since = latest(app.health_since, last.finished if last else None)
    if is_proven and gap and gap.reason == "Progressing" and since and seen.now < after(since, wish.health_timeout):
        return wait(seen, f"is in sync, and {gap.message}", LOOK, pace(seen, since, wish.settle), gap.blockers)
    if not seen.refreshed:
        return compare_anew(seen)
    if gap is None and is_proven:
        answer = good(seen, wish)
    elif gap and gap.reason in _NO_MANIFESTS:
        answer = bad_for(seen, wish, gap, gap.since or seen.looking_since)
    else:
        answer = sync(seen, 1, "syncing")
    patience = wish.sync_timeout + wish.health_timeout
    if not answer.is_final and seen.now >= after(seen.looking_since, patience):
        because = f": {gap.message}" if gap else ""
        return failed(seen, "Timeout", f"could not be brought to stand within {span(patience)}{because}")
    return answer


def _judge_busy(seen: Observation, wish: Wish, operation: Operation) -> Verdict:
    """Somebody else's operation: waited for, never ended."""
    since = operation.started or seen.looking_since
    who = f"an operation of {operation.initiator}, running since {moment_text(since)}"
    told = f" ({operation.message})" if operation.message else ""
    if seen.now < after(since, wish.sync_timeout):
        return wait(seen, f"waiting for {who}{told}", LOOK, pace(seen, since))
    message = (
        f"is blocked by {who}{told}, which is longer than the sync timeout of {span(wish.sync_timeout)}."
        " The gate ends only its own operations:"
        f" end it with `argocd app terminate-op {seen.application.name}`, then run again"
    )
    return failed(seen, "Busy", message, FAILED, operation.unfinished())
