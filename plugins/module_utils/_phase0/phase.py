# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Phase 0 from options to result."""

from __future__ import annotations

import datetime
import time
import typing as t

from . import files, report
from .check import BLOCKING, WARNING
from .evaluate import evaluate
from .gather import gather
from .redact import Secrets
from .settings import SettingsError, from_params

_FAILING = {"blocking": (BLOCKING,), "warning": (BLOCKING, WARNING), "never": ()}


def run(params: t.Mapping[str, t.Any], secrets: Secrets) -> dict[str, t.Any]:
    """The result of the module; ``failed`` and ``msg`` are in it when it has to fail. Holds no secret."""
    start = time.monotonic()
    taken_at = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    try:
        settings = from_params(params, secrets)
    except SettingsError as exc:
        message = "Phase 0 cannot start, its options are wrong:\n" + "\n".join(exc.problems)
        return secrets.redact({"failed": True, "msg": message, "exit_code_hint": report.EXIT_CONFIGURATION})
    facts = gather(settings, secrets)
    checks = evaluate(facts, settings)
    content = report.build(checks, facts, taken_at, time.monotonic() - start)
    text = report.text(content, checks)
    result = {"changed": False, "exit_code_hint": content["exit_code_hint"], "report": content, "text": text}
    problems = [report.problems_text(checks, severity) for severity in _FAILING[params["fail_on"]]]
    if any(problems):
        result["failed"] = True
        result["msg"] = "\n".join([report.headline(content), *(text for text in problems if text)])
    result = secrets.redact(result)
    if params["report_dir"]:
        try:
            result["report_files"] = files.write(params["report_dir"], result["report"], result["text"])
        except files.CannotWrite as exc:
            result.update(failed=True, msg="\n".join([str(exc), *([result["msg"]] if "msg" in result else [])]))
    return result
