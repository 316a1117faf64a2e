# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""What runs out or gets old by itself: tokens, versions of the components, and what Argo CD last saw."""

from __future__ import annotations

import re
import typing as t

from .._gate.application import Application
from .._gate.moments import parse_moment, seconds_between, span
from .._phase0 import versions
from .._phase0.check import BLOCKING as PHASE0_BLOCKING
from .._phase0.check import FAILED, Unknown
from .._phase0.components import Component
from .facts import Body, Settings, annotations_of, name_of
from .finding import BLOCKING, WARNING, Finding

EXPIRES = "deploy-ops.proficientnow.com/token-expires"
_ROTATE = "Run: ansible-playbook proficientnow.deploy_ops.rotate_credentials"

# Component -> its name in the table of advisories, and the image that its version is told by
_VERSIONED = {
    "sealed-secrets": ("sealed_secrets", "sealed-secrets-controller"),
    "argo-cd": ("argocd", "argocd"),
    "argo-workflows": ("argo_workflows", "workflow-controller"),
    "argo-events": ("argo_events", "argo-events"),
    "argo-rollouts": ("argo_rollouts", "argo-rollouts"),
}
_TAG = re.compile(r"(?:^|/)([^/:@]+):([^/@]+)(?:@.*)?$")
_DURATION = re.compile(r"(\d+)(h|m|s)")
_SECONDS = {"h": 3600, "m": 60, "s": 1}


def check_tokens(tokens: t.Mapping[str, Body | None], settings: Settings) -> list[Finding]:
    findings = []
    for account, secret in sorted(settings.tokens.items()):
        where = f"Secret {settings.workflows_namespace}/{secret}"
        body = tokens.get(secret)
        wanted = f"a token of the Argo CD account {account} that is good for long"
        if body is None:
            findings.append(Finding("tokens.missing", BLOCKING, where, "does not exist", wanted, _ROTATE))
            continue
        expires = parse_moment(annotations_of(body).get(EXPIRES))
        if expires is None:
            continue  # somebody else's token: when it expires is not written anywhere but in itself
        left = (expires - settings.now).total_seconds()
        if left <= 0:
            found = f"expired on {expires:%Y-%m-%d}"
            findings.append(Finding("tokens.expired", BLOCKING, where, found, wanted, _ROTATE))
        elif left < settings.token_warn_seconds:
            found = f"expires in {left / 86400:.0f} days, on {expires:%Y-%m-%d}"
            findings.append(Finding("tokens.expiring", WARNING, where, found, wanted, _ROTATE))
    return findings


def check_versions(components: t.Mapping[str, list[Body] | Unknown]) -> list[Finding]:
    """The same table as phase 0 uses, against what runs."""
    findings = []
    for name, workloads in sorted(components.items()):
        known, image = _VERSIONED.get(name, ("", ""))
        if not known or isinstance(workloads, Unknown):
            continue
        running = sorted({tag for body in workloads for tag in _tags(body, image)})
        for tag in running:
            (check,) = versions.evaluate([Component(known, "", "", "", "", app_version=tag)], {})
            if check.status == FAILED:
                severity = BLOCKING if check.severity == PHASE0_BLOCKING else WARNING
                findings.append(Finding(check.id, severity, name, check.found, check.wanted, check.fix))
    return findings


def _tags(workload: Body, image: str) -> t.Iterator[str]:
    pod = ((workload.get("spec") or {}).get("template") or {}).get("spec") or {}
    for container in pod.get("containers") or []:
        match = _TAG.search(str(container.get("image") or ""))
        if match and match.group(1) == image:
            yield match.group(2)


def check_freshness(applications: t.Iterable[Body], argocd: t.Mapping[str, str], settings: Settings) -> list[Finding]:
    """Argo CD compares every Application anew in turns. What it has not looked at for long, nobody knows."""
    turn = _seconds(argocd.get("timeout.reconciliation") or "180s")
    if not turn:
        return []
    limit = max(900, 4 * turn)
    old = {
        name_of(body): seconds_between(seen, settings.now)
        for body in applications
        for seen in [Application(body).compared_at]
        if seen and seconds_between(seen, settings.now) > limit
    }
    return [
        Finding(
            "freshness.stale",
            WARNING,
            name,
            f"Argo CD last compared it {span(age)} ago: what it says of it may no longer be so",
            f"a comparison every {span(turn)} or so",
            "Look at the application controller: kubectl -n "
            f"{settings.argocd_namespace} logs statefulset/argocd-application-controller",
        )
        for name, age in sorted(old.items())
    ]


def _seconds(text: str) -> int:
    return sum(int(number) * _SECONDS[unit] for number, unit in _DURATION.findall(text))
