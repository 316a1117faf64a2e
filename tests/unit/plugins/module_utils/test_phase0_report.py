# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The report, its files, and that no secret is in it."""

from __future__ import annotations

import base64
import json
import stat
import urllib.parse

import pytest

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0 import files, report
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.check import WARNING, Rule, Unknown
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.connectivity import GitFact, Reach
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.gather import Facts
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.identity import KubeconfigFact
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.leftovers import NamespaceFact
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.redact import MASK, Secrets
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._phase0.view import unseen

DOWN = Unknown("connection refused")


def facts(view=None, **changes):
    nothing = Facts("python", {}, {}, {}, KubeconfigFact("/k"), view or unseen(DOWN, []), [], "", [], [], None)
    return nothing._replace(**changes)


def rule(name, severity="blocking"):
    return Rule(name, f"title of {name}", "wanted", "the way out", severity)


def build(*checks, **changes):
    return report.build(checks, facts(**changes), "2026-11-16T08:00:00Z", 1.234)


@pytest.mark.parametrize(
    ("failed", "hint"),
    [
        ([], 0),
        ([rule("cluster.api")], 1),
        ([rule("tools.kubectl")], 3),
        ([rule("cluster.api"), rule("tools.kubectl")], 3),
        ([rule("identity.server")], 3),
        ([rule("credentials.git.x")], 1),
        ([rule("tools.kubectl", WARNING)], 0),
    ],
)
def test_exit_code_hint(failed, hint):
    built = build(*(one.failed("x") for one in failed))
    assert built["exit_code_hint"] == hint
    assert built["ready"] is (hint == 0)


def test_summary_and_credentials():
    built = build(
        rule("credentials.git.x").passed("accepted"),
        rule("cluster.authentication").failed("401"),
        rule("credentials.dns").skipped("not set"),
        rule("cluster.workers", WARNING).failed("1"),
    )
    assert built["summary"] == {"passed": 1, "blocking": 1, "warnings": 1, "skipped": 1}
    assert {one["id"]: one["result"] for one in built["credentials"]} == {
        "credentials.git.x": "verified",
        "cluster.authentication": "refused",
        "credentials.dns": "not verified",
    }


def test_connectivity_lists_every_endpoint():
    git = GitFact("git.example.com/p.git", Reach(False, "connection refused", 0.004), Unknown("x"), "main")
    (endpoint,) = build(repositories=[git])["connectivity"]
    assert endpoint == {
        "kind": "git",
        "endpoint": "git.example.com/p.git",
        "reachable": False,
        "detail": "connection refused",
        "seconds": 0.0,
    }


def test_snapshot_tells_clusters_apart_and_not_times():
    view = unseen(DOWN, [])._replace(namespaces={"default": NamespaceFact({})})
    before, after = report.snapshot(view, "now"), report.snapshot(view, "later")
    assert before["digest"] == after["digest"]
    more = view._replace(namespaces={"default": NamespaceFact({}), "argocd": NamespaceFact({})})
    assert report.snapshot(more, "now")["digest"] != before["digest"]


def test_text_names_every_problem_with_its_way_out():
    checks = [
        rule("tools.x").failed("not on PATH"),
        rule("cluster.w", WARNING).failed("1 worker"),
        rule("a.b").passed("ok"),
    ]
    text = report.text(build(*checks), checks)
    assert text.startswith("Phase 0: NOT READY: 1 blocking, 1 warnings, 1 passed, 0 skipped")
    for words in ("[tools.x] title of tools.x", "not on PATH", "the way out", "1 worker", "a.b: ok"):
        assert words in text
    assert report.problems_text(checks) == (
        "[tools.x] title of tools.x\n    found:  not on PATH\n    wanted: wanted\n    fix:    the way out"
    )


def test_report_is_plain_data():
    json.dumps(build(rule("a.b").passed("ok")))


def test_files_are_private_and_whole(tmp_path):
    folder = tmp_path / "new" / "reports"
    for round_number in (1, 2):
        paths = files.write(str(folder), {"round": round_number}, f"text {round_number}\n")
    assert [path.rpartition("/")[2] for path in paths] == ["phase0-report.json", "phase0-report.txt"]
    assert json.loads((folder / "phase0-report.json").read_text()) == {"round": 2}
    assert (folder / "phase0-report.txt").read_text() == "text 2\n"
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}
    assert len(list(folder.iterdir())) == 2


def test_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(files.CannotWrite, match="report_dir"):
        files.write(str(tmp_path / "file" / "below"), {}, "")


SECRET = 'hunter2/"hunter2" ä+='


@pytest.mark.parametrize(
    "form",
    [
        SECRET,
        base64.b64encode(SECRET.encode()).decode(),
        base64.urlsafe_b64encode(SECRET.encode()).decode(),
        urllib.parse.quote(SECRET, safe=""),
        urllib.parse.quote_plus(SECRET),
        json.dumps(SECRET)[1:-1],
        base64.b64encode(f"user:{SECRET}".encode()).decode(),
    ],
)
def test_secret_is_masked_in_every_form(form):
    secrets = Secrets()
    secrets.add_pair("user", SECRET)
    redacted = secrets.redact({f"key {form}": [f"a {form} b", {"deep": form}], "number": 7, "none": None})
    assert form not in json.dumps(redacted, ensure_ascii=False)
    assert redacted["number"] == 7
    assert redacted[f"key {MASK}"][0] == f"a {MASK} b"


def test_every_line_of_a_key_is_a_secret():
    secrets = Secrets()
    secrets.add("-----BEGIN KEY-----\nabcdefgh\nijklmnop\n-----END KEY-----\n")
    assert secrets.redact("found ijklmnop") == f"found {MASK}"


def test_nothing_and_trifles_are_no_secrets():
    secrets = Secrets()
    secrets.add(None)
    secrets.add("")
    secrets.add("a")
    assert secrets.redact("a banana") == "a banana"
