# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""The kubeconfig: the right cluster, and nothing in it that runs programs or trusts anybody."""

from __future__ import annotations

import typing as t
import urllib.parse

from .check import FAILED, WARNING, Check, Rule, Unknown

KUBECONFIG = Rule(
    id="identity.kubeconfig",
    title="Kubeconfig",
    wanted="one readable kubeconfig with the context to use",
    fix="Set deploy_ops_kubeconfig to the path of a kubeconfig, or deploy_ops_kubeconfig_data to its base64 text, "
    "and deploy_ops_context to a context in it.",
)
MODE = Rule(
    id="identity.kubeconfig_mode",
    title="Kubeconfig is private",
    wanted="mode 0600 or stricter",
    fix="chmod 600 the kubeconfig: it holds the keys of the cluster.",
    severity=WARNING,
)
EXEC = Rule(
    id="identity.kubeconfig_exec",
    title="Kubeconfig runs no program",
    wanted="no exec plugin or auth provider",
    fix="Use a kubeconfig with a token or certificate, or allow the program: deploy_ops_allow_kubeconfig_exec: true.",
)
TLS = Rule(
    id="identity.kubeconfig_tls",
    title="Kubeconfig verifies the server",
    wanted="https with certificate verification",
    fix="Put the cluster's CA into the kubeconfig (certificate-authority-data), or accept an unverified server: "
    "deploy_ops_allow_insecure_tls: true.",
)
SERVER = Rule(
    id="identity.server",
    title="Kubeconfig points at the cluster that the inventory names",
    wanted="",
    fix="You are about to work on another cluster than the inventory says: choose the right kubeconfig or context, or "
    "correct deploy_ops_cluster_server.",
)
UID = Rule(
    id="identity.uid",
    title="The cluster is the one that the inventory names",
    wanted="",
    fix="The server answers for another cluster than the inventory says (rebuilt, or another one behind the same "
    "address): choose the right kubeconfig, or correct deploy_ops_cluster_uid.",
)
EXPECTED = Rule(
    id="identity.expected",
    title="The inventory names its cluster",
    wanted="deploy_ops_cluster_server or deploy_ops_cluster_uid is set",
    fix="Set one of them, so that a wrong kubeconfig is noticed before anything is changed.",
    severity=WARNING,
)


class KubeconfigFact(t.NamedTuple):
    """What a kubeconfig says about itself, without its secrets."""

    source: str
    problem: str = ""
    # None when it did not come from a file.
    mode: int | None = None
    context: str = ""
    server: str = ""
    program: str = ""
    insecure: bool = False


class Expected(t.NamedTuple):
    server: str = ""
    uid: str = ""
    allow_exec: bool = False
    allow_insecure: bool = False


def usable(fact: KubeconfigFact, expected: Expected) -> Unknown | None:
    """None when the cluster may be asked; else why not.

    Loading a kubeconfig runs its exec plugin, and an unverified server would be handed the token: both must be
    judged before the first request.
    """
    if fact.problem:
        return Unknown("no usable kubeconfig", reported=True)
    if fact.program and not expected.allow_exec:
        return Unknown("the kubeconfig runs a program, which is not allowed", reported=True)
    if fact.insecure and not expected.allow_insecure:
        return Unknown("the kubeconfig does not verify the server, which is not allowed", reported=True)
    return None


def evaluate(fact: KubeconfigFact, uid: str | Unknown, expected: Expected) -> list[Check]:
    if fact.problem:
        unread = Unknown("no usable kubeconfig", reported=True)
        rest = [rule.unknown(unread) for rule in (MODE, EXEC, TLS, SERVER, UID)]
        return [KUBECONFIG.failed(f"{fact.source}: {fact.problem}"), *rest, _expected(fact, uid, expected)]
    return [
        KUBECONFIG.passed(f"{fact.source}, context {fact.context}, server {fact.server}"),
        _mode(fact),
        _exception(EXEC, fact.program, "none", expected.allow_exec),
        _exception(
            TLS, "insecure-skip-tls-verify or plain http" if fact.insecure else "", "verified", expected.allow_insecure
        ),
        _server(fact, expected),
        _uid(uid, expected),
        _expected(fact, uid, expected),
    ]


def mismatches(server: str, uid: str, expected: Expected) -> list[Check]:
    """What speaks against work that cannot be undone on this cluster; there, nothing expected is a problem too."""
    fact = KubeconfigFact("the kubeconfig", server=server)
    checks = [_server(fact, expected), _uid(uid, expected), _expected(fact, uid, expected)]
    return [check for check in checks if check.status == FAILED]


def _exception(rule: Rule, found: str, normal: str, allowed: bool) -> Check:
    if not found:
        return rule.passed(normal)
    return rule.passed(f"{found}, allowed by the inventory") if allowed else rule.failed(found)


def _mode(fact: KubeconfigFact) -> Check:
    if fact.mode is None:
        return MODE.skipped("the kubeconfig is not a file")
    return MODE.judge(fact.mode & 0o077 == 0, f"{fact.source} has mode {fact.mode:04o}")


def _server(fact: KubeconfigFact, expected: Expected) -> Check:
    if not expected.server:
        return SERVER.skipped("deploy_ops_cluster_server is not set")
    rule = SERVER._replace(wanted=expected.server)
    return rule.judge(_normal(fact.server) == _normal(expected.server), fact.server)


def _uid(uid: str | Unknown, expected: Expected) -> Check:
    if not expected.uid:
        return UID.skipped("deploy_ops_cluster_uid is not set")
    rule = UID._replace(wanted=f"kube-system has uid {expected.uid}")
    return rule.unknown(uid) if isinstance(uid, Unknown) else rule.judge(uid == expected.uid, uid)


def _expected(fact: KubeconfigFact, uid: str | Unknown, expected: Expected) -> Check:
    if expected.server or expected.uid:
        return EXPECTED.passed("set")
    seen = f"server {fact.server}" if fact.server else "no server"
    return EXPECTED.failed(f"neither is set; this cluster: {seen}{'' if isinstance(uid, Unknown) else f', uid {uid}'}")


def _normal(server: str) -> tuple[t.Any, ...]:
    try:
        parts = urllib.parse.urlsplit(server if "//" in server else f"https://{server}")
        port = parts.port or (80 if parts.scheme == "http" else 443)
    except ValueError:
        # Not a URL: equal only to itself.
        return (server,)
    return parts.scheme.lower(), (parts.hostname or "").lower(), port, parts.path.rstrip("/")
