# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Where a rollback leads, decided from `helm history` alone."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

WORKED = ("deployed", "superseded")


class RollbackError(Exception):
    """There is nothing to roll back to."""


@dataclass(frozen=True)
class Rollback:
    from_revision: int
    to_revision: int
    status: str
    needed: bool


def plan_rollback(history: t.Sequence[dict[str, t.Any]], revision: int | None) -> Rollback:
    """`history` as helm prints it; `revision` None means the newest other one that worked."""
    ordered = sorted(history, key=lambda entry: entry["revision"])
    if not ordered:
        raise RollbackError("there is no such release")
    current = ordered[-1]
    if revision is None:
        candidates = [entry["revision"] for entry in ordered[:-1] if entry["status"] in WORKED]
        if not candidates:
            raise RollbackError("no earlier revision ever worked: uninstall it, or correct its values and upgrade")
        target = candidates[-1]
    else:
        target = revision
        if target not in [entry["revision"] for entry in ordered]:
            kept = ", ".join(str(entry["revision"]) for entry in ordered)
            raise RollbackError(f"revision {revision} is not kept (there are: {kept})")
    stands = current["revision"] == target or current.get("description") == f"Rollback to {target}"
    return Rollback(current["revision"], target, current["status"], not (stands and current["status"] == "deployed"))
