# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""All checks over all facts. What could not be read is a finding of its own: nobody may take it for good."""

from __future__ import annotations

import typing as t

from .._phase0.check import Unknown, listing
from . import customisations, drift, hooks, membership, revisions, upkeep, waves
from .facts import Body, Facts, Rules, Settings, destination_of, name_of, project_of
from .finding import Finding, not_known

_RIGHTS = (
    "Run it with a kubeconfig that may read this (docs/validate.md lists the rights), or mend what does not answer."
)
_ROTATE = "Run: ansible-playbook proficientnow.deploy_ops.rotate_credentials"


class Graph(t.NamedTuple):
    """What the checks need to know of the graph. All names are those of Applications."""

    # All that the graph names, and those in the scope
    applications: frozenset[str]
    chosen: frozenset[str]
    # Application -> all Applications before it
    above: dict[str, frozenset[str]]


def check_all(facts: Facts, settings: Settings, graph: Graph) -> list[Finding]:
    """The worst first. Nothing when only health was asked for."""
    if facts.rules is None:
        return []
    findings = [
        *_check_applications(facts, facts.rules, settings, graph),
        *_check_rendered(facts, facts.rules, graph),
        *_check_argocd(facts, facts.rules, settings, graph),
        *upkeep.check_versions(facts.components),
        *_unread(facts, facts.rules),
    ]
    return sorted(findings, key=lambda finding: finding.order)


def _check_applications(facts: Facts, rules: Rules, settings: Settings, graph: Graph) -> t.Iterator[Finding]:
    """By the Applications themselves."""
    named = facts.named()
    chosen = [named[name] for name in sorted(graph.chosen) if name in named]
    project = rules.projects.get(settings.project)
    at_work = bool(runs_at_work(facts))
    yield from membership.check_graph(graph.applications, facts.applications, settings)
    yield from membership.check_authority(graph.applications, facts.applications, project, at_work, settings)
    yield from waves.check_application_waves(_ours(facts, graph, settings))
    yield from revisions.check_revisions(chosen, settings)
    yield from revisions.check_mixed(chosen, named.get(settings.root), settings)
    yield from drift.check_drift(chosen)


def _check_rendered(facts: Facts, rules: Rules, graph: Graph) -> t.Iterator[Finding]:
    """By what Argo CD makes of them."""
    named = facts.named()
    owners = hooks.Owners(facts.applications)
    for name, manifests in rules.manifests.items():
        if isinstance(manifests, list) and name in named:
            yield from hooks.check_hooks(
                name, destination_of(named[name]), manifests, owners, graph.above.get(name, frozenset())
            )
            yield from waves.check_waves(name, manifests)


def _check_argocd(facts: Facts, rules: Rules, settings: Settings, graph: Graph) -> t.Iterator[Finding]:
    """By the settings of Argo CD, and by the tokens for it."""
    ours = _ours(facts, graph, settings)
    if not isinstance(rules.argocd, Unknown):
        yield from upkeep.check_freshness(ours, rules.argocd, settings)
        if not isinstance(rules.definitions, Unknown):
            accepted = settings.kinds_without_health
            yield from customisations.check_health_checks(ours, rules.definitions, rules.argocd, accepted)
    if not isinstance(rules.tokens, Unknown):
        yield from upkeep.check_tokens(rules.tokens, settings)


def runs_at_work(facts: Facts) -> list[str]:
    """Names of the Workflows of ours that have not ended."""
    if isinstance(facts.runs, Unknown):
        return []
    labels = {name_of(body): body["metadata"].get("labels") or {} for body in facts.runs}
    return sorted(name for name, one in labels.items() if one.get("workflows.argoproj.io/completed") != "true")


def _ours(facts: Facts, graph: Graph, settings: Settings) -> list[Body]:
    """Root, all that the graph names, and what else is in the platform's project."""
    return [
        body
        for body in facts.applications
        if name_of(body) in graph.applications or name_of(body) == settings.root or project_of(body) == settings.project
    ]


def _unread(facts: Facts, rules: Rules) -> t.Iterator[Finding]:
    for what, answer in (
        ("argocd-cm", rules.argocd),
        ("definitions", rules.definitions),
        ("tokens", rules.tokens),
        ("runs", facts.runs),
    ):
        if isinstance(answer, Unknown):
            yield not_known(what, answer.reason, _RIGHTS)
    # One cause, one finding: a token that is refused is refused for every application.
    causes: dict[str, list[str]] = {}
    for name, manifests in rules.manifests.items():
        if isinstance(manifests, Unknown):
            causes.setdefault(manifests.reason, []).append(name)
    for reason, names in sorted(causes.items()):
        fix = _ROTATE if "token" in reason else _RIGHTS
        yield not_known("manifests", f"{reason} (hooks and waves of {listing(names, 5)} not looked at)", fix)
