# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
---
name: gate_archive
short_description: Pack the gate for its way into the cluster
version_added: 1.0.0
author:
  - ProficientNow (@proficientnow)
description:
  - Packs the gate's Python package into an archive that fits into a container's environment,
    so that nobody has to build or push an image.
  - The same version of the collection gives the same archive, byte by byte.
options:
  _input:
    description: The name that the package gets inside the archive.
    type: str
    required: true
"""

EXAMPLES = r"""
---
- name: Show how large the gate is
  ansible.builtin.debug:
    msg: "{{ ('deploy_ops_gate' | proficientnow.deploy_ops.gate_archive).archive | length }}"
"""

RETURN = r"""
---
_value:
  description: The archive and how to run it.
  type: dict
  contains:
    archive:
      description: A zip file in Base64. Belongs into the environment variable C(DEPLOY_OPS_GATE).
      type: str
    loader:
      description: The program that unpacks and starts it. Belongs behind C(python3 -c), before the gate's arguments.
      type: str
    digest:
      description: SHA-256 of the archive.
      type: str
  sample: {archive: UEsDBBQ..., loader: import base64..., digest: 4c8f1c...}
"""

import base64
import hashlib
import io
import typing as t
import zipfile
from pathlib import Path

from ansible.errors import AnsibleFilterError

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils import _gate

# An environment variable, as any argument, holds at most 128 KiB (MAX_ARG_STRLEN of Linux).
_LARGEST = 128 * 1024 - 64

# A file that exists in memory only: the container's file system is read-only.
_LOADER = (
    "import base64, os, sys; "
    'archive = os.memfd_create("gate"); '
    'os.write(archive, base64.b64decode(os.environ.pop("DEPLOY_OPS_GATE"))); '
    'sys.path.insert(0, f"/proc/self/fd/{{archive}}"); '
    "from {package}.command import main; "
    "sys.exit(main())"
)


def gate_archive(package: t.Any) -> dict[str, str]:
    if not isinstance(package, str) or not package.isidentifier():
        raise AnsibleFilterError(
            "proficientnow.deploy_ops.gate_archive: the input must be the name of a Python package,"
            " such as deploy_ops_gate"
        )
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for source in sorted(Path(_gate.__file__).parent.glob("*.py")):
            # A fixed time and mode: otherwise every checkout would give another archive.
            entry = zipfile.ZipInfo(f"{package}/{source.name}", (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, source.read_bytes())
    packed = base64.b64encode(memory.getvalue()).decode()
    if len(packed) > _LARGEST:
        raise AnsibleFilterError(f"proficientnow.deploy_ops.gate_archive: {len(packed)} bytes, more than {_LARGEST}")
    return {
        "archive": packed,
        "loader": _LOADER.format(package=package),
        "digest": hashlib.sha256(memory.getvalue()).hexdigest(),
    }


class FilterModule:
    def filters(self) -> dict[str, t.Callable[..., t.Any]]:
        return {"gate_archive": gate_archive}
