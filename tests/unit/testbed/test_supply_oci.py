# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Images as OCI layouts: the same bytes each time, with what was asked for in them."""

from __future__ import annotations

import json
import os
import tarfile
from pathlib import Path

import pytest

from deploy_ops_testbed.supply import oci


@pytest.fixture
def entries(tmp_path: Path) -> list[oci.Entry]:
    program = tmp_path / "program"
    program.write_text("#!/bin/true\n")
    return [
        oci.Entry("/usr/bin/program", source=program),
        oci.Entry("/etc/config", 0o644, text="a: 1\n"),
        oci.Entry("/usr/bin/other", link="program"),
        oci.Entry("/home/one", 0o700, owner=999),
    ]


def image(target: Path, entries: list[oci.Entry]) -> Path:
    target.mkdir()
    layer = target / "layer.tar"
    oci.write_layer(layer, entries)
    settings = oci.Settings(entrypoint=("/usr/bin/program",), user="999", environment=(("HOME", "/home/one"),))
    oci.write_layout(target, "example.org/program:1", [layer], settings)
    return target


def test_layer_has_what_was_asked_for(tmp_path: Path, entries: list[oci.Entry]) -> None:
    oci.write_layer(tmp_path / "layer.tar", entries)
    with tarfile.open(tmp_path / "layer.tar") as layer:
        members = {member.name: member for member in layer}
        content = layer.extractfile("usr/bin/program")
        assert content
        assert content.read() == b"#!/bin/true\n"
    assert list(members) == ["etc/config", "home/one", "usr/bin/other", "usr/bin/program"]
    assert (members["usr/bin/program"].mode, members["etc/config"].mode) == (0o755, 0o644)
    assert members["usr/bin/other"].linkname == "program"
    assert members["home/one"].isdir()
    assert (members["home/one"].uid, members["home/one"].mode) == (999, 0o700)


def test_same_input_same_digest_whatever_the_time_and_order(tmp_path: Path, entries: list[oci.Entry]) -> None:
    first = image(tmp_path / "first", entries)
    source = entries[0].source
    assert source
    os.utime(source, (0, 0))
    second = image(tmp_path / "second", entries[::-1])
    assert oci.digest_of(first) == oci.digest_of(second)


def test_other_content_other_digest(tmp_path: Path, entries: list[oci.Entry]) -> None:
    first = image(tmp_path / "first", entries)
    second = image(tmp_path / "second", [*entries, oci.Entry("/more", text="")])
    assert oci.digest_of(first) != oci.digest_of(second)


def test_every_descriptor_leads_to_its_blob(tmp_path: Path, entries: list[oci.Entry]) -> None:
    layout = image(tmp_path / "image", entries)

    def blob(descriptor: dict[str, object]) -> bytes:
        data = (layout / "blobs" / str(descriptor["digest"]).replace(":", "/")).read_bytes()
        assert len(data) == descriptor["size"]
        return data

    index = json.loads((layout / "index.json").read_text())
    manifest = json.loads(blob(index["manifests"][0]))
    config = json.loads(blob(manifest["config"]))
    blob(manifest["layers"][0])
    assert config["rootfs"]["diff_ids"] == [manifest["layers"][0]["digest"]]
    assert config["config"]["User"] == "999"
    assert "HOME=/home/one" in config["config"]["Env"]
