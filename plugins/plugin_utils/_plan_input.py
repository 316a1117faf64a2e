# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""What the filters that take a plan have in common."""

from __future__ import annotations

import typing as t

from ansible.errors import AnsibleFilterError

# What a filter reads from a plan; a graph, or anything else, has not all of these.
_KEYS = ("action", "scope", "strategy", "nodes", "edges", "waves", "requires", "required_nodes", "critical_path")


def check_plan(filter_name: str, plan: t.Any) -> None:
    """Refuse what is no plan, with the way to get one."""
    if not isinstance(plan, dict) or not all(key in plan for key in _KEYS):
        raise AnsibleFilterError(
            f"proficientnow.deploy_ops.{filter_name}: the input is no plan;"
            " make one with proficientnow.deploy_ops.dag_order (module) or proficientnow.deploy_ops.dag_plan (filter)"
        )
