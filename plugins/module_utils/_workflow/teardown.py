# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""From a teardown plan to the WorkflowTemplate that carries it out. Pure: the same input, the same template.

Each node is removed when everything that depends on it is gone. What cannot be removed keeps what it depends on; other
branches go on (strategy dag), or the running wave ends (strategy waves).
"""

from __future__ import annotations

import typing as t

from .._dag.names import task_name
from .dags import Dag, dag, split
from .definition import definition
from .scopes import Plan
from .settings import Settings, WorkflowError
from .tasks import Task, Template

REMOVE = Template("teardown", "remove")
VACANT = Template("teardown", "vacant")
KEEP = Template("teardown", "keep")

# By node name, what the Application had and what goes with it: the parameters of the gate (_gate/removal_request.py).
Records = t.Mapping[str, t.Mapping[str, str]]


def teardown_template(plan: Plan, records: Records, settings: Settings) -> dict[str, t.Any]:
    """Plan is the teardown plan for the scope of the run."""
    if plan["action"] != "teardown":
        raise WorkflowError("a teardown workflow is made from a teardown plan (reverse: true)")
    stages = _waves(plan, records, settings) if plan["strategy"] == "waves" else [_graph(plan, records, settings)]
    return definition(plan, settings, [_main(stages), *(part for parts in stages for part in parts)])


def _main(stages: list[list[Dag]]) -> Dag:
    tasks: list[Task] = []
    condition = ""
    for parts in stages:
        tasks += [
            {"name": part["name"], "template": part["name"], **({"depends": condition} if condition else {})}
            for part in parts
        ]
        condition = " && ".join(f"{part['name']}.Succeeded" for part in parts)
    return dag("main", tasks, "Such a long chain of waves cannot be run as one.")


def _graph(plan: Plan, records: Records, settings: Settings) -> list[Dag]:
    before: dict[str, list[str]] = {name: [] for name in plan["order"]}
    for dependent, dependency in plan["edges"]:
        before[dependency].append(dependent)
    tasks = []
    for name in plan["order"]:
        task = _task(plan["nodes"][name], records, settings)
        if before[name]:
            task["depends"] = " && ".join(f"{task_name(dependent)}.Succeeded" for dependent in before[name])
        tasks.append(task)
    return [dag("graph", tasks, "Use the strategy waves, which is split into several.")]


def _waves(plan: Plan, records: Records, settings: Settings) -> list[list[Dag]]:
    width = len(str(len(plan["waves"]) - 1))
    return [
        split(f"wave-{number:0{width}}", [_task(plan["nodes"][name], records, settings) for name in wave])
        for number, wave in enumerate(plan["waves"])
    ]


def _task(node: t.Mapping[str, t.Any], records: Records, settings: Settings) -> Task:
    name = task_name(node["name"])
    if node["kind"] == "resource":
        return VACANT.task(name, reference=node["name"], health_timeout_seconds=node["health_timeout_seconds"])
    if node["managed_by"] == "bootstrap":
        return KEEP.task(name, message="the bootstrap owns it: removed after the platform, as the other releases")
    return REMOVE.task(
        name,
        application=node["application"],
        project=settings.project,
        delete_timeout_seconds=node["health_timeout_seconds"],
        **records.get(node["name"], {}),
    )
