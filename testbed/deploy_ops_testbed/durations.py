# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the progress display has learned about this machine."""

from __future__ import annotations

import json
import os

from deploy_ops_testbed import paths


class Durations:
    """How long each step took the last time on this machine."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._file = paths.cache_dir() / "durations.json"
        self._known = self._read()

    def expected(self, key: str) -> float | None:
        return self._known.get(f"{self._title}/{key}")

    def learn(self, key: str, seconds: float) -> None:
        # Read again: another command may have learned something meanwhile.
        self._known = {**self._read(), f"{self._title}/{key}": round(seconds, 1)}
        self._file.parent.mkdir(parents=True, exist_ok=True)
        partial = self._file.with_name(f"{self._file.name}.{os.getpid()}")
        partial.write_text(json.dumps(self._known, indent=1, sort_keys=True) + "\n")
        partial.replace(self._file)

    def _read(self) -> dict[str, float]:
        try:
            known = json.loads(self._file.read_text())
            return {str(key): float(value) for key, value in known.items()}
        except (OSError, ValueError, AttributeError, TypeError):
            # Only an estimate: a missing or damaged file is one that has learned nothing.
            return {}
