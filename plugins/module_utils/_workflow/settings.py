# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""What the generator is told besides the plan, and how it refuses."""

from __future__ import annotations

import typing as t


class WorkflowError(Exception):
    """The plan cannot become a workflow; the message names what, how much, and the way out."""


class Release(t.NamedTuple):
    """Where the bootstrap put a component that the graph only verifies."""

    namespace: str
    release: str


class Settings(t.NamedTuple):
    """Everything about a platform's workflow that does not follow from its graph."""

    name: str = "platform-bootstrap"
    namespace: str = "argo"
    project: str = "platform"
    service_account: str = "argo-workflow"
    # In "locked" the authority is never given back to Argo CD.
    steady_state: str = "pinned"
    settle_seconds: int = 3
    overall_timeout_seconds: int = 4 * 3600
    seconds_kept_after_success: int = 24 * 3600
    # Longer: this is what the person on call reads, and what a resume is compared with.
    seconds_kept_after_failure: int = 7 * 24 * 3600
    bootstrap: t.Mapping[str, Release] = {}


STEADY_STATES = ("pinned", "locked", "self_heal")


def settings_from(options: t.Mapping[str, t.Any]) -> Settings:
    """Settings from an inventory's data, or WorkflowError."""
    unknown = sorted(set(options) - set(Settings._fields))
    if unknown:
        raise WorkflowError(f"unknown setting {', '.join(unknown)}; there are {', '.join(Settings._fields)}")
    values = dict(options)
    values["bootstrap"] = {
        name: Release(str(place["namespace"]), str(place["release"]))
        for name, place in dict(options.get("bootstrap", {})).items()
    }
    for field, default in Settings._field_defaults.items():
        if isinstance(default, int) and field in values:
            values[field] = _positive(field, values[field])
    settings = Settings(**values)
    if settings.steady_state not in STEADY_STATES:
        raise WorkflowError(f"steady_state must be one of {', '.join(STEADY_STATES)}, not {settings.steady_state!r}")
    return settings


def _positive(field: str, value: t.Any) -> int:
    try:
        number = int(value)
    except (TypeError, ValueError):
        number = -1
    if number < 0 or isinstance(value, bool) or (number == 0 and field != "settle_seconds"):
        raise WorkflowError(f"{field} must be a positive number of seconds, not {value!r}")
    return number
