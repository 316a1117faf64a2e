# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whether a release already is what the role wants: chart, version, values and, for own charts, their files."""

from __future__ import annotations

import hashlib
import os
import typing as t

from .release import Release

# The chart in the release record has no digest of its own; we hand it over as a value.
DIGEST_VALUE = "chartDigest"


def chart_digest(folder: str) -> str:
    """Of every file of a chart folder, so that a changed template is a change although its version stayed."""
    digest = hashlib.sha256()
    for parent, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted(files):
            path = os.path.join(parent, name)
            digest.update(os.path.relpath(path, folder).encode() + b"\0")
            with open(path, "rb") as stream:
                digest.update(stream.read() + b"\0")
    return digest.hexdigest()[:16]


def differences(release: Release | None, chart: str, version: str, values: dict[str, t.Any]) -> list[str]:
    """What an upgrade would change, in words and without any value (one may be a secret)."""
    if release is None:
        return ["it is not installed"]
    found = []
    if release.status != "deployed":
        found.append(f"its last revision is {release.status}")
    if (release.chart, release.chart_version) != (chart, version):
        found.append(f"chart {release.chart} {release.chart_version} becomes {chart} {version}")
    changed = changed_paths(release.values, values)
    if changed:
        found.append("values change: " + ", ".join(changed[:12]) + (" ..." if len(changed) > 12 else ""))
    return found


def changed_paths(before: t.Any, after: t.Any, path: str = "") -> list[str]:
    if isinstance(before, dict) and isinstance(after, dict):
        found: list[str] = []
        for key in sorted(set(before) | set(after), key=str):
            found += changed_paths(before.get(key), after.get(key), f"{path}.{key}" if path else str(key))
        return found
    return [] if before == after else [path]
