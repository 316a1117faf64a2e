# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A platform that is validated, and what the validation said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

from deployment import Deployment


class Verdict(NamedTuple):
    """What a validation said."""

    run: Any
    report: dict[str, Any]

    def findings(self, name: str) -> dict[str, dict[str, Any]]:
        return {one["where"]: one for one in self.report["findings"] if one["id"] == name}

    def node(self, name: str) -> dict[str, Any]:
        return next(node for node in self.report["nodes"] if node["name"] == name)

    def blocking(self) -> set[str]:
        return {one["id"] for one in self.report["findings"] if one["severity"] == "blocking"}


class Platform(Deployment):
    def validate(self, folder: Path, *options: str, **variables: Any) -> Verdict:
        run = self.run("validate", *options, deploy_ops_report_folder=str(folder), **variables)
        written = folder / "validate.json"
        return Verdict(run, json.loads(written.read_text()) if written.exists() else {})

    def patch(self, kind: str, name: str, namespace: str, **changes: Any) -> None:
        body = json.dumps(changes)
        self.kubectl("patch", kind, name, f"--namespace={namespace}", "--type=merge", f"--patch={body}")

    def status(self, name: str) -> dict[str, Any]:
        return self.applications()[name]["status"]
