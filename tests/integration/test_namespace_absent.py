# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A namespace that hangs: who holds it is told, and the one object that was named goes on request."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

sys.path.insert(0, str(Path(__file__).parent))

from deployment import INVENTORY, confirmed, eventually

FINALIZER = "deploy-ops.test/never"


def test_a_namespace_that_hangs(namespace: str, playbook: Any, kubectl: Callable[..., str], tmp_path: Path) -> None:
    def remove(*options: str) -> dict[str, Any]:
        given = {"test_namespace": namespace, "test_file": str(tmp_path / "result.json")}
        run = playbook("tests/integration/playbooks/namespace_absent.yml", INVENTORY, *options, **given)
        assert run.code == 0, run
        return json.loads((tmp_path / "result.json").read_text())

    assert not remove()["changed"]
    kubectl("create", "namespace", namespace)
    metadata = {"name": "stuck", "namespace": namespace, "finalizers": [FINALIZER]}
    (tmp_path / "stuck.yaml").write_text(
        yaml.safe_dump({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata})
    )
    kubectl("create", f"--filename={tmp_path / 'stuck.yaml'}")
    foretold = remove("--check")
    assert (foretold["changed"], foretold["removed"]) == (True, [namespace])

    result = remove()
    assert result["changed"]
    (held,) = result["held"]
    (holder,) = held["holders"]
    assert (holder["object"], holder["finalizers"]) == (f"ConfigMap {namespace}/stuck", [FINALIZER])
    assert any(FINALIZER in complaint for complaint in held["complaints"]), held

    # The way out, as it was told: the options of the command in the message.
    words = holder["fix"].replace("ENVIRONMENT", "local").split("ansible-playbook ")[1].split()
    removed = playbook(words[0], INVENTORY, *words[1:], **confirmed(tmp_path))
    assert removed.code == 0, removed
    gone = ("get", "namespace", namespace, "--ignore-not-found", "--output=name")
    eventually(lambda: kubectl(*gone) == "", "the namespace is gone", 30)
    assert not remove()["changed"]
