# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Run a command in one of the project's virtual environments, making the environment when it is missing.

    python3 tests/tools/venv.py exec main -- ruff check .
    python3 tests/tools/venv.py path main
    python3 tests/tools/venv.py lock main

An environment is keyed by its interpreter and the text of tests/requirements/<name>.txt, so it is never changed, only
replaced. A marker is written last: what an interrupted run left behind is made anew. Standard library only, as this
runs before anything is installed.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

REQUIREMENTS = Path(__file__).resolve().parents[1] / "requirements"
COMPLETE = ".complete"
PYTHON = (3, 11)  # the one version that both the oldest (2.15) and the newest (2.19) ansible-core here run on


class VenvError(Exception):
    """Something the developer has to act on; the text says what."""


def requirements_file(name: str, suffix: str = ".txt") -> Path:
    path = REQUIREMENTS / f"{name}{suffix}"
    if not path.is_file():
        known = ", ".join(sorted(found.stem for found in REQUIREMENTS.glob("*.txt"))) or "none"
        raise VenvError(f"There is no environment {name!r}: {path} does not exist. Known environments: {known}.")
    return path


def venv_path(name: str, cache: Path) -> Path:
    """Where the environment lies; another interpreter or other requirements give another path."""
    key = hashlib.sha256()
    key.update(f"{sys.version}\n{Path(sys.executable).resolve()}\n".encode())
    key.update(requirements_file(name).read_bytes())
    return cache / "venvs" / f"{name}-{key.hexdigest()[:16]}"


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Let only one process at a time make the environment at `path`; the others wait for it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(f"{path}.lock", "w", encoding="utf-8") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def create(path: Path, requirements: Path) -> None:
    """Make the environment at `path` from `requirements`."""
    if sys.version_info[:2] != PYTHON:
        found = ".".join(map(str, sys.version_info[:3]))
        wanted = ".".join(map(str, PYTHON))
        raise VenvError(
            f"The tests need Python {wanted}, and {sys.executable} is {found}. "
            f"Install it (Debian: python{wanted}-venv) and name it: make PYTHON=python{wanted}."
        )
    pip = [str(path / "bin" / "python"), "-m", "pip", "--quiet", "--disable-pip-version-check"]
    for arguments in (
        [sys.executable, "-m", "venv", str(path)],
        [*pip, "install", "--requirement", str(requirements)],
    ):
        if subprocess.run(arguments, check=False, stdout=sys.stderr).returncode != 0:
            raise VenvError(
                f"Could not make the environment {path.name}: `{' '.join(arguments)}` failed, its own words are above. "
                f"It is safe to run the same command again."
            )


def ensure(name: str, cache: Path) -> Path:
    """Return the path of the environment, complete."""
    path = venv_path(name, cache)
    if (path / COMPLETE).exists():
        return path
    with locked(path):
        if (path / COMPLETE).exists():  # another process made it while this one waited
            return path
        print(f"venv: making {path} (a minute or two, once)", file=sys.stderr, flush=True)
        started = time.monotonic()
        shutil.rmtree(path, ignore_errors=True)
        create(path, requirements_file(name))
        (path / COMPLETE).touch()
        print(f"venv: {name} made in {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)
    return path


def execute(name: str, cache: Path, command: list[str]) -> None:
    """Replace this process by `command`, run as in the activated environment."""
    path = ensure(name, cache)
    environment = dict(os.environ, VIRTUAL_ENV=str(path), PATH=f"{path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    environment.pop("PYTHONHOME", None)
    program = shutil.which(command[0], path=environment["PATH"])
    if program is None:
        raise VenvError(f"There is no command {command[0]!r} in the environment {name!r} ({path}).")
    os.execve(program, command, environment)


def lock(name: str) -> None:
    """Resolve <name>.in afresh and write what pip chose to <name>.txt."""
    source = requirements_file(name, ".in")
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / name
        create(path, source)
        frozen = subprocess.run(
            [str(path / "bin" / "python"), "-m", "pip", "freeze"], check=True, capture_output=True, text=True
        ).stdout
    target = source.with_suffix(".txt")
    head = f"# SPDX-License-Identifier: GPL-3.0-or-later\n# Written by `make lock` from {source.name}. Do not edit.\n"
    target.write_text(head + frozen, encoding="utf-8")
    print(f"venv: {target} written")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="The project's virtual environments.")
    parser.add_argument("action", choices=["exec", "path", "lock"])
    parser.add_argument("name", help="which environment: a file name in tests/requirements, without .txt")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="for exec: -- COMMAND [ARGUMENT ...]")
    options = parser.parse_args(arguments)
    command = options.command[1:] if options.command[:1] == ["--"] else options.command
    if (options.action == "exec") != bool(command):
        parser.error("a command goes with exec, and only with exec")
    cache = os.environ.get("DEPLOY_OPS_CACHE")
    if not cache:
        parser.error("DEPLOY_OPS_CACHE is not set; the Makefile sets it, so use a make target")
    try:
        if options.action == "exec":
            execute(options.name, Path(cache), command)
        elif options.action == "lock":
            lock(options.name)
        else:
            print(ensure(options.name, Path(cache)))
    except VenvError as error:
        print(f"venv: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
