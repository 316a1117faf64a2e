# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The client and the drivers against a FAKE Argo CD that fails on purpose: at every request, in every way."""

from __future__ import annotations

import random
import ssl
import typing as t
from pathlib import Path

import pytest

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.argocd import ArgoCD
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.course import follow
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.errors import (
    Absent,
    ApiError,
    Forbidden,
    Refused,
    Unauthenticated,
    Unavailable,
)
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.many import deploy, look
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.retry import Clock, Retry
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.settings import Settings, connect
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.transport import Transport
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.verdict import Verdict
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.wish import Wish
from ansible_collections.proficientnow.deploy_ops.tests.unit.plugins.module_utils.gate_fake_argocd import (
    FAULTS,
    TOKEN,
    FakeArgoCD,
    VirtualClock,
    serving,
)
from ansible_collections.proficientnow.deploy_ops.tests.unit.plugins.module_utils.gate_objects import COMMIT, WISH

# As many requests as an undisturbed run makes; asserted below.
UNDISTURBED = 11


def client(fake: FakeArgoCD, read_token: t.Callable[[], str] = lambda: TOKEN, patience: float = 8.0) -> ArgoCD:
    retry = Retry(patience, t.cast(Clock, fake.clock), random.Random(1))
    return ArgoCD(Transport("Argo CD", fake.url, read_token), retry)


def run(faults: t.Mapping[int, str], wish: Wish = WISH) -> tuple[FakeArgoCD, Verdict, bool]:
    clock = VirtualClock()
    with serving(FakeArgoCD(clock, faults)) as fake:
        outcome = deploy(client(fake), [wish], t.cast(Clock, clock), timeout=None)["ceph-cluster"]
    return fake, outcome.verdict, outcome.has_synced


def test_an_undisturbed_run_syncs_once() -> None:
    fake, verdict, has_synced = run({})
    assert (verdict.verdict, verdict.revision, has_synced) == ("Healthy", COMMIT, True)
    assert len(fake.operations) == 1
    assert len(fake.requests) == UNDISTURBED
    assert fake.requests[0].endswith("refresh=normal"), "the first look must already be a proof"
    assert fake.content_types == {"application/json"}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("index", range(UNDISTURBED))
def test_one_fault_anywhere_changes_nothing(index: int, fault: str) -> None:
    fake, verdict, _has_synced = run({index: fault})
    assert (verdict.verdict, verdict.revision) == ("Healthy", COMMIT)
    assert len(fake.operations) == 1
    assert verdict.attempt == 1


@pytest.mark.parametrize("fault", ["reset", "503", "html"])
def test_an_operation_that_was_created_but_not_confirmed_is_found_again(fault: str) -> None:
    undisturbed, _verdict, _synced = run({})
    post = next(i for i, request in enumerate(undisturbed.requests) if request.startswith("POST"))
    fake, verdict, _has_synced = run({post: f"then {fault}"})
    assert verdict.verdict == "Healthy"
    assert len(fake.operations) == 1
    assert [request for request in fake.requests if request.startswith("POST")] == [undisturbed.requests[post]]


def test_a_storm_is_met_with_growing_pauses() -> None:
    fake, verdict, _has_synced = run(dict.fromkeys(range(1, 40), "429"))
    assert verdict.verdict == "Healthy"
    assert len(fake.operations) == 1
    storm = fake.clock.slept[:39]
    assert sum(storm) / len(storm) > 1, "less than one request a second on average"


def test_retry_after_is_honoured() -> None:
    clock = VirtualClock()
    with serving(FakeArgoCD(clock, {0: "429 with Retry-After"})) as fake:
        client(fake).application("ceph-cluster", "platform")
    assert clock.slept == [7.0]


def test_an_outage_is_waited_out_and_ends_as_transient() -> None:
    fake, verdict, _has_synced = run(dict.fromkeys(range(2, 5000), "503"))
    assert (verdict.verdict, verdict.reason, verdict.transient) == ("Unknown", "Unreachable", True)
    assert 300 <= fake.clock.now <= 400
    assert len(fake.requests) < 200


def test_what_stands_costs_one_request_and_no_sync() -> None:
    clock = VirtualClock()
    with serving(FakeArgoCD(clock)) as fake:
        deploy(client(fake), [WISH], t.cast(Clock, clock), timeout=None)
        before = len(fake.requests)
        later = WISH._replace(run="another-run/ceph-cluster")
        clock.now += 60
        outcome = deploy(client(fake), [later], t.cast(Clock, clock), timeout=None)["ceph-cluster"]
    assert (outcome.verdict.verdict, outcome.has_synced) == ("Healthy", False)
    assert fake.requests[before:] == ["GET /api/v1/applications/ceph-cluster?project=platform&refresh=normal"]
    assert len(fake.operations) == 1


def test_a_new_driver_finds_the_operation_of_the_one_that_died() -> None:
    clock = VirtualClock()
    with serving(FakeArgoCD(clock)) as fake:
        started = look(client(fake), [WISH], act=True)["ceph-cluster"]
        assert started.has_synced
        outcome = deploy(client(fake), [WISH], t.cast(Clock, clock), timeout=None)["ceph-cluster"]
    assert (outcome.verdict.verdict, outcome.has_synced) == ("Healthy", False)
    assert len(fake.operations) == 1


def test_looking_without_acting_writes_nothing() -> None:
    with serving(FakeArgoCD(VirtualClock())) as fake:
        outcome = look(client(fake), [WISH], act=False)["ceph-cluster"]
    assert outcome.verdict.call == "sync"
    assert [request.split()[0] for request in fake.requests] == ["GET"]


def test_a_stuck_sync_is_terminated_once() -> None:
    clock = VirtualClock()
    with serving(FakeArgoCD(clock)) as fake:
        wish = WISH._replace(sync_timeout=2)
        verdict, _has_synced = _follow_until_terminated(fake, wish)
    assert fake.terminated
    assert "has not ended within 2s" in verdict.message


def _follow_until_terminated(fake: FakeArgoCD, wish: Wish) -> tuple[Verdict, bool]:
    from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.step import step

    argocd = client(fake)
    messages: list[Verdict] = []

    def take(how: str, looked_for: float) -> Verdict:
        verdict = step(argocd, wish, how, looked_for)
        messages.append(verdict)
        return verdict._replace(verdict="Failed") if fake.terminated else verdict

    return follow(take, t.cast(Clock, fake.clock))


class TestIdentity:
    def test_a_token_that_was_renewed_is_read_again(self) -> None:
        tokens = ["an-old-token", TOKEN]
        with serving(FakeArgoCD(VirtualClock())) as fake:
            client(fake, lambda: tokens.pop(0)).application("ceph-cluster", "platform")
        assert len(fake.requests) == 2

    def test_a_token_that_stays_refused_is_final_at_once(self) -> None:
        with serving(FakeArgoCD(VirtualClock())) as fake:
            argocd = client(fake, lambda: "a-revoked-token")
            with pytest.raises(Unauthenticated) as caught:
                argocd.application("ceph-cluster", "platform")
        assert len(fake.requests) == 1
        assert "revoked" not in caught.value.text

    def test_a_token_that_is_revoked_while_waiting_is_tried_once_more(self) -> None:
        with serving(FakeArgoCD(VirtualClock())) as fake:
            argocd = client(fake)
            argocd.application("ceph-cluster", "platform")
            fake.token = "another"
            with pytest.raises(Unauthenticated):
                argocd.application("ceph-cluster", "platform")
        assert len(fake.requests) == 3

    def test_a_token_file_that_is_missing_is_named(self, tmp_path: Path) -> None:
        settings = Settings("http://127.0.0.1:1", token_file=str(tmp_path / "token"))
        with pytest.raises(Refused, match=str(tmp_path / "token")):
            connect(settings).application("a", "b")


class TestRefusals:
    def refused(
        self, status: int, message: str, call: t.Callable[[ArgoCD], t.Any], can_i: str = "no"
    ) -> tuple[ApiError, FakeArgoCD]:
        with serving(FakeArgoCD(VirtualClock())) as fake:
            fake.refusal, fake.can_i = (status, {"code": 7, "message": message}), can_i
            with pytest.raises(ApiError) as caught:
                call(client(fake))
        return caught.value, fake

    def test_absent_is_told_from_forbidden(self) -> None:
        error, fake = self.refused(404, "not found", lambda argocd: argocd.application("x", "platform"))
        assert isinstance(error, Absent)
        assert error.text.startswith("there is no Application x in the AppProject platform")
        assert "project=platform" in fake.requests[0]

    def test_a_bare_refusal_is_checked_and_final_when_confirmed(self) -> None:
        error, fake = self.refused(403, "permission denied", lambda argocd: argocd.application("x", "platform"))
        assert isinstance(error, Forbidden)
        assert "`applications, get, platform/*`" in error.text
        assert fake.requests[1] == "GET /api/v1/account/can-i/applications/get/platform/x"

    def test_a_bare_refusal_that_can_i_denies_is_transient(self) -> None:
        error, fake = self.refused(
            403, "permission denied", lambda argocd: argocd.application("x", "platform"), can_i="yes"
        )
        assert isinstance(error, Unavailable)
        assert len(fake.requests) > 2

    def test_a_long_refusal_is_final_without_asking(self) -> None:
        message = "permission denied: applications, sync, platform/x, sub: orchestrator, iat: 2026-11-16T10:00:00Z"
        error, fake = self.refused(403, message, lambda argocd: argocd.terminate("x", "platform"))
        assert isinstance(error, Forbidden)
        assert len(fake.requests) == 1

    @pytest.mark.parametrize(
        ("status", "message", "kind"),
        [
            (400, "another operation is already in progress", Unavailable),
            (400, "error resolving repo revision: connection refused", Unavailable),
            (409, "the object has been modified", Unavailable),
            (403, "cannot sync: blocked by sync window", Refused),
            (400, "application is deleting", Refused),
            (400, "app is not allowed in project platform, or the project does not exist", Refused),
        ],
    )
    def test_a_refused_sync_is_told_apart_by_its_message(self, status: int, message: str, kind: type[ApiError]) -> None:
        from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._gate.moments import parse_moment

        moment = parse_moment("2026-11-16T10:00:00Z")
        assert moment is not None
        error, fake = self.refused(status, message, lambda argocd: argocd.sync(WISH, 1, moment))
        assert error.__class__ is kind
        assert len(fake.requests) == 1, "a POST is never repeated blindly"

    def test_that_nothing_runs_any_more_is_what_terminate_wants(self) -> None:
        with serving(FakeArgoCD(VirtualClock())) as fake:
            text = "Unable to terminate operation. No operation is in progress"
            fake.refusal = (400, {"code": 3, "message": text})
            client(fake).terminate("x", "platform")
        assert fake.content_types == {"application/json"}

    def test_a_redirect_is_not_followed(self) -> None:
        error, fake = self.refused(307, "", lambda argocd: argocd.application("x", "platform"))
        assert "redirect" in error.text
        assert len(fake.requests) == 1


class TestSecrets:
    @pytest.mark.parametrize("fault", FAULTS)
    def test_no_body_and_no_token_in_any_message(self, fault: str) -> None:
        with (
            serving(FakeArgoCD(VirtualClock(), dict.fromkeys(range(100), fault))) as fake,
            pytest.raises(ApiError) as caught,
        ):
            client(fake).application("ceph-cluster", "platform")
        for secret in ("canary", TOKEN, fake.url):
            assert secret not in caught.value.text

    def test_credentials_in_a_refusal_are_masked(self) -> None:
        message = "cannot reach https://bot:hunter2@git.example.com/x.git with Bearer abcdefghijkl, token=hunter3"
        error, _fake = TestRefusals().refused(400, message, lambda argocd: argocd.terminate("x", "platform"))
        assert "hunter" not in error.text
        assert "abcdefghijkl" not in error.text
        assert "git.example.com" in error.text

    def test_a_token_that_http_cannot_carry_is_not_shown(self) -> None:
        with serving(FakeArgoCD(VirtualClock())) as fake, pytest.raises(Refused) as caught:
            client(fake, lambda: "two\nlines").application("x", "platform")
        assert "two" not in caught.value.text


def test_a_wrong_certificate_is_final(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = VirtualClock()
    transport = Transport("Argo CD", "https://127.0.0.1:1", lambda: TOKEN)

    def fail(*_arguments: t.Any, **_options: t.Any) -> t.NoReturn:
        error = ssl.SSLCertVerificationError("canary")
        error.verify_message = "self-signed certificate"
        raise error

    monkeypatch.setattr(transport._opener, "open", fail)
    with pytest.raises(Refused, match="not trusted: self-signed certificate"):
        ArgoCD(transport, Retry(8, t.cast(Clock, clock))).application("x", "platform")
    assert clock.slept == []


def test_a_server_that_says_nothing_is_given_up_on() -> None:
    clock = VirtualClock()
    transport = Transport("Argo CD", "http://127.0.0.1:1", lambda: TOKEN)
    with pytest.raises(Unavailable, match="refuses connections"):
        ArgoCD(transport, Retry(8, t.cast(Clock, clock), random.Random(1))).application("x", "platform")
    assert 0 < sum(clock.slept) <= 8
