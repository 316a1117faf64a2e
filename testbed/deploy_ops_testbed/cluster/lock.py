# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One cluster on a machine: bridge, addresses and ports exist once, so two checkouts must not fight over them."""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from deploy_ops_testbed.cluster import cgroups
from deploy_ops_testbed.cluster.layout import NAME, Layout, checkout
from deploy_ops_testbed.errors import TestbedError

LOCK_FILE = Path(f"/run/{NAME}.lock")
PATIENCE = 900.0


@dataclass(frozen=True)
class Owner:
    """Whose cluster it is, and who is changing it while the lock is held."""

    state: str
    checkout: str
    pid: int
    command: str
    since: str

    def __str__(self) -> str:
        return f"`testbed {self.command}` of {self.checkout} (pid {self.pid}, since {self.since}, state {self.state})"


def owner() -> Owner | None:
    """Who has written the lock file last; None without a readable one."""
    try:
        return Owner(**json.loads(LOCK_FILE.read_text()))
    except (FileNotFoundError, ValueError, TypeError):
        return None


@contextmanager
def exclusive(layout: Layout, command: str, say: Callable[[str], None]) -> Iterator[None]:
    """Hold the machine's lock while the cluster is changed; wait for our own, refuse another's."""
    descriptor = _acquire(layout, say)
    try:
        _refuse_foreign_cluster(layout)
        me = Owner(str(layout.state), str(checkout()), os.getpid(), command, time.strftime("%F %T"))
        os.truncate(descriptor, 0)
        os.pwrite(descriptor, json.dumps(asdict(me)).encode(), 0)
        yield
    finally:
        os.close(descriptor)


def release_machine() -> None:
    """The cluster is gone: no trace of an owner. Called while the lock is held."""
    LOCK_FILE.unlink(missing_ok=True)


def _acquire(layout: Layout, say: Callable[[str], None]) -> int:
    deadline = time.monotonic() + PATIENCE
    told = False
    while True:
        descriptor = os.open(LOCK_FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            holder = owner()
            if (holder and holder.state != str(layout.state)) or time.monotonic() > deadline:
                raise TestbedError(
                    "The testbed of this machine is being changed by somebody else",
                    str(holder or "the holder has not written its name yet"),
                    "wait until it is done, then run the same command again",
                ) from None
            if not told and holder:
                say(f"waiting for {holder}")
                told = True
            time.sleep(0.2)
            continue
        if _is_lock_file(descriptor):
            return descriptor
        # `down` has removed the file between our open and our lock: what we hold is nobody's lock any more.
        os.close(descriptor)


def _is_lock_file(descriptor: int) -> bool:
    try:
        return os.fstat(descriptor).st_ino == LOCK_FILE.stat().st_ino
    except FileNotFoundError:
        return False


def _refuse_foreign_cluster(layout: Layout) -> None:
    other = owner()
    if other and other.state != str(layout.state) and cgroups.members():
        folder = Path(other.state).parent
        raise TestbedError(
            "Another testbed runs on this machine, and there is room for one",
            f"it belongs to {other.checkout}, its state is in {other.state}",
            f"use it with `export DEPLOY_OPS_STATE={folder}`, or end it with "
            f"`DEPLOY_OPS_STATE={folder} {other.checkout}/testbed/testbed down`",
        )
