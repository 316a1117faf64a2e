# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The cache of finished things: `builds/<name>/<key>/`, each there as a whole or not at all."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from deploy_ops_testbed import paths

PARTIAL = ".partial-"


def key_of(recipe: object) -> str:
    """A short name for everything that decides what comes out: same recipe, same key, on every machine."""
    text = json.dumps(recipe, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def digest_of(file: Path) -> str:
    """The SHA-256 of a file, for a recipe."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def place_of(name: str, key: str) -> Path:
    """Where the finished thing is, or will be."""
    return paths.cache_dir() / "builds" / name / key


def produce(name: str, key: str, make: Callable[[Path], None]) -> Path:
    """The finished thing, made now if it is not there.

    It is made in a folder of its own and renamed when it is whole: whoever is killed in between leaves nothing that
    looks finished, and a second one that wants the same waits for the first instead of doing the work twice.
    """
    place = place_of(name, key)
    if place.is_dir():
        return place
    place.parent.mkdir(parents=True, exist_ok=True)
    with locked(place.parent / ".lock"):
        if place.is_dir():
            return place
        for left_over in place.parent.glob(place.name + PARTIAL + "*"):
            remove(left_over)
        # A name of its own: a compiler that has outlived its killed parent may still write into the folder it got.
        partial = Path(tempfile.mkdtemp(prefix=place.name + PARTIAL, dir=place.parent))
        partial.chmod(0o755)
        try:
            make(partial)
        except BaseException:
            remove(partial)
            raise
        partial.rename(place)
    return place


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Hold a lock that the kernel drops with the process, however that ends."""
    handle = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def remove(folder: Path) -> None:
    """Remove a folder, also one with read-only folders in it."""

    def unlock(function: Callable[[str], object], path: str, _error: object) -> None:
        os.chmod(Path(path).parent, 0o700)
        function(path)

    if folder.exists():
        shutil.rmtree(folder, onerror=unlock)
