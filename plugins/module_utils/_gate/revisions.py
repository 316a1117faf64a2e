# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Which revision an Application stands at, and whether that is the one the run is for."""

from __future__ import annotations

import re

from .application import Application
from .wish import Wish

_is_commit = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}").fullmatch


def pinned_elsewhere(app: Application, wish: Wish) -> str:
    """Why it can never get to the run's revision: a source that is fixed to another commit. Empty when it can."""
    for index, source in enumerate(app.sources):
        target, wanted = str(source.get("targetRevision") or ""), wish.wanted(index)
        if _is_commit(target) and _is_commit(wanted) and target != wanted and not source.get("chart"):
            return (
                f"is pinned to {short(target)}, and the run is for {short(wanted)}: its parent has not handed down"
                " the run's commit. Sync the Root Application, then run again"
            )
    return ""


def is_mixed(app: Application, wish: Wish) -> bool:
    """Whether it stands at something else than the run is for or began with, because its target has moved on."""
    revisions = app.revision.split(",")
    for index, source in enumerate(app.sources):
        wanted = wish.expected(index)
        # A chart has a version, never a commit.
        if not wanted or (source.get("chart") and _is_commit(wanted)):
            continue
        if index >= len(revisions) or revisions[index] != wanted:
            return True
    return False


def short(revision: str) -> str:
    parts = [part[:7] if _is_commit(part) else part for part in revision.split(",")]
    return ",".join(parts) or "an unknown revision"
