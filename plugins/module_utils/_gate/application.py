# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""An Argo CD Application as the API returns it, read the way the gate needs it."""

from __future__ import annotations

import typing as t

from .moments import Moment, parse_moment
from .safe_text import safe_text
from .verdict import Blocker
from .wish import REQUESTED_INFO, RUN_INFO

PENDING = "Pending"  # ours: requested, and not yet taken up by the controller
RUNNING = "Running"
TERMINATING = "Terminating"
SUCCEEDED = "Succeeded"

# What matters most comes first.
_ERROR_CONDITIONS = ("InvalidSpecError", "ComparisonError", "DeletionError", "UnknownError", "SyncError")


class Condition(t.NamedTuple):
    type: str
    message: str
    since: Moment | None


class Operation:
    """The latest operation of an Application, whoever asked for it."""

    def __init__(self, request: dict[str, t.Any], state: dict[str, t.Any]) -> None:
        infos = {item.get("name"): item.get("value", "") for item in request.get("info") or []}
        self.run, _slash, attempt = infos.get(RUN_INFO, "").rpartition("/")
        self.attempt = int(attempt) if attempt.isdigit() else 0
        self.requested = parse_moment(infos.get(REQUESTED_INFO))
        self.phase: str = state.get("phase") or PENDING
        self.message = safe_text(state.get("message"))
        self.started = parse_moment(state.get("startedAt"))
        # Both are always written together with the phase; a wait must end even if they once were not.
        self.finished = parse_moment(state.get("finishedAt")) or (None if self.in_progress else self.started)
        sync = request.get("sync") or {}
        self.is_dry_run = bool(sync.get("dryRun"))
        self._result = state.get("syncResult") or {}
        self.revision = revisions_text(self._result)
        initiator = request.get("initiatedBy") or {}
        self.initiator = "Argo CD itself" if initiator.get("automated") else initiator.get("username") or "somebody"

    @property
    def in_progress(self) -> bool:
        """Running with an end is an operation that waits for its own retry, not one that has ended."""
        return self.phase in (PENDING, RUNNING, TERMINATING)

    def failures(self) -> list[Blocker]:
        """What could not be applied, and the hooks that failed."""
        return [
            _blocker(item, item.get("status") if item.get("status") == "SyncFailed" else item.get("hookPhase"), item)
            for item in self._result.get("resources") or []
            if item.get("status") == "SyncFailed" or item.get("hookPhase") in ("Failed", "Error")
        ]

    def unfinished(self) -> list[Blocker]:
        """What the operation waits for between its waves."""
        return [
            _blocker(item, "not done", item)
            for item in self._result.get("resources") or []
            if item.get("hookPhase") == RUNNING
        ]


class Application:
    def __init__(self, raw: dict[str, t.Any]) -> None:
        self._spec = raw.get("spec") or {}
        self._status = raw.get("status") or {}
        self._sync = self._status.get("sync") or {}
        health = self._status.get("health") or {}
        self.name: str = (raw.get("metadata") or {}).get("name", "")
        self.is_deleting = bool((raw.get("metadata") or {}).get("deletionTimestamp"))
        self.operation = _operation(raw.get("operation") or {}, self._status.get("operationState") or {})
        self.sync_status: str = self._sync.get("status") or "Unknown"
        self.health_status: str = health.get("status") or "Unknown"
        self.health_since = parse_moment(health.get("lastTransitionTime"))
        self.compared_at = parse_moment(self._status.get("reconciledAt"))
        self.revision = revisions_text(self._sync)

    @property
    def sources(self) -> list[dict[str, t.Any]]:
        return self._spec.get("sources") or [self._spec.get("source") or {}]

    @property
    def is_compared_with_spec(self) -> bool:
        """Whether the status is about the Application as it is written now."""
        compared = self._sync.get("comparedTo") or {}
        return all(
            (_without_empty(compared.get(key)) or None) == (_without_empty(self._spec.get(key)) or None)
            for key in ("source", "sources", "destination")
        )

    def error(self) -> Condition | None:
        """The error condition that matters most, if it is about now."""
        conditions = [
            Condition(
                item.get("type", ""), safe_text(item.get("message")), parse_moment(item.get("lastTransitionTime"))
            )
            for item in self._status.get("conditions") or []
        ]
        errors = [
            condition
            for condition in conditions
            if condition.type in _ERROR_CONDITIONS and not self._is_about_the_past(condition)
        ]
        return min(errors, key=lambda error: _ERROR_CONDITIONS.index(error.type), default=None)

    def _is_about_the_past(self, condition: Condition) -> bool:
        """SyncError tells of an automatic sync, and nobody clears it while automatic syncs are held back."""
        ended = self.operation.finished if self.operation else None
        return condition.type == "SyncError" and bool(ended and condition.since and condition.since <= ended)

    @property
    def has_resources(self) -> bool:
        return bool(self._resources())

    def unhealthy(self) -> list[Blocker]:
        return [
            _blocker(item, item["health"].get("status"), item["health"])
            for item in self._resources()
            if (item.get("health") or {}).get("status") not in (None, "", "Healthy")
        ]

    def out_of_sync(self, prune: bool) -> list[Blocker]:
        """What differs from Git; what a sync without pruning leaves behind does not count."""
        return [
            _blocker(item, "to be pruned" if item.get("requiresPruning") else "OutOfSync", {})
            for item in self._resources()
            if item.get("status") == "OutOfSync" and (prune or not item.get("requiresPruning"))
        ]

    def _resources(self) -> list[dict[str, t.Any]]:
        return self._status.get("resources") or []


def revisions_text(holder: dict[str, t.Any]) -> str:
    """The revision, or those of several sources, in one string."""
    return ",".join(holder.get("revisions") or []) or holder.get("revision") or ""


def _operation(request: dict[str, t.Any], state: dict[str, t.Any]) -> Operation | None:
    state_in_progress = state.get("phase") in (RUNNING, TERMINATING)
    if request and not state_in_progress:
        # The server clears the state when it writes a request; what is still there belongs to an earlier one.
        return Operation(request, {})
    return Operation(state.get("operation") or {}, state) if state else None


def _blocker(item: dict[str, t.Any], status: t.Any, told: dict[str, t.Any]) -> Blocker:
    return Blocker(
        item.get("kind", ""),
        item.get("name", ""),
        item.get("namespace") or "",
        str(status or "Unknown"),
        safe_text(told.get("message"), 300),
    )


def _without_empty(value: t.Any) -> t.Any:
    """The API leaves out what is empty in one place and writes it in another."""
    if isinstance(value, dict):
        pairs = {key: _without_empty(item) for key, item in value.items()}
        return {key: item for key, item in pairs.items() if item not in (None, "", False, [], {})}
    if isinstance(value, list):
        return [_without_empty(item) for item in value]
    return value
