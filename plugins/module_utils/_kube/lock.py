# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One run at a time: a Lease that names its holder, so that the next run can tell a dead one from a living one."""

from __future__ import annotations

import calendar
import getpass
import json
import os
import socket
import time
import typing as t
from dataclasses import asdict, dataclass

from .api import KubeApi, KubeError

ANNOTATION = "deploy-ops.proficientnow.com/holder"
TIME = "%Y-%m-%dT%H:%M:%S"


class LockHeld(Exception):
    """Somebody else is at work; the message names who, and the way out."""


@dataclass(frozen=True)
class Holder:
    """A process, so exactly that its end can be proven on its own machine."""

    user: str
    host: str
    boot: str
    pid: int
    started: str

    @classmethod
    def this_run(cls, proc: str = "/proc") -> Holder:
        pid = _ansible_process(proc)
        return cls(_user(), socket.gethostname(), _boot(proc), pid, _started(pid, proc))

    def is_dead(self, proc: str = "/proc") -> bool:
        """Only what can be proven: another machine's processes cannot be seen from here."""
        if self.host != socket.gethostname() or not self.boot:
            return False
        return self.boot != _boot(proc) or self.started != _started(self.pid, proc)

    def __str__(self) -> str:
        return f"{self.user}@{self.host}, process {self.pid}"


class Lock:
    def __init__(self, api: KubeApi, namespace: str, name: str, me: Holder, proc: str = "/proc") -> None:
        self._api = api
        self._collection = f"/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases"
        self._name = name
        self._me = me
        self._proc = proc

    def hold(self, seconds: int, takeover: bool) -> str | None:
        """Take it; the dead holder from whom it was taken, or None."""
        lease = self._api.get(f"{self._collection}/{self._name}")
        if lease is None:
            try:
                self._api.create(self._collection, self._lease(seconds))
            except KubeError as error:
                if error.status != 409:
                    raise
                lease = self._api.get(f"{self._collection}/{self._name}")  # somebody was faster by milliseconds
            if lease is None:
                return None
        holder = _holder_of(lease)
        abandoned = holder is not None and holder != self._me
        if abandoned and not (takeover or _expired(lease) or (holder and holder.is_dead(self._proc))):
            raise LockHeld(self._complaint(lease, holder))
        replacement = self._lease(seconds)
        replacement["metadata"]["resourceVersion"] = lease["metadata"]["resourceVersion"]
        self._api.replace(f"{self._collection}/{self._name}", replacement)
        return str(holder) if abandoned else None

    def release(self) -> bool:
        """Give back what is ours; leave what is not."""
        lease = self._api.get(f"{self._collection}/{self._name}")
        if lease is None or _holder_of(lease) != self._me:
            return False
        return self._api.delete(f"{self._collection}/{self._name}")

    def _lease(self, seconds: int) -> dict[str, t.Any]:
        now = time.strftime(TIME, time.gmtime()) + ".000000Z"
        return {
            "apiVersion": "coordination.k8s.io/v1",
            "kind": "Lease",
            "metadata": {"name": self._name, "annotations": {ANNOTATION: json.dumps(asdict(self._me))}},
            "spec": {
                "holderIdentity": str(self._me),
                "leaseDurationSeconds": seconds,
                "acquireTime": now,
                "renewTime": now,
            },
        }

    def _complaint(self, lease: dict[str, t.Any], holder: Holder | None) -> str:
        spec = lease["spec"]
        return (
            f"another run is at work on this cluster: {holder}, since {spec.get('acquireTime')}. Let it end. If it is "
            f"dead and its machine out of reach, take the lock from it with -e deploy_ops_lock_takeover=true; "
            f"by itself it expires {spec.get('leaseDurationSeconds')} s after its start"
        )


def _holder_of(lease: dict[str, t.Any]) -> Holder | None:
    try:
        return Holder(**json.loads(lease["metadata"]["annotations"][ANNOTATION]))
    except (KeyError, TypeError, ValueError):
        return Holder("unknown", str(lease.get("spec", {}).get("holderIdentity")), "", 0, "")


def _expired(lease: dict[str, t.Any]) -> bool:
    spec = lease.get("spec") or {}
    try:
        renewed = calendar.timegm(time.strptime(spec["renewTime"][:19], TIME))
    except (KeyError, ValueError):
        return True
    return time.time() > renewed + int(spec.get("leaseDurationSeconds") or 0)


def _ansible_process(proc: str) -> int:
    """The topmost ancestor that runs ansible: modules are short-lived children of it."""
    pid, found = os.getpid(), os.getppid()
    while pid > 1:
        try:
            with open(f"{proc}/{pid}/cmdline", "rb") as stream:
                words = stream.read().split(b"\0")[:3]
            with open(f"{proc}/{pid}/stat", encoding="utf-8") as stream:
                parent = int(stream.read().rsplit(")", 1)[1].split()[1])
        except (OSError, ValueError, IndexError):
            break
        if any(os.path.basename(word).startswith(b"ansible") for word in words):
            found = pid
        pid = parent
    return found


def _started(pid: int, proc: str) -> str:
    """Start time in clock ticks: a process id alone may have been given to another process since."""
    try:
        with open(f"{proc}/{pid}/stat", encoding="utf-8") as stream:
            fields = stream.read().rsplit(")", 1)[1].split()
        return "" if fields[0] in ("Z", "X") else fields[19]  # a zombie has ended, its parent has not noticed
    except (OSError, IndexError):
        return ""


def _boot(proc: str) -> str:
    try:
        with open(f"{proc}/sys/kernel/random/boot_id", encoding="utf-8") as stream:
            return stream.read().strip()
    except OSError:
        return ""


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container's user without a name
        return str(os.getuid())
