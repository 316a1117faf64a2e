# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Is it ready? Each probe asks the component itself and answers with what is wrong, or None."""

from __future__ import annotations

import http.client
import os
import secrets
import socket
import ssl
import struct
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

from deploy_ops_testbed import supply
from deploy_ops_testbed.cluster import layout
from deploy_ops_testbed.cluster.api import Api, ApiError
from deploy_ops_testbed.cluster.layout import Layout

TIMEOUT = 2.0
HEARTBEAT_AGE = 40.0


def http_ok(url: str, *, client: tuple[Path, Path] | None = None) -> str | None:
    """What is wrong with an HTTP health endpoint; `client` is a certificate and its key."""
    # Components' own serving certificates are self-signed and the address is the loopback: nothing to verify.
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    if client:
        context.load_cert_chain(*client)
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=context))
    try:
        with opener.open(url, timeout=TIMEOUT):
            return None
    except urllib.error.HTTPError as error:
        detail = error.read().decode(errors="replace").strip().splitlines()
        return f"{url} answers {error.code}" + (f": {detail[-1][:200]}" if detail else "")
    except (OSError, http.client.HTTPException) as error:
        return f"{url} does not answer: {getattr(error, 'reason', None) or error}"


def etcd(where: Layout) -> str | None:
    return http_ok(f"{layout.ETCD_URL}/health", client=(where.pki / "etcd.crt", where.pki / "etcd.key"))


def api_server(where: Layout) -> str | None:
    return http_ok(f"{layout.API_URL}/readyz", client=(where.pki / "admin.crt", where.pki / "admin.key"))


def system_namespace(where: Layout) -> str | None:
    """The API server makes it a moment after it says that it is ready; our manifests go into it."""
    try:
        Api(where.pki, "admin").get("/api/v1/namespaces/kube-system")
    except (ApiError, OSError) as error:
        return str(error)
    return None


def containerd(where: Layout) -> str | None:
    """Not the socket alone: containerd also runs with a CRI plugin that has failed to load."""
    command = [str(supply.binary("ctr")), "--address", str(where.containerd_socket), "plugins", "ls", "id==cri"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return f"its socket does not answer: {done.stderr.strip()[-200:]}"
    states = [line.split()[-1] for line in done.stdout.splitlines() if line.startswith("io.containerd.grpc.v1 ")]
    return None if states == ["ok"] else "its CRI plugin has failed to load"


def storage(where: Layout) -> str | None:
    try:
        age = time.time() - os.stat(where.heartbeat).st_mtime
    except FileNotFoundError:
        return "it has not reached the API server yet"
    return None if age < HEARTBEAT_AGE else f"it has not reached the API server for {age:.0f} s"


def node(where: Layout, not_before: float) -> str | None:
    """Ready, said by the kubelet that runs now: what an earlier one has said is still in the API server."""
    try:
        status = Api(where.pki, "admin").get(f"/api/v1/nodes/{layout.NODE}")["status"]
    except ApiError as error:
        return "kubelet has not registered it yet" if error.code == 404 else str(error)
    except OSError as error:
        return f"the API server does not answer: {error}"
    ready = next((item for item in status.get("conditions", []) if item["type"] == "Ready"), None)
    if ready is None:
        return "kubelet has not reported yet"
    if ready["status"] != "True":
        return ready["message"]
    said = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(not_before))
    return None if ready["lastHeartbeatTime"] >= said else "the kubelet that runs now has not reported yet"


def dns(name: str = f"kubernetes.default.svc.{layout.DOMAIN}") -> str | None:
    """Ask the cluster's DNS service for a name, over UDP and through kube-proxy, as a pod does."""
    number = secrets.randbits(16)
    labels = b"".join(bytes([len(label)]) + label.encode() for label in name.split("."))
    question = struct.pack(">HHHHHH", number, 0x0100, 1, 0, 0, 0) + labels + b"\0" + struct.pack(">HH", 1, 1)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as query:
        query.settimeout(TIMEOUT / 4)
        try:
            query.connect((layout.DNS_ADDRESS, 53))
            query.send(question)
            answer = query.recv(512)
        except OSError as error:
            return f"{layout.DNS_ADDRESS} does not answer: {error}"
    answered, flags, _, answers = struct.unpack(">HHHH", answer[:8])
    if answered != number or flags & 0x000F or not answers:
        return f"{layout.DNS_ADDRESS} does not know {name} (code {flags & 0x000F}, {answers} answers)"
    return None
