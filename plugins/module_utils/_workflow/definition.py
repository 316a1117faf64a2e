# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""The WorkflowTemplate around the dag templates: what is the same for a deployment and a teardown. Pure."""

from __future__ import annotations

import typing as t

from .dags import Dag, check_size
from .scopes import PLATFORM, Plan
from .settings import Settings
from .stored_plan import store

LABEL_PREFIX = "deploy-ops.proficientnow.com/"
PLAN_ANNOTATION = LABEL_PREFIX + "plan"


def definition(plan: Plan, settings: Settings, templates: list[Dag]) -> dict[str, t.Any]:
    """Raises WorkflowError when it is too large to be stored."""
    template = {
        "apiVersion": "argoproj.io/v1alpha1",
        "kind": "WorkflowTemplate",
        "metadata": {
            "name": settings.name,
            "namespace": settings.namespace,
            "annotations": {
                LABEL_PREFIX + "plan-digest": plan["digest"],
                LABEL_PREFIX + "strategy": plan["strategy"],
                PLAN_ANNOTATION: store(plan),
            },
        },
        "spec": {
            "entrypoint": "main",
            "serviceAccountName": settings.service_account,
            "arguments": {
                "parameters": [
                    {"name": "scope", "value": PLATFORM, "description": "platform, stack:NAME or app:NAME"},
                    # Not for the gate: applications may come from other repositories; their specs say what they want.
                    {"name": "revision", "value": "", "description": "the platform's commit, for people to read"},
                ]
            },
            "activeDeadlineSeconds": settings.overall_timeout_seconds,
            "synchronization": {"mutexes": [{"name": settings.project}]},
            "ttlStrategy": {
                "secondsAfterSuccess": settings.seconds_kept_after_success,
                "secondsAfterFailure": settings.seconds_kept_after_failure,
            },
            "podGC": {"strategy": "OnPodSuccess"},
            "templates": templates,
        },
    }
    check_size(template)
    return template
