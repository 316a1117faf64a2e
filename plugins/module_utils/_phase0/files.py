# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Puts the report where people and programs find it."""

from __future__ import annotations

import json
import os
import tempfile
import typing as t


class CannotWrite(Exception):
    """Safe to show."""


def write(folder: str, report: t.Mapping[str, t.Any], text: str) -> list[str]:
    """The paths written. A file is the old one or the new one, never half of it."""
    contents = {
        "phase0-report.json": json.dumps(report, indent=2, sort_keys=True) + "\n",
        "phase0-report.txt": text,
    }
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        return [_replace(os.path.join(folder, name), content) for name, content in contents.items()]
    except OSError as exc:
        raise CannotWrite(f"report_dir {folder}: {(exc.strerror or 'cannot be written').lower()}") from None


def _replace(path: str, content: str) -> str:
    descriptor, temporary = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".phase0-")
    try:
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(content)
        os.replace(temporary, path)
    except OSError:
        os.unlink(temporary)
        raise
    return path
