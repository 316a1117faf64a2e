# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a component is: a program that runs on the host."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from deploy_ops_testbed import packages, supply
from deploy_ops_testbed.cluster.ports import Endpoint


@dataclass(frozen=True)
class Component:
    """A program that runs on the host."""

    name: str
    command: list[str]
    probe: Callable[[], str | None]
    ports: tuple[Endpoint, ...] = ()
    # Read by the program when it starts: another content means another program.
    files: tuple[Path, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)

    @property
    def fingerprint(self) -> str:
        """Changes when the program would be started differently: by this `up` restarts it."""
        digest = hashlib.sha256(json.dumps(self.command).encode())
        for file in self.files:
            digest.update(file.read_bytes())
        return digest.hexdigest()


def environment(component: Component) -> dict[str, str]:
    """A small environment of our own: proxies and tokens of the user's have no business in the cluster."""
    own = {str(supply.binary(name).parent) for name in ("containerd", "runc", "kubectl")}
    path = os.pathsep.join([*sorted(own), packages.SEARCHED])
    return {"PATH": path, "HOME": "/", "LANG": "C.UTF-8", **component.environment}
