# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Writes container images as OCI layouts: the same input gives the same bytes, hence the same digest."""

from __future__ import annotations

import hashlib
import io
import json
import os
import platform
import tarfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from deploy_ops_testbed.supply import store, toolchain

CONFIG = "application/vnd.oci.image.config.v1+json"
MANIFEST = "application/vnd.oci.image.manifest.v1+json"
# Not compressed: they only travel over the loopback, where compressing would cost more than it saves.
LAYER = "application/vnd.oci.image.layer.v1.tar"
SEARCHED = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


@dataclass(frozen=True)
class Entry:
    """One thing in a layer: a file with content from `source` or `text`, a link, or else a folder."""

    path: str
    mode: int = 0o755
    owner: int = 0
    source: Path | None = None
    text: str | None = None
    link: str | None = None


@dataclass(frozen=True)
class Settings:
    """How a container of the image is started."""

    entrypoint: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    user: str = ""
    workdir: str = "/"
    environment: tuple[tuple[str, str], ...] = ()


def write_layer(target: Path, entries: Iterable[Entry]) -> None:
    """A layer with these entries, in the order of their paths, without any date."""
    with tarfile.open(target, "w", format=tarfile.PAX_FORMAT) as layer:
        for entry in sorted(entries, key=lambda entry: entry.path):
            info = tarfile.TarInfo(entry.path.strip("/"))
            info.mode, info.uid, info.gid = entry.mode, entry.owner, entry.owner
            if entry.source is not None:
                info.size = entry.source.stat().st_size
                with entry.source.open("rb") as content:
                    layer.addfile(info, content)
            elif entry.text is not None:
                info.size = len(entry.text.encode())
                layer.addfile(info, io.BytesIO(entry.text.encode()))
            else:
                info.type = tarfile.DIRTYPE if entry.link is None else tarfile.SYMTYPE
                info.linkname = entry.link or ""
                layer.addfile(info)


def write_layout(target: Path, ref: str, layers: Iterable[Path], settings: Settings) -> None:
    """An OCI layout with one image. The layers are linked, not copied."""
    blobs = target / "blobs" / "sha256"
    blobs.mkdir(parents=True)
    descriptors = [_link(blobs, layer) for layer in layers]
    config = {
        "architecture": toolchain.ARCHITECTURES.get(platform.machine(), platform.machine()),
        "os": "linux",
        "config": {
            "Env": [f"PATH={SEARCHED}", *(f"{name}={value}" for name, value in settings.environment)],
            "Entrypoint": list(settings.entrypoint) or None,
            "Cmd": list(settings.command) or None,
            "User": settings.user,
            "WorkingDir": settings.workdir,
        },
        "rootfs": {"type": "layers", "diff_ids": [descriptor["digest"] for descriptor in descriptors]},
    }
    manifest = {
        "schemaVersion": 2,
        "mediaType": MANIFEST,
        "config": _write(blobs, CONFIG, config),
        "layers": descriptors,
    }
    described = {**_write(blobs, MANIFEST, manifest), "annotations": {"org.opencontainers.image.ref.name": ref}}
    (target / "index.json").write_text(json.dumps({"schemaVersion": 2, "manifests": [described]}))
    (target / "oci-layout").write_text(json.dumps({"imageLayoutVersion": "1.0.0"}))


def digest_of(layout: Path) -> str:
    """The digest by which a registry knows the image of a layout."""
    index = json.loads((layout / "index.json").read_text())
    return str(index["manifests"][0]["digest"])


def _link(blobs: Path, layer: Path) -> dict[str, object]:
    digest = store.digest_of(layer)
    os.link(layer, blobs / digest)
    return {"mediaType": LAYER, "digest": f"sha256:{digest}", "size": layer.stat().st_size}


def _write(blobs: Path, kind: str, content: object) -> dict[str, object]:
    data = json.dumps(content, sort_keys=True).encode()
    digest = hashlib.sha256(data).hexdigest()
    (blobs / digest).write_bytes(data)
    return {"mediaType": kind, "digest": f"sha256:{digest}", "size": len(data)}
