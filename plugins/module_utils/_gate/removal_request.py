# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""What a teardown asks of the gate: which Application goes, what it had, and what goes or is kept with it."""

from __future__ import annotations

import re
import typing as t

_is_path = re.compile(
    r"/(?:api/v1|apis/[a-z0-9.-]+/[a-z0-9]+)(?:/namespaces/(?P<namespace>[a-z0-9-]+))?/[a-z0-9]+/(?P<name>[^/?#%\s]+)"
).fullmatch


class Recorded(t.NamedTuple):
    """An object that an Application had when the teardown began."""

    kind: str
    path: str
    namespace: str
    name: str


class Removal(t.NamedTuple):
    application: str
    project: str
    timeout: int
    # Everything that the Application had; each must be gone, or be marked as kept.
    resources: tuple[Recorded, ...] = ()
    # Volume claims that Argo CD does not delete, and the volumes that go with them
    claims: tuple[Recorded, ...] = ()
    volumes: tuple[Recorded, ...] = ()


def parse_recorded(text: str) -> tuple[Recorded, ...]:
    """`Kind /path/of/the/object;Kind /path`: a workflow's parameter is text. Raises ValueError with what is wrong."""
    found = []
    for part in filter(None, (piece.strip() for piece in text.split(";"))):
        kind, _space, path = part.partition(" ")
        match = _is_path(path)
        if not match:
            raise ValueError(f"{part!r} is not of the form <Kind> </path/of/the/object>")
        found.append(Recorded(kind, path, match["namespace"] or "", match["name"]))
    return tuple(found)
