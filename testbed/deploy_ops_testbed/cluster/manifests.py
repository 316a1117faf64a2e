# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What `up` puts into the cluster: the testbed's own manifests, and the simulated operator's."""

from __future__ import annotations

import hashlib
from pathlib import Path

from deploy_ops_testbed import paths, supply
from deploy_ops_testbed.cluster import layout
from deploy_ops_testbed.cluster.layout import Layout
from deploy_ops_testbed.progress import Step


def files() -> list[Path]:
    folders = (paths.testbed_dir() / "manifests", paths.testbed_dir() / "simulator" / "manifests")
    return [file for folder in folders for file in sorted(folder.glob("*.yaml"))]


def apply(where: Layout, step: Step) -> None:
    """Server-side, so that what others have set in the same objects stays."""
    digest = _digest()
    names = [f"--filename={file}" for file in files()]
    step.run([
        *(supply.binary("kubectl"), f"--kubeconfig={where.kubeconfig}"),
        *("apply", "--server-side", "--force-conflicts", f"--field-manager={layout.NAME}", *names),
    ])  # fmt: skip
    _stamp(where).write_text(digest)


def outdated(where: Layout) -> bool:
    return not _stamp(where).exists() or _stamp(where).read_text() != _digest()


def _digest() -> str:
    return hashlib.sha256(b"".join(file.read_bytes() for file in files())).hexdigest()


def _stamp(where: Layout) -> Path:
    """Beside the cluster's data: it goes with them."""
    return where.etcd / "manifests.sha256"
