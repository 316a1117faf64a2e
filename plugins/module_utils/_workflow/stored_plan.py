# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""The plan beside the Workflow that carries it out: whoever can read the Workflow can tell how far it is. Pure.

A status asked from another machine has a kubeconfig and no dag.yaml, and the file may have changed since.
"""

from __future__ import annotations

import json
import typing as t

from .scopes import PLATFORM, Plan, scopes_of

# All annotations of an object together may have 256 KiB (Kubernetes' TotalAnnotationSizeLimitB).
MAX_BYTES = 200 * 1024

_PLAN = ("action", "scope", "strategy", "order", "waves", "requires")
_NODE = ("name", "stack", "kind", "application", "managed_by", "depends_on", "expected_seconds")


def store(plan: Plan) -> str:
    """What a report needs of a plan for the whole platform, as text; empty when that is too large to be stored.

    Not packed: another machine's library could pack the same plan differently, and it would be another run.
    """
    kept = {key: plan[key] for key in _PLAN}
    kept["nodes"] = {name: {key: node[key] for key in _NODE} for name, node in plan["nodes"].items()}
    text = json.dumps(kept, sort_keys=True, separators=(",", ":"))
    return text if len(text) <= MAX_BYTES else ""


def part_of(plan: Plan, scope: str) -> dict[str, t.Any]:
    """What the scope deploys of the plan for the whole platform; nothing for a scope that the graph does not have."""
    if plan["scope"] != PLATFORM:
        return dict(plan)  # a teardown is planned for its scope
    names = {name for name, scopes in scopes_of(plan).deploying.items() if scope in scopes}
    waves = [[name for name in wave if name in names] for wave in plan["waves"]]
    return {
        "action": plan["action"],
        "scope": scope,
        "strategy": plan["strategy"],
        "order": [name for name in plan["order"] if name in names],
        "waves": [wave for wave in waves if wave],
        "nodes": {name: node for name, node in plan["nodes"].items() if name in names},
    }
