# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Certificates of the cluster, made with openssl: one authority, one certificate for each component."""

from __future__ import annotations

import base64
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from deploy_ops_testbed.cluster import layout
from deploy_ops_testbed.cluster.layout import Layout, private_file
from deploy_ops_testbed.errors import TestbedError

DAYS = "3650"
SERVICE_ACCOUNT_KEY = "service-accounts"
STORAGE_USER = f"{layout.NAME}:storage"


@dataclass(frozen=True)
class Certificate:
    """Who the holder is (user and group for the API server) and at which names and addresses it serves."""

    name: str
    user: str
    group: str = ""
    names: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()


_API_NAMES = ("kubernetes", "kubernetes.default", "kubernetes.default.svc", f"kubernetes.default.svc.{layout.DOMAIN}")
_NODE_ADDRESSES = (layout.LOOPBACK, layout.NODE_ADDRESS)

CERTIFICATES = (
    Certificate("etcd", "etcd", names=("localhost",), addresses=(layout.LOOPBACK,)),
    Certificate(
        "kube-apiserver",
        "kube-apiserver",
        "system:masters",
        (*_API_NAMES, "localhost"),
        (*_NODE_ADDRESSES, layout.API_SERVICE_ADDRESS),
    ),
    Certificate("front-proxy", "front-proxy"),
    Certificate("admin", "admin", "system:masters"),
    Certificate("kube-controller-manager", "system:kube-controller-manager"),
    Certificate("kube-scheduler", "system:kube-scheduler"),
    Certificate("kube-proxy", "system:kube-proxy", "system:node-proxier"),
    Certificate("kubelet", f"system:node:{layout.NODE}", "system:nodes", (layout.NODE,), _NODE_ADDRESSES),
    Certificate("storage", STORAGE_USER),
)


def ensure(where: Layout) -> None:
    """Make all certificates, or none: a half-made set from an interrupted run is never used."""
    if where.pki.is_dir():
        return
    partial = where.state / "pki.partial"
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True, mode=0o700)
    _new_key(partial / "ca.key")
    _openssl(
        "req", "-x509", "-new", "-key", partial / "ca.key", "-out", partial / "ca.crt", "-days", DAYS,
        "-subj", f"/CN={layout.NAME}-ca", "-addext", "keyUsage=critical,keyCertSign,cRLSign,digitalSignature",
    )  # fmt: skip
    for certificate in CERTIFICATES:
        _issue(partial, certificate)
    _new_key(partial / f"{SERVICE_ACCOUNT_KEY}.key")
    _openssl(
        "pkey", "-in", partial / f"{SERVICE_ACCOUNT_KEY}.key", "-pubout", "-out", partial / f"{SERVICE_ACCOUNT_KEY}.pub"
    )
    partial.rename(where.pki)


def write_kubeconfigs(where: Layout) -> None:
    """One for the person, one for each component that talks to the API server."""
    private_file(where.kubeconfig, _kubeconfig(where, "admin"))
    for component in ("kube-controller-manager", "kube-scheduler", "kube-proxy", "kubelet", "storage"):
        private_file(where.component_kubeconfig(component), _kubeconfig(where, component))


def _kubeconfig(where: Layout, user: str) -> str:
    def embedded(name: str) -> str:
        return base64.b64encode((where.pki / name).read_bytes()).decode()

    return f"""apiVersion: v1
kind: Config
clusters:
  - name: {layout.NAME}
    cluster:
      server: {layout.API_URL}
      certificate-authority-data: {embedded("ca.crt")}
users:
  - name: {user}
    user:
      client-certificate-data: {embedded(f"{user}.crt")}
      client-key-data: {embedded(f"{user}.key")}
contexts:
  - name: {layout.NAME}
    context:
      cluster: {layout.NAME}
      user: {user}
current-context: {layout.NAME}
"""


def _issue(folder: Path, certificate: Certificate) -> None:
    key, request = folder / f"{certificate.name}.key", folder / f"{certificate.name}.csr"
    extensions = folder / f"{certificate.name}.ext"
    _new_key(key)
    subject = f"/O={certificate.group}" if certificate.group else ""
    _openssl("req", "-new", "-key", key, "-out", request, "-subj", f"{subject}/CN={certificate.user}")
    lines = ["basicConstraints=CA:FALSE", "keyUsage=critical,digitalSignature"]
    alternatives = [f"DNS:{name}" for name in certificate.names] + [f"IP:{ip}" for ip in certificate.addresses]
    if alternatives:
        lines += [f"subjectAltName={','.join(alternatives)}", "extendedKeyUsage=clientAuth,serverAuth"]
    else:
        lines += ["extendedKeyUsage=clientAuth"]
    extensions.write_text("\n".join(lines) + "\n")
    _openssl(
        "x509", "-req", "-in", request, "-CA", folder / "ca.crt", "-CAkey", folder / "ca.key", "-CAcreateserial",
        "-days", DAYS, "-extfile", extensions, "-out", folder / f"{certificate.name}.crt",
    )  # fmt: skip
    request.unlink()
    extensions.unlink()


def _new_key(path: Path) -> None:
    _openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", path)
    path.chmod(0o600)


def _openssl(*arguments: str | Path) -> None:
    command = ["openssl", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        raise TestbedError(
            f"`openssl {command[1]}` failed",
            done.stderr.strip() or f"it ended with {done.returncode}",
            "check that openssl 3 is installed (`openssl version`), then run `testbed up` again",
        )
