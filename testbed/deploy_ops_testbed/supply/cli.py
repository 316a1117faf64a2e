# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""`testbed build`: make everything that the cluster is made of."""

from __future__ import annotations

import argparse

from deploy_ops_testbed import packages, supply
from deploy_ops_testbed.progress import Steps, spoken


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Tell the command line what there is."""
    build = commands.add_parser("build", help="build what the cluster is made of; what is there already is kept")
    build.add_argument("names", nargs="*", metavar="NAME", help=f"only these: {', '.join(supply.plan())}, or a binary")
    build.set_defaults(run=_build)


def _build(options: argparse.Namespace) -> None:
    names = supply.planned(options.names or supply.plan())
    packages.ensure(packages.missing(), purpose="build and run the cluster")
    with Steps("build", names) as steps:
        supply.ensure(names, steps)
        steps.say(f"built: {', '.join(names)}; took {spoken(steps.seconds)}")
