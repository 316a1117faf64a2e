# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Text from outside, made fit for a message: one line, bounded, and without anything that may be a credential."""

from __future__ import annotations

import re
import typing as t

_MASK = "********"
_LIMIT = 600

# Argo CD has quoted repository URLs with credentials in its messages before (GHSA-mv6w-j4xc-qpfw).
_URL_CREDENTIALS = re.compile(r"(?<=://)[^\s/@'\"]+(?=@)")
_JWT = re.compile(r"\beyJ[\w-]{5,}\.[\w-]{5,}(?:\.[\w-]*)?")
_BEARER = re.compile(r"(?i)\b((?:bearer|basic)\s+)[\w.~+/=-]{8,}")
_ASSIGNMENT = re.compile(r"(?i)\b((?:password|passwd|token|secret|api[_-]?key)\s*[=:]\s*)[^\s,;&'\"]+")


def safe_text(text: t.Any, limit: int = _LIMIT) -> str:
    line = " ".join(str(text or "").split())
    line = _URL_CREDENTIALS.sub(_MASK, line)
    line = _JWT.sub(_MASK, line)
    line = _BEARER.sub(rf"\g<1>{_MASK}", line)
    line = _ASSIGNMENT.sub(rf"\g<1>{_MASK}", line)
    line = "".join(character if character.isprintable() else "?" for character in line)
    return line if len(line) <= limit else line[: limit - 3] + "..."
