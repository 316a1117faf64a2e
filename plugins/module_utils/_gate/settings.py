# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""How to reach Argo CD and Kubernetes."""

from __future__ import annotations

import pathlib
import ssl
import typing as t
import urllib.parse

from .argocd import ArgoCD
from .errors import Refused
from .kubernetes import Kubernetes
from .retry import Clock, Retry
from .transport import Transport

# How long one step waits for an answer before it says so; the wait as a whole goes on.
_PATIENCE = 8.0
_SERVICE_ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount"


class BadSettings(Exception):
    """What is missing or wrong, and what to set."""


class Settings(t.NamedTuple):
    server: str
    token: str = ""
    token_file: str = ""
    ca_file: str = ""
    ca_text: str = ""
    validate_certs: bool = True
    # Of the account that may delete; needed by a teardown only.
    teardown_token: str = ""

    def read_token(self) -> str:
        if not self.token_file:
            return self.token
        try:
            return pathlib.Path(self.token_file).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError):
            raise Refused(f"the file with the Argo CD token cannot be read: {self.token_file}") from None


def settings_from_environment(environment: t.Mapping[str, str]) -> Settings:
    """ARGOCD_SERVER, ARGOCD_TOKEN_FILE or ARGOCD_TOKEN, and for TLS ARGOCD_CA_FILE, ARGOCD_CA or ARGOCD_INSECURE."""
    if not environment.get("ARGOCD_TOKEN_FILE") and not environment.get("ARGOCD_TOKEN"):
        raise BadSettings("set ARGOCD_TOKEN_FILE or ARGOCD_TOKEN: the gate needs an Argo CD token")
    return Settings(
        environment.get("ARGOCD_SERVER", ""),
        environment.get("ARGOCD_TOKEN", "").strip(),
        environment.get("ARGOCD_TOKEN_FILE", ""),
        environment.get("ARGOCD_CA_FILE", ""),
        environment.get("ARGOCD_CA", ""),
        environment.get("ARGOCD_INSECURE", "").lower() not in ("1", "true", "yes"),
        environment.get("ARGOCD_TEARDOWN_TOKEN", "").strip(),
    )


def connect(settings: Settings, clock: Clock | None = None) -> ArgoCD:
    parts = urllib.parse.urlsplit(settings.server)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.password:
        raise BadSettings(
            "the address of the Argo CD server must be a URL without credentials, such as https://argocd-server.argocd.svc"
        )
    transport = Transport("Argo CD", settings.server, settings.read_token, _tls(settings))
    return ArgoCD(transport, Retry(_PATIENCE, clock))


def connect_for_teardown(settings: Settings) -> ArgoCD | None:
    """As the account that may delete; None where there is no token of it."""
    if not settings.teardown_token:
        return None
    return connect(settings._replace(token=settings.teardown_token, token_file=""))


def connect_kubernetes(environment: t.Mapping[str, str]) -> Kubernetes | None:
    """From inside a pod, with its service account; None where there is none."""
    host, port = environment.get("KUBERNETES_SERVICE_HOST"), environment.get("KUBERNETES_SERVICE_PORT", "443")
    folder = pathlib.Path(_SERVICE_ACCOUNT)
    if not host or not (folder / "token").exists():
        return None
    address = f"[{host}]" if ":" in host else host
    context = ssl.create_default_context(cafile=str(folder / "ca.crt"))
    transport = Transport(
        "Kubernetes", f"https://{address}:{port}", lambda: (folder / "token").read_text(encoding="utf-8"), context
    )
    return Kubernetes(transport, Retry(_PATIENCE))


def _tls(settings: Settings) -> ssl.SSLContext:
    try:
        context = ssl.create_default_context(cafile=settings.ca_file or None, cadata=settings.ca_text or None)
    except (OSError, ssl.SSLError):
        where = settings.ca_file or "ARGOCD_CA"
        raise BadSettings(f"the CA certificate for Argo CD cannot be read: {where}") from None
    # Argo CD's own certificate lacks extensions that Python 3.13 has begun to insist on.
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    if not settings.validate_certs:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context
