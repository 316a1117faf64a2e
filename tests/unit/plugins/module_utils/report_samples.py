# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reports for tests: a partial deployment, and the smallest one of each kind."""

from __future__ import annotations

import typing as t

Dict = dict[str, t.Any]


def node(name: str, state: str = "Healthy", **more: t.Any) -> Dict:
    return {"name": name, "stack": "base", "kind": "application", "state": state, **more}


def partial() -> Dict:
    """One failed node, one that waits for it, one that does not."""
    return {
        "schema": 1,
        "kind": "deploy",
        "outcome": "Partial",
        "environment": "staging",
        "cluster": "https://10.0.0.1:6443",
        "scope": "platform",
        "strategy": "waves",
        "run": "platform-bootstrap-0123456789-1",
        "started": "2026-11-16T08:00:00Z",
        "finished": "2026-11-16T08:01:30Z",
        "seconds": 90.0,
        "summary": ["1 of 3 nodes is Healthy."],
        "nodes": [
            node(
                "metallb",
                wave=0,
                needs=[],
                started="2026-11-16T08:00:02Z",
                finished="2026-11-16T08:00:20Z",
                sync_seconds=4,
                health_seconds=10,
                attempts=1,
                revision="0123456789abcdef",
                message="Healthy at 0123456",
                log=["08:00:02 Progressing: syncing", "08:00:20 Healthy"],
            ),
            node(
                "vault",
                "Failed",
                wave=1,
                needs=["metallb"],
                started="2026-11-16T08:00:20Z",
                finished="2026-11-16T08:01:30Z",
                sync_seconds=5,
                health_seconds=60,
                attempts=2,
                message="Progressing for 1 min",
                resources=[
                    {
                        "kind": "StatefulSet",
                        "namespace": "base",
                        "name": "vault",
                        "status": "Progressing",
                        "message": "0 of 3 pods are ready",
                        "events": ["Warning FailedMount: no such secret"],
                    }
                ],
                recommendation="look at StatefulSet base/vault",
            ),
            node("portal", "Skipped", wave=2, needs=["vault"], because=["vault"]),
        ],
        "stacks": [{"name": "base", "state": "Failed", "nodes": 3, "healthy": 1}],
        "metrics": {"makespan_seconds": 90.0, "syncs": 2},
        "next": ["ansible-playbook proficientnow.deploy_ops.deploy"],
    }


SMALLEST = [
    {"schema": 1, "kind": "deploy", "outcome": "Succeeded"},
    {"schema": 1, "kind": "validate", "outcome": "Degraded"},
    {"schema": 1, "kind": "teardown", "outcome": "Complete"},
]
