# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Pictures and summaries of plans."""

from __future__ import annotations

import subprocess
import typing as t

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.picture import MAX_REDUCED_NODES, draw
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.plan import make_plan
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.reader import read_graph
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.source import Source
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.summary import summarize

SPEC = {
    "version": 1,
    "stacks": {
        "base": {
            "applications": {"end": {}, "metallb": {}, "sealed-secrets": {"managed_by": "bootstrap"}},
        },
        "data": {
            "depends_on": ["base"],
            "applications": {
                "operator": {"type": "operator", "provides": ["resource:things.example.org"]},
                # metallb is reached through the operator: its arrow follows from others.
                "thing": {"depends_on": ["resource:things.example.org", "metallb"], "application": "my-thing"},
            },
        },
    },
}


def planned(**choices: str) -> dict[str, t.Any]:
    return make_plan(read_graph(Source("spec", SPEC)), **choices)


def test_mermaid_draws_stacks_nodes_arrows_and_the_critical_path() -> None:
    assert draw(planned(), "mermaid").splitlines() == [
        "%% an arrow points from what is Healthy before what it points at; red: the critical path",
        "flowchart LR",
        '  subgraph s0["base"]',
        '    n0["end (2m)"]',
        '    n1["metallb (2m)"]',
        '    n4["sealed-secrets (bootstrap)"]',
        "  end",
        '  subgraph s1["data"]',
        '    n2["operator (3m)"]',
        '    n3["resource:things.example.org"]',
        '    n5["thing (2m)"]',
        "  end",
        "  n0 --> n2",
        "  n1 --> n2",
        "  n2 --> n3",
        "  n3 --> n5",
        "  n4 --> n2",
        "  classDef critical stroke:#c0392b,stroke-width:3px",
        "  class n0,n2,n3,n5 critical",
        "  linkStyle 0,2,3 stroke:#c0392b,stroke-width:3px",
    ]


def test_dot_draws_the_same() -> None:
    text = draw(planned(), "dot")
    assert '  subgraph cluster_0 {\n    label="base"\n' in text
    assert '    n5 [label="thing (2m)", color="#c0392b", penwidth=2]' in text
    assert '  n0 -> n2 [color="#c0392b", penwidth=2]' in text
    assert "  n1 -> n2\n" in text
    assert "  n1 -> n5" not in text


def test_graphviz_takes_the_picture() -> None:
    drawn = subprocess.run(["dot", "-Tsvg"], input=draw(planned(), "dot"), capture_output=True, text=True, check=True)
    assert drawn.stdout.count('class="cluster"') == 2
    assert drawn.stdout.count('class="edge"') == 5


def test_a_teardown_points_the_other_way() -> None:
    text = draw(planned(action="teardown"), "mermaid")
    assert "is removed before" in text
    assert "  n5 --> n3\n" in text


def test_a_single_node_has_a_picture() -> None:
    text = draw(planned(scope="app:metallb"), "mermaid")
    assert '    n0["metallb (2m)"]' in text
    assert "linkStyle" not in text


def test_a_large_graph_is_drawn_with_all_its_arrows() -> None:
    names = [f"a{number:04d}" for number in range(MAX_REDUCED_NODES + 1)]
    applications: dict[str, t.Any] = {
        name: {"depends_on": names[max(0, number - 2) : number]} for number, name in enumerate(names)
    }
    plan = make_plan(read_graph(Source("spec", {"version": 1, "stacks": {"s": {"applications": applications}}})))
    assert draw(plan, "mermaid").count(" --> ") == len(plan["edges"])


def test_summary_says_what_is_touched_and_how_long_it_takes() -> None:
    assert summarize(planned()) == [
        "Deploy platform, strategy waves: 4 applications touched, 2 nodes only looked at, 4 waves",
        "",
        "Wave 0 (3 nodes, about 2m)",
        "  end                          base, simple, about 2m",
        "  metallb                      base, simple, about 2m",
        "  sealed-secrets               base, simple, verified only: the bootstrap owns it",
        "",
        "Wave 1 (1 node, about 3m)",
        "  operator                     data, operator, about 3m",
        "",
        "Wave 2 (1 node, about 0s)",
        "  resource:things.example.org  resource, provided by operator",
        "",
        "Wave 3 (1 node, about 2m)",
        "  thing                        data, simple, about 2m, Application my-thing",
        "",
        "Critical path (7m): end -> operator -> resource:things.example.org -> thing",
        "Estimated time: 7m with strategy waves, 7m with strategy dag",
        f"Digest: {planned()['digest'][:12]}",
    ]


def test_summary_of_a_scope_says_what_must_stand_before() -> None:
    lines = summarize(planned(scope="app:thing"))
    assert lines[1:7] == [
        "",
        "Must be Healthy before anything starts (not deployed by this plan):",
        "  end",
        "  metallb",
        "  resource:things.example.org",
        "  sealed-secrets",
    ]


def test_summary_of_a_removal_says_what_must_be_gone_before() -> None:
    lines = summarize(planned(scope="app:operator", action="teardown"))
    assert lines[0].startswith("Remove app:operator,")
    assert lines[2:4] == ["Must be gone before anything is removed (they depend on what this plan removes):", "  thing"]


def test_summary_says_how_to_name_the_provider_of_a_resource() -> None:
    spec = {"version": 1, "stacks": {"s": {"applications": {"a": {"depends_on": ["resource:nodes"]}}}}}
    lines = summarize(make_plan(read_graph(Source("spec", spec))))
    assert (
        lines[3]
        == "  resource:nodes  (no application of the graph provides it: if one should, name it there under 'provides')"
    )
