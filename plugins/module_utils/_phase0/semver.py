# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Version numbers as programs print them: a leading v, build tags and all."""

from __future__ import annotations

import re

Version = tuple[int, int, int]

_NUMBER = re.compile(r"(\d+)\.(\d+)(?:\.(\d+))?")


def parse(text: str) -> Version | None:
    """The first version number in a text; None when there is none."""
    match = _NUMBER.search(text)
    if match is None:
        return None
    return int(match.group(1)), int(match.group(2)), int(match.group(3) or 0)


def require(text: str) -> Version:
    """For numbers from our own tables, where none would be a mistake of ours."""
    version = parse(text)
    if version is None:
        raise ValueError(f"not a version number: {text}")
    return version


def at_least(found: str, minimum: str) -> bool | None:
    """None when ``found`` holds no version number."""
    version = parse(found)
    return None if version is None else version >= require(minimum)
