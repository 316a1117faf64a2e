# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""What is left after a teardown, and why; looked at from outside of the workflow."""

from __future__ import annotations

import typing as t

from .._gate.removal import is_kept, remains
from .._kube.api import KubeApi

Left = dict[str, t.Any]


def left_of(api: KubeApi, records: t.Mapping[str, t.Mapping[str, str]]) -> list[Left]:
    """Every recorded object that still exists: kept on purpose, or left behind."""
    found = []
    for node, record in sorted(records.items()):
        for kind, path in _objects(record):
            content = api.get(path)
            if content is not None:
                blocker = remains(kind, content)
                found.append(
                    {
                        "node": node,
                        "kind": kind,
                        "namespace": blocker.namespace,
                        "name": blocker.name,
                        "kept": is_kept(kind, content),
                        "status": blocker.status,
                        "message": blocker.message,
                    }
                )
    return found


def _objects(record: t.Mapping[str, str]) -> t.Iterator[tuple[str, str]]:
    for text in record.values():
        for item in filter(None, text.split(";")):
            kind, _space, path = item.partition(" ")
            yield kind, path
