# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Run make targets one after the other, show how far the run is, and close with what each took.

    python3 tests/tools/steps.py lint unit sanity

Every step runs, also after a failure: one run tells everything that is wrong. The exit code is 1 when a step failed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import dataclass


@dataclass(frozen=True)
class Outcome:
    """How one step ended."""

    name: str
    passed: bool
    seconds: float


def duration(seconds: float) -> str:
    """Seconds as a person says them."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02d} s"


def summary(outcomes: list[Outcome], planned: int) -> str:
    """The table that closes a run; its last line is also read by machines."""
    width = max([len("step"), *(len(outcome.name) for outcome in outcomes)])
    lines = [f"{'step':<{width}}  result  time"]
    lines += [
        f"{outcome.name:<{width}}  {'passed' if outcome.passed else 'FAILED'}  {duration(outcome.seconds)}"
        for outcome in outcomes
    ]
    lines.append(f"{'all':<{width}}          {duration(sum(outcome.seconds for outcome in outcomes))}")
    passed = sum(outcome.passed for outcome in outcomes)
    skipped = planned - len(outcomes)
    closing = f"steps: {passed} passed, {len(outcomes) - passed} failed"
    return "\n".join([*lines, closing + (f", {skipped} skipped" if skipped else "")])


def run(name: str) -> Outcome:
    """Run one make target."""
    started = time.monotonic()
    code = subprocess.run([os.environ.get("MAKE", "make"), "--no-print-directory", name], check=False).returncode
    return Outcome(name, code == 0, time.monotonic() - started)


def main(names: list[str]) -> int:
    if not names:
        print("usage: steps.py TARGET [TARGET ...]", file=sys.stderr)
        return 2
    outcomes: list[Outcome] = []
    interrupted = False
    for number, name in enumerate(names, start=1):
        print(f"==> [{number}/{len(names)}] {name}", flush=True)
        try:
            outcome = run(name)
        except KeyboardInterrupt:
            interrupted = True
            break
        outcomes.append(outcome)
        word = "passed" if outcome.passed else "FAILED"
        print(f"==> [{number}/{len(names)}] {name}: {word} in {duration(outcome.seconds)}", flush=True)
    print(f"\n{summary(outcomes, len(names))}", flush=True)
    if interrupted:
        return 130
    return 0 if all(outcome.passed for outcome in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
