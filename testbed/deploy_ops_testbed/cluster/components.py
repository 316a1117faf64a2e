# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What runs on the host, in the order in which it starts."""

from __future__ import annotations

from deploy_ops_testbed.cluster import control_plane, node, services
from deploy_ops_testbed.cluster.component import Component
from deploy_ops_testbed.cluster.layout import Layout


def stages(where: Layout) -> list[list[Component]]:
    """Components that can start together, each stage when the one before is ready."""
    return [
        [services.registry(where), node.containerd(where), control_plane.etcd(where), services.git(where)],
        [control_plane.api_server(where)],
        [
            control_plane.controller_manager(where),
            control_plane.scheduler(where),
            node.kubelet(where),
            node.proxy(where),
            services.storage(where),
        ],
    ]


def names() -> list[str]:
    """The same, known also where nothing is built yet: for the command line and for `down`."""
    return [
        *("registry", "containerd", "etcd", "git"),
        "kube-apiserver",
        *("kube-controller-manager", "kube-scheduler", "kubelet", "kube-proxy", "storage"),
    ]
