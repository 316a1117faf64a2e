# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Dag templates within the limits of Argo Workflows. Pure."""

from __future__ import annotations

import json
import typing as t

from .settings import WorkflowError
from .tasks import Task

# Argo Workflows' own schema: at most so many tasks in a dag, and so many templates.
MAX_TASKS = 200
# A workflow is stored as one object of at most 1 MiB, with a copy of this template and the state of every node.
MAX_BYTES = 768 * 1024

Dag = dict[str, t.Any]


def split(name: str, tasks: list[Task]) -> list[Dag]:
    """One dag template, or as many as the limit on tasks asks for. The tasks do not depend on each other."""
    if len(tasks) <= MAX_TASKS:
        return [dag(name, tasks)] if tasks else []
    starts = range(0, len(tasks), MAX_TASKS)
    return [dag(f"{name}-part-{start // MAX_TASKS}", tasks[start : start + MAX_TASKS]) for start in starts]


def dag(name: str, tasks: list[Task], way_out: str = "") -> Dag:
    if len(tasks) > MAX_TASKS:
        raise WorkflowError(
            f"the graph is too large for one workflow: {len(tasks)} tasks in the dag template {name}, "
            f"and Argo Workflows takes {MAX_TASKS}. {way_out}"
        )
    # Independent branches go on after a failure; what depends on it is omitted either way.
    return {"name": name, "dag": {"failFast": False, "tasks": tasks}}


def check_size(template: dict[str, t.Any]) -> None:
    templates = len(template["spec"]["templates"])
    if templates > MAX_TASKS:
        raise WorkflowError(
            f"the graph is too large for one workflow: {templates} templates, Argo Workflows takes {MAX_TASKS}"
        )
    size = len(json.dumps(template, separators=(",", ":")))
    if size > MAX_BYTES:
        raise WorkflowError(
            f"the graph is too large for one workflow: its template has {size} bytes, "
            f"and Kubernetes stores {MAX_BYTES} at most beside the state of the nodes"
        )
