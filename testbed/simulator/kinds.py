# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The custom resources of the sample platforms, and what their operators write into their status.

Group, kind and status fields are those of the real operators, as far as Argo CD's health checks and people look at
them. Each builder is a pure function: (spec, moment) -> the fields of the status. Conditions come without times:
status.py stamps them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from behaviour import CRASHED, READY, STARTING

Fields = dict[str, Any]


class Moment(NamedTuple):
    """Where a resource stands."""

    phase: str
    progress: float
    first: bool

    @property
    def failed(self) -> bool:
        return self.phase not in (STARTING, READY)

    @property
    def trouble(self) -> str:
        if not self.failed:
            return ""
        return "its pods are in CrashLoopBackOff" if self.phase == CRASHED else "failed, as the simulator was told"


class Kind(NamedTuple):
    group: str
    version: str
    plural: str
    kind: str
    build: Callable[[Fields, Moment], Fields]

    @property
    def name(self) -> str:
        return f"{self.plural}.{self.group}"


def _condition(kind: str, holds: bool, reason: str, message: str = "") -> Fields:
    return {"type": kind, "status": "True" if holds else "False", "reason": reason, "message": message}


def _ready_condition(moment: Moment, waiting: str) -> Fields:
    if moment.phase == READY:
        return _condition("Ready", True, "Ready")
    reason, message = ("Failed", moment.trouble) if moment.failed else ("Progressing", waiting)
    return _condition("Ready", False, reason, message)


def ceph_cluster(_spec: Fields, moment: Moment) -> Fields:
    """Rook: monitors first, then HEALTH_WARN while the OSDs form, then HEALTH_OK."""
    if moment.failed:
        broken = {"SIMULATED": {"severity": "HEALTH_ERR", "message": moment.trouble}}
        health = {"health": "HEALTH_ERR", "details": broken}
        return {"phase": "Failure", "state": "Error", "message": moment.trouble, "ceph": health}
    if moment.phase == READY:
        ready = {"phase": "Ready", "state": "Created", "message": "Cluster created successfully"}
        return {**ready, "ceph": {"health": "HEALTH_OK"}}
    status = {"phase": "Progressing", "state": "Creating", "message": "Configuring Ceph Mons"}
    if moment.progress < 1 / 3:
        return status
    too_few = {"TOO_FEW_OSDS": {"severity": "HEALTH_WARN", "message": "OSD count 1 < osd_pool_default_size 3"}}
    return {**status, "message": "Configuring Ceph OSDs", "ceph": {"health": "HEALTH_WARN", "details": too_few}}


def postgresql(spec: Fields, moment: Moment) -> Fields:
    """Zalando: Creating (or Updating) to Running; instances come up one by one."""
    wanted = spec.get("numberOfInstances", 1)
    if moment.failed:
        return {"PostgresClusterStatus": "CreateFailed" if moment.first else "UpdateFailed", "numberOfInstances": 0}
    if moment.phase == READY:
        return {"PostgresClusterStatus": "Running", "numberOfInstances": wanted}
    up = min(int(moment.progress * wanted), max(wanted - 1, 0))
    return {"PostgresClusterStatus": "Creating" if moment.first else "Updating", "numberOfInstances": up}


def redis_cluster(spec: Fields, moment: Moment) -> Fields:
    """OpsTree: Initializing, Bootstrap, Ready."""
    size = spec.get("clusterSize", 3)
    if moment.failed:
        return {"state": "Failed", "reason": moment.trouble, "readyLeaderReplicas": 0, "readyFollowerReplicas": 0}
    if moment.phase == READY:
        ready = {"state": "Ready", "reason": "RedisCluster is ready"}
        return {**ready, "readyLeaderReplicas": size, "readyFollowerReplicas": size}
    if moment.progress < 1 / 2:
        leaders = {"state": "Initializing", "reason": "RedisCluster is initializing leaders"}
        return {**leaders, "readyLeaderReplicas": 0, "readyFollowerReplicas": 0}
    bootstrap = {"state": "Bootstrap", "reason": "RedisCluster is bootstrapping"}
    return {**bootstrap, "readyLeaderReplicas": size, "readyFollowerReplicas": 0}


def kafka(_spec: Fields, moment: Moment) -> Fields:
    """Strimzi: NotReady with reason Creating, then Ready."""
    if moment.phase == READY:
        return {"conditions": [_condition("Ready", True, "Ready")]}
    if moment.failed:
        return {"conditions": [_condition("NotReady", True, "FatalProblem", moment.trouble)]}
    return {"conditions": [_condition("NotReady", True, "Creating", "Kafka cluster is being deployed")]}


def kafka_topic(_spec: Fields, moment: Moment) -> Fields:
    """Strimzi's topic operator says nothing until it has an answer from Kafka."""
    if moment.phase == READY:
        return {"conditions": [_condition("Ready", True, "Ready")]}
    return {"conditions": [_condition("NotReady", True, "KafkaError", moment.trouble)] if moment.failed else []}


def keycloak(_spec: Fields, moment: Moment) -> Fields:
    errors = _condition("HasErrors", moment.failed, "Error" if moment.failed else "None", moment.trouble)
    return {"conditions": [_ready_condition(moment, "Waiting for more replicas"), errors]}


def cluster_secret_store(_spec: Fields, moment: Moment) -> Fields:
    """External Secrets writes its first condition after it has reached the provider."""
    if moment.phase == STARTING:
        return {"conditions": []}
    return {"capabilities": "ReadWrite", "conditions": [_ready_condition(moment, "")]}


def cluster_issuer(_spec: Fields, moment: Moment) -> Fields:
    """cert-manager writes its first condition after the account is registered."""
    return {"conditions": [] if moment.phase == STARTING else [_ready_condition(moment, "")]}


def temporal_cluster(_spec: Fields, moment: Moment) -> Fields:
    names = ("frontend", "history", "matching", "worker")
    # The frontend comes last: when it answers, nothing is missing.
    up = len(names) if moment.phase == READY else 0 if moment.failed else min(int(moment.progress * 4), 3)
    services = [{"name": name, "ready": place < up} for place, name in enumerate(reversed(names))]
    return {"services": services, "conditions": [_ready_condition(moment, "Waiting for services")]}


def kubevirt(_spec: Fields, moment: Moment) -> Fields:
    ready = moment.phase == READY
    conditions = [
        _condition("Available", ready, "AllComponentsReady" if ready else "DeploymentInProgress"),
        _condition("Progressing", moment.phase == STARTING, "DeploymentInProgress" if not ready else "Ready"),
        _condition("Degraded", moment.failed, "Failed" if moment.failed else "Ready", moment.trouble),
    ]
    return {"phase": "Deployed" if ready else "Deploying", "conditions": conditions}


def cluster_policy(_spec: Fields, moment: Moment) -> Fields:
    return {"conditions": [_ready_condition(moment, "Waiting for the webhook")]}


KINDS = (
    Kind("ceph.rook.io", "v1", "cephclusters", "CephCluster", ceph_cluster),
    Kind("acid.zalan.do", "v1", "postgresqls", "postgresql", postgresql),
    Kind("redis.redis.opstreelabs.in", "v1beta2", "redisclusters", "RedisCluster", redis_cluster),
    Kind("kafka.strimzi.io", "v1beta2", "kafkas", "Kafka", kafka),
    Kind("kafka.strimzi.io", "v1beta2", "kafkatopics", "KafkaTopic", kafka_topic),
    Kind("k8s.keycloak.org", "v2alpha1", "keycloaks", "Keycloak", keycloak),
    Kind("external-secrets.io", "v1", "clustersecretstores", "ClusterSecretStore", cluster_secret_store),
    Kind("cert-manager.io", "v1", "clusterissuers", "ClusterIssuer", cluster_issuer),
    Kind("temporal.io", "v1beta1", "temporalclusters", "TemporalCluster", temporal_cluster),
    Kind("kubevirt.io", "v1", "kubevirts", "KubeVirt", kubevirt),
    Kind("kyverno.io", "v1", "clusterpolicies", "ClusterPolicy", cluster_policy),
)
