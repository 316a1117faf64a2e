# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Modules as Ansible runs them: through a real ad-hoc call on this machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import typing as t
from pathlib import Path


class Run(t.NamedTuple):
    """What came of it: the module's result, and all that Ansible printed."""

    result: dict[str, t.Any]
    output: str


def run_module(name: str, options: dict[str, t.Any], *arguments: str, **environment: str) -> Run:
    """Run a module of this collection. Refuses output without a result, and tracebacks."""
    command = [
        str(Path(sys.executable).with_name("ansible")),
        "localhost",
        "--connection=local",
        f"--module-name=proficientnow.deploy_ops.{name}",
        f"--args={json.dumps(options)}",
        "--extra-vars",
        json.dumps({"ansible_python_interpreter": sys.executable}),
        *arguments,
    ]
    collections = next(path for path in sys.path if (Path(path) / "ansible_collections" / "proficientnow").is_dir())
    whole = {
        **os.environ,
        "ANSIBLE_COLLECTIONS_PATH": collections,
        "ANSIBLE_CALLBACK_RESULT_FORMAT": "json",
        "ANSIBLE_NOCOLOR": "1",
        **environment,
    }
    done = subprocess.run(command, capture_output=True, text=True, env=whole, check=False)
    _before, separator, result = done.stdout.partition(" => ")
    assert separator, done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    return Run(json.JSONDecoder().raw_decode(result)[0], done.stdout + done.stderr)
