# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the embedded cluster costs: to build, to start, to have. Stops the running one, and leaves a fresh one.

    make benchmark-cluster                            # start and memory
    .venv/bin/python tests/benchmark/cluster.py --cold     # first, everything built into an empty cache

Wall time, so it says more on a quiet machine; processor time is printed beside it.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TESTBED = Path(__file__).resolve().parents[2] / "testbed" / "testbed"


def timed(what: str, *arguments: str, **environment: str) -> None:
    """Run a command of the testbed and print what it took."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run([TESTBED, *arguments], env={**os.environ, **environment}, stdout=subprocess.DEVNULL, check=True)
    seconds, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{what:<44} {seconds:8.1f} s  processor {processor:8.1f} s", flush=True)


def cold_build() -> None:
    with tempfile.TemporaryDirectory(prefix="deploy-ops-cold-") as cache:
        go = {"GOCACHE": f"{cache}/go/build", "GOMODCACHE": f"{cache}/go/mod", "GOFLAGS": "-modcacherw"}
        timed("build of everything, empty cache", "build", DEPLOY_OPS_CACHE=cache, **go)


def main() -> None:
    if sys.argv[1:] == ["--cold"]:
        cold_build()
    subprocess.run([TESTBED, "build"], check=True)
    timed("down", "down")
    timed("up from nothing to node Ready, DNS answers", "up")
    timed("up of a running cluster", "up")
    status = json.loads(subprocess.run([TESTBED, "status", "--json"], capture_output=True, check=True).stdout)
    print(f"{'memory of the idle cluster (PSS)':<44} {status['memory_bytes'] / 2**20:8.0f} MiB")
    timed("reset to a bare cluster", "reset")


if __name__ == "__main__":
    main()
