# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""State of the cluster (RFC 3.2.4): API, authentication, nodes, runtime, DNS, workers."""

from __future__ import annotations

import typing as t

from .check import WARNING, Check, Rule, Unknown, listing
from .nodes import Node, usable

WORKERS_WANTED = 3

API = Rule(
    id="cluster.api",
    title="Kubernetes API reachable",
    wanted="GET /version is answered",
    fix="Check the server address in the kubeconfig, the network between this host and it, VPN and firewall.",
)
AUTHENTICATION = Rule(
    id="cluster.authentication",
    title="Kubernetes API accepts the credentials",
    wanted="the API server knows who is asking",
    fix="The token or client certificate in the kubeconfig is wrong or has expired: fetch a new kubeconfig.",
)
NODES_READY = Rule(
    id="cluster.nodes_ready",
    title="Nodes can run pods",
    wanted="at least one Ready node that takes pods (not cordoned, no NoSchedule taint)",
    fix="kubectl describe nodes: bring a node to Ready, uncordon it or remove its taint.",
)
NODES_ALL_READY = Rule(
    id="cluster.nodes_all_ready",
    title="No node is down",
    wanted="every node is Ready",
    fix="kubectl describe node NAME shows why; remove the node object when the machine is gone for good.",
    severity=WARNING,
)
RUNTIME = Rule(
    id="cluster.runtime",
    title="Container runtime works",
    wanted="every Ready node names its container runtime",
    fix="Start the container runtime on the node (systemctl status containerd) and look at the kubelet's log.",
)
DNS = Rule(
    id="cluster.dns",
    title="Cluster DNS works",
    wanted="a Ready DNS pod (label k8s-app=kube-dns in kube-system)",
    fix="kubectl -n kube-system describe pods -l k8s-app=kube-dns: bring CoreDNS to Ready.",
)
WORKERS = Rule(
    id="cluster.workers",
    title="Enough worker nodes",
    wanted=f"at least {WORKERS_WANTED} Ready worker nodes",
    fix="Add workers, or accept that the loss of one node stops the platform.",
    severity=WARNING,
)


class DnsPod(t.NamedTuple):
    name: str
    ready: bool
    phase: str


class ClusterFacts(t.NamedTuple):
    """``version`` is Unknown when the API does not answer, and all else with it."""

    version: str | Unknown
    authenticated: bool | Unknown
    nodes: list[Node] | Unknown
    dns_pods: list[DnsPod] | Unknown


def evaluate(facts: ClusterFacts) -> list[Check]:
    return [
        _api(facts.version),
        _authentication(facts.authenticated),
        *_nodes(facts.nodes),
        _dns(facts.dns_pods),
    ]


def _api(version: str | Unknown) -> Check:
    if not isinstance(version, Unknown):
        return API.passed(version)
    return API.skipped(version.reason) if version.reported else API.failed(version.reason)


def _authentication(authenticated: bool | Unknown) -> Check:
    if isinstance(authenticated, Unknown):
        return AUTHENTICATION.unknown(authenticated)
    return AUTHENTICATION.judge(authenticated, "accepted" if authenticated else "401 Unauthorized")


def _nodes(nodes: list[Node] | Unknown) -> list[Check]:
    if isinstance(nodes, Unknown):
        return [rule.unknown(nodes) for rule in (NODES_READY, NODES_ALL_READY, RUNTIME, WORKERS)]
    ready = usable(nodes)
    if not nodes:
        rest = [rule.skipped("there are no nodes") for rule in (NODES_ALL_READY, RUNTIME, WORKERS)]
        return [NODES_READY.failed("the cluster has no nodes"), *rest]
    down = [node for node in nodes if not node.ready]
    workers = [node for node in nodes if node.ready and not node.control_plane]
    reasons = listing(f"{node.name} ({node.ready_message})" for node in down)
    return [
        NODES_READY.judge(bool(ready), f"{len(ready)} of {len(nodes)} nodes are Ready and take pods"),
        NODES_ALL_READY.judge(not down, f"not Ready: {reasons}" if down else f"all {len(nodes)} Ready"),
        _runtime(nodes),
        WORKERS.judge(len(workers) >= WORKERS_WANTED, f"{len(workers)} Ready workers"),
    ]


def _runtime(nodes: list[Node]) -> Check:
    # A kubelet without its runtime says so in the message of the Ready condition.
    broken = [
        node
        for node in nodes
        if (node.ready and not node.runtime) or ("runtime" in node.ready_message.lower() and not node.ready)
    ]
    if broken:
        return RUNTIME.failed(listing(f"{node.name}: {node.ready_message}" for node in broken))
    running = {node.runtime for node in nodes if node.ready}
    if not running:
        return RUNTIME.skipped("no Ready node to ask")
    return RUNTIME.passed(listing(running))


def _dns(pods: list[DnsPod] | Unknown) -> Check:
    if isinstance(pods, Unknown):
        return DNS.unknown(pods)
    if not pods:
        return DNS.failed("no DNS pod")
    ready = [pod for pod in pods if pod.ready]
    states = listing(f"{pod.name} {'Ready' if pod.ready else pod.phase}" for pod in pods)
    return DNS.judge(bool(ready), f"{len(ready)} of {len(pods)} Ready: {states}")
