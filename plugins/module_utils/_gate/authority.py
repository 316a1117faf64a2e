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


def with_authority(project: dict[str, t.Any], taken: bool) -> dict[str, t.Any] | None:
    """The AppProject with the window, or without it; None when it already is so."""
    windows = (project.get("spec") or {}).get("syncWindows") or []
    others = [window for window in windows if window.get("description") != DESCRIPTION]
    wanted = [*others, WINDOW] if taken else others
    if windows == wanted:
        return None
    changed = copy.deepcopy(project)
    changed["spec"]["syncWindows"] = wanted
    return changed


def step_authority(argocd: ArgoCD, project: str, take: bool) -> Verdict:
    changed = with_authority(argocd.project(project), take)
    if changed is None:
        return _done(HELD if take else RELEASED, project)
    try:
        argocd.write_project(project, changed)
    except Unavailable as error:
        return Verdict(PROGRESSING, "Waiting", f"not confirmed: {error.text}", LOOK, 1.0)
    except Refused as error:
        if error.status == 409:
            return Verdict(PROGRESSING, "Waiting", "somebody else changed the AppProject, reading it again", LOOK, 0.5)
        raise
    return _done(TAKEN if take else RELEASED, project)


def _done(verdict: str, project: str) -> Verdict:
    return Verdict(verdict, "Authority", f"authority over {project} {verdict}")
