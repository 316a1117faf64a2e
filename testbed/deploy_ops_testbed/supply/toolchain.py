# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The Go toolchain: the machine's own if it is new enough, else the one that the module proxy serves."""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from deploy_ops_testbed import packages, paths
from deploy_ops_testbed.errors import TestbedError

# What is fetched when the machine has less. The hashes are those of the checksum database; pinning them here means
# that an older `go`, which only serves to fetch it, need not be trusted to look them up.
FETCHED = "1.26.8"
FETCHED_SUMS = {
    "amd64": "h1:ZOmGe1OnfREDMIdb1Qi4G9JSuDPBLGExZMQ4nis1RXM=",
    "arm64": "h1:sYL/O6MqS68ML0kjsQ36WoYIpJqkw60TxizWUYUKQMc=",
}
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
DEBIAN_PACKAGE = "golang-go"


@dataclass(frozen=True)
class Go:
    """A `go` command that can build what the testbed needs."""

    command: Path
    # Where its library is; None leaves that to the command itself, and to whoever has set GOROOT for it.
    root: Path | None = None

    def environment(self) -> dict[str, str]:
        """The surroundings of every call: our own caches unless the machine names others, and nothing implicit."""
        go = paths.cache_dir() / "go"
        return {
            **os.environ,
            **({"GOROOT": str(self.root)} if self.root else {}),
            "GOCACHE": os.environ.get("GOCACHE") or str(go / "build"),
            "GOMODCACHE": os.environ.get("GOMODCACHE") or str(go / "mod"),
            # Without -modcacherw the module cache could not be removed by removing its folder.
            "GOFLAGS": "-buildvcs=false -modcacherw",
            "GOTOOLCHAIN": "local",
            "GOWORK": "off",
            "CGO_ENABLED": "0",
            "GOOS": "linux",
        }

    def download(self, module: str, version: str, pinned: str) -> Path:
        """The folder with a module's files, whose hash must be the pinned one."""
        # Outside of any module, so that nobody's go.mod has a say; the hash is compared here, so no look-up is needed.
        call = subprocess.run(
            [self.command, "mod", "download", "-json", f"{module}@{version}"],
            cwd="/",
            env={**self.environment(), "GONOSUMDB": module},
            capture_output=True,
            text=True,
            check=False,
        )
        answer: dict[str, str] = json.loads(call.stdout) if call.stdout.startswith("{") else {}
        if call.returncode or "Dir" not in answer:
            raise TestbedError(
                f"Cannot get the module {module} {version}",
                answer.get("Error") or call.stderr.strip(),
                "check that the Go module proxy can be reached (`go env GOPROXY`) and run the same command again",
            )
        if answer["Sum"] != pinned:
            raise TestbedError(
                f"The module {module} {version} is not the one that was published",
                f"its hash is {answer['Sum']}, not {pinned}",
                f"do not use it: remove {answer['Dir']} and ask who runs your module proxy",
            )
        return Path(answer["Dir"])


@cache
def go() -> Go:
    """The `go` to build with; on a machine that has none, or an old one, it is fetched first."""
    found = _on_the_machine()
    if found is None:
        packages.ensure([DEBIAN_PACKAGE], purpose="fetch a newer Go")
        found = _on_the_machine()
    if found is None:
        raise TestbedError(
            "No Go command",
            f"the package {DEBIAN_PACKAGE} brought none",
            "put `go` on PATH and run the same command again",
        )
    return found if _version(found.command) >= needed() else _fetched_with(found)


def _on_the_machine() -> Go | None:
    command = shutil.which("go") or shutil.which("go", path="/usr/local/go/bin:/usr/lib/go/bin")
    return Go(Path(command)) if command else None


def _fetched_with(old: Go) -> Go:
    """The toolchain as the module proxy serves it, fetched with an older Go."""
    architecture = ARCHITECTURES.get(platform.machine(), "")
    if architecture not in FETCHED_SUMS:
        raise TestbedError(
            f"No Go toolchain for {platform.machine()}",
            f"the testbed knows those for {', '.join(FETCHED_SUMS)}",
            f"install Go {'.'.join(map(str, needed()))} or newer and put it on PATH",
        )
    version = f"v0.0.1-go{FETCHED}.linux-{architecture}"
    folder = old.download("golang.org/toolchain", version, FETCHED_SUMS[architecture])
    # Module archives carry no permissions: what must run has to be made executable.
    for program in (*folder.glob("bin/*"), *folder.glob("pkg/tool/*/*")):
        program.chmod(0o755)
    return Go(folder / "bin" / "go", root=folder)


@cache
def needed() -> tuple[int, ...]:
    """The newest Go that any module of the testbed asks for."""
    modules = (paths.testbed_dir() / "modules").glob("*/go.mod")
    directives = [re.search(r"^go (\d+)\.(\d+)(?:\.(\d+))?$", file.read_text(), re.MULTILINE) for file in modules]
    return max(tuple(int(part or 0) for part in found.groups()) for found in directives if found)


def _version(command: Path) -> tuple[int, ...]:
    """The version of a `go` command; (0,) for one that does not run."""
    answer = subprocess.run(
        [command, "version"], capture_output=True, text=True, check=False, env={**os.environ, "GOTOOLCHAIN": "local"}
    )
    found = re.search(r"go(\d+)\.(\d+)(?:\.(\d+))?", answer.stdout)
    return tuple(int(part or 0) for part in found.groups()) if found else (0,)
