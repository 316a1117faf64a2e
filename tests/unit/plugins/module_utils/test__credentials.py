# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time

import pytest
from ansible.errors import AnsibleFilterError

from ansible_collections.proficientnow.deploy_ops.plugins.filter.credential_secrets import credential_secrets
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._credentials import token as token_module
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._credentials.token import (
    AccountToken,
    Claims,
    TokenError,
    read_claims,
    sign,
)
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._kube.api import KubeError
from ansible_collections.proficientnow.deploy_ops.plugins.modules.argocd_account_token import ensure

KEY = b"signing-key"
ARGOCD = "/api/v1/namespaces/argocd/secrets/argocd-secret"
OURS = "/api/v1/namespaces/argo/secrets"
DAY = 86400
PARAMS = {"lifetime": 90 * DAY, "renew_before": 30 * DAY, "rotate": False}


class ArgoCD:
    """argocd-secret and the server that believes it, with the requests that the library makes."""

    def __init__(self, lag=0):
        self.entries = []
        self.key = KEY
        self.secret = None
        self.lag = lag  # answers that are still of the state before
        self.version = 1

    def get(self, path):
        if path == ARGOCD:
            listed = base64.b64encode(json.dumps(self.entries).encode()).decode()
            data = {"accounts.orchestrator.tokens": listed}
            if self.key:
                data["server.secretkey"] = base64.b64encode(self.key).decode()
            return {"metadata": {"resourceVersion": str(self.version)}, "data": data}
        return self.secret

    def merge(self, path, body):
        if path == ARGOCD:
            assert body["metadata"]["resourceVersion"] == str(self.version)
            self.version += 1
            self.entries = json.loads(base64.b64decode(body["data"]["accounts.orchestrator.tokens"]))
        else:
            self.secret = body

    def create(self, path, body):
        assert path == OURS
        self.secret = body

    def metadata_exists(self, path):
        return self.secret is not None

    def text(self, path, headers):
        assert path.endswith("/proxy/api/v1/account/orchestrator")
        if self.lag:
            self.lag -= 1
            raise KubeError("unauthenticated", 401)
        token = headers["Cookie"].split("argocd.token=", 1)[1]
        unsigned, signature = token.rsplit(".", 1)
        wanted = base64.urlsafe_b64encode(hmac.new(self.key, unsigned.encode(), hashlib.sha256).digest()).rstrip(b"=")
        claims = read_claims(token)
        known = any(entry["id"] == claims.token_id for entry in self.entries)
        if signature.encode() != wanted or not known or claims.expires < time.time():
            raise KubeError("unauthenticated", 401)
        return '{"name": "orchestrator"}'

    def token(self):
        return base64.b64decode(self.secret["data"]["token"]).decode()


@pytest.fixture
def argocd(monkeypatch):
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    return ArgoCD()


def account(argocd):
    return AccountToken(argocd, "argocd", "orchestrator", "argo", "argocd-orchestrator")


def run(argocd, check_mode=False, **params):
    return ensure(account(argocd), dict(PARAMS, **params), check_mode)


def test_a_token_reads_back_and_is_what_argocd_signs():
    claims = Claims("deploy-ops-1", 1, 2)
    header, body, signature = sign("orchestrator", claims, KEY).split(".")
    assert json.loads(base64.urlsafe_b64decode(header + "==")) == {"alg": "HS256", "typ": "JWT"}
    assert json.loads(base64.urlsafe_b64decode(body + "=="))["sub"] == "orchestrator:apiKey"
    assert len(signature) == 43
    assert read_claims(f"{header}.{body}.{signature}") == claims


@pytest.mark.parametrize("text", ["", "x", "a.b.c", "a.e30.c"])
def test_what_is_no_token_has_no_claims(text):
    assert read_claims(text) is None


def test_the_first_run_makes_one_and_the_second_leaves_it(argocd):
    first = run(argocd)
    assert (first["changed"], first["reason"], first["revoked"]) == (True, "there is no token yet", [])
    before = argocd.token()
    second = run(argocd)
    assert (second["changed"], second["token_id"]) == (False, first["token_id"])
    assert argocd.token() == before


def test_rotation_proves_the_old_token_dead_even_within_one_second(argocd, monkeypatch):
    monkeypatch.setattr(token_module.time, "time", lambda: 1_794_816_000)
    old_id = run(argocd)["token_id"]
    old = argocd.token()
    result = run(argocd, rotate=True)
    assert result["revoked"] == [old_id]
    assert argocd.token() != old
    assert [entry["id"] for entry in argocd.entries] == [result["token_id"]]
    assert not account(argocd).accepted(old)


def test_a_token_near_its_end_is_replaced(argocd):
    run(argocd, lifetime=10 * DAY)
    assert run(argocd)["reason"] == "it expires in 10 days"


def test_a_token_that_argocd_refuses_is_replaced(argocd):
    run(argocd)
    argocd.entries = []
    assert run(argocd)["reason"] == "Argo CD does not accept it"


def test_tokens_of_others_stay(argocd):
    argocd.entries = [{"id": "by-hand", "iat": 1}]
    run(argocd)
    assert argocd.entries[0]["id"] == "by-hand"


def test_check_mode_changes_nothing(argocd):
    assert run(argocd, check_mode=True)["changed"]
    assert argocd.entries == []
    assert argocd.secret is None


def test_it_waits_until_argocd_has_noticed(argocd):
    argocd.lag = 3
    assert run(argocd)["changed"]
    assert argocd.lag == 0


def test_without_a_signing_key_it_says_what_to_do(argocd):
    argocd.key = b""
    with pytest.raises(TokenError, match="install it first"):
        run(argocd)


def test_the_result_holds_no_token(argocd):
    result = json.dumps(run(argocd))
    assert argocd.token() not in result
    assert argocd.token().rsplit(".", 1)[1] not in result


# --- credential_secrets


def test_git_credentials_become_templates_of_argocd():
    found = credential_secrets(
        [
            {"url": "https://git.example.com/", "username": "reader", "password": "hunter2"},
            {"url": "git@git.example.com:", "ssh_private_key": "KEY"},
        ],
        argocd_namespace="argocd",
    )
    assert [entry["metadata"]["labels"]["argocd.argoproj.io/secret-type"] for entry in found] == ["repo-creds"] * 2
    assert base64.b64decode(found[0]["data"]["password"]) == b"hunter2"
    assert base64.b64decode(found[1]["data"]["sshPrivateKey"]) == b"KEY\n"
    assert found[0]["metadata"]["name"] != found[1]["metadata"]["name"]


def test_a_public_repository_needs_no_secret():
    assert credential_secrets([{"url": "https://git.example.com/public.git", "revision": "main"}], "argocd") == []


def test_credentials_may_lie_in_files(tmp_path):
    (tmp_path / "token").write_text("hunter2\n")
    repository = {"url": "https://git.example.com/", "username": "reader", "password_file": str(tmp_path / "token")}
    found = credential_secrets([repository], "argocd")
    assert base64.b64decode(found[0]["data"]["password"]) == b"hunter2"


def test_the_dns_credential_goes_where_it_is_wanted_and_nowhere_else(tmp_path):
    (tmp_path / "key").write_text("from-a-file\n")
    provider = {
        "provider": "route53",
        "credentials": {"access_key": "given"},
        "credential_files": {"secret_key": str(tmp_path / "key")},
    }
    target = {"namespace": "external-dns", "name": "dns-provider"}
    (stored,) = credential_secrets([], "argocd", dns_provider=provider, dns_target=target)
    assert (stored["metadata"]["namespace"], stored["metadata"]["name"]) == ("external-dns", "dns-provider")
    decoded = {key: base64.b64decode(value).decode() for key, value in stored["data"].items()}
    assert decoded == {"access_key": "given", "secret_key": "from-a-file"}
    assert credential_secrets([], "argocd", dns_provider=provider) == []
    assert credential_secrets([], "argocd", dns_target=target) == []


def test_a_registry_goes_to_every_namespace():
    config = json.dumps({"auths": {"registry.example.com": {"auth": "eDp5"}}})
    found = credential_secrets([], "argocd", registry=config, registry_namespaces=["argocd", "argo"])
    assert found == credential_secrets([], "argocd", json.loads(config), registry_namespaces=["argocd", "argo"])
    assert [entry["metadata"]["namespace"] for entry in found] == ["argocd", "argo"]
    assert {entry["type"] for entry in found} == {"kubernetes.io/dockerconfigjson"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            {"git": [{"url": "https://x", "password_file": "/none"}]},
            "password_file /none cannot be read",
        ),
        ({"git": [{"url": "https://x", "password": "hunter2"}]}, r"credentials_git\[0\]\.username has to be a text"),
        ({"git": [{"url": "https://a:hunter2@x", "username": "a", "password": "b"}]}, "carries credentials itself"),
        ({"registry": "hunter2"}, "no Docker config"),
        ({"registry": '{"auths": {}}'}, "names no registry"),
        ({"secrets": [{"name": "a", "namespace": "b"}]}, r"credentials_secrets\[0\]\.data"),
        ({"secrets": [{"name": "a", "namespace": "b", "data": {"k": 1}}]}, r"credentials_secrets\[0\]\.data\.k"),
    ],
)
def test_bad_credentials_are_named_by_place_and_never_shown(arguments, words):
    arguments = {"git": [], "argocd_namespace": "argocd", **arguments}
    with pytest.raises(AnsibleFilterError, match=words) as caught:
        credential_secrets(**arguments)
    assert "hunter2" not in str(caught.value)
