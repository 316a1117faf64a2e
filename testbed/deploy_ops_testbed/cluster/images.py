# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Puts the images of the testbed into its registry, and knows whether they are there."""

from __future__ import annotations

import json
from pathlib import Path

from deploy_ops_testbed import supply
from deploy_ops_testbed.cluster.layout import Layout
from deploy_ops_testbed.progress import Step


def publish(where: Layout, endpoint: str, step: Step) -> None:
    """Push what the registry does not have; its data are in the cache, so mostly that is nothing."""
    wanted = _wanted()
    supply.push_images(endpoint, step)
    _stamp(where).write_text(wanted)


def outdated(where: Layout) -> bool:
    try:
        return _stamp(where).read_text() != _wanted()
    except FileNotFoundError:
        return True


def _wanted() -> str:
    # An archive's name is the key of its recipe: other content has another name.
    return json.dumps({image.ref: image.archive.name for image in supply.images()}, indent=1, sort_keys=True)


def _stamp(where: Layout) -> Path:
    return where.registry / "published.json"
