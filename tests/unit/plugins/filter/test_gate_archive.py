# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The archive in which the gate travels into the cluster."""

from __future__ import annotations

import base64
import io
import os
import subprocess
import sys
import typing as t
import zipfile

import pytest
from ansible.errors import AnsibleFilterError

from ansible_collections.proficientnow.deploy_ops.plugins.filter.gate_archive import gate_archive


def test_the_same_code_gives_the_same_archive() -> None:
    assert gate_archive("deploy_ops_gate") == gate_archive("deploy_ops_gate")


def test_it_fits_into_an_environment_variable() -> None:
    assert len(gate_archive("deploy_ops_gate")["archive"]) < 128 * 1024


def test_it_holds_sources_only() -> None:
    packed = base64.b64decode(gate_archive("some_name")["archive"])
    names = zipfile.ZipFile(io.BytesIO(packed)).namelist()
    assert "some_name/command.py" in names
    assert all(name.startswith("some_name/") and name.endswith(".py") for name in names)


def test_it_runs_on_a_bare_python() -> None:
    """Isolated and without site-packages: as in the pod, where there is nothing but the standard library."""
    packed = gate_archive("deploy_ops_gate")
    environment = {"DEPLOY_OPS_GATE": packed["archive"], "PATH": os.environ["PATH"]}
    command = [sys.executable, "-I", "-S", "-c", packed["loader"], "run", "{}", "--run", "x"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "gate: set ARGOCD_TOKEN_FILE or ARGOCD_TOKEN: the gate needs an Argo CD token\n"


@pytest.mark.parametrize("name", ["", "a-b", "a/b", None, 3])
def test_a_bad_name_is_refused(name: t.Any) -> None:
    with pytest.raises(AnsibleFilterError, match="name of a Python package"):
        gate_archive(name)
