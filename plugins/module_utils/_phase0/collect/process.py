# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Other programs, with a bound on their time."""

from __future__ import annotations

import os
import signal
import subprocess
import typing as t


class Result(t.NamedTuple):
    code: int
    stdout: str
    stderr: str
    # Why the program gave no answer at all.
    problem: str = ""


def run(command: t.Sequence[str], timeout: float, env: t.Mapping[str, str] | None = None, cwd: str = "/") -> Result:
    """Runs a program without a terminal. Its children go with it when the time is over."""
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=None if env is None else dict(env),
            cwd=cwd,
            start_new_session=True,
            text=True,
            errors="replace",
        )
    except OSError as exc:
        return Result(-1, "", "", f"cannot be run: {(exc.strerror or type(exc).__name__).lower()}")
    try:
        stdout, stderr = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return Result(-1, "", "", f"no answer within {timeout:.0f} s")
    return Result(process.returncode, stdout, stderr)
