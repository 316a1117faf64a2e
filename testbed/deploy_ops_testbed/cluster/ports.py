# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Who listens on a port, from /proc alone."""

from __future__ import annotations

import contextlib
import os
import socket
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from deploy_ops_testbed.cluster.processes import name_of
from deploy_ops_testbed.errors import TestbedError

LISTEN = "0A"
ANY_ADDRESS = ("0.0.0.0", "::")
CLOSING = 5.0


@dataclass(frozen=True)
class Endpoint:
    address: str
    port: int

    def __str__(self) -> str:
        return f"{self.address}:{self.port}"


def check_free(component: str, endpoints: Iterable[Endpoint]) -> None:
    """Raise, naming the holder, when one of the endpoints cannot be listened on."""
    for endpoint in endpoints:
        deadline = time.monotonic() + CLOSING
        while (inode := _listener(endpoint)) is not None:
            holder = _holder(inode)
            # A socket that no process holds any more is just being closed by the kernel.
            if holder or time.monotonic() > deadline:
                raise TestbedError(
                    f"{component} cannot start: port {endpoint} is taken",
                    f"{holder or 'a process of another namespace'} listens on it",
                    "stop that program, or move it to another port; then run `testbed up` again",
                )
            time.sleep(0.05)


def _listener(endpoint: Endpoint) -> str | None:
    listening = _listening()
    found = [listening.get((address, endpoint.port)) for address in (endpoint.address, *ANY_ADDRESS)]
    return next((inode for inode in found if inode is not None), None)


def _holder(inode: str) -> str | None:
    """The program that holds a socket, as a person would name it."""
    for folder in Path("/proc").glob("[0-9]*"):
        if f"socket:[{inode}]" in _open_files(folder / "fd"):
            words = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
            return f"{name_of(int(folder.name))} (pid {folder.name}: {words[:120]})"
    return None


def _open_files(folder: Path) -> Iterator[str]:
    """What a process has open, as far as we may see it and it does not close it meanwhile."""
    try:
        links = list(folder.iterdir())
    except OSError:
        return
    for link in links:
        with contextlib.suppress(OSError):
            yield os.readlink(link)


def _listening() -> dict[tuple[str, int], str]:
    """Listening TCP sockets: (address, port) to the inode of the socket."""
    found = {}
    for table in ("tcp", "tcp6"):
        path = Path(f"/proc/net/{table}")
        if not path.exists():
            continue
        for line in path.read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == LISTEN:
                address, _, port = fields[1].partition(":")
                found[_address(address), int(port, 16)] = fields[9]
    return found


def _address(text: str) -> str:
    """Undo the kernel's notation: 32-bit words in host byte order (little endian on what Kubernetes runs on)."""
    raw = b"".join(bytes.fromhex(text[start : start + 8])[::-1] for start in range(0, len(text), 8))
    if len(raw) == 4:
        return socket.inet_ntop(socket.AF_INET, raw)
    name = socket.inet_ntop(socket.AF_INET6, raw)
    return name.removeprefix("::ffff:") if "." in name else name
