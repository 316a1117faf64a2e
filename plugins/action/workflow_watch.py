# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import os
import time
import typing as t

from ansible.module_utils.common.text.converters import to_text
from ansible.plugins.action import ActionBase
from ansible.utils.display import Display

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._kube.api import KubeApi, KubeError, connect
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._workflow.narration import Narrator, summary
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._workflow.progress import Progress, progress_of

# A node of the graph takes seconds at least; the API server should not notice the looking.
_INTERVAL = 1.0


class ActionModule(ActionBase):
    """Runs on the controller, because only there can lines be shown while it waits."""

    _supports_check_mode = True
    _requires_connection = False

    def run(self, tmp: t.Any = None, task_vars: dict[str, t.Any] | None = None) -> dict[str, t.Any]:
        super().run(tmp, task_vars)
        _unused, options = self.validate_argument_spec(
            argument_spec={
                "name": {"type": "str", "required": True},
                "namespace": {"type": "str", "required": True},
                "plan": {"type": "dict", "required": True},
                "wait_timeout": {"type": "int", "default": 14400},
            }
        )
        environment: dict[str, str] = {}
        self._compute_environment_string(environment)
        # This process is a fork that ends with the task.
        os.environ.update({key: value for key, value in environment.items() if value})
        path = f"/apis/argoproj.io/v1alpha1/namespaces/{options['namespace']}/workflows/{options['name']}"
        try:
            progress = self._watch(connect(None), path, options)
        except KubeError as error:
            return {"failed": True, "msg": to_text(error)}
        return _result(progress)

    def _watch(self, api: KubeApi, path: str, options: dict[str, t.Any]) -> Progress:
        display = Display()
        narrator = Narrator("gone" if options["plan"].get("action") == "teardown" else "Healthy")
        begin = time.monotonic()
        while True:
            elapsed = time.monotonic() - begin
            try:
                workflow = api.get(path)
                if workflow is None:
                    raise KubeError(f"the Workflow {options['name']} is gone: somebody deleted it. Run again", 404)
                progress = progress_of(workflow, options["plan"])
                for line in narrator.lines(progress, elapsed):
                    display.display(line)
                if progress.is_finished:
                    return progress
            except KubeError as error:
                # 401 and 403 will not heal by themselves; everything else is an outage.
                if error.status in (401, 403, 404):
                    raise
                for line in narrator.trouble(str(error), elapsed):
                    display.display(line)
            if elapsed > options["wait_timeout"]:
                raise KubeError(
                    f"the Workflow {options['name']} has not ended within {options['wait_timeout']} s. It goes on by"
                    " itself in the cluster; run again to watch it further"
                )
            time.sleep(_INTERVAL)


def _result(progress: Progress) -> dict[str, t.Any]:
    synced = [node.name for node in progress.nodes if node.was_synced]
    return {
        "changed": bool(synced),
        "workflow": progress.workflow,
        "outcome": progress.outcome,
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
