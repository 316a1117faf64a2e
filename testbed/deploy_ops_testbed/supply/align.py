# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""For maintainers: give what the programs have in common one version. See testbed/modules/README.md.

Go compiles a package once for each set of versions below it. With one version for all, the Kubernetes libraries and
everything under them are compiled once instead of for each program.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys

from deploy_ops_testbed.errors import TestbedError
from deploy_ops_testbed.supply import programs, toolchain

# The programs follow Kubernetes where its libraries are concerned, and each other's newest in all else.
LEADER = "kubernetes"
FOLLOWED = "k8s.io/"
ROUNDS = 5
# What the programs use differently: no one version suits them all.
APART = {"github.com/ktrysmt/go-bitbucket"}


def version_order(version: str) -> tuple[object, ...]:
    """A key that sorts versions as Go does: numbers by value, a pre-release before its release."""
    match = re.fullmatch(r"v(\d+)\.(\d+)\.(\d+)(?:-([^+]+))?(?:\+.*)?", version)
    if not match:
        raise TestbedError(f"{version} is no version", "Go modules have v1.2.3", "see the go.mod files")
    release = tuple(int(part) for part in match.group(1, 2, 3))
    if match[4] is None:
        return (*release, 1, ())
    parts = re.split(r"[.-]", match[4])
    return (*release, 0, tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts))


def common(requirements: dict[str, dict[str, str]]) -> dict[str, str]:
    """Module -> the one version for all, from program -> module -> version; only where two programs need it."""
    users: dict[str, dict[str, str]] = {}
    for program, modules in requirements.items():
        for module, version in modules.items():
            users.setdefault(module, {})[program] = version
    return {
        module: versions[LEADER]
        if module.startswith(FOLLOWED) and LEADER in versions
        else max(versions.values(), key=version_order)
        for module, versions in users.items()
        if len(versions) > 1
    }


def requirements_of(program: programs.Program) -> dict[str, str]:
    """Module -> version that the program's go.mod leads to."""
    module = _go("mod", "edit", "-json", program=program)
    described = json.loads(module)
    found = {entry["Path"]: entry["Version"] for entry in described.get("Require") or ()}
    for entry in described.get("Replace") or ():
        if entry["Old"]["Path"] in found:
            found[entry["Old"]["Path"]] = entry["New"].get("Version", "")
    return {module: version for module, version in found.items() if module not in APART}


def align() -> int:
    """Edit and tidy the go.mod files until nothing changes; answer with how many changes there were."""
    changes = 0
    # What is built on request follows nobody: it must not move what the cluster is made of.
    own = [
        program
        for program in programs.programs().values()
        if (program.folder / "go.sum").exists() and not program.on_request
    ]
    for _round in range(ROUNDS):
        requirements = {program.name: requirements_of(program) for program in own}
        wanted = common(requirements)
        sums = {line for program in own for line in (program.folder / "go.sum").read_text().splitlines(keepends=True)}
        edited = 0
        for program in own:
            edits = [
                f"-{'replace=' + module + '=' if module.startswith(FOLLOWED) else 'require='}{module}@{wanted[module]}"
                for module, version in requirements[program.name].items()
                if version != wanted.get(module, version)
            ]
            if edits:
                print(f"{program.name}: {' '.join(edits)}")
                _go("mod", "edit", *edits, program=program)
                # What one go.sum knows need not be looked up for another; tidy drops what is not needed.
                (program.folder / "go.sum").write_text("".join(sorted(sums)))
                _go("mod", "tidy", program=program)
                edited += len(edits)
        changes += edited
        if not edited:
            return changes
    raise TestbedError(
        "The versions do not settle", f"see what was printed, {ROUNDS} times over", "edit go.mod by hand"
    )


def _go(*words: str, program: programs.Program) -> str:
    go = toolchain.go()
    # Here, and only here, look-ups are wanted.
    environment = {**go.environment(), "GOFLAGS": "-mod=mod -modcacherw"}
    call = subprocess.run(
        [go.command, *words], cwd=program.folder, env=environment, capture_output=True, text=True, check=False
    )
    if call.returncode:
        raise TestbedError(f"{program.name}: go {' '.join(words[:2])} failed", call.stderr.strip(), "see go.mod")
    return call.stdout


if __name__ == "__main__":
    try:
        sys.exit(f"{changed} versions changed: build and test" if (changed := align()) else 0)
    except TestbedError as failure:
        sys.exit(str(failure))
