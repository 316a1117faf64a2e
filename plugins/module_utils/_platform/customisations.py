# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""INV-7: every custom resource in use has a health check: ours, Argo CD's own, or the word that none is needed."""

from __future__ import annotations

import fnmatch
import typing as t

from .._phase0.collect import yaml_text
from .facts import Body, name_of
from .finding import BLOCKING, WARNING, Finding
from .health_kinds import BUILT_IN, INDISPENSABLE, PASSIVE

_PREFIX = "resource.customizations.health."
_MANY = "resource.customizations"


def check_health_checks(
    applications: t.Iterable[Body],
    definitions: t.AbstractSet[str],
    argocd: t.Mapping[str, str],
    accepted: t.Sequence[str],
) -> list[Finding]:
    """`definitions`: names of the CustomResourceDefinitions. `accepted`: group/Kind that need no check."""
    own = configured(argocd)
    users = custom_kinds(applications, definitions)
    findings = []
    for (group, kind), names in sorted(users.items()):
        if _listed(own, group, kind) or _in_table(BUILT_IN, group, kind):
            continue
        indispensable = _in_table(INDISPENSABLE, group, kind)
        if not indispensable and (_in_table(PASSIVE, group, kind) or _listed(accepted, group, kind)):
            continue
        findings.append(
            Finding(
                "health.no-check",
                BLOCKING if indispensable else WARNING,
                f"{group}/{kind}",
                f"Argo CD calls it Healthy as soon as it exists; used by {', '.join(sorted(names)[:5])}",
                "a health check for every custom resource in use (INV-7)",
                f"Give Argo CD the key {_PREFIX}{group}_{kind} (argocd_values: configs.cm)"
                + (
                    "."
                    if indispensable
                    else f", or list {group}/{kind} in validate_kinds_without_health when existing is being ready."
                ),
            )
        )
    return findings


def custom_kinds(applications: t.Iterable[Body], definitions: t.AbstractSet[str]) -> dict[tuple[str, str], set[str]]:
    """(group, kind) -> the Applications that have one."""
    groups = {name.partition(".")[2] for name in definitions}
    users: dict[tuple[str, str], set[str]] = {}
    for application in applications:
        for one in (application.get("status") or {}).get("resources") or []:
            group, kind = one.get("group") or "", one.get("kind") or ""
            if group in groups and kind:
                users.setdefault((group, kind), set()).add(name_of(application))
    return users


def configured(argocd: t.Mapping[str, str]) -> list[str]:
    """group/Kind of every check in argocd-cm, in both forms that Argo CD reads."""
    found = []
    for key, value in argocd.items():
        if key.startswith(_PREFIX) and value:
            group, _underscore, kind = key[len(_PREFIX) :].rpartition("_")
            found.append(f"{group}/{kind}")
    try:
        many = yaml_text.load(argocd.get(_MANY) or "")
    except yaml_text.NotYaml:
        many = {}
    if isinstance(many, dict):
        found += [str(key) for key, one in many.items() if isinstance(one, dict) and one.get("health.lua")]
    return found


def _listed(patterns: t.Iterable[str], group: str, kind: str) -> bool:
    return any(fnmatch.fnmatchcase(f"{group}/{kind}", pattern) for pattern in patterns)


def _in_table(table: t.Mapping[str, str], group: str, kind: str) -> bool:
    return any(
        fnmatch.fnmatchcase(group, pattern) and (kind in kinds.split() or kinds == "*")
        for pattern, kinds in table.items()
    )
