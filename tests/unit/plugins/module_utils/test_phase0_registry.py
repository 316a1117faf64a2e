# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Asking registries, chart repositories and DNS providers. The servers here are fakes that inject faults."""

from __future__ import annotations

import base64
import datetime
import json
import tarfile
import time

import pytest

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0 import images
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.check import Unknown
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.collect import (
    aws_signature,
    charts,
    dns_provider,
    docker_config,
    registry,
)
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.collect.docker_config import Login
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.collect.http import Http
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.collect.parallel import Deadline
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.components import Component
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.redact import Secrets

LOGIN = Login("robot", "pass:word")
BASIC = "Basic " + base64.b64encode(b"robot:pass:word").decode()
CHART = Component("argocd", "argocd", "argocd", "argo-cd", "10.8.0")


@pytest.fixture
def http():
    return Http(timeout=2, deadline=Deadline(20))


def open_registry(request):
    if request.path == "/v2/" or request.path == "/v2/argoproj/argocd/manifests/v3.5.2":
        return 200, {}, b"{}"
    return 404, {}, b"{}"


def basic_registry(request):
    if request.headers.get("Authorization") != BASIC:
        return 401, {"WWW-Authenticate": 'Basic realm="x"'}, b""
    return open_registry(request)


def token_registry(request):
    """As Docker Hub and quay.io: anonymous tokens for public images, a login for the rest."""
    if request.path.startswith("/token"):
        authorization = request.headers.get("Authorization")
        if authorization not in (None, BASIC):
            return 401, {}, b"{}"
        return 200, {}, json.dumps({"token": "robot" if authorization else "anonymous"}).encode()
    if "private" in request.path and request.headers.get("Authorization") == "Bearer robot":
        return 200, {}, b""
    if "private" not in request.path and "Bearer" in request.headers.get("Authorization", ""):
        return open_registry(request)
    challenge = f'Bearer realm="http://{request.headers["Host"]}/token",service="s",scope="repository:x:pull"'
    return 401, {"WWW-Authenticate": challenge}, b""


def ask(http, server, *names, login=None):
    wanted = [images.parse(f"{server.host}/{name}") for name in names]
    fact = registry.probe(http, server.host, True, wanted, login)
    return fact, {name.partition("/")[2]: found for name, found in fact.images.items()}


def test_open_registry(http, serve_http):
    fact, found = ask(http, serve_http(open_registry), "argoproj/argocd:v3.5.2", "argoproj/argocd:v9")
    assert fact.reach.reachable
    assert found == {"argoproj/argocd:v3.5.2": True, "argoproj/argocd:v9": False}
    assert fact.accepted is None


def test_token_registry(http, serve_http):
    server = serve_http(token_registry)
    fact, found = ask(http, server, "argoproj/argocd:v3.5.2", "private/x:1")
    assert found["argoproj/argocd:v3.5.2"] is True
    assert isinstance(found["private/x:1"], Unknown)
    fact, found = ask(http, server, "private/x:1", login=LOGIN)
    assert (found["private/x:1"], fact.accepted) == (True, True)
    fact, found = ask(http, server, "private/x:1", login=Login("robot", "wrong"))
    assert fact.accepted is False
    assert "refuses" in found["private/x:1"].reason


def test_basic_registry(http, serve_http):
    server = serve_http(basic_registry)
    fact, found = ask(http, server, "argoproj/argocd:v3.5.2", login=LOGIN)
    assert (found["argoproj/argocd:v3.5.2"], fact.accepted) == (True, True)
    assert ask(http, server, login=Login("robot", "wrong"))[0].accepted is False


def test_registry_that_asks_nobody_cannot_verify_a_login(http, serve_http):
    fact, _found = ask(http, serve_http(open_registry), login=LOGIN)
    assert fact.accepted.reported


def test_login_is_not_sent_to_where_a_redirect_points(http, serve_http):
    elsewhere = serve_http(lambda request: (200, {}, request.headers.get("Authorization", "nothing").encode()))
    server = serve_http(lambda _request: (302, {"Location": f"{elsewhere.url}/v2/"}, b""))
    response = http.request(f"{server.url}/v2/", headers={"Authorization": BASIC})
    assert response.body == b"nothing"


def test_password_is_not_sent_unencrypted_for_an_encrypted_registry(http, serve_http):
    server = serve_http(token_registry)
    challenge = http.request(f"{server.url}/v2/")
    with pytest.raises(registry.NoAnswer, match="unencrypted"):
        registry._authorize(http, "https://registry.example.com", challenge, LOGIN)
    assert not [path for _method, path in server.asked if path.startswith("/token")]


@pytest.mark.parametrize("answer", [lambda _request: (500, {}, b"oops"), lambda _request: None])
def test_broken_registry(http, serve_http, answer):
    fact, found = ask(http, serve_http(answer), "a/b:1")
    assert not fact.reach.reachable
    assert found["a/b:1"].reported


def test_registry_that_breaks_on_manifests_only(http, serve_http):
    def answer(request):
        return (200, {}, b"") if request.path == "/v2/" else (503, {}, b"")

    fact, found = ask(http, serve_http(answer), "a/b:1")
    assert fact.reach.reachable
    assert found["a/b:1"] == Unknown("HTTP 503")


def test_silent_server_costs_its_timeout_and_no_more(serve_http):
    server = serve_http(lambda _request: time.sleep(30))
    reach, response = Http(timeout=0.2, deadline=Deadline(20)).reach(server.url)
    assert (reach.reachable, response) == (False, None)
    assert "no answer within" in reach.detail
    assert reach.seconds < 10  # of the 30 that the server would take


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("quay.io/argoproj/argocd:v3.5.2", ("quay.io", "argoproj/argocd", "v3.5.2", False)),
        ("nats:2.10.29", ("docker.io", "library/nats", "2.10.29", False)),
        ("bitnami/x:1", ("docker.io", "bitnami/x", "1", False)),
        ("localhost:5000/a:1", ("localhost:5000", "a", "1", True)),
        ("127.0.0.1:5000/a/b:1", ("127.0.0.1:5000", "a/b", "1", True)),
        ("r.io/a@sha256:" + "0" * 64, ("r.io", "a", "sha256:" + "0" * 64, False)),
        ("r.io/a:1@sha256:" + "0" * 64, ("r.io", "a", "sha256:" + "0" * 64, False)),
    ],
)
def test_image_references(text, expected):
    assert images.parse(text) == expected


@pytest.mark.parametrize("text", ["", "quay.io/a", "quay.io/a b:1", "-x:1", "a:b:c d"])
def test_bad_image_references(text):
    with pytest.raises(ValueError, match="image reference|tag nor digest"):
        images.parse(text)


def test_mirror_replaces_the_registry_and_keeps_the_path():
    image = images.parse("quay.io/argoproj/argocd:v3.5.2")
    assert images.through(images.parse_mirror("127.0.0.1:5000"), image).text == "127.0.0.1:5000/argoproj/argocd:v3.5.2"
    mirror = images.parse_mirror("http://mirror.lan:5000/cache/")
    assert images.through(mirror, image) == ("mirror.lan:5000", "cache/argoproj/argocd", "v3.5.2", True)
    assert not images.parse_mirror("mirror.lan").plain_http
    with pytest.raises(ValueError, match="host"):
        images.parse_mirror("what is this")


AUTHS = {
    "auths": {
        "https://index.docker.io/v1/": {"auth": "cm9ib3Q6cGFzczp3b3Jk"},
        "quay.io": {"username": "u", "password": "p"},
    }
}


@pytest.mark.parametrize("form", [json.dumps(AUTHS), str(AUTHS), base64.b64encode(json.dumps(AUTHS).encode()).decode()])
def test_docker_config(form):
    config = docker_config.load(form, Secrets())
    assert config == ({"docker.io": LOGIN, "quay.io": Login("u", "p")}, "")


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ("{", "is not JSON"),
        ({"credsStore": "desktop"}, "no auths"),
        ({"auths": {"quay.io": {}}}, "the entry for quay.io"),
        ({"auths": {"quay.io": {"auth": "bm9jb2xvbg=="}}}, "the entry for quay.io"),
    ],
)
def test_broken_docker_config(data, problem):
    assert problem in docker_config.load(data if isinstance(data, str) else json.dumps(data), Secrets()).problem


INDEX = b"apiVersion: v1\nentries:\n  argo-cd:\n  - appVersion: v3.5.2\n    version: 10.8.0\n  - version: 10.7.0\n"


def chart_at(source, http, component=CHART):
    (fact,) = charts.probe(source, [component], http, {})
    return fact


def test_helm_repository(http, serve_http):
    server = serve_http(lambda request: (200, {}, INDEX) if request.path == "/charts/index.yaml" else (404, {}, b""))
    fact = chart_at(f"{server.url}/charts/", http)
    assert (fact.found, fact.app_version, fact.name) == (True, "v3.5.2", "argo-cd-10.8.0")
    assert chart_at(f"{server.url}/charts", http, CHART._replace(version="9.9.9")).found is False
    assert chart_at(f"{server.url}/charts", http, CHART._replace(chart="other")).found is False
    assert not chart_at(f"{server.url}/nowhere", http).reach.reachable


@pytest.mark.parametrize("body", [b"<html>login</html>", b"{", b"entries: 7", b"entries: {a: &x [*x"])
def test_what_is_not_an_index(http, serve_http, body):
    fact = chart_at(serve_http(lambda _request: (200, {}, body)).url, http)
    assert not fact.reach.reachable
    assert "index" in fact.reach.detail


def test_chart_in_a_registry(http, serve_http):
    def answer(request):
        return (200 if request.path in ("/v2/", "/v2/charts/argo-cd/manifests/10.8.0") else 404), {}, b""

    server = serve_http(answer)
    assert chart_at(f"oci://{server.host}/charts", http).found is True
    assert chart_at(f"oci://{server.host}/charts", http, CHART._replace(version="1.0.0")).found is False


def test_chart_in_a_folder(http, tmp_path):
    (tmp_path / "argo-cd").mkdir()
    (tmp_path / "argo-cd" / "Chart.yaml").write_text("name: argo-cd\nappVersion: v3.5.2\n")
    with tarfile.open(tmp_path / "argo-cd-10.8.0.tgz", "w:gz") as archive:
        archive.add(tmp_path / "argo-cd", "argo-cd")
    fact = chart_at(str(tmp_path), http)
    assert (fact.found, fact.app_version) == (True, "v3.5.2")
    assert chart_at(str(tmp_path), http, CHART._replace(version="1.0.0")).found is False
    (tmp_path / "argo-cd-1.0.0.tgz").write_text("not an archive")
    assert "not a chart archive" in chart_at(str(tmp_path), http, CHART._replace(version="1.0.0")).found.reason
    assert not chart_at(str(tmp_path / "none"), http).reach.reachable


def test_dns_provider(http, serve_http):
    def answer(request):
        return (200 if request.headers.get("Authorization") == "Bearer good" else 401), {}, b"{}"

    server = serve_http(answer)
    assert dns_provider.probe("cloudflare", {"token": "good"}, server.url, http).accepted is True
    assert dns_provider.probe("cloudflare", {"token": "bad"}, server.url, http).accepted is False
    assert dns_provider.probe("cloudflare", {}, server.url, http).missing == ("token",)
    broken = serve_http(lambda _request: (500, {}, b""))
    assert dns_provider.probe("cloudflare", {"token": "x"}, broken.url, http).accepted == Unknown("HTTP 500")
    assert dns_provider.probe("google", {"service_account_json": "{}"}, "", http).accepted is None


def test_aws_signature_is_the_published_one():
    """AWS' own test suite for Signature Version 4, case get-vanilla."""
    headers = aws_signature.headers(
        "https://example.amazonaws.com/",
        "AKIDEXAMPLE",
        "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
        "service",
        datetime.datetime(2015, 8, 30, 12, 36, tzinfo=datetime.UTC),
    )
    assert headers["Authorization"].endswith("5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31")


def test_route53_is_asked_with_a_signature(http, serve_http):
    server = serve_http(lambda request: (200 if "Signature=" in request.headers["Authorization"] else 403, {}, b""))
    credentials = {"access_key_id": "AKIA", "secret_access_key": "b"}
    assert dns_provider.probe("route53", credentials, f"{server.url}/2013-04-01/hostedzone?maxitems=1", http).accepted
    assert server.asked == [("GET", "/2013-04-01/hostedzone?maxitems=1")]
