# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""The gate as a program: `serve` for the executor plugin, `run` for a pod per node.

Exit codes of `run`: 0 Healthy, 75 no answer for now (worth another try), 1 any other verdict, 2 a bad call.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import signal
import sys
import typing as t

from .course import Course, follow
from .gate import Gate
from .outputs import clock, node_outputs, say
from .plugin_server import PORT, Plugin, serve
from .request import BadRequest, parse_request
from .retry import Clock
from .settings import BadSettings, connect, connect_for_teardown, connect_kubernetes, settings_from_environment
from .verdict import Verdict

HEALTHY, FAILED, BAD_CALL, TRANSIENT = 0, 1, 2, 75


def main(arguments: t.Sequence[str] | None = None, environment: t.Mapping[str, str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    environment = os.environ if environment is None else environment
    # The first process of a container gets no default handlers, and would be killed only after 30 s.
    signal.signal(signal.SIGTERM, _stop)
    try:
        settings = settings_from_environment(environment)
        gate = Gate(connect(settings), connect_kubernetes(environment), connect_for_teardown(settings))
        if options.command == "serve":
            serve(Plugin(gate), options.port)
            return HEALTHY
        return _run(gate, options.request, options.run, options.outputs)
    except (BadSettings, BadRequest) as error:
        sys.stderr.write(f"gate: {error}\n")
        return BAD_CALL


def _stop(*_unused: t.Any) -> None:
    raise SystemExit(128 + signal.SIGTERM)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="gate", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    server = commands.add_parser("serve", help="answer the agent of a workflow")
    server.add_argument("--port", type=int, default=PORT)
    run = commands.add_parser("run", help="carry out one request and wait for its end")
    run.add_argument("request", help="the parameters of the plugin template, as JSON")
    run.add_argument("--run", required=True, help="what names the run: the uid of its workflow")
    run.add_argument("--outputs", type=pathlib.Path, help="folder for a file per output parameter")
    return parser


def _run(gate: Gate, text: str, run: str, folder: pathlib.Path | None) -> int:
    try:
        request = parse_request(json.loads(text), run)
    except ValueError:
        raise BadRequest("the request is no JSON") from None

    log: list[str] = []

    def tell(course: Course, verdict: Verdict) -> None:
        line = f"{verdict.verdict}: {verdict.message}"
        course.note(clock(), line)
        log[:] = course.log
        if course.is_news(line):
            say(f"{request.node}: {line}")

    verdict, _has_synced = follow(lambda how, looked_for: gate.step(request, how, looked_for), Clock(), tell=tell)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        for name, value in node_outputs(verdict, log).items():
            (folder / name).write_text(value, encoding="utf-8")
    if verdict.is_good:
        return HEALTHY
    return TRANSIENT if verdict.transient else FAILED


if __name__ == "__main__":
    raise SystemExit(main())
