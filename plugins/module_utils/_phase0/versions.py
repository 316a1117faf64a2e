# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Versions that are known to be unsafe. What stands here was found, not everything that exists."""

from __future__ import annotations

import typing as t

from . import semver
from .check import BLOCKING, WARNING, Check, Rule
from .components import Component


class Advisory(t.NamedTuple):
    component: str
    id: str
    harm: str
    # The first fixed release of every branch that got a fix.
    fixed: tuple[str, ...]


class BadRelease(t.NamedTuple):
    component: str
    versions: tuple[str, ...]
    harm: str


ADVISORIES = (
    Advisory(
        "argocd",
        "CVE-2025-55190",
        "any token that may read a project reads its repository credentials",
        ("2.13.9", "2.14.16", "3.0.13", "3.1.2"),
    ),
    Advisory(
        "argo_workflows",
        "CVE-2026-31892",
        "podSpecPatch bypasses the security of templates",
        ("3.7.11", "4.0.2"),
    ),
    Advisory("argo_workflows", "CVE-2026-28229", "templates can be read with a bogus token", ("3.7.11", "4.0.2")),
    Advisory("argo_workflows", "CVE-2026-40886", "one malformed pod stops the controller", ("3.7.14", "4.0.5")),
)

BAD_RELEASES = (
    BadRelease(
        "sealed_secrets",
        ("0.36.3", "0.36.5", "0.36.6"),
        "its release notes call it incomplete: the image may be missing on Docker Hub",
    ),
)


def evaluate(components: t.Iterable[Component], chart_app_versions: t.Mapping[str, str]) -> list[Check]:
    """``chart_app_versions``: what the charts bring along, for components that do not name their own version."""
    return [_judge(one, one.app_version or chart_app_versions.get(one.name, "")) for one in components]


def _judge(component: Component, app_version: str) -> Check:
    advisories = [advisory for advisory in ADVISORIES if advisory.component == component.name]
    bad = [release for release in BAD_RELEASES if release.component == component.name]
    rule = Rule(
        id=f"versions.{component.name}",
        title=f"Version of {component.name} is safe",
        wanted="; ".join(f"{one.id} fixed ({' or '.join(one.fixed)})" for one in advisories) or "no known-bad release",
        fix=f"Choose a newer version of {component.name} in the inventory.",
    )
    version = semver.parse(app_version)
    if version is None:
        return rule.skipped("the chart does not tell which version it installs; set app_version")
    number = ".".join(str(part) for part in version)
    open_holes = [f"{one.id}: {one.harm}" for one in advisories if not is_fixed(version, one.fixed)]
    flaws = [one.harm for one in bad if number in one.versions]
    if not open_holes and not flaws:
        return rule.passed(number)
    rule = rule._replace(severity=BLOCKING if open_holes else WARNING)
    return rule.failed(f"{number}: {'; '.join(open_holes + flaws)}")


def is_fixed(version: semver.Version, fixed: t.Sequence[str]) -> bool:
    """Fixed on its own branch, or younger than every branch that needed the fix."""
    branches = {first[:2]: first for first in map(semver.require, fixed)}
    if version[:2] in branches:
        return version >= branches[version[:2]]
    return version[:2] > max(branches)
