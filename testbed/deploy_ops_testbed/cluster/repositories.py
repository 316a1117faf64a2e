# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Seeds the Git server: `testbed/platforms/<name>/repository/` becomes `<name>.git`, the same commit everywhere."""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
import subprocess
import tempfile
from pathlib import Path

from deploy_ops_testbed import paths
from deploy_ops_testbed.cluster.git_server import initialise
from deploy_ops_testbed.cluster.layout import GIT_READER, GIT_WRITER, Layout, private_file
from deploy_ops_testbed.errors import TestbedError

# Fixed, so that the same files are the same commit on every machine.
IDENTITY = {
    "GIT_AUTHOR_NAME": "testbed",
    "GIT_AUTHOR_EMAIL": "testbed@example.invalid",
    "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z",
    "GIT_COMMITTER_NAME": "testbed",
    "GIT_COMMITTER_EMAIL": "testbed@example.invalid",
    "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
}


def sources() -> dict[str, Path]:
    """Repository name to the folder with its content."""
    platforms = paths.testbed_dir() / "platforms"
    return {folder.parent.name: folder for folder in sorted(platforms.glob("*/repository")) if folder.is_dir()}


def ensure_credentials(where: Layout) -> None:
    for user in (GIT_READER, GIT_WRITER):
        if not where.password_file(user).exists():
            # Without a newline: `kubectl create secret --from-file` takes a file as it is.
            private_file(where.password_file(user), secrets.token_urlsafe(24))


def seed(where: Layout) -> None:
    """Make the repositories that are missing or whose source has changed; others keep what was pushed to them."""
    where.git.mkdir(parents=True, exist_ok=True)
    for name, source in sources().items():
        digest = _digest(source)
        if _seeded_from(where, name) == digest:
            continue
        folder = where.git / f"{name}.git"
        with tempfile.TemporaryDirectory(dir=where.git, prefix=".seed-") as scratch:
            fresh = Path(scratch) / "fresh.git"
            _commit(source, fresh)
            shutil.rmtree(folder, ignore_errors=True)
            fresh.rename(folder)
        _stamp(where, name).write_text(digest)


def outdated(where: Layout) -> bool:
    return any(_seeded_from(where, name) != _digest(source) for name, source in sources().items())


def _seeded_from(where: Layout, name: str) -> str | None:
    if not (where.git / f"{name}.git").is_dir() or not _stamp(where, name).exists():
        return None
    return _stamp(where, name).read_text()


def _stamp(where: Layout, name: str) -> Path:
    return where.git / f"{name}.seed"


def _digest(source: Path) -> str:
    digest = hashlib.sha256()
    for file in sorted(path for path in source.rglob("*") if path.is_file()):
        executable = os.access(file, os.X_OK)
        digest.update(f"{file.relative_to(source)} {executable} {file.stat().st_size}\n".encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _commit(source: Path, repository: Path) -> None:
    """A bare repository with one commit of the folder on main."""
    initialise(repository)
    arguments = ["--git-dir", str(repository), "--work-tree", str(source)]
    _git(*arguments, "add", "--all", "--force", ".")
    _git(*arguments, "commit", "--quiet", "--message=Seed the platform")
    (repository / "index").unlink()


def _git(*arguments: str) -> None:
    environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1", **IDENTITY}
    done = subprocess.run(["git", *arguments], env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise TestbedError(
            f"`git {arguments[-1]}` failed while seeding the Git server",
            done.stderr.strip(),
            "mend that (is the folder empty?) and run `testbed up` again",
        )
