# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Tokens of Argo CD's local accounts: made, kept in a Secret, proven, and proven dead.

Argo CD keeps the ids of an account's tokens in argocd-secret and signs them with the key beside it. Whoever bootstraps
the cluster may write there, so no admin has to log in: there is no initial password to remove and nothing to fall back
to when a token has expired. That a token works, and that an old one no longer does, is asked of Argo CD's own API.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
import typing as t
import uuid
from dataclasses import dataclass

from .._kube.api import KubeApi, KubeError

PREFIX = "deploy-ops-"
OWNER = {"deploy-ops.proficientnow.com/owner": "deploy-ops"}
PATIENCE = 60
# Argo CD refuses a token from the future, and its clock may be behind ours.
CLOCK_SKEW = 60
PAUSE = 0.5


class TokenError(Exception):
    """Safe to show: never holds a token or a key."""


@dataclass(frozen=True)
class Claims:
    token_id: str
    issued: int
    expires: int

    def as_entry(self) -> dict[str, t.Any]:
        """As Argo CD lists it."""
        return {"id": self.token_id, "iat": self.issued, "exp": self.expires}


def sign(account: str, claims: Claims, key: bytes) -> str:
    body = {
        "iss": "argocd",
        "sub": f"{account}:apiKey",
        "jti": claims.token_id,
        "iat": claims.issued,
        "nbf": claims.issued,
        "exp": claims.expires,
    }
    unsigned = b".".join(_encode(json.dumps(part).encode()) for part in ({"alg": "HS256", "typ": "JWT"}, body))
    return (unsigned + b"." + _encode(hmac.new(key, unsigned, hashlib.sha256).digest())).decode()


def read_claims(token: str) -> Claims | None:
    """Of a token that was handed to us; its signature is Argo CD's to check."""
    try:
        part = token.split(".")[1]
        body = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
        return Claims(body["jti"], int(body["iat"]), int(body["exp"]))
    except (IndexError, KeyError, TypeError, ValueError):
        return None


def _encode(raw: bytes) -> bytes:
    return base64.urlsafe_b64encode(raw).rstrip(b"=")


class AccountToken:
    def __init__(self, api: KubeApi, argocd_namespace: str, account: str, secret_namespace: str, secret: str) -> None:
        self._api = api
        self._account = account
        self._argocd_secret = f"/api/v1/namespaces/{argocd_namespace}/secrets/argocd-secret"
        self._server = f"/api/v1/namespaces/{argocd_namespace}/services/https:argocd-server:https/proxy"
        self._secrets = f"/api/v1/namespaces/{secret_namespace}/secrets"
        self._secret = secret

    def stored(self) -> str:
        """The token in our Secret, empty when there is none."""
        secret = self._api.get(f"{self._secrets}/{self._secret}") or {}
        return base64.b64decode((secret.get("data") or {}).get("token", "")).decode("utf-8", "replace")

    def accepted(self, token: str) -> bool:
        """Whether Argo CD takes it; by cookie, because the API server drops Authorization on its way to a service."""
        path = f"{self._server}/api/v1/account/{self._account}"
        try:
            answer = self._api.text(path, headers={"Cookie": f"argocd.token={token}"})
        except KubeError as error:
            if error.status in (401, 403):
                return False
            raise TokenError(
                f"Argo CD did not say whether the token of account {self._account} works: {error}"
            ) from None
        return f'"name":"{self._account}"' in answer.replace(" ", "")

    def wait_until(self, token: str, accepted: bool) -> None:
        """Argo CD sees a change of argocd-secret a moment later."""
        deadline = time.monotonic() + PATIENCE
        while self.accepted(token) != accepted:
            if time.monotonic() > deadline:
                state = "is not accepted" if accepted else "is still accepted"
                raise TokenError(f"a token of account {self._account} {state} by Argo CD after {PATIENCE} s")
            time.sleep(PAUSE)

    def issue(self, lifetime: int) -> Claims:
        """A new token in our Secret, beside the ones that exist."""
        now = int(time.time())
        claims = Claims(f"{PREFIX}{uuid.uuid4().hex[:12]}", now - CLOCK_SKEW, now + lifetime)
        secret = self._argocd()
        token = sign(self._account, claims, base64.b64decode(secret["data"]["server.secretkey"]))
        self._write_entries(secret, [*self._entries(secret), claims.as_entry()])
        self._store(token, claims)
        self.wait_until(token, accepted=True)
        return claims

    def revoke_others(self, keep: str) -> list[str]:
        """Take all tokens of ours but one from the account; the ids of those taken."""
        secret = self._argocd()
        entries = self._entries(secret)
        dropped = [entry["id"] for entry in entries if entry["id"].startswith(PREFIX) and entry["id"] != keep]
        if dropped:
            self._write_entries(secret, [entry for entry in entries if entry["id"] not in dropped])
        return dropped

    def _argocd(self) -> dict[str, t.Any]:
        secret = self._api.get(self._argocd_secret)
        if not secret or "server.secretkey" not in (secret.get("data") or {}):
            raise TokenError("Argo CD has no argocd-secret with a signing key yet: install it first, and let it start")
        return secret

    def _entries(self, secret: dict[str, t.Any]) -> list[dict[str, t.Any]]:
        raw = (secret.get("data") or {}).get(f"accounts.{self._account}.tokens", "")
        return json.loads(base64.b64decode(raw) or b"[]")

    def _write_entries(self, secret: dict[str, t.Any], entries: list[dict[str, t.Any]]) -> None:
        """With the version that was read: a change by somebody else in between is refused, not overwritten."""
        value = base64.b64encode(json.dumps(entries, separators=(",", ":")).encode()).decode()
        patch = {
            "metadata": {"resourceVersion": secret["metadata"]["resourceVersion"]},
            "data": {f"accounts.{self._account}.tokens": value},
        }
        self._api.merge(self._argocd_secret, patch)

    def _store(self, token: str, claims: Claims) -> None:
        expires = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(claims.expires))
        body = {
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": {
                "name": self._secret,
                "labels": OWNER,
                "annotations": {
                    "deploy-ops.proficientnow.com/token-id": claims.token_id,
                    "deploy-ops.proficientnow.com/token-expires": expires,
                },
            },
            "data": {"token": base64.b64encode(token.encode()).decode()},
        }
        if self._api.metadata_exists(f"{self._secrets}/{self._secret}"):
            self._api.merge(f"{self._secrets}/{self._secret}", body)
        else:
            self._api.create(self._secrets, body)
