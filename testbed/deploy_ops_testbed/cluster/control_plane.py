# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The control plane: etcd, the API server, the controller manager and the scheduler."""

from __future__ import annotations

from deploy_ops_testbed import supply
from deploy_ops_testbed.cluster import layout, probes
from deploy_ops_testbed.cluster.component import Component
from deploy_ops_testbed.cluster.layout import Layout
from deploy_ops_testbed.cluster.pki import SERVICE_ACCOUNT_KEY
from deploy_ops_testbed.cluster.ports import Endpoint


def etcd(where: Layout) -> Component:
    peer = f"http://{layout.LOOPBACK}:{layout.ETCD_PEER_PORT}"
    return Component(
        "etcd",
        [
            str(supply.binary("etcd")),
            f"--name={layout.NODE}",
            f"--data-dir={where.etcd}",
            f"--listen-client-urls={layout.ETCD_URL}",
            f"--advertise-client-urls={layout.ETCD_URL}",
            f"--listen-peer-urls={peer}",
            f"--initial-advertise-peer-urls={peer}",
            f"--initial-cluster={layout.NODE}={peer}",
            f"--cert-file={where.pki}/etcd.crt",
            f"--key-file={where.pki}/etcd.key",
            f"--trusted-ca-file={where.pki}/ca.crt",
            "--client-cert-auth",
            "--log-level=warn",
            # A crash of the machine may cost the testbed's data, and nobody will miss it.
            "--unsafe-no-fsync",
        ],
        lambda: probes.etcd(where),
        ports=(Endpoint(layout.LOOPBACK, layout.ETCD_PORT), Endpoint(layout.LOOPBACK, layout.ETCD_PEER_PORT)),
    )


def api_server(where: Layout) -> Component:
    pki = where.pki
    policy = where.config / "audit-policy.yaml"
    return Component(
        "kube-apiserver",
        [
            str(supply.binary("kube-apiserver")),
            f"--bind-address={layout.NODE_ADDRESS}",
            f"--advertise-address={layout.NODE_ADDRESS}",
            f"--secure-port={layout.API_PORT}",
            f"--service-cluster-ip-range={layout.SERVICE_NETWORK}",
            f"--etcd-servers={layout.ETCD_URL}",
            f"--etcd-cafile={pki}/ca.crt",
            f"--etcd-certfile={pki}/kube-apiserver.crt",
            f"--etcd-keyfile={pki}/kube-apiserver.key",
            f"--tls-cert-file={pki}/kube-apiserver.crt",
            f"--tls-private-key-file={pki}/kube-apiserver.key",
            f"--client-ca-file={pki}/ca.crt",
            f"--kubelet-certificate-authority={pki}/ca.crt",
            f"--kubelet-client-certificate={pki}/kube-apiserver.crt",
            f"--kubelet-client-key={pki}/kube-apiserver.key",
            "--kubelet-preferred-address-types=InternalIP",
            f"--service-account-issuer=https://kubernetes.default.svc.{layout.DOMAIN}",
            f"--service-account-key-file={pki}/{SERVICE_ACCOUNT_KEY}.pub",
            f"--service-account-signing-key-file={pki}/{SERVICE_ACCOUNT_KEY}.key",
            f"--requestheader-client-ca-file={pki}/ca.crt",
            "--requestheader-allowed-names=front-proxy",
            "--requestheader-username-headers=X-Remote-User",
            "--requestheader-group-headers=X-Remote-Group",
            "--requestheader-extra-headers-prefix=X-Remote-Extra-",
            f"--proxy-client-cert-file={pki}/front-proxy.crt",
            f"--proxy-client-key-file={pki}/front-proxy.key",
            "--authorization-mode=Node,RBAC",
            "--enable-admission-plugins=NodeRestriction",
            "--allow-privileged",
            f"--audit-policy-file={policy}",
            f"--audit-log-path={where.audit_log}",
            "--audit-log-maxsize=200",
            "--audit-log-maxbackup=1",
        ],
        lambda: probes.api_server(where),
        ports=(Endpoint(layout.NODE_ADDRESS, layout.API_PORT),),
        files=(policy, pki / "ca.crt"),
    )


def controller_manager(where: Layout) -> Component:
    kubeconfig = where.component_kubeconfig("kube-controller-manager")
    return Component(
        "kube-controller-manager",
        [
            str(supply.binary("kube-controller-manager")),
            f"--kubeconfig={kubeconfig}",
            f"--bind-address={layout.LOOPBACK}",
            f"--secure-port={layout.CONTROLLER_MANAGER_PORT}",
            f"--root-ca-file={where.pki}/ca.crt",
            f"--cluster-signing-cert-file={where.pki}/ca.crt",
            f"--cluster-signing-key-file={where.pki}/ca.key",
            f"--service-account-private-key-file={where.pki}/{SERVICE_ACCOUNT_KEY}.key",
            f"--flex-volume-plugin-dir={where.volume_plugins}",
            "--use-service-account-credentials",
            "--leader-elect=false",
        ],
        lambda: probes.http_ok(f"https://{layout.LOOPBACK}:{layout.CONTROLLER_MANAGER_PORT}/healthz"),
        ports=(Endpoint(layout.LOOPBACK, layout.CONTROLLER_MANAGER_PORT),),
        files=(kubeconfig,),
    )


def scheduler(where: Layout) -> Component:
    kubeconfig = where.component_kubeconfig("kube-scheduler")
    return Component(
        "kube-scheduler",
        [
            str(supply.binary("kube-scheduler")),
            f"--kubeconfig={kubeconfig}",
            f"--bind-address={layout.LOOPBACK}",
            f"--secure-port={layout.SCHEDULER_PORT}",
            "--leader-elect=false",
        ],
        lambda: probes.http_ok(f"https://{layout.LOOPBACK}:{layout.SCHEDULER_PORT}/healthz"),
        ports=(Endpoint(layout.LOOPBACK, layout.SCHEDULER_PORT),),
        files=(kubeconfig,),
    )
