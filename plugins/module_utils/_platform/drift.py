# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Where the cluster differs from Git, and whether that is somebody's doing or a commit that waits for its run."""

from __future__ import annotations

import typing as t

from .._gate.application import Application
from .._gate.revisions import short
from .._gate.shortfall import listed
from .facts import Body, name_of
from .finding import INFO, WARNING, Finding
from .health import DRIFT, LEFT_OVER, PENDING, difference

_DEPLOY = "ansible-playbook proficientnow.deploy_ops.deploy"


def check_drift(applications: t.Iterable[Body]) -> list[Finding]:
    return [finding for body in applications for finding in [_judge(body)] if finding]


def _judge(body: Body) -> Finding | None:
    name, app, kind = name_of(body), Application(body), difference(body)
    if kind == DRIFT:
        found = "differs from the commit that was deployed" + listed(app.out_of_sync(prune=False))
        fix = (
            "Argo CD puts it back by itself unless the authority is held; otherwise run:"
            f" {_DEPLOY} -e deploy_ops_scope=app:{name}"
        )
        return Finding("drift.changed", WARNING, name, found, "the cluster as Git has it", fix)
    if kind == LEFT_OVER:
        found = "has resources that left Git" + listed(app.out_of_sync(prune=True))
        fix = f"Check that nobody needs them, then prune: argocd app sync {name} --prune"
        return Finding("drift.left-over", WARNING, name, found, "nothing but what Git has", fix)
    if kind == PENDING:
        found = f"{short(app.revision)} is not deployed yet"
        return Finding("drift.pending", INFO, name, found, "deployed by a run, in order", f"Run: {_DEPLOY}")
    return None
