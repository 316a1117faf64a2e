# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Kubernetes quantities: 250m, 1.5, 64Mi, 2e3."""

from __future__ import annotations

import re

_UNITS = {
    "n": 1e-9, "u": 1e-6, "m": 1e-3, "": 1.0,
    "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18,
    "Ki": 2.0**10, "Mi": 2.0**20, "Gi": 2.0**30, "Ti": 2.0**40, "Pi": 2.0**50, "Ei": 2.0**60,
}  # fmt: skip
_QUANTITY = re.compile(r"^([+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?)(n|u|m|k|[KMGTPE]i?)?$")


def parse(text: object) -> float:
    """The number that a quantity stands for; ValueError for anything else."""
    match = _QUANTITY.match(str(text).strip())
    if match is None or match.group(2) == "K":
        raise ValueError(f"«{text}» is not a Kubernetes quantity such as 250m or 64Mi")
    return float(match.group(1)) * _UNITS[match.group(2) or ""]


def bytes_text(number: float) -> str:
    return f"{number / 2**30:.1f} GiB" if number >= 2**30 else f"{number / 2**20:.0f} MiB"
