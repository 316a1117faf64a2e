# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Options: read, completed, and refused with all that is wrong with them."""

from __future__ import annotations

import pytest

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.redact import MASK, Secrets
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.settings import (
    SettingsError,
    from_params,
)

PARAMS = {
    "kubeconfig": None,
    "kubeconfig_data": None,
    "context": None,
    "cluster_server": None,
    "cluster_uid": None,
    "allow_kubeconfig_exec": False,
    "allow_insecure_tls": False,
    "components": [],
    "images": [],
    "image_mirror": None,
    "git_repositories": [],
    "allow_git_write": False,
    "registry_auth": None,
    "registry_auth_file": None,
    "dns_provider": None,
    "ca_file": None,
    "platform_namespaces": [],
    "minimum_disk": "10Gi",
    "collections_paths": [],
    "timeout": 30,
    "request_timeout": 5,
}
COMPONENT = {
    "name": "argocd",
    "namespace": "argocd",
    "release": "argocd",
    "chart": "argo-cd",
    "version": "10.8.0",
    "app_version": None,
    "repository": None,
    "cpu": "500m",
    "memory": "1Gi",
}
GIT = {
    "url": "https://git.example.com/p.git",
    "revision": "HEAD",
    "username": "argocd",
    "password": "git-password",
    "password_file": None,
    "ssh_private_key": None,
    "ssh_private_key_file": None,
    "ssh_known_hosts": None,
}


def read(secrets=None, **params):
    return from_params({**PARAMS, **params}, secrets or Secrets())


def problems(**params):
    with pytest.raises(SettingsError) as caught:
        read(**params)
    return caught.value.problems


def test_defaults():
    assert read().components == ()


def test_mirror_takes_all_images():
    settings = read(images=["quay.io/argoproj/argocd:v3.5.2", "nats:2"], image_mirror="mirror.lan")
    assert [image.text for image in settings.images] == [
        "mirror.lan/argoproj/argocd:v3.5.2",
        "mirror.lan/library/nats:2",
    ]


def test_secrets_come_from_files_too(tmp_path):
    token, docker, dns = tmp_path / "token", tmp_path / "config.json", tmp_path / "dns"
    token.write_text("token-in-a-file\n")
    docker.write_text('{"auths": {}}\n')
    dns.write_text("dns-token-in-a-file\n")
    secrets = Secrets()
    settings = read(
        secrets,
        git_repositories=[{**GIT, "password": None, "password_file": str(token)}],
        registry_auth_file=str(docker),
        dns_provider={
            "provider": "cloudflare",
            "credentials": None,
            "credential_files": {"token": str(dns)},
            "api_url": None,
        },
    )
    assert settings.repositories[0].password == "token-in-a-file"
    assert settings.registry_auth == '{"auths": {}}'
    assert settings.dns.credentials == {"token": "dns-token-in-a-file"}
    assert secrets.redact("token-in-a-file dns-token-in-a-file") == f"{MASK} {MASK}"


@pytest.mark.parametrize("name", ["Argo", "a b", "x --post-renderer=evil", "", "../x", "a" * 64, "ä"])
def test_names_that_kubernetes_refuses(name):
    (problem,) = problems(components=[{**COMPONENT, "release": name}])
    assert "components: argocd: release" in problem


@pytest.mark.parametrize("version", ["latest", ">=10", "10", "10.8", ""])
def test_versions_are_explicit(version):
    (problem,) = problems(components=[{**COMPONENT, "version": version}])
    assert "explicit chart version" in problem


def test_everything_wrong_is_told_at_once():
    found = problems(
        components=[{**COMPONENT, "namespace": "A", "version": "latest", "cpu": "much"}],
        images=["quay.io/x", "a b"],
        image_mirror="what is this",
        git_repositories=[{**GIT, "url": "/etc"}, {**GIT, "password": None, "password_file": "/nonexistent"}],
        ca_file="/nonexistent",
        minimum_disk="big",
    )
    assert len(found) == 10


def test_ca_file_without_certificates(tmp_path):
    (tmp_path / "ca.pem").write_text("not a certificate")
    (problem,) = problems(ca_file=str(tmp_path / "ca.pem"))
    assert "holds no certificates" in problem


def test_times_and_registries_that_make_no_sense():
    assert len(problems(timeout=0, request_timeout=-1)) == 2
    (problem,) = problems(components=[{**COMPONENT, "repository": "oci://what is this"}])
    assert "is not oci://host/path" in problem


def test_same_repository_twice_is_refused():
    assert problems(git_repositories=[GIT, GIT]) == ["git_repositories: entry 2: git.example.com/p.git is listed twice"]


def test_url_with_a_credential_is_refused_and_not_repeated():
    secret = "https://user:url-password@git.example.com/p.git"
    (problem,) = problems(git_repositories=[{**GIT, "url": secret}])
    assert "carries a credential" in problem
    assert "url-password" not in problem
