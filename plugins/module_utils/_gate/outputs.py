# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""A verdict as the outputs of a workflow node, and as data for reports."""

from __future__ import annotations

import datetime
import json
import sys
import typing as t

from .verdict import Verdict

# Outputs live in the Workflow object, which holds a MiB for all nodes together.
_MOST_BLOCKERS = 5


def say(line: str) -> None:
    """A line of the log, at once: nobody reads a buffer."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def clock() -> str:
    return f"{datetime.datetime.now(datetime.timezone.utc):%H:%M:%S}"


def blockers(verdict: Verdict) -> list[dict[str, str]]:
    return [blocker._asdict() for blocker in verdict.blockers]


def node_outputs(verdict: Verdict, log: t.Sequence[str] = ()) -> dict[str, str]:
    details: dict[str, t.Any] = {"reason": verdict.reason, "mixed": verdict.mixed}
    if verdict.blockers:
        details["unhealthy"] = blockers(verdict)[:_MOST_BLOCKERS]
    if log:
        details["log"] = list(log)
    outputs = {
        "verdict": verdict.verdict,
        "revision": verdict.revision,
        "started": verdict.started,
        "sync_seconds": str(verdict.sync_seconds),
        "health_seconds": str(verdict.health_seconds),
        "attempts": str(verdict.attempt),
        "details": _text(details),
    }
    if verdict.revisions is not None:
        outputs["revisions"] = _text(verdict.revisions)
    return outputs


def _text(value: t.Mapping[str, t.Any]) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))
