# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What `status` says, and with which exit code."""

from __future__ import annotations

import pytest

from deploy_ops_testbed.cluster import health
from deploy_ops_testbed.cluster.health import Condition, Report
from deploy_ops_testbed.cluster.layout import Layout


@pytest.mark.parametrize(
    ("states", "code", "word"),
    [
        (["running", "running"], 0, "healthy"),
        (["running", "dead"], 1, "broken"),
        (["running", "not ready"], 1, "broken"),
        (["dead", "dead"], 1, "broken"),
        (["stopped", "stopped"], 3, "not running"),
    ],
)
def test_the_exit_code_follows_the_states(states: list[str], code: int, word: str) -> None:
    report = Report([Condition(f"c{number}", state) for number, state in enumerate(states)], 0)
    assert (report.code, report.word) == (code, word)
    assert report.as_dict()["status"] == word


def test_what_is_broken_is_explained() -> None:
    broken = Condition("etcd", "dead", problem="its process is gone", log="    out of memory", way_out="`testbed up`")
    told = health.render(Report([Condition("git", "running", 7, 0.0), broken], 5 * 1024**2), Layout.current())
    assert "etcd: its process is gone" in told
    assert "out of memory" in told
    assert "way out: `testbed up`" in told
    assert "git: " not in told
    assert "5 MiB" in told
