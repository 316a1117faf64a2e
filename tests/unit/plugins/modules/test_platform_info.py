# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The module as Ansible runs it, with what it refuses before it talks to a cluster."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.proficientnow.deploy_ops.tests.unit.plugins.modules.module_runs import run_module

GRAPH: dict[str, t.Any] = {"version": 1, "stacks": {"s": {"applications": {"a": {}}}}}


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"scope": "platform"}, "one of the following is required: src, spec"),
        ({"spec": GRAPH, "scope": "app:b"}, 'unknown application "b"'),
        ({"spec": GRAPH, "components": {"argo-cd": {}}}, "components: argo-cd must have namespace and release"),
    ],
)
def test_bad_options(options: dict[str, t.Any], told: str) -> None:
    done = run_module("platform_info", options)
    assert told in done.result["msg"]


def test_a_cluster_that_is_not_there() -> None:
    # Port 9 of the loopback: nobody listens.
    done = run_module("platform_info", {"spec": GRAPH, "host": "http://127.0.0.1:9", "api_key": "hunter2"})
    assert "could not be judged; nothing was changed" in done.result["msg"]
    assert "hunter2" not in done.output
