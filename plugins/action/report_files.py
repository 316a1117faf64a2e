# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import json
import os
import pathlib
import typing as t

from ansible.plugins.action import ActionBase

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._report.junit import report_junit
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._report.model import ReportError, plain
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._report.page import report_html
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._report.text import report_text


def report_json(report: t.Any) -> str:
    return json.dumps(plain(report), indent=2, ensure_ascii=False) + "\n"


# The others refuse what is no report; then nothing is written at all.
_FORMS: dict[str, t.Callable[[t.Any], str]] = {
    "txt": report_text,
    "xml": report_junit,
    "html": report_html,
    "json": report_json,
}


class ActionModule(ActionBase):
    """All files in one go: a task for each would take longer than many a run."""

    _supports_check_mode = True
    _requires_connection = False

    def run(self, tmp: t.Any = None, task_vars: dict[str, t.Any] | None = None) -> dict[str, t.Any]:
        super().run(tmp, task_vars)
        _unused, options = self.validate_argument_spec(
            argument_spec={
                "report": {"type": "dict", "required": True},
                "folder": {"type": "path", "required": True},
            }
        )
        folder = pathlib.Path(options["folder"])
        try:
            forms = {ending: render(options["report"]) for ending, render in _FORMS.items()}
            paths = {ending: folder / f"{options['report']['kind']}.{ending}" for ending in forms}
            if not self._play_context.check_mode:
                folder.mkdir(parents=True, exist_ok=True)
                for ending, text in forms.items():
                    _write(paths[ending], text)
        except ReportError as error:
            return {"failed": True, "msg": f"the report cannot be written: {error}"}
        except OSError as error:
            reason = (error.strerror or "cannot be written").lower()
            return {"failed": True, "msg": f"the report cannot be written to {folder}: {reason}"}
        # Files about a run are no change of the platform.
        return {"changed": False, "files": {ending: str(path) for ending, path in paths.items()}}


def _write(path: pathlib.Path, text: str) -> None:
    """In one step: whoever reads it meanwhile sees the old one or the new one."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    part.write_text(text, encoding="utf-8")
    part.chmod(0o644)
    part.replace(path)
