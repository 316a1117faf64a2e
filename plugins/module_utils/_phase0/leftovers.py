# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Left-overs of a foreign installation (RFC 3.2.7). An own bootstrap, even a half-finished one, is a resume.

docs/phase0.md says how the two are told apart: OWNER_LABEL on a namespace; in a shared namespace on the values
of the Helm release, which Helm records before it creates anything.
"""

from __future__ import annotations

import typing as t

from .check import Check, Rule, Unknown, listing
from .components import KINDS, OWNER, OWNER_LABEL, SHARED_NAMESPACES, Component


class NamespaceFact(t.NamedTuple):
    labels: t.Mapping[str, str]
    terminating: bool = False


class CrdFact(t.NamedTuple):
    """``release`` is (namespace, name) of the Helm release that it belongs to."""

    release: tuple[str, str] | None = None
    terminating: bool = False


class LeftoverFacts(t.NamedTuple):
    namespaces: t.Mapping[str, NamespaceFact] | Unknown
    crds: t.Mapping[str, CrdFact] | Unknown
    # (namespace, name) -> the newest record of the release carries our label in its values; asked for in shared
    # namespaces only.
    shared_releases: t.Mapping[tuple[str, str], bool] | Unknown
    # (namespace, name) -> labels, in shared namespaces.
    shared_deployments: t.Mapping[tuple[str, str], t.Mapping[str, str]] | Unknown


def evaluate(
    facts: LeftoverFacts, components: t.Sequence[Component], platform_namespaces: t.Sequence[str]
) -> list[Check]:
    own = {component.namespace for component in components if component.namespace not in SHARED_NAMESPACES}
    checks = [_namespace(name, facts.namespaces) for name in sorted(own)]
    checks += [_release(one, facts) for one in components if one.namespace in SHARED_NAMESPACES]
    checks += [_crds(one, facts) for one in components if KINDS[one.name].crds]
    checks.append(_platform(facts.namespaces, own, platform_namespaces))
    return checks


def is_ours(labels: t.Mapping[str, str]) -> bool:
    return labels.get(OWNER_LABEL) == OWNER


def _namespace(name: str, namespaces: t.Mapping[str, NamespaceFact] | Unknown) -> Check:
    rule = Rule(
        f"leftovers.namespace.{name}",
        f"Namespace {name} is free",
        "absent, or created by this collection",
        f"Remove the earlier installation (playbooks/teardown.yml, or its own way). To give an existing namespace to "
        f"this collection: kubectl label namespace {name} {OWNER_LABEL}={OWNER}",
    )
    if isinstance(namespaces, Unknown):
        return rule.unknown(namespaces)
    fact = namespaces.get(name)
    if fact is None:
        return rule.passed("absent")
    if fact.terminating:
        return rule.failed(
            "is being deleted", fix="Wait until it is gone; kubectl describe namespace says what holds it."
        )
    return rule.judge(is_ours(fact.labels), "ours: resuming" if is_ours(fact.labels) else "exists and is not ours")


def _release(component: Component, facts: LeftoverFacts) -> Check:
    """A component in a namespace that is not ours to label."""
    where = f"{component.namespace}/{component.release}"
    rule = Rule(
        f"leftovers.release.{component.name}",
        f"No foreign {component.name} in {component.namespace}",
        "absent, or installed by this collection",
        "Uninstall the other one first. Its sealing keys (Secrets labelled "
        "sealedsecrets.bitnami.com/sealed-secrets-key) may stay: the new controller uses them.",
    )
    for fact in (facts.shared_releases, facts.shared_deployments):
        if isinstance(fact, Unknown):
            return rule.unknown(fact)
    releases = t.cast("t.Mapping[tuple[str, str], bool]", facts.shared_releases)
    deployments = t.cast("t.Mapping[tuple[str, str], t.Mapping[str, str]]", facts.shared_deployments)
    marked = releases.get((component.namespace, component.release))
    labels = deployments.get((component.namespace, KINDS[component.name].deployment))
    if marked or (labels is not None and is_ours(labels)):
        return rule.passed("ours: resuming")
    if marked is False:
        return rule.failed(f"Helm release {where} is not ours")
    if labels is not None:
        return rule.failed(f"Deployment {component.namespace}/{KINDS[component.name].deployment} is not ours")
    return rule.passed("absent")


def _crds(component: Component, facts: LeftoverFacts) -> Check:
    rule = Rule(
        f"leftovers.crds.{component.name}",
        f"CRDs of {component.name} are free",
        f"absent, or of the Helm release {component.namespace}/{component.release}",
        "Remove the other installation. kubectl delete crd NAME deletes every object of that kind: back them up first.",
    )
    if isinstance(facts.crds, Unknown):
        return rule.unknown(facts.crds)
    present = {name: facts.crds[name] for name in KINDS[component.name].crds if name in facts.crds}
    leaving = [name for name, crd in present.items() if crd.terminating]
    if leaving:
        wait = "Wait until they are gone, then run again; kubectl describe crd NAME says what holds one."
        return rule.failed(f"being deleted: {listing(leaving)}", fix=wait)
    problems = []
    for name, crd in present.items():
        if crd.release is not None and crd.release != (component.namespace, component.release):
            problems.append(f"{name} belongs to the Helm release {'/'.join(crd.release)}")
        elif crd.release is None and KINDS[component.name].crds_templated and not _installed(component, facts):
            problems.append(f"{name} belongs to no Helm release, and Helm will not adopt it")
    if problems:
        return rule.failed(listing(problems))
    return rule.passed(f"{len(present)} present, usable" if present else "absent")


def _installed(component: Component, facts: LeftoverFacts) -> bool:
    """The component's namespace is ours: whoever manages the CRDs apart from Helm did so for us."""
    if isinstance(facts.namespaces, Unknown):
        return False
    namespace = facts.namespaces.get(component.namespace)
    return namespace is not None and is_ours(namespace.labels)


def _platform(namespaces: t.Mapping[str, NamespaceFact] | Unknown, own: set[str], names: t.Sequence[str]) -> Check:
    rule = Rule(
        "leftovers.platform_namespaces",
        "Namespaces of the platform's applications are free",
        "absent before the first bootstrap",
        "Tear the earlier platform down, or take the namespace out of deploy_ops_platform_namespaces.",
    )
    if not names:
        return rule.skipped("deploy_ops_platform_namespaces is not set")
    if isinstance(namespaces, Unknown):
        return rule.unknown(namespaces)
    if any(name in namespaces and is_ours(namespaces[name].labels) for name in own):
        return rule.passed("ours: the bootstrap of this cluster has begun before")
    present = [name for name in names if name in namespaces and not is_ours(namespaces[name].labels)]
    return rule.judge(not present, f"present: {listing(present)}" if present else f"none of {len(names)} present")
