# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Every Application says exactly what it deploys, as far as the steady state of the platform asks for it."""

from __future__ import annotations

import re
import typing as t

from .._gate.application import Application
from .._gate.revisions import short
from .facts import PINNED, Body, Settings, name_of
from .finding import WARNING, Finding

_is_commit = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}").fullmatch
_is_exact_version = re.compile(r"v?\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?").fullmatch
_is_digest = re.compile(r"(?:.+@)?sha256:[0-9a-f]{64}").fullmatch


def check_revisions(applications: t.Iterable[Body], settings: Settings) -> list[Finding]:
    """Of the graph's Applications. A chart's version is exact in every mode; in pinned, a Git source is too."""
    findings: list[Finding] = []
    for body in applications:
        for source in Application(body).sources:
            findings += _check_source(name_of(body), source, settings)
    return findings


def _check_source(name: str, source: Body, settings: Settings) -> t.Iterator[Finding]:
    target = str(source.get("targetRevision") or "")
    exact = bool(_is_exact_version(target) or _is_digest(target))
    chart = source.get("chart")
    if chart or str(source.get("repoURL") or "").startswith("oci://"):
        if not exact:
            yield Finding(
                "revisions.unpinned-chart",
                WARNING,
                name,
                f"chart {chart or source.get('repoURL')} at {target or 'whatever is newest'}",
                "one version: the same deployment tomorrow",
                f"Set targetRevision of {name} to the version that is deployed today.",
            )
    elif settings.steady_state == PINNED and not exact and not _is_commit(target):
        yield Finding(
            "revisions.unpinned",
            WARNING,
            name,
            f"follows {target or 'HEAD'}: a commit there deploys it without a run",
            "a commit or a version (deploy_ops_steady_state pinned)",
            f"Let Root's chart hand its value revision to {name} as targetRevision, or name a tag.",
        )


def check_mixed(applications: t.Iterable[Body], root: Body | None, settings: Settings) -> list[Finding]:
    """One platform, one commit: what comes from Root's repository stands where Root stands."""
    if settings.steady_state != PINNED or root is None:
        return []
    repository = Application(root).sources[0].get("repoURL")
    at: dict[str, list[str]] = {}
    for body in applications:
        app = Application(body)
        sources = app.sources
        if len(sources) == 1 and sources[0].get("repoURL") == repository and _is_commit(app.revision):
            at.setdefault(app.revision, []).append(app.name)
    if len(at) < 2:
        return []
    usual = max(at, key=lambda commit: (len(at[commit]), commit))
    return [
        Finding(
            "revisions.mixed",
            WARNING,
            name,
            f"stands at {short(commit)}, most of the platform at {short(usual)}",
            "one commit for the whole platform",
            "Run: ansible-playbook proficientnow.deploy_ops.deploy",
        )
        for commit, names in sorted(at.items())
        if commit != usual
        for name in sorted(names)
    ]
