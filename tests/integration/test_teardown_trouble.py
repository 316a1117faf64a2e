# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A teardown that is disturbed."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from deployment import eventually
from removal import Teardown, deployed

pytestmark = pytest.mark.long


@pytest.fixture
def teardown(playbook: Any, kubectl: Callable[..., str], tmp_path: Path) -> Iterator[Teardown]:
    yield from deployed(playbook, kubectl, tmp_path)


def test_killed_in_the_middle_and_run_again(teardown: Teardown) -> None:
    """The workflow goes on by itself; the second run attaches to it, and the order holds over both."""
    platform = teardown.deployment
    with teardown.watched() as events:
        process = teardown.start()
        eventually(lambda: len(platform.applications()) < 12, "the first application goes", 120)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        assert platform.applications(), "killed too late"
        again = teardown()
    assert again.code == 0, again
    assert platform.applications() == {}
    assert teardown.violations(events) == []
    runs = [item for item in platform.workflows() if item["metadata"]["name"].startswith("platform-teardown")]
    assert len(runs) == 1
