# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Credentials (RFC 3.2.6), verified by using them, and the one right that Git must refuse (RFC 3.4)."""

from __future__ import annotations

import typing as t

from .check import Check, Rule, Unknown
from .connectivity import GitFact, RegistryFact

_UNREACHABLE = Unknown("the endpoint does not answer", reported=True)


class DnsFact(t.NamedTuple):
    """``accepted`` is None where the provider has no harmless call to try the credential with."""

    provider: str
    missing: tuple[str, ...] = ()
    accepted: bool | Unknown | None = None


def evaluate(
    registries: t.Sequence[RegistryFact],
    registry_auth_problem: str,
    repositories: t.Sequence[GitFact],
    dns: DnsFact | None,
    allow_git_write: bool,
) -> list[Check]:
    checks = [_registry(fact) for fact in registries if fact.accepted is not None]
    checks += _registry_auth(registry_auth_problem)
    for fact in repositories:
        checks += [_git_read(fact), _git_write(fact, allow_git_write)]
    checks.append(_dns(dns))
    return checks


def _registry_auth(problem: str) -> list[Check]:
    rule = Rule(
        "credentials.registry_auth",
        "Registry credentials",
        "a Docker config JSON with auths",
        'Give {"auths": {"HOST": {"auth": "BASE64 OF user:password"}}}; a credential helper works on no node.',
    )
    return [rule.failed(problem)] if problem else []


def _registry(fact: RegistryFact) -> Check:
    rule = Rule(
        f"credentials.registry.{fact.host}",
        f"Credential for registry {fact.host}",
        "the registry accepts it",
        f"Correct the entry for {fact.host} in deploy_ops_registry_auth.",
    )
    if not fact.reach.reachable:
        return rule.unknown(_UNREACHABLE)
    if isinstance(fact.accepted, Unknown):
        return rule.unknown(fact.accepted)
    return rule.judge(bool(fact.accepted), "accepted" if fact.accepted else "refused")


def _git_read(fact: GitFact) -> Check:
    rule = Rule(
        f"credentials.git.{fact.name}",
        f"Git credential for {fact.name}",
        "the repository can be read with it",
        "Correct user and password (token) or the SSH key of this repository in deploy_ops_git_repositories.",
    )
    if not fact.reach.reachable:
        return rule.unknown(_UNREACHABLE)
    if isinstance(fact.readable, Unknown):
        return rule.unknown(fact.readable)
    return rule.judge(fact.readable, "accepted" if fact.readable else "refused")


def _git_write(fact: GitFact, allowed: bool) -> Check:
    rule = Rule(
        f"credentials.git_read_only.{fact.name}",
        f"Git credential for {fact.name} cannot push",
        "the server refuses to receive a push (RFC 3.4: the cluster has no write access to sources of truth)",
        "Give Argo CD a read-only token or deploy key, or accept the risk: deploy_ops_allow_git_write: true.",
    )
    if fact.readable is not True:
        return rule.unknown(Unknown("the repository could not be read", reported=True))
    if isinstance(fact.writable, Unknown):
        return rule.unknown(fact.writable)
    if not fact.writable:
        return rule.passed("push refused")
    return rule.passed("can push, allowed by the inventory") if allowed else rule.failed("can push")


def _dns(fact: DnsFact | None) -> Check:
    rule = Rule(
        "credentials.dns",
        "DNS provider credential",
        "the provider accepts it",
        "Correct deploy_ops_dns_provider.",
    )
    if fact is None:
        return rule.skipped("deploy_ops_dns_provider is not set")
    if fact.missing:
        return rule.failed(f"{fact.provider}: missing or empty: {', '.join(fact.missing)}")
    if fact.accepted is None:
        return rule.skipped(f"not verified: {fact.provider} is complete, but there is no harmless call to try it with")
    if isinstance(fact.accepted, Unknown):
        return rule.unknown(fact.accepted)
    return rule.judge(fact.accepted, f"{fact.provider}: {'accepted' if fact.accepted else 'refused'}")
