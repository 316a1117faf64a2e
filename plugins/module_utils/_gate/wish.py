# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""What a run wants of one Application."""

from __future__ import annotations

import typing as t

# Names of the entries that the gate adds to an operation, by which it finds it again.
RUN_INFO = "deploy-ops-run"
REQUESTED_INFO = "deploy-ops-requested"


class Wish(t.NamedTuple):
    application: str
    project: str
    # Who asks: "<workflow uid>/<node>". The operation carries it, followed by the number of the attempt.
    run: str
    # The commit (or chart version) that the run is for; comma-separated for several sources, empty for any.
    revision: str = ""
    # What its target resolved to when the run began, in the same form. It may move on, but not unnoticed.
    resolved: str = ""
    sync_timeout: int = 300
    health_timeout: int = 300
    # How long Healthy must hold: the operator of a custom resource may not have looked at it yet.
    settle: int = 5
    # How long a bad state may last before it counts: rollouts and fresh CRDs pass through Degraded.
    grace: int = 60
    attempts: int = 1
    backoff: int = 10
    prune: bool = True
    # False: Synced is enough. A Root Application becomes Healthy only when its children are.
    health: bool = True
    # False: only look whether it stands now, as for what a scope requires.
    sync: bool = True

    def correlation(self, attempt: int) -> str:
        return f"{self.run}/{attempt}"

    def wanted(self, index: int) -> str:
        """The revision wanted of a source, empty for any."""
        return _part(self.revision, index)

    def expected(self, index: int) -> str:
        """The revision at which a source makes no run a mixed one, empty for any."""
        return self.wanted(index) or _part(self.resolved, index)


def _part(revisions: str, index: int) -> str:
    parts = revisions.split(",")
    return parts[index].strip() if index < len(parts) else ""
