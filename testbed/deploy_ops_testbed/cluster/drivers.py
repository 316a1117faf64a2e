# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which cluster is meant: `TESTBED=embedded` (default), `kind` or `existing`."""

from __future__ import annotations

import os
from typing import Protocol

from deploy_ops_testbed.cluster.health import Report
from deploy_ops_testbed.errors import TestbedError


class Driver(Protocol):
    """What every kind of cluster can do; commands answer with their exit code."""

    name: str

    def up(self) -> int: ...

    def down(self) -> int: ...

    def reset(self) -> int: ...

    def status(self) -> Report: ...

    def environment(self) -> dict[str, str]: ...


def current() -> Driver:
    name = os.environ.get("TESTBED") or "embedded"
    # Each imported only when it is meant: `kind` and `existing` must work on machines where `embedded` does not.
    if name == "embedded":
        from deploy_ops_testbed.cluster.embedded import Embedded

        return Embedded()
    if name == "kind":
        from deploy_ops_testbed.cluster.kind import Kind

        return Kind()
    if name == "existing":
        from deploy_ops_testbed.cluster.existing import Existing

        return Existing()
    raise TestbedError(
        f"TESTBED={name} is not known",
        "there are embedded, kind and existing",
        "unset TESTBED for the embedded cluster",
    )
