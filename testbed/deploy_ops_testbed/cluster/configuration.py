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


def write(where: Layout, registry: str) -> None:
    """Write every file anew; a component whose file has changed is restarted by `up`."""
    _write(_all(where, registry))


def write_registry(where: Layout, registry: str) -> None:
    _write(_rendered(where, REGISTRY_FILES, _registry_values(where, registry)))


def outdated(where: Layout, registry: str) -> bool:
    """Whether `write` would change something."""
    rendered = _all(where, registry)
    return any(not path.exists() or path.read_text() != content for path, content in rendered.items())


def _all(where: Layout, registry: str) -> dict[Path, str]:
    nodes = _rendered(where, FILES, _values(where))
    return nodes | _rendered(where, REGISTRY_FILES, _registry_values(where, registry))


def _rendered(where: Layout, files: dict[str, str], values: dict[str, str]) -> dict[Path, str]:
    return {
        where.config / place: string.Template((TEMPLATES / template).read_text()).substitute(values)
        for template, place in files.items()
    }


def _write(rendered: dict[Path, str]) -> None:
    for path, content in rendered.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(f".{path.name}")
        partial.write_text(content)
        partial.replace(path)


def _registry_values(where: Layout, registry: str) -> dict[str, str]:
    return {"registry": registry, "registry_data": str(where.registry)}


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
