# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Ansible collections next to this one (RFC 3.2.3)."""

from __future__ import annotations

import typing as t

from . import semver
from .check import Check, Rule

MINIMUM_VERSIONS = {
    "kubernetes.core": "4.0.0",
    "community.general": "4.0.0",
    "ansible.posix": "1.0.0",
    "ansible.utils": "5.0.0",
}


class CollectionFact(t.NamedTuple):
    version: str
    path: str


def evaluate(facts: t.Mapping[str, CollectionFact | None]) -> list[Check]:
    """``facts`` holds None for a collection that is not installed."""
    return [_judge(name, minimum, facts[name]) for name, minimum in MINIMUM_VERSIONS.items()]


def _judge(name: str, minimum: str, fact: CollectionFact | None) -> Check:
    rule = Rule(
        id=f"collections.{name}",
        title=f"Ansible collection {name}",
        wanted=f"{name} {minimum} or newer on Ansible's collections path",
        fix=f"ansible-galaxy collection install '{name}:>={minimum}'",
    )
    if fact is None:
        return rule.failed("not installed")
    return rule.judge(semver.at_least(fact.version, minimum) is True, f"{fact.version} ({fact.path})")
