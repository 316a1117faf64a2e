# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import os
import time
import typing as t

from ansible import constants, context
from ansible.module_utils.common.text.converters import to_text
from ansible.plugins.action import ActionBase
from ansible.utils.display import Display

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._kube.api import KubeApi, KubeError, connect
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._report.deploy import (
    Circumstances,
    blockers,
    deploy_report,
)
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._report.events import read_events
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._workflow.narration import summary
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._workflow.observed_run import find_run, plan_of
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._workflow.progress import Progress, progress_of
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._workflow.remaining import seconds_left
from ansible_collections.proficientnow.deploy_ops.plugins.plugin_utils._command_line import playbook_command
from ansible_collections.proficientnow.deploy_ops.plugins.plugin_utils._main_process import COLUMNS, FAREWELL, IS_LIVE
from ansible_collections.proficientnow.deploy_ops.plugins.plugin_utils._progress_display import (
    CHOICES,
    Lines,
    Live,
    Quiet,
)

# A node of the graph takes seconds at least; the API server should not notice the looking.
_INTERVAL = 1.0
# Seconds that one request is tried again before the outage is told.
_PATIENCE = 3.0


class ActionModule(ActionBase):
    """Runs on the controller, because only there can anything be shown while it waits."""

    _supports_check_mode = True
    _requires_connection = False

    def run(self, tmp: t.Any = None, task_vars: dict[str, t.Any] | None = None) -> dict[str, t.Any]:
        super().run(tmp, task_vars)
        _unused, options = self.validate_argument_spec(
            argument_spec={
                "name": {"type": "str", "default": ""},
                "namespace": {"type": "str", "required": True},
                "plan": {"type": "dict"},
                "wait": {"type": "bool", "default": True},
                "wait_timeout": {"type": "int", "default": 14400},
                "progress": {"type": "str", "choices": list(CHOICES), "default": "auto"},
                "environment_name": {"type": "str", "default": ""},
                "argocd_namespace": {"type": "str", "default": "argocd"},
            }
        )
        environment: dict[str, str] = {}
        self._compute_environment_string(environment)
        # This process is a fork that ends with the task.
        os.environ.update({key: value for key, value in environment.items() if value})
        try:
            api = connect(None, _PATIENCE)
            watched = find_run(api, options["namespace"], options["name"])
            plan = options["plan"] or plan_of(api, watched)
            progress = progress_of(watched, plan)
            if options["wait"]:
                progress = self._watch(api, progress.workflow, plan, options)
            return {**_result(progress), "report": _report(api, progress, plan, options)}
        except KubeError as error:
            return {"failed": True, "msg": to_text(error)}

    def _watch(self, api: KubeApi, name: str, plan: dict[str, t.Any], options: dict[str, t.Any]) -> Progress:
        path = f"/apis/argoproj.io/v1alpha1/namespaces/{options['namespace']}/workflows/{name}"
        display = _display(options["progress"], "gone" if plan.get("action") == "teardown" else "Healthy")
        FAREWELL.leave(
            f"The run {name} goes on in the cluster; only the watching has ended. See how far it is:\n"
            f"  {_status_command(name)}\n"
            "Or give the same command as before, and it is watched to its end."
        )
        try:
            progress = self._follow(api, path, plan, options, display)
        except Exception:
            FAREWELL.take_back()
            raise
        finally:
            display.close()
        # Not after Ctrl-C, which some versions of Ansible let through to here.
        FAREWELL.take_back()
        return progress

    def _follow(
        self, api: KubeApi, path: str, plan: dict[str, t.Any], options: dict[str, t.Any], display: Quiet
    ) -> Progress:
        name = path.rpartition("/")[2]
        begin = time.monotonic()
        while True:
            elapsed = time.monotonic() - begin
            try:
                workflow = api.get(path)
                if workflow is None:
                    raise KubeError(f"the Workflow {name} is gone: somebody deleted it. Run again", 404)
                progress = progress_of(workflow, plan)
                display.show(progress, elapsed, seconds_left(progress, plan, time.time()))
                if progress.is_finished:
                    return progress
            except KubeError as error:
                # 401 and 403 will not heal by themselves; everything else is an outage.
                if error.status in (401, 403, 404):
                    raise
                display.trouble(str(error), elapsed)
            if elapsed > options["wait_timeout"]:
                raise KubeError(
                    f"the Workflow {name} has not ended within {options['wait_timeout']} s. It goes on by"
                    f" itself in the cluster; run again to watch it further, or see: {_status_command(name)}"
                )
            time.sleep(_INTERVAL)


def _display(choice: str, done: str) -> Quiet:
    if choice == "quiet":
        return Quiet(Display(), done)
    if choice == "live" or (choice == "auto" and IS_LIVE):
        return Live(Display(), COLUMNS, "Ctrl-C ends the watching; the run goes on in the cluster", done)
    return Lines(Display(), done)


def _default_inventory() -> t.Any:
    return constants.config.get_config_value("DEFAULT_HOST_LIST")


def _status_command(name: str) -> str:
    given = {key: value for key, value in context.CLIARGS.items() if key != "extra_vars"}
    return playbook_command("proficientnow.deploy_ops.status", given, _default_inventory(), deploy_ops_run=name)


def _report(api: KubeApi, progress: Progress, plan: dict[str, t.Any], options: dict[str, t.Any]) -> dict[str, t.Any]:
    scope = plan["scope"]
    around = Circumstances(
        environment=options["environment_name"],
        cluster=api.server,
        argocd_namespace=options["argocd_namespace"],
        now=time.time(),
        resume=playbook_command(
            f"proficientnow.deploy_ops.{plan.get('action', 'deploy')}",
            context.CLIARGS,
            _default_inventory(),
            deploy_ops_scope="" if scope == "platform" else scope,
            # Of playbooks/status.yml: they mean nothing to a deployment.
            deploy_ops_run="",
            deploy_ops_watch="",
        ),
        status=_status_command(progress.workflow),
    )
    in_the_way = [resource for state in progress.nodes for resource in blockers(state)]
    return deploy_report(progress, plan, around, read_events(api, in_the_way))


def _result(progress: Progress) -> dict[str, t.Any]:
    synced = [node.name for node in progress.nodes if node.was_synced]
    return {
        "changed": bool(synced),
        "workflow": progress.workflow,
        "outcome": progress.outcome or "Running",
        "started": progress.started,
        "finished": progress.finished,
        "synced": synced,
        "mixed": [node.name for node in progress.nodes if node.is_mixed],
        "summary": summary(progress),
        "nodes": {
            node.name: {
                "state": node.state,
                "message": node.message,
                "started": node.started,
                "finished": node.finished,
                **node.outputs,
            }
            for node in progress.nodes
        },
    }
