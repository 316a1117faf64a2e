# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Names, addresses and folders of the cluster: each stands here once."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from deploy_ops_testbed import paths

NAME = "deploy-ops-testbed"
NODE = "node1"
DOMAIN = "cluster.local"

BRIDGE = "dops0"
NODE_ADDRESS = "10.250.0.1"
NODE_NETWORK = "10.250.0.0/24"
POD_NETWORK = "10.244.0.0/16"
SERVICE_NETWORK = "10.96.0.0/16"
API_SERVICE_ADDRESS = "10.96.0.1"
DNS_ADDRESS = "10.96.0.10"
LOOPBACK = "127.0.0.1"

API_PORT = 6443
# Away from etcd's and the registry's usual ports: a developer may have one of their own.
ETCD_PORT = 12379
ETCD_PEER_PORT = 12380
REGISTRY_PORT = 5055
GIT_PORT = 3080
CONTROLLER_MANAGER_PORT = 10257
SCHEDULER_PORT = 10259
KUBELET_PORT = 10250
KUBELET_HEALTH_PORT = 10248
PROXY_METRICS_PORT = 10249
PROXY_HEALTH_PORT = 10256

API_URL = f"https://{NODE_ADDRESS}:{API_PORT}"
ETCD_URL = f"https://{LOOPBACK}:{ETCD_PORT}"

GIT_READER = "reader"
GIT_WRITER = "writer"


@dataclass(frozen=True)
class Layout:
    """The folders of one cluster, all below its state folder (the registry's data below the cache)."""

    state: Path
    cache: Path

    @classmethod
    def current(cls) -> Layout:
        return cls(paths.state_dir(), paths.cache_dir())

    @property
    def kubeconfig(self) -> Path:
        return self.state / "kubeconfig"

    @property
    def pki(self) -> Path:
        return self.state / "pki"

    @property
    def config(self) -> Path:
        return self.state / "config"

    @property
    def processes(self) -> Path:
        return self.state / "processes"

    @property
    def logs(self) -> Path:
        return self.state / "logs"

    @property
    def audit_log(self) -> Path:
        return self.state / "logs" / "audit.log"

    @property
    def etcd(self) -> Path:
        return self.state / "etcd"

    @property
    def kubelet(self) -> Path:
        return self.state / "kubelet"

    @property
    def volume_plugins(self) -> Path:
        """Empty: without it, kubelet and the controller manager make their own below /usr/libexec."""
        return self.state / "volume-plugins"

    @property
    def containerd_root(self) -> Path:
        return self.state / "containerd"

    @property
    def containerd_state(self) -> Path:
        """What containerd expects to be gone after a reboot."""
        return self.state / "run" / "containerd"

    @property
    def containerd_socket(self) -> Path:
        return self.containerd_state / "containerd.sock"

    @property
    def addresses(self) -> Path:
        """The pod addresses that host-local has given out."""
        return self.state / "run" / "addresses"

    @property
    def volumes(self) -> Path:
        return self.state / "volumes"

    @property
    def git(self) -> Path:
        return self.state / "git"

    @property
    def heartbeat(self) -> Path:
        """Touched by the storage provisioner whenever the API server has answered it."""
        return self.state / "run" / "storage.heartbeat"

    @property
    def host_record(self) -> Path:
        """What `up` found on the host before it changed anything, so that `down` can put it back."""
        return self.state / "host.json"

    @property
    def registry(self) -> Path:
        return self.cache / "registry"

    @property
    def credentials(self) -> Path:
        return self.state / "credentials"

    def password_file(self, user: str) -> Path:
        return self.credentials / f"{user}.password"

    def component_log(self, component: str) -> Path:
        return self.logs / f"{component}.log"

    def component_kubeconfig(self, component: str) -> Path:
        return self.config / f"{component}.kubeconfig"


def checkout() -> Path:
    """The folder of the checkout that this code runs from."""
    return paths.testbed_dir().parent


def private_file(path: Path, content: str) -> None:
    """Write a file that only its owner may read, never visible half-written or with wider rights."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as stream:
        stream.write(content)
    partial.replace(path)
