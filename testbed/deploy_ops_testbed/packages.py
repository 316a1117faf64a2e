# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the testbed needs from the machine's own package manager: the one list of it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable

from deploy_ops_testbed.errors import TestbedError

# Package -> a command by which it is known to be there (other distributions may name the package differently).
# Nothing here brings a system service that starts by itself: daemons come unpacked, see DAEMONS.
TOOLS = {
    "ca-certificates": "update-ca-certificates",
    "conntrack": "conntrack",
    "git": "git",
    "iproute2": "ip",
    "iptables": "iptables",
    "jq": "jq",
    "kmod": "modprobe",
    "mmdebstrap": "mmdebstrap",
    "mount": "mount",
    "nftables": "nft",
    "openssl": "openssl",
    "procps": "sysctl",
    "skopeo": "skopeo",
    "socat": "socat",
    "util-linux": "nsenter",
}

# These packages would register, start and enable services of the machine. They are unpacked into the cache instead of
# being installed: binary (or folder) -> package and the path in it.
DAEMONS = {
    "containerd": ("containerd", "usr/bin/containerd"),
    "containerd-shim-runc-v2": ("containerd", "usr/bin/containerd-shim-runc-v2"),
    "ctr": ("containerd", "usr/bin/ctr"),
    "runc": ("runc", "usr/sbin/runc"),
    "docker-registry": ("docker-registry", "usr/bin/docker-registry"),
}
CNI_PLUGINS = ("containernetworking-plugins", "usr/lib/cni")

SEARCHED = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def missing(wanted: Iterable[str] = TOOLS) -> list[str]:
    """The packages whose command is not on this machine."""
    path = os.environ.get("PATH", "") + ":" + SEARCHED
    return [package for package in wanted if not shutil.which(TOOLS.get(package, package), path=path)]


def ensure(lacking: list[str], *, purpose: str) -> None:
    """Install packages, or say in one message what to install."""
    if not lacking:
        return
    names = " ".join(lacking)
    if not shutil.which("apt-get"):
        raise TestbedError(
            f"Missing on this machine: {names}",
            f"they are needed to {purpose}, and this is no Debian that they could be installed on",
            "install what your distribution calls these Debian packages and run the same command again",
        )
    if os.geteuid() != 0:
        raise TestbedError(
            f"Missing on this machine: {names}",
            f"they are needed to {purpose}, and only root may install packages",
            f"run `sudo apt-get update && sudo apt-get install --no-install-recommends {names}`, "
            "then the same command again",
        )
    apt("install", "--no-install-recommends", *lacking)


def apt(action: str, *words: str, cwd: str | None = None) -> None:
    """Run apt-get; when it fails, once more with fresh package lists: a new machine has none, an old one stale ones."""
    if _apt_get(action, *words, cwd=cwd).returncode == 0:
        return
    if os.geteuid() == 0:
        _apt_get("update")
    again = _apt_get(action, *words, cwd=cwd)
    if again.returncode:
        raise TestbedError(
            f"`apt-get {action} {' '.join(words)}` failed",
            "\n".join((again.stdout + again.stderr).strip().splitlines()[-5:]),
            "mend that (`apt-get update` needs root and the Debian mirror) and run the same command again",
        )


def _apt_get(*words: str, cwd: str | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        # Another apt, such as the nightly update, may hold the lock for a while.
        ["apt-get", "--yes", "-o", "DPkg::Lock::Timeout=300", *words],
        env={**os.environ, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
    )
