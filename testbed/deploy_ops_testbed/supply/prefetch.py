# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Fetches the modules of the programs that come next while one is being compiled: so the cores never wait for them."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Sequence

from deploy_ops_testbed.supply import programs, toolchain


class Prefetch:
    """As long as the `with` block lasts. A failure here is not told: the build meets it again and tells it better."""

    def __init__(self, coming: Sequence[programs.Program]) -> None:
        self._coming = coming
        self._ended = False
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Prefetch:
        if self._coming:
            # Here and not in the thread: on a bare machine this installs Go, which must not happen twice at once.
            self._go = toolchain.go()
            self._thread.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        with self._lock:
            self._ended = True
            if self._process:
                self._process.terminate()
        if self._coming:
            self._thread.join()

    def _run(self) -> None:
        for program in self._coming:
            # To list what a package is made of, Go must have it all; nothing is compiled for that.
            command = [
                "nice",
                str(self._go.command),
                "list",
                "-e",
                "-mod=readonly",
                "-deps",
                *program.binaries.values(),
            ]
            with self._lock:
                if self._ended:
                    return
                self._process = subprocess.Popen(
                    command,
                    cwd=program.folder,
                    env=self._go.environment(),
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )
            self._process.wait()
