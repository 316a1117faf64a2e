# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The command line: what there is to say, and to whom it is handed on."""

from __future__ import annotations

import argparse
import importlib
import signal
import sys
from types import FrameType

from deploy_ops_testbed.errors import TestbedError, from_os_error


def main(arguments: list[str] | None = None) -> int:
    """Run one command and answer with its exit code: 0 done, 1 failed, 2 wrong usage, 130 interrupted."""
    signal.signal(signal.SIGTERM, _interrupt)
    options = _parser().parse_args(arguments)
    try:
        return int(options.run(options) or 0)
    except TestbedError as error:
        return _fail(error)
    except BrokenPipeError:
        # The reader of our output has gone (`testbed logs | head`): that is its right.
        sys.stderr.close()
        return 1
    except OSError as error:
        return _fail(from_os_error(error))
    except KeyboardInterrupt:
        print("\ntestbed: interrupted; run the same command again to go on", file=sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="testbed",
        description="A real Kubernetes with the real Argo projects on this machine, from package registries alone.",
    )
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for half in ("supply", "cluster"):
        importlib.import_module(f"deploy_ops_testbed.{half}.cli").add_commands(commands)
    return parser


def _fail(error: TestbedError) -> int:
    print(f"testbed: {error}", file=sys.stderr)
    return 1


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    """Treat `kill` like Ctrl-C: every `with` block gets to clean up."""
    raise KeyboardInterrupt
