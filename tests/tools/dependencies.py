# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Put the collections that this one depends on where Ansible finds them, without a Galaxy server.

    python tests/tools/dependencies.py            # run in the environment `main`

For users requirements.yml stands. Here they come out of the `ansible` package, which carries them all: only those that
galaxy.yml names are unpacked (12 MB of 500), once, into the cache. `.ansible/collections` then links to them and to
this checkout, so that `ansible-playbook site.yml` runs the code that is being edited.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path, PurePosixPath

import yaml
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).resolve().parents[2]
BUNDLE = "12.3.0"  # of the `ansible` package: the last series on ansible-core 2.19


class DependencyError(Exception):
    """The bundle does not hold what galaxy.yml asks for; the text says what to do."""


def collection_folder(tree: Path, name: str) -> Path:
    """Where the collection `namespace.name` lies below a collections path."""
    return tree / "ansible_collections" / Path(*name.split("."))


def unpack(wheel: Path, wanted: dict[str, str], tree: Path) -> None:
    """Unpack the collections `wanted` (name -> version range) from the bundle into `tree`."""
    with zipfile.ZipFile(wheel) as bundle:
        members = bundle.namelist()
        for name, versions in sorted(wanted.items()):
            prefix = f"ansible_collections/{name.replace('.', '/')}/"
            if f"{prefix}MANIFEST.json" not in members:
                raise DependencyError(f"{wheel.name} holds no collection {name}: remove it from galaxy.yml")
            found = json.loads(bundle.read(f"{prefix}MANIFEST.json"))["collection_info"]["version"]
            if found not in SpecifierSet(versions):
                raise DependencyError(
                    f"{wheel.name} holds {name} {found}, and galaxy.yml asks for {versions}: "
                    f"choose another BUNDLE in {Path(__file__).name}, or another range."
                )
            bundle.extractall(tree, [member for member in members if PurePosixPath(member).is_relative_to(prefix)])


def ensure(wanted: dict[str, str], cache: Path) -> Path:
    """Return a collections path that holds exactly `wanted`; made once, and never half."""
    key = hashlib.sha256(json.dumps([BUNDLE, wanted], sort_keys=True).encode()).hexdigest()[:16]
    tree = cache / "collections" / key
    if tree.is_dir():
        return tree
    tree.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=tree.parent) as scratch:
        print(f"dependencies: unpacking {', '.join(sorted(wanted))} from ansible {BUNDLE}", flush=True)
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
        if subprocess.run([*pip, "--dest", scratch, f"ansible=={BUNDLE}"], check=False).returncode != 0:
            raise DependencyError(f"could not download ansible {BUNDLE}; pip's own words are above. Safe to run again.")
        (wheel,) = Path(scratch).glob("ansible-*.whl")
        made = Path(scratch) / "tree"
        unpack(wheel, wanted, made)
        try:
            made.rename(tree)  # at once: there is no moment at which half of it is there
        except OSError:
            if not tree.is_dir():  # else another process was faster, with the same result
                raise
    return tree


def link(target: Path, place: Path) -> None:
    """Make `place` a link to `target`, whatever was there before."""
    place.parent.mkdir(parents=True, exist_ok=True)
    if place.is_symlink() and os.readlink(place) == str(target):
        return
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place)  # a copy that a tool installed: it would hide the checkout
    fresh = place.with_name(f".{place.name}.{os.getpid()}")
    fresh.symlink_to(target, target_is_directory=True)
    fresh.replace(place)


def main() -> int:
    galaxy = yaml.safe_load((ROOT / "galaxy.yml").read_text(encoding="utf-8"))
    wanted: dict[str, str] = galaxy["dependencies"]
    collections = ROOT / ".ansible" / "collections"
    try:
        tree = ensure(wanted, Path(os.environ["DEPLOY_OPS_CACHE"]))
    except DependencyError as error:
        print(f"dependencies: {error}", file=sys.stderr)
        return 1
    for name in wanted:
        link(collection_folder(tree, name), collection_folder(collections, name))
    link(ROOT, collection_folder(collections, f"{galaxy['namespace']}.{galaxy['name']}"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
