# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""From a plan to the WorkflowTemplate that carries it out. Pure: the same plan and settings, the same template.

    main: refuse an unknown scope -> requirements, survey -> take the authority -> the graph -> release the authority

The survey looks at everything in the scope once. It records what the targets resolve to, and where all of it stands
no node is started. Nor is the authority taken, unless it is to stay (steady state locked).

The graph is one dag template (strategy dag: a task for each node, with exactly the plan's edges), or one for each wave
(strategy waves: a wave starts only when the whole wave before it has succeeded).
"""

from __future__ import annotations

import json
import typing as t

from .._dag.names import task_name
from .dags import Dag, dag, split
from .definition import definition
from .scopes import PLATFORM, Plan, Scopes, scopes_of
from .settings import Settings, WorkflowError
from .tasks import (
    REFUSE,
    RELEASE_AUTHORITY,
    REVISIONS,
    SURVEY,
    TAKE_AUTHORITY,
    Task,
    deploy,
    surveyed,
    verify,
)

_SOMETHING_TO_DO = "{{= tasks.survey.outputs.parameters.verdict != 'standing' }}"


def workflow_template(plan: Plan, settings: Settings) -> dict[str, t.Any]:
    """Plan is the plan for the whole platform; a scope is chosen when a workflow is started. Raises WorkflowError."""
    if plan["action"] != "deploy" or plan["scope"] != PLATFORM:
        raise WorkflowError("a workflow template is made from the plan to deploy the scope platform")
    scopes = scopes_of(plan)
    requirements = _requirements(plan, scopes, settings)
    tasks = {name: _task(name, plan, scopes, settings) for name in plan["order"]}
    graph = _waves(plan, tasks) if plan["strategy"] == "waves" else [_graph(plan, tasks)]
    survey = _survey(tasks, scopes, settings)
    main = _main(survey, requirements, graph, scopes, settings)
    templates = [main, *requirements, *(part for parts in graph for part in parts)]
    return definition(plan, settings, templates)


def _main(survey: Task, requirements: list[Dag], graph: list[list[Dag]], scopes: Scopes, settings: Settings) -> Dag:
    """One task for each part of each stage; a stage starts when the one before has succeeded."""
    refuse = REFUSE.task(
        "refuse-scope",
        message="the graph of this platform has no scope {{workflow.parameters.scope}}: "
        "use platform, stack:NAME or app:NAME with a name of dag.yaml",
    )
    refuse["when"] = f"{{{{= not {_in(scopes.all)} }}}}"
    first = [{"name": part["name"], "template": part["name"]} for part in requirements] + [survey]
    tasks = [refuse, *({**task, "depends": "refuse-scope.Skipped"} for task in first)]
    # After the requirements: a scope that is refused has changed nothing.
    take = TAKE_AUTHORITY.task("take-authority", project=settings.project)
    if settings.steady_state != "locked":
        take["when"] = _SOMETHING_TO_DO
    tasks.append({**take, "depends": _all_succeeded(first)})
    condition = "take-authority.Succeeded"
    revisions = {"parameters": [{"name": REVISIONS, "value": "{{tasks.survey.outputs.parameters.revisions}}"}]}
    for parts in graph:
        stage = [{"name": part["name"], "template": part["name"], "arguments": revisions} for part in parts]
        when = {"when": _SOMETHING_TO_DO} if parts is graph[0] else {}
        tasks += [{**task, "depends": condition, **when} for task in stage]
        condition = _all_succeeded(stage)
    if settings.steady_state != "locked":
        release = RELEASE_AUTHORITY.task("release-authority", project=settings.project)
        # What a run for a part found locked it leaves locked: more than that part may wait behind it.
        release["when"] = (
            f"{{{{= workflow.parameters.scope == '{PLATFORM}'"
            " || (tasks['take-authority']?.outputs?.parameters?.verdict ?? '') == 'taken' }}"
        )
        # Skipped: everything stood, and a lock that a failed run has left may go.
        tasks.append({**release, "depends": f"take-authority.Skipped || ({condition})"})
    return dag("main", tasks, "Such a long chain of waves cannot be run as one.")


def _all_succeeded(tasks: list[Task]) -> str:
    return " && ".join(f"{task['name']}.Succeeded" for task in tasks)


def _survey(tasks: t.Mapping[str, Task], scopes: Scopes, settings: Settings) -> Task:
    nodes = [{**surveyed(task), "scopes": scopes.deploying[name]} for name, task in tasks.items()]
    return SURVEY.task(
        "survey",
        project=settings.project,
        scope="{{workflow.parameters.scope}}",
        settle_seconds=settings.settle_seconds,
        nodes=json.dumps(nodes, separators=(",", ":")),
    )


def _requirements(plan: Plan, scopes: Scopes, settings: Settings) -> list[Dag]:
    """What some scope wants Healthy before it starts: looked at, never deployed."""
    tasks = []
    for name, requiring in sorted(scopes.requiring.items()):
        if requiring:
            tasks.append({**verify(name, plan["nodes"], settings), "when": _when(requiring)})
    return split("requirements", tasks)


def _graph(plan: Plan, given: t.Mapping[str, Task]) -> list[Dag]:
    before: dict[str, list[str]] = {name: [] for name in plan["order"]}
    for dependency, dependent in plan["edges"]:
        before[dependent].append(dependency)
    tasks = []
    for name in plan["order"]:
        task = dict(given[name])
        if before[name]:
            # Skipped is outside the scope: it has been looked at among the requirements.
            names = [task_name(dependency) for dependency in before[name]]
            task["depends"] = " && ".join(f"({other}.Succeeded || {other}.Skipped)" for other in names)
        tasks.append(task)
    return [_with_revisions(dag("graph", tasks, "Use the strategy waves, which is split into several."))]


def _waves(plan: Plan, tasks: t.Mapping[str, Task]) -> list[list[Dag]]:
    width = len(str(len(plan["waves"]) - 1))
    return [
        [_with_revisions(part) for part in split(f"wave-{number:0{width}}", [tasks[name] for name in wave])]
        for number, wave in enumerate(plan["waves"])
    ]


def _with_revisions(part: Dag) -> Dag:
    return {**part, "inputs": {"parameters": [{"name": REVISIONS}]}}


def _task(name: str, plan: Plan, scopes: Scopes, settings: Settings) -> Task:
    return {**deploy(plan["nodes"][name], plan["nodes"], settings), "when": _when(scopes.deploying[name])}


def _when(scopes: list[str]) -> str:
    return f"{{{{= {_in(scopes)} }}}}"


def _in(scopes: list[str]) -> str:
    # Names are DNS-1123, so nothing in them needs quoting.
    return f"(workflow.parameters.scope in [{', '.join(repr(scope) for scope in scopes)}])"
