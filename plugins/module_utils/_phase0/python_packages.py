# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Python packages in the environment that runs the modules (RFC 3.2.2)."""

from __future__ import annotations

import typing as t

from . import semver
from .check import BLOCKING, WARNING, Check, Rule


class Package(t.NamedTuple):
    name: str
    minimum: str
    purpose: str
    severity: str = BLOCKING


PACKAGES = (
    Package("kubernetes", "24.2.0", "access to the Kubernetes API"),
    # The RFC demands it, but nothing imports it any more: it is dead upstream and kubernetes.core dropped it in 2.0.
    Package("openshift", "0.12.0", "demanded by RFC 3.2.2, used by nothing", WARNING),
    Package("pyyaml", "5.1", "YAML"),
    Package("jsonpatch", "1.24", "JSON patches"),
    Package("networkx", "2.5", "the graph"),
)


def evaluate(versions: t.Mapping[str, str | None], interpreter: str) -> list[Check]:
    """``versions`` holds None for a package that is not installed."""
    return [_judge(package, versions[package.name], interpreter) for package in PACKAGES]


def _judge(package: Package, version: str | None, interpreter: str) -> Check:
    rule = Rule(
        id=f"python_packages.{package.name}",
        title=f"Python package {package.name} ({package.purpose})",
        wanted=f"{package.name} {package.minimum} or newer for {interpreter}",
        fix=f"{interpreter} -m pip install '{package.name}>={package.minimum}'",
        severity=package.severity,
    )
    if version is None:
        return rule.failed("not installed")
    return rule.judge(semver.at_least(version, package.minimum) is True, version)
