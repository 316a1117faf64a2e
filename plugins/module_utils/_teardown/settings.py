# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""What a teardown is told besides its plan."""

from __future__ import annotations

import typing as t

# retain: claims stay, with their namespaces and volumes. retain_volumes: only the volumes stay, to be bound again.
# snapshot: a snapshot of each stays, the volume goes. delete: nothing stays.
RETAIN = "retain"
RETAIN_VOLUMES = "retain_volumes"
SNAPSHOT = "snapshot"
DELETE = "delete"
POLICIES = (RETAIN, RETAIN_VOLUMES, SNAPSHOT, DELETE)

# Policies under which a claim goes when its application has gone
WITHOUT_CLAIMS = (RETAIN_VOLUMES, SNAPSHOT, DELETE)

PREFIX = "deploy-ops.proficientnow.com/"
# The policy that a volume had before the teardown made it Retain
ORIGINAL_RECLAIM = PREFIX + "reclaim-policy"
# On what the teardown has marked for Argo CD as not to be deleted
KEPT = PREFIX + "kept"
SNAPSHOT_LABEL = PREFIX + "snapshot"


class Settings(t.NamedTuple):
    project: str
    argocd_namespace: str
    workflows_namespace: str
    # Where volumes are looked for besides the namespaces of the applications
    namespaces: tuple[str, ...] = ()
    volumes: str = RETAIN
    overrides: t.Mapping[str, str] = {}
    snapshot_class: str = ""
    environment: str = ""
    confirm_volumes: str = ""

    def policy(self, node: str) -> str:
        return self.overrides.get(node, self.volumes)

    @property
    def root(self) -> str:
        return f"{self.project}-root"

    @property
    def record(self) -> str:
        """Name of the ConfigMap that remembers what there was, for a run that goes on after another."""
        return f"{self.project}-teardown-record"
