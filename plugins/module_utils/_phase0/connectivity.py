# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""External endpoints (RFC 3.2.5): registries and their images, Git, charts. With a mirror, the mirror instead."""

from __future__ import annotations

import typing as t

from .check import Check, Rule, Unknown, listing

_NETWORK = "Check name, port, proxy (HTTPS_PROXY, NO_PROXY), firewall and, for a private CA, deploy_ops_ca_file."
_UNREACHABLE = Unknown("the endpoint does not answer", reported=True)


class Reach(t.NamedTuple):
    """Whether an endpoint answered at all, and how long that took."""

    reachable: bool
    detail: str
    seconds: float = 0.0


class RegistryFact(t.NamedTuple):
    host: str
    reach: Reach
    # Image reference -> the registry has its manifest.
    images: t.Mapping[str, bool | Unknown]
    # None: no credential was given for this host.
    accepted: bool | Unknown | None = None


class GitFact(t.NamedTuple):
    """``name`` is the URL without any credential."""

    name: str
    reach: Reach
    # Unknown when the repository could not be read for another reason than a refusal.
    readable: bool | Unknown
    revision: str
    # Empty: the repository has no such revision.
    commit: str = ""
    writable: bool | Unknown = Unknown("not tried", reported=True)


class ChartFact(t.NamedTuple):
    """Where the chart of a component comes from, and whether it is there."""

    component: str
    # CHART-VERSION
    name: str
    source: str
    reach: Reach
    found: bool | Unknown
    app_version: str = ""


def evaluate(
    registries: t.Sequence[RegistryFact], repositories: t.Sequence[GitFact], charts: t.Sequence[ChartFact]
) -> list[Check]:
    checks = [check for registry in registries for check in _registry(registry)]
    checks += [check for repository in repositories for check in _git(repository)]
    checks += _charts(charts)
    return checks


def _reach(rule: Rule, reach: Reach) -> Check:
    return rule.judge(reach.reachable, reach.detail)


def _registry(fact: RegistryFact) -> t.Iterator[Check]:
    yield _reach(
        Rule(f"connectivity.registry.{fact.host}", f"Registry {fact.host}", "answers the registry API", _NETWORK),
        fact.reach,
    )
    if fact.images:
        yield _images(fact)


def _images(fact: RegistryFact) -> Check:
    rule = Rule(
        f"connectivity.images.{fact.host}",
        f"Images at {fact.host}",
        f"the manifests of all {len(fact.images)} images",
        "Correct the image or its version; a private image needs deploy_ops_registry_auth, a mirror needs the image "
        "loaded (playbooks/airgap_load.yml).",
    )
    if not fact.reach.reachable:
        return rule.unknown(_UNREACHABLE)
    missing = [image for image, found in fact.images.items() if found is False]
    unknown = [f"{image} ({found.reason})" for image, found in fact.images.items() if isinstance(found, Unknown)]
    if missing or unknown:
        texts = [f"missing: {listing(missing)}"] if missing else []
        texts += [f"not known: {listing(unknown)}"] if unknown else []
        return rule.failed("; ".join(texts))
    return rule.passed(f"all {len(fact.images)} there")


def _git(fact: GitFact) -> t.Iterator[Check]:
    yield _reach(
        Rule(f"connectivity.git.{fact.name}", f"Git server of {fact.name}", "answers", _NETWORK),
        fact.reach,
    )
    revision = Rule(
        f"connectivity.git_revision.{fact.name}",
        f"Revision {fact.revision} of {fact.name}",
        f"branch, tag or HEAD named {fact.revision}",
        "Correct the revision in the inventory, or push the branch.",
    )
    if fact.readable is not True:
        yield revision.unknown(Unknown("the repository could not be read", reported=True))
    else:
        yield revision.judge(bool(fact.commit), fact.commit or "no such branch or tag")


def _charts(charts: t.Sequence[ChartFact]) -> t.Iterator[Check]:
    sources = {chart.source: chart.reach for chart in charts}
    for source, reach in sources.items():
        fix = _NETWORK if "://" in source else "Correct deploy_ops_charts: a folder here, or the URL of a repository."
        yield _reach(Rule(f"connectivity.charts.{source}", f"Charts at {source}", "offers charts", fix), reach)
    for chart in charts:
        rule = Rule(
            f"connectivity.chart.{chart.component}",
            f"Chart {chart.name}",
            f"{chart.name} at {chart.source}",
            "Correct the chart's version, or put the chart there.",
        )
        if not chart.reach.reachable:
            yield rule.unknown(_UNREACHABLE)
        elif isinstance(chart.found, Unknown):
            yield rule.unknown(chart.found)
        else:
            yield rule.judge(chart.found, "there" if chart.found else "not there")
