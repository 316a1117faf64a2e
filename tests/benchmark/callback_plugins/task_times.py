# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Writes what every task took, as JSON lines, to the file that $TASK_TIMES names."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

from ansible.plugins.callback import CallbackBase


class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "aggregate"
    CALLBACK_NAME = "task_times"
    CALLBACK_NEEDS_ENABLED = True

    def __init__(self) -> None:
        super().__init__()
        self._begun = 0.0
        self._file = Path(os.environ["TASK_TIMES"])

    def v2_runner_on_start(self, host: Any, task: Any) -> None:
        self._begun = time.monotonic()

    def _ended(self, result: Any) -> None:
        taken = time.monotonic() - self._begun
        runs = len(result._result.get("results") or [None])
        entry = {"action": result._task.action, "name": result._task.get_name(), "seconds": taken, "runs": runs}
        with self._file.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(entry) + "\n")

    def v2_runner_on_ok(self, result: Any) -> None:
        self._ended(result)

    def v2_runner_on_failed(self, result: Any, ignore_errors: bool = False) -> None:
        self._ended(result)
