# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Where the testbed keeps its things. Nothing is written outside these folders, but for what `up` says itself."""

from __future__ import annotations

import os
from pathlib import Path


def _base(own: str, xdg: str, fallback: str) -> Path:
    if os.environ.get(own):
        return Path(os.environ[own]).expanduser().absolute()
    if os.environ.get(xdg):
        return Path(os.environ[xdg]).expanduser().absolute() / "deploy_ops"
    return Path.home() / fallback / "deploy_ops"


def cache_dir() -> Path:
    """What can be made again: builds, images, charts, Go's own caches."""
    return _base("DEPLOY_OPS_CACHE", "XDG_CACHE_HOME", ".cache")


def state_dir() -> Path:
    """What belongs to the running cluster."""
    return _base("DEPLOY_OPS_STATE", "XDG_STATE_HOME", ".local/state") / "testbed"


def testbed_dir() -> Path:
    """The folder `testbed/` of this checkout."""
    return Path(__file__).resolve().parent.parent
