# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The node: containerd, kubelet and kube-proxy."""

from __future__ import annotations

from deploy_ops_testbed import supply
from deploy_ops_testbed.cluster import layout, probes
from deploy_ops_testbed.cluster.component import Component
from deploy_ops_testbed.cluster.layout import Layout
from deploy_ops_testbed.cluster.ports import Endpoint


def containerd(where: Layout) -> Component:
    config = where.config / "containerd.toml"
    return Component(
        "containerd",
        [str(supply.binary("containerd")), "--config", str(config)],
        lambda: probes.containerd(where),
        files=(config, where.config / "cni" / "10-pods.conflist"),
    )


def kubelet(where: Layout) -> Component:
    config = where.config / "kubelet.yaml"
    kubeconfig = where.component_kubeconfig("kubelet")
    return Component(
        "kubelet",
        [
            str(supply.binary("kubelet")),
            f"--config={config}",
            f"--kubeconfig={kubeconfig}",
            f"--root-dir={where.kubelet}",
            f"--hostname-override={layout.NODE}",
            f"--node-ip={layout.NODE_ADDRESS}",
        ],
        lambda: probes.http_ok(f"http://{layout.LOOPBACK}:{layout.KUBELET_HEALTH_PORT}/healthz"),
        ports=(
            Endpoint(layout.NODE_ADDRESS, layout.KUBELET_PORT),
            Endpoint(layout.LOOPBACK, layout.KUBELET_HEALTH_PORT),
        ),
        files=(config, kubeconfig),
    )


def proxy(where: Layout) -> Component:
    config = where.config / "kube-proxy.yaml"
    return Component(
        "kube-proxy",
        [str(supply.binary("kube-proxy")), f"--config={config}"],
        lambda: probes.http_ok(f"http://{layout.LOOPBACK}:{layout.PROXY_HEALTH_PORT}/healthz"),
        ports=(
            Endpoint(layout.LOOPBACK, layout.PROXY_HEALTH_PORT),
            Endpoint(layout.LOOPBACK, layout.PROXY_METRICS_PORT),
        ),
        files=(config, where.component_kubeconfig("kube-proxy")),
    )
