# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The configuration files of the components: templates in `config/`, filled in below the state folder."""

from __future__ import annotations

import string
from pathlib import Path

from deploy_ops_testbed import supply
from deploy_ops_testbed.cluster import layout
from deploy_ops_testbed.cluster.layout import Layout

TEMPLATES = Path(__file__).parent / "config"
PAUSE_IMAGE = "testbed.local/pause:1"

# Template to its place below the folder of configurations.
FILES = {
    "audit-policy.yaml": "audit-policy.yaml",
    "cni.conflist": "cni/10-pods.conflist",
    "containerd.toml": "containerd.toml",
    "kubelet.yaml": "kubelet.yaml",
    "kube-proxy.yaml": "kube-proxy.yaml",
    "resolv.conf": "resolv.conf",
}

# Where the nodes ask for images, and the registry that answers.
REGISTRY_FILES = {
    "hosts.toml": "registry-hosts/_default/hosts.toml",
    "registry.yaml": "registry.yaml",
}


def write(where: Layout) -> None:
    """Write every file anew; a component whose file has changed is restarted by `up`."""
    _write(where, FILES, _values(where))


def write_registry(where: Layout, endpoint: str) -> None:
    values = {"registry": endpoint, "registry_data": str(where.registry)}
    _write(where, REGISTRY_FILES, values)


def _write(where: Layout, files: dict[str, str], values: dict[str, str]) -> None:
    for template, place in files.items():
        path = where.config / place
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(f".{path.name}")
        partial.write_text(string.Template((TEMPLATES / template).read_text()).substitute(values))
        partial.replace(path)


def _values(where: Layout) -> dict[str, str]:
    return {
        "name": layout.NAME,
        "node": layout.NODE,
        "domain": layout.DOMAIN,
        "loopback": layout.LOOPBACK,
        "node_address": layout.NODE_ADDRESS,
        "node_network": layout.NODE_NETWORK,
        "pod_network": layout.POD_NETWORK,
        "dns_address": layout.DNS_ADDRESS,
        "kubelet_port": str(layout.KUBELET_PORT),
        "kubelet_health_port": str(layout.KUBELET_HEALTH_PORT),
        "proxy_metrics_port": str(layout.PROXY_METRICS_PORT),
        "proxy_health_port": str(layout.PROXY_HEALTH_PORT),
        "registry_hosts": str(where.config / "registry-hosts"),
        "state": str(where.state),
        "config": str(where.config),
        "pki": str(where.pki),
        "pod_logs": str(where.logs / "pods"),
        "volume_plugins": str(where.volume_plugins),
        "addresses": str(where.addresses),
        "containerd_root": str(where.containerd_root),
        "containerd_state": str(where.containerd_state),
        "containerd_socket": str(where.containerd_socket),
        "runc_root": str(where.state / "run" / "runc"),
        "cni_config": str(where.config / "cni"),
        "cni_binaries": str(supply.cni_dir()),
        "runc": str(supply.binary("runc")),
        "pause_image": PAUSE_IMAGE,
        "proxy_kubeconfig": str(where.component_kubeconfig("kube-proxy")),
    }
