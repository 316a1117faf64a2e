# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The figures of `make benchmark-peers`: what is computed from what was seen."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

ROOT = Path(__file__).resolve().parents[3]
for folder in ("tests/benchmark/peers", "testbed/platforms"):
    sys.path.insert(0, str(ROOT / folder))

import costs
import figures
import readiness
from figures import Costs, Result, Span

DIAMOND = {"root": set(), "left": {"root"}, "right": {"root"}, "end": {"left", "right"}}
SPANS = {
    "root": Span(100.0, 110.0),
    "left": Span(111.0, 120.0),
    "right": Span(112.5, 130.0),
    "end": Span(129.0, 150.0),
}


def test_dispatch_counts_from_the_last_dependency_and_shows_what_came_too_early() -> None:
    assert figures.dispatch(SPANS, DIAMOND) == {"left": 1.0, "right": 2.5, "end": -1.0}


def test_dispatch_leaves_out_what_was_not_seen() -> None:
    seen = {name: span for name, span in SPANS.items() if name != "left"}
    assert figures.dispatch(seen, DIAMOND) == {"right": 2.5}


def test_makespan_goes_from_the_first_object_to_the_last_readiness() -> None:
    result = Result("x", SPANS, DIAMOND, [], 70.0)
    assert result.makespan == 50.0
    assert result.edges == 4


@pytest.mark.parametrize(("share", "value"), [(0.5, 2.0), (0.95, 4.0), (0.25, 1.0), (0.0, 1.0), (1.0, 4.0)])
def test_percentile_is_the_nearest_rank(share: float, value: float) -> None:
    assert figures.percentile([4.0, 1.0, 3.0, 2.0], share) == value


def test_percentile_of_nothing_is_no_number() -> None:
    assert math.isnan(figures.percentile([], 0.5))


@given(st.lists(st.floats(-1e6, 1e6), min_size=1), st.floats(0.01, 1.0))
def test_a_percentile_is_a_value_that_the_share_does_not_exceed(values: list[float], share: float) -> None:
    found = figures.percentile(values, share)
    assert found in values
    assert sum(value <= found for value in values) >= share * len(values)


def test_stages_leave_out_what_has_a_gap() -> None:
    moments = {"a": (0.0, 1.0, 3.0), "b": (10.0, 12.0, 12.5), "c": (0.0, None, 9.0)}
    assert figures.stages(moments, ("first", "second")) == [("first", 1.0, 2.0), ("second", 0.5, 2.0)]


def test_the_table_names_everything() -> None:
    result = Result("dag", SPANS, DIAMOND, ["end came early"], 70.0, Costs(10, 5, 12.0, 300.0, 7.0, 80.0))
    head, _line, row = figures.table([result], 40.0).splitlines()
    assert row == ("| dag | 1.25 (50 s) | 1.0 s | 2.5 s | 1 of 4 | 70 s | 10 + 5 | 12 s, 300 MiB | 7 s, 80 MiB |")
    assert head.count("|") == row.count("|")


def test_who_did_not_get_through_has_no_makespan() -> None:
    seen = {name: span for name, span in SPANS.items() if name != "end"}
    row = figures.table([Result("rolling", seen, DIAMOND, [], 480.0)], 40.0).splitlines()[-1]
    assert row.startswith("| rolling | not done, 3 of 4 ready | 1.0 s |")


def test_levels_and_critical_path() -> None:
    assert readiness.levels(DIAMOND) == {"root": 0, "left": 1, "right": 1, "end": 2}
    seconds = {"root": 1.0, "left": 5.0, "right": 4.0, "end": 1.0}
    assert readiness.critical_path(DIAMOND, seconds) == ["root", "left", "end"]


def test_a_cycle_is_told() -> None:
    with pytest.raises(ValueError, match="a, b"):
        readiness.levels({"a": {"b"}, "b": {"a"}})


def test_the_table_of_readiness_has_every_application_of_the_sample_and_no_other() -> None:
    platform = ROOT / "testbed/platforms/rfc/repository"
    assert readiness.SECONDS.keys() == {path.parent.name for path in platform.glob("apps/*/values.yaml")}
    stacks = yaml.safe_load((platform / "charts/root/values.yaml").read_text())["stacks"]
    assert readiness.SECONDS.keys() == {name for names in stacks.values() for name in names}


def test_requests_are_told_apart_by_who_made_them() -> None:
    def line(username: str, agent: str = "x") -> str:
        event: dict[str, Any] = {"user": {"username": username}, "userAgent": agent}
        return json.dumps(event)

    lines = [
        line("system:serviceaccount:argocd:argocd-server"),
        line("system:serviceaccount:argo:argo-workflow"),
        line("system:serviceaccount:argo-events:default"),
        line("system:node:node1"),
        line("admin", "kubectl"),
        line("admin", costs.USER_AGENT),
        '{"user": {"usern',
    ]
    assert costs.count_requests(lines) == (2, 1)
