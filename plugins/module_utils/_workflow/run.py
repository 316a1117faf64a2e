# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Which Workflow carries a run: the one that is at work on it already, or the next one.

A run is known by what it follows from (template, scope, revision), not by who started it: the same run started twice
is the same Workflow, so the second caller watches what the first one began.
"""

from __future__ import annotations

import hashlib
import json
import typing as t

from .definition import LABEL_PREFIX

RUN_LABEL = LABEL_PREFIX + "run"
FINISHED = ("Succeeded", "Failed", "Error")

# A Workflow's name may have 63 characters, and its template's name is part of it.
_KEY_LENGTH = 10


class Run(t.NamedTuple):
    name: str
    # There is such a Workflow, and it is not done: watch it.
    attach: bool
    definition: dict[str, t.Any]


def run_key(template: t.Mapping[str, t.Any], scope: str, revision: str) -> str:
    text = json.dumps([template, scope, revision], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:_KEY_LENGTH]


def next_run(
    template: t.Mapping[str, t.Any], scope: str, revision: str, workflows: t.Iterable[t.Mapping[str, t.Any]]
) -> Run:
    """Workflows are those that exist, of whatever run."""
    key = run_key(template, scope, revision)
    name = template["metadata"]["name"]
    attempt = 0
    for workflow in workflows:
        metadata = workflow["metadata"]
        if (metadata.get("labels") or {}).get(RUN_LABEL) != key:
            continue
        if (workflow.get("status") or {}).get("phase") not in FINISHED:
            return Run(metadata["name"], True, {})
        attempt = max(attempt, int(metadata["name"].rpartition("-")[2]))
    return Run(f"{name}-{key}-{attempt + 1}", False, _definition(template, key, attempt + 1, scope, revision))


def _definition(template: t.Mapping[str, t.Any], key: str, attempt: int, scope: str, revision: str) -> dict[str, t.Any]:
    name = template["metadata"]["name"]
    return {
        "apiVersion": "argoproj.io/v1alpha1",
        "kind": "Workflow",
        "metadata": {
            "name": f"{name}-{key}-{attempt}",
            "namespace": template["metadata"]["namespace"],
            "labels": {RUN_LABEL: key},
            "annotations": dict(template["metadata"]["annotations"]),
        },
        "spec": {
            "workflowTemplateRef": {"name": name},
            "arguments": {"parameters": [{"name": "scope", "value": scope}, {"name": "revision", "value": revision}]},
        },
    }
