# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""`testbed up|down|status|reset|logs|env|exec`."""

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
import sys

from deploy_ops_testbed import supply
from deploy_ops_testbed.cluster import components, drivers, health
from deploy_ops_testbed.cluster.layout import Layout
from deploy_ops_testbed.errors import TestbedError

TOOLS = ("kubectl", "helm", "kubeseal", "kustomize", "yq")


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Tell the command line what there is."""
    up = commands.add_parser("up", help="start the cluster, or heal it; at once when it is healthy")
    up.set_defaults(run=lambda options: drivers.current().up())
    down = commands.add_parser("down", help="end the cluster and leave the machine as it was")
    down.set_defaults(run=lambda options: drivers.current().down())
    reset = commands.add_parser("reset", help="wipe everything in the cluster and start it anew; images stay")
    reset.set_defaults(run=lambda options: drivers.current().reset())
    status = commands.add_parser("status", help="what runs and what is wrong; exits 0 healthy, 1 broken, 3 not running")
    status.add_argument("--json", action="store_true", help="for programs")
    status.set_defaults(run=_status)
    logs = commands.add_parser("logs", help="what a component has said; without a name, where the logs are")
    logs.add_argument(
        "component", nargs="?", choices=components.names(), metavar="COMPONENT", help=", ".join(components.names())
    )
    logs.add_argument("--follow", "-f", action="store_true", help="go on with what it says next")
    logs.add_argument("--lines", "-n", type=int, default=100, metavar="N", help="the last N lines (default 100)")
    logs.set_defaults(run=_logs)
    env = commands.add_parser("env", help='print what a shell needs: eval "$(testbed env)"')
    env.set_defaults(run=_env)
    execute = commands.add_parser(
        "exec", help="run one command with that environment: testbed exec -- kubectl get pods"
    )
    execute.add_argument("command", nargs=argparse.REMAINDER, metavar="-- COMMAND")
    execute.set_defaults(run=_exec)


def environment() -> dict[str, str]:
    """The driver's variables, and PATH with the testbed's own tools in front."""
    own = dict.fromkeys(str(supply.binary(tool).parent) for tool in TOOLS)
    return {**drivers.current().environment(), "PATH": os.pathsep.join([*own, os.environ.get("PATH", os.defpath)])}


def _status(options: argparse.Namespace) -> int:
    report = drivers.current().status()
    print(json.dumps(report.as_dict(), indent=1) if options.json else health.render(report, Layout.current()))
    return report.code


def _logs(options: argparse.Namespace) -> int:
    where = Layout.current()
    if options.component is None:
        for name in components.names():
            log = where.component_log(name)
            print(f"{name:<24} {log}" if log.exists() else f"{name:<24} (none yet)")
        return 0
    log = where.component_log(options.component)
    if not log.exists():
        raise TestbedError(f"{options.component} has no log yet", f"there is no {log}", "run `testbed up`")
    follow = ["--follow=name"] if options.follow else []
    return subprocess.run(["tail", f"--lines={options.lines}", *follow, str(log)], check=False).returncode


def _env(_options: argparse.Namespace) -> int:
    for name, value in environment().items():
        print(f"export {name}={shlex.quote(value)}")
    return 0


def _exec(options: argparse.Namespace) -> int:
    command = options.command[1:] if options.command[:1] == ["--"] else options.command
    if not command:
        raise TestbedError(
            "No command to run", "nothing stands after `exec`", "for example: testbed exec -- kubectl get pods -A"
        )
    variables = {**os.environ, **environment()}
    sys.stdout.flush()
    try:
        os.execvpe(command[0], command, variables)
    except FileNotFoundError:
        raise TestbedError(
            f"There is no program {command[0]}", "it is neither in the testbed nor on the PATH", "check the name"
        ) from None
