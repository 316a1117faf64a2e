# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""The authority over a platform: while a run holds it, Argo CD neither syncs nor heals by itself.

It is a deny window on the AppProject that lets syncs on request through. No Application is modified.
"""

from __future__ import annotations

import copy
import typing as t

from .argocd import ArgoCD
from .errors import Refused, Unavailable
from .verdict import HELD, LOOK, PROGRESSING, RELEASED, TAKEN, Verdict

# By this the window is recognised; whoever renders it elsewhere writes the same.
DESCRIPTION = "deploy-ops authority"

WINDOW: dict[str, t.Any] = {
    "kind": "deny",
    "schedule": "* * * * *",
    "duration": "1h",
    "applications": ["*"],
    "manualSync": True,
    "description": DESCRIPTION,
}


# Who has set it: after a lost answer, or in a new pod, a run still knows its own.
HOLDER = "deploy-ops.proficientnow.com/authority"


def is_held(project: dict[str, t.Any]) -> bool:
    return any(window.get("description") == DESCRIPTION for window in _windows(project))


def with_authority(project: dict[str, t.Any], holder: str) -> dict[str, t.Any]:
    """The AppProject with the window and the name of its holder; without both when nobody holds it."""
    changed = copy.deepcopy(project)
    others = [window for window in _windows(project) if window.get("description") != DESCRIPTION]
    changed["spec"]["syncWindows"] = [*others, WINDOW] if holder else others
    annotations = changed["metadata"].setdefault("annotations", {})
    annotations.pop(HOLDER, None)
    if holder:
        annotations[HOLDER] = holder
    return changed


def step_authority(argocd: ArgoCD, name: str, run: str, take: bool) -> Verdict:
    project = argocd.project(name)
    if is_held(project) == take:
        is_own = (project["metadata"].get("annotations") or {}).get(HOLDER) == run
        return _done(RELEASED if not take else TAKEN if is_own else HELD, name)
    try:
        argocd.write_project(name, with_authority(project, run if take else ""))
    except Unavailable as error:
        return Verdict(PROGRESSING, "Waiting", f"not confirmed: {error.text}", LOOK, 1.0)
    except Refused as error:
        if error.status == 409:
            return Verdict(PROGRESSING, "Waiting", "somebody else changed the AppProject, reading it again", LOOK, 0.5)
        raise
    return _done(TAKEN if take else RELEASED, name)


def _done(verdict: str, project: str) -> Verdict:
    return Verdict(verdict, "Authority", f"authority over {project} {verdict}")


def _windows(project: dict[str, t.Any]) -> list[dict[str, t.Any]]:
    return (project.get("spec") or {}).get("syncWindows") or []
