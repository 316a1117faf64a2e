# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Carries out changes, and waits for those that take time."""

from __future__ import annotations

import functools
import time
import typing as t

from .._kube.api import KubeApi, KubeError
from .changes import CREATE, MERGE, ORPHAN, Change
from .seen import SNAPSHOTS
from .settings import SNAPSHOT_LABEL

_PAUSE = 1.0


def apply(api: KubeApi, changes: t.Iterable[Change], patience: float) -> None:
    for change in changes:
        if change.how == CREATE:
            api.create(change.path, change.body or {})
        elif change.how == MERGE:
            api.merge(change.path, change.body or {})
        elif change.how == ORPHAN:
            api.delete(change.path, "Orphan")
            _await(functools.partial(_is_gone, api, change.path), f"not done: {change.text}", patience)
        else:
            api.delete(change.path)


def secure_snapshots(api: KubeApi, namespaces: t.Iterable[str], patience: float) -> list[str]:
    """Wait until every snapshot is ready, and let its content outlive whatever happens to it. What was changed."""
    changed = []
    for namespace in sorted(namespaces):
        folder = f"/apis/{SNAPSHOTS}/namespaces/{namespace}/volumesnapshots"
        for snapshot in api.items(folder, labelSelector=SNAPSHOT_LABEL):
            path = f"{folder}/{snapshot['metadata']['name']}"
            place = f"VolumeSnapshot {namespace}/{snapshot['metadata']['name']}"
            _await(functools.partial(_is_ready, api, path), f"the {place} is not ready", patience)
            status = (api.get(path) or {}).get("status") or {}
            content = f"/apis/{SNAPSHOTS}/volumesnapshotcontents/{status.get('boundVolumeSnapshotContentName')}"
            if ((api.get(content) or {}).get("spec") or {}).get("deletionPolicy") == "Delete":
                api.merge(content, {"spec": {"deletionPolicy": "Retain"}})
                changed.append(f"keep the content of the {place}")
    return changed


def _is_gone(api: KubeApi, path: str) -> bool:
    return api.get(path) is None


def _is_ready(api: KubeApi, path: str) -> bool:
    snapshot = api.get(path)
    status = (snapshot or {}).get("status") or {}
    error = (status.get("error") or {}).get("message")
    if error:
        raise KubeError(f"the VolumeSnapshot {(snapshot or {})['metadata']['name']} cannot be made: {error}")
    return bool(status.get("readyToUse"))


def _await(holds: t.Callable[[], bool], otherwise: str, patience: float) -> None:
    deadline = time.monotonic() + patience
    while not holds():
        if time.monotonic() > deadline:
            raise KubeError(f"{otherwise} within {patience:.0f} s. Nothing was removed; run again when it can be")
        time.sleep(_PAUSE)
