# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The base of those images that need more than one static program: a small Debian."""

from __future__ import annotations

import os
import platform
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from deploy_ops_testbed import paths
from deploy_ops_testbed.errors import TestbedError
from deploy_ops_testbed.progress import Step
from deploy_ops_testbed.supply import store

# What a Debian helper compiles while packages are installed: the only thing that differs from one time to the next.
REMOVED = "/usr/share/python3/debpython/__pycache__"
# Nobody reads these in a container.
LEFT_OUT = ("/usr/share/doc/*", "/usr/share/man/*", "/usr/share/locale/*", "/usr/share/info/*", "/usr/share/lintian/*")


@dataclass(frozen=True)
class Base:
    """A root file system from Debian packages."""

    name: str
    suite: str
    packages: tuple[str, ...]
    users: tuple[tuple[str, int], ...]

    @property
    def key(self) -> str:
        # Not the packages' versions: they change with every update of Debian, and any of them will do.
        return store.key_of([platform.machine(), self.suite, self.packages, self.users, LEFT_OUT, REMOVED])

    @property
    def layer(self) -> Path:
        return store.place_of(f"base-{self.name}", self.key) / "layer.tar"


@cache
def bases() -> dict[str, Base]:
    """All bases of images.toml."""
    table = tomllib.loads((paths.testbed_dir() / "images" / "images.toml").read_text())["base"]
    return {
        name: Base(name, entry["suite"], tuple(entry["packages"]), tuple(entry.get("users", {}).items()))
        for name, entry in table.items()
    }


def make(base: Base, step: Step) -> None:
    """Assemble the base from packages."""
    if os.geteuid() != 0:
        raise TestbedError(
            "Cannot assemble the images' root file system", "only root may", "run `testbed build` as root (`sudo -E`)"
        )

    def assemble(target: Path) -> None:
        step.run(
            [
                "mmdebstrap",
                "--variant=minbase",
                f"--include={','.join(base.packages)}",
                *(f"--dpkgopt=path-exclude={pattern}" for pattern in LEFT_OUT),
                # Before any package takes the number for itself.
                *(f"--essential-hook={_add_user(name, number)}" for name, number in base.users),
                f'--customize-hook=rm -r "$1{REMOVED}"',
                base.suite,
                target / "layer.tar",
            ],
            # Any fixed date will do: it makes the archive the same each time.
            env={**os.environ, "SOURCE_DATE_EPOCH": "1"},
            way_out="check that the Debian mirror can be reached (`apt-get update`) and run the same command again",
        )

    store.produce(f"base-{base.name}", base.key, assemble)


def _add_user(name: str, number: int) -> str:
    return (
        f'echo {name}:x:{number}:{number}::/home/{name}:/usr/sbin/nologin >> "$1/etc/passwd"; '
        f'echo {name}:x:{number}: >> "$1/etc/group"'
    )
