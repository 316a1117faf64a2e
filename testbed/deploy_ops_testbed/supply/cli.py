# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""`testbed build`: make everything that the cluster is made of."""

from __future__ import annotations

import argparse

from deploy_ops_testbed import packages, supply
from deploy_ops_testbed.progress import Steps, spoken
from deploy_ops_testbed.supply import debian, programs


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Tell the command line what there is."""
    everything = [debian.NAME, *programs.programs()]
    build = commands.add_parser("build", help="build what the cluster is made of; what is there already is kept")
    build.add_argument(
        "names", nargs="*", metavar="NAME", choices=[*everything, []], help=f"only these: {', '.join(everything)}"
    )
    build.set_defaults(run=_build)


def _build(options: argparse.Namespace) -> None:
    names = options.names or [debian.NAME, *programs.programs()]
    packages.ensure(packages.missing(), purpose="build and run the cluster")
    with Steps("build", names) as steps:
        supply.ensure(names, steps)
        steps.say(f"built: {', '.join(names)} in {spoken(steps.seconds)}")
