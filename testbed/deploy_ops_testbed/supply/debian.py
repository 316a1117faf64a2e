# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Daemons from Debian packages, unpacked instead of installed: the machine gets no service from us."""

from __future__ import annotations

import platform
from pathlib import Path

from deploy_ops_testbed import packages
from deploy_ops_testbed.progress import Step
from deploy_ops_testbed.supply import store

NAME = "debian"


def _packages() -> list[str]:
    return sorted({package for package, _path in (*packages.DAEMONS.values(), packages.CNI_PLUGINS)})


def place() -> Path:
    """The folder that the packages are unpacked in."""
    # Not keyed by the packages' versions: those change with every security update, and any of them will do.
    release = platform.freedesktop_os_release().get("VERSION_CODENAME", "unknown")
    return store.place_of(NAME, store.key_of([release, platform.machine(), _packages()]))


def unpack(step: Step) -> None:
    """Fetch the packages and unpack them into the cache."""

    def make(target: Path) -> None:
        packages.apt("download", *_packages(), cwd=str(target))
        for archive in sorted(target.glob("*.deb")):
            step.run(["dpkg-deb", "--extract", archive, target])
            archive.unlink()

    store.produce(NAME, place().name, make)
