# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Applications as the API of Argo CD v3.5.2 returns them, for the tests of the gate."""

from __future__ import annotations

import copy
import datetime
import typing as t

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.answers import Observation
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.application import Application
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.moments import parse_moment
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.wish import Wish

COMMIT = "8d1f6c1c2a0f4a5bb7c1d6a4f8e2a9e3b5c7d901"
OTHER_COMMIT = "0b6e5a3d9c8f7e6d5c4b3a291807f6e5d4c3b2a1"
RUN = "2f0f7f0e-7f53-4b0c-9f0e-5b0f5a1c9d11/ceph-cluster"

SOURCE = {"repoURL": "https://git.example.com/platform.git", "path": "apps/ceph-cluster", "targetRevision": "main"}
DESTINATION = {"server": "https://kubernetes.default.svc", "namespace": "rook-ceph"}

WISH = Wish("ceph-cluster", "platform", RUN, sync_timeout=300, health_timeout=600, settle=5, grace=60, attempts=3)


def at(seconds: float) -> str:
    """A time so many seconds after ten o'clock."""
    moment = datetime.datetime(2026, 11, 16, 10, 0, 0) + datetime.timedelta(seconds=seconds)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def info(run: str = RUN, attempt: int = 1, requested: float = 0) -> list[dict[str, str]]:
    return [
        {"name": "deploy-ops-run", "value": f"{run}/{attempt}"},
        {"name": "deploy-ops-requested", "value": at(requested)},
    ]


def request(run: str = RUN, attempt: int = 1, **fields: t.Any) -> dict[str, t.Any]:
    """An operation as somebody asks for it."""
    return {
        "info": info(run, attempt),
        "initiatedBy": {"username": "orchestrator"},
        "retry": {},
        "sync": {"prune": True, "revision": COMMIT, "source": SOURCE},
        **fields,
    }


def state(
    phase: str = "Succeeded",
    started: float = 1,
    finished: float | None = 10,
    message: str = "successfully synced (all tasks run)",
    revision: str = COMMIT,
    resources: t.Sequence[dict[str, t.Any]] = (),
    operation: dict[str, t.Any] | None = None,
) -> dict[str, t.Any]:
    """What has become of an operation."""
    return {
        "phase": phase,
        "message": message,
        "operation": request() if operation is None else operation,
        "startedAt": at(started),
        **({} if finished is None else {"finishedAt": at(finished)}),
        "syncResult": {"revision": revision, "source": SOURCE, "resources": list(resources)},
    }


def resource(
    health: str = "Healthy", message: str = "", kind: str = "Deployment", sync: str = "Synced", **fields: t.Any
) -> dict[str, t.Any]:
    group = {"Deployment": "apps", "CephCluster": "ceph.rook.io"}.get(kind, "")
    return {
        "group": group,
        "version": "v1",
        "kind": kind,
        "namespace": "rook-ceph",
        "name": "rook",
        "status": sync,
        "health": {"status": health, **({"message": message} if message else {})},
        **fields,
    }


def application(
    operation_state: dict[str, t.Any] | None = None,
    operation: dict[str, t.Any] | None = None,
    sync: str = "Synced",
    health: str = "Healthy",
    health_since: float = 8,
    compared: float = 12,
    revision: str = COMMIT,
    conditions: t.Sequence[tuple[str, str, float]] = (),
    resources: t.Sequence[dict[str, t.Any]] | None = None,
    compared_source: dict[str, t.Any] | None = None,
    target: str = "main",
    deleting: bool = False,
) -> dict[str, t.Any]:
    source = {**SOURCE, "targetRevision": target}
    status: dict[str, t.Any] = {
        "controllerNamespace": "argocd",
        "health": {"status": health, "lastTransitionTime": at(health_since)},
        "reconciledAt": at(compared),
        "resourceHealthSource": "appTree",
        "resources": [resource()] if resources is None else list(resources),
        "sourceType": "Directory",
        "sync": {
            "comparedTo": {"source": compared_source or source, "destination": DESTINATION},
            "revision": revision,
            "status": sync,
        },
    }
    if operation_state is not None:
        status["operationState"] = operation_state
    if conditions:
        status["conditions"] = [
            {"type": kind, "message": message, "lastTransitionTime": at(since)} for kind, message, since in conditions
        ]
    metadata = {"name": "ceph-cluster", "namespace": "argocd", "generation": 12, "resourceVersion": "4711"}
    if deleting:
        metadata["deletionTimestamp"] = at(0)
    raw: dict[str, t.Any] = {
        "metadata": metadata,
        "spec": {"project": "platform", "source": source, "destination": DESTINATION},
        "status": status,
    }
    if operation is not None:
        raw["operation"] = operation
    return copy.deepcopy(raw)


def seen(raw: dict[str, t.Any], now: float, refreshed: bool = True, looked_for: float = 0) -> Observation:
    server_time, began = parse_moment(at(now)), parse_moment(at(now - looked_for))
    assert server_time is not None
    assert began is not None
    return Observation(Application(raw), refreshed, server_time, began)
