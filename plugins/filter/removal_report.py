# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
name: removal_report
short_description: The report of a removal, from what the cluster held before and after it
version_added: 1.0.0
author:
  - ProficientNow (@proficientnow)
description:
  - Compares two results of M(proficientnow.deploy_ops.leftover_info) and says what was removed, what is kept, what is
    left behind and whether the removal is complete.
options:
  _input:
    description: The result from before the removal.
    type: dict
    required: true
  after:
    description: The result from after it. None in check mode, the report then says what would go.
    type: dict
  kept:
    description: Namespaces that stay because they hold what a policy keeps.
    type: list
    elements: str
    default: []
  remove_definitions:
    description: Whether CustomResourceDefinitions were to go.
    type: bool
    default: false
  remove_keys:
    description: Whether the sealing keys were to go.
    type: bool
    default: false
  held:
    description: Namespaces that do not go, as M(proficientnow.deploy_ops.namespace_absent) returns them.
    type: list
    elements: dict
    default: []
  failure:
    description: What ended the removal before its end. Empty when nothing did.
    type: str
    default: ""
  platform:
    description: The report of the removal of the platform's applications, which came before.
    type: dict
    default: {}
  facts:
    description: What else the report says, such as C(environment), C(cluster), C(started) and C(finished).
    type: dict
    default: {}
"""

EXAMPLES = r"""
---
- name: Say what would go
  ansible.builtin.debug:
    msg: "{{ survey | proficientnow.deploy_ops.removal_report | proficientnow.deploy_ops.report_text }}"
"""

RETURN = r"""
_value:
  description: The report, for the role P(proficientnow.deploy_ops.report#role).
  type: dict
"""

import typing as t

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._leftovers.report import Removal, report

Report = dict[str, t.Any]


def removal_report(
    before: Report,
    after: Report | None = None,
    kept: t.Sequence[str] = (),
    remove_definitions: bool = False,
    remove_keys: bool = False,
    held: t.Sequence[Report] = (),
    failure: str = "",
    platform: Report | None = None,
    facts: Report | None = None,
) -> Report:
    removal = Removal(before, after, kept, remove_definitions, remove_keys, held, failure)
    return report(removal, platform or {}, facts or {})


class FilterModule:
    def filters(self) -> dict[str, t.Callable[..., t.Any]]:
        return {"removal_report": removal_report}
