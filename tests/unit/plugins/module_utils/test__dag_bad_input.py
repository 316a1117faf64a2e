# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Every mistake is refused with its place and a way out, all mistakes at once, and never with a traceback."""

from __future__ import annotations

import typing as t
from pathlib import Path

import pytest

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag import reader, source
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.plan import make_plan
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.problems import MAX_SHOWN, DagError

ONE_STACK = "version: 1\nstacks:\n  s:\n    applications:\n"


def refusal(text: str) -> DagError:
    with pytest.raises(DagError) as caught:
        reader.read_graph(source.read_text(text, "dag.yaml"))
    return caught.value


def refusal_of(**applications: t.Any) -> list[str]:
    """What is said of a graph with these applications in one stack."""
    with pytest.raises(DagError) as caught:
        reader.read_graph(source.Source("spec", {"version": 1, "stacks": {"s": {"applications": applications}}}))
    return caught.value.lines()


def test_all_problems_are_told_at_once_each_with_its_line() -> None:
    error = refusal(
        ONE_STACK
        + """      vault: {depends_on: [secret-store]}
      secret-store: {depends_on: [vault, vualt]}
      ceph: {typ: ceph}
      pg: {type: databse, sync_timeout: 5x}
"""
    )
    assert error.lines() == [
        'dag.yaml:7: stacks.s.applications.ceph.typ: unknown key "typ", did you mean "type"?',
        'dag.yaml:8: stacks.s.applications.pg.type: unknown type "databse", did you mean "database"?',
        'dag.yaml:8: stacks.s.applications.pg.sync_timeout: must be a duration such as 90s, 5m or 1h30m, not "5x"',
        "dag.yaml:6: stacks.s.applications.secret-store.depends_on[1]:"
        ' unknown dependency "vualt", did you mean "vault"?',
        "dag.yaml:6: stacks.s.applications.secret-store: dependency cycle: secret-store -> vault -> secret-store",
    ]
    assert error.text().startswith("5 problems in the graph:\n- dag.yaml:7: ")


@pytest.mark.parametrize(
    ("applications", "cycles"),
    [
        ({"a": ["a"]}, ["a -> a"]),
        ({"a": ["b"], "b": ["a"]}, ["a -> b -> a"]),
        ({"a": ["b"], "b": ["c"], "c": ["a"], "d": ["a"]}, ["a -> b -> c -> a"]),
        ({"a": ["b"], "b": ["a"], "x": ["y"], "y": ["z"], "z": ["x"]}, ["a -> b -> a", "x -> y -> z -> x"]),
        # Two cycles that share a node, and a shortcut through a longer one.
        ({"a": ["b", "c"], "b": ["a"], "c": ["a"]}, ["a -> b -> a", "a -> c -> a"]),
    ],
)
def test_cycles_are_shown_in_full(applications: dict[str, list[str]], cycles: list[str]) -> None:
    lines = refusal_of(**{name: {"depends_on": needs} for name, needs in applications.items()})
    assert [line.partition("dependency cycle: ")[2] for line in lines] == cycles


def test_a_cycle_of_1000_nodes_is_shown_in_full() -> None:
    names = [f"a{number:03d}" for number in range(1000)]
    lines = refusal_of(**{name: {"depends_on": [names[number - 1]]} for number, name in enumerate(names)})
    assert len(lines) == 1
    assert lines[0].partition("dependency cycle: ")[2].split(" -> ") == [names[0], *reversed(names)]


def test_a_cycle_of_stacks_is_told_as_one_of_stacks() -> None:
    error = refusal(
        """version: 1
stacks:
  a: {depends_on: [b], applications: {x: {}, y: {}}}
  b: {depends_on: [a], applications: {z: {}}}
"""
    )
    assert error.lines() == ["dag.yaml:3: stacks.a.depends_on: stacks depend on each other: a -> b -> a"]


def test_a_cycle_through_a_stack_dependency_is_found() -> None:
    error = refusal(
        """version: 1
stacks:
  a: {applications: {x: {depends_on: [z]}}}
  b: {depends_on: [a], applications: {z: {}}}
"""
    )
    assert error.lines() == ["dag.yaml:3: stacks.a.applications.x: dependency cycle: x -> z -> x"]


def test_a_name_used_in_two_stacks_is_refused() -> None:
    error = refusal("version: 1\nstacks:\n  a: {applications: {x: {}}}\n  b:\n    applications:\n      x: {}\n")
    assert error.lines() == ['dag.yaml:6: stacks.b.applications.x: the name is taken by an application of stack "a"']


def test_two_nodes_for_one_argo_cd_application_are_refused() -> None:
    assert refusal_of(a={}, b={"application": "a"}) == [
        'spec: stacks.s.applications.b: the Argo CD Application "a" is node "a" already'
    ]


def test_two_names_that_become_one_workflow_task_are_refused() -> None:
    assert refusal_of(**{"a.b": {}, "a-b": {}}) == [
        'spec: stacks.s.applications.a-b: "a-b" and "a.b" would become one workflow task, "app-a-b": rename one'
    ]


@pytest.mark.parametrize(
    "text",
    [
        ONE_STACK + "      x: {}\n      y: {}\n      x: {}\n",
        ONE_STACK + "      x: {}\n      y: {}\n" + '      "x": {}\n',
    ],
)
def test_duplicate_yaml_keys_are_refused(text: str) -> None:
    assert refusal(text).lines() == ["dag.yaml:7: stacks.s.applications.x: this key stands twice, first in line 5"]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("no: {}", "not the boolean false (YAML reads yes, no, on and off as booleans: use quotes)"),
        ("1:30: {}", "not the number 90 (YAML reads 1:30 as 90, too: use quotes for text)"),
        ("2026-01-31: {}", "not a date (YAML reads 2026-01-31 as a date: use quotes)"),
        ("x: {sync_timeout: 1:30}", "must be a duration such as 90s, 5m or 1h30m, not the number 90"),
        ("x: {sync_timeout: 90}", "must be a duration such as 90s, 5m or 1h30m, not the number 90"),
        ("x: {sync_timeout: 2026-01-31}", "must be a duration such as 90s, 5m or 1h30m, not a date"),
        ("x: {sync_timeout: no}", "must be a duration such as 90s, 5m or 1h30m, not the boolean false"),
        ("x: {sync_timeout: 0s}", 'must be a duration such as 90s, 5m or 1h30m, not "0s"'),
        ("x: {health_timeout: -5m}", 'must be a duration such as 90s, 5m or 1h30m, not "-5m"'),
        ("x: {health_timeout: 5 m}", 'must be a duration such as 90s, 5m or 1h30m, not "5 m"'),
        ("x: {health_timeout: ''}", 'must be a duration such as 90s, 5m or 1h30m, not ""'),
        ("x: {health_timeout: 9999999m}", 'must be a duration such as 90s, 5m or 1h30m, not "9999999m"'),
        ("x: {expected_duration: ٣m}", 'must be a duration such as 90s, 5m or 1h30m, not "\\u0663m"'),
        ("x: {depends_on: y}", 'must be a list of names, not "y"'),
        ("x: {depends_on: {y: z}}", "must be a list of names, not a mapping"),
        ("x: {depends_on: [no]}", "must be a name, not the boolean false"),
        ("x: {depends_on: [[y]]}", "must be a name, not a list"),
        ("x: {depends_on: [null]}", "must be a name, not nothing (null)"),
        ("x: {depends_on: [y, y]}", '"y" is named twice'),
        ("x: {depends_on: [s]}", '"s" is a stack: name its applications'),
        ("x: {depends_on: ['resource:']}", '"resource:" is no resource: write resource:<plural>'),
        ("x: {depends_on: ['resource:Pods']}", '"resource:Pods" is no resource'),
        ("x: {provides: [pods]}", '"pods" is no resource: write resource:<plural>'),
        ("x: {retries: 0}", "must be a number of attempts from 1 to 10, not the number 0"),
        ("x: {retries: 11}", "must be a number of attempts from 1 to 10, not the number 11"),
        ("x: {retries: yes}", "must be a number of attempts from 1 to 10, not the boolean true"),
        ("x: {retries: '3'}", 'must be a number of attempts from 1 to 10, not "3"'),
        ("x: {retries: {attempts: 3, backof: 1s}}", 'unknown key "backof", did you mean "backoff"?'),
        ("x: {retries: {backoff: 10}}", "must be a duration such as 90s, 5m or 1h30m, not the number 10"),
        ("x: {managed_by: ansible}", 'must be one of argocd, bootstrap, not "ansible"'),
        ("x: {managed_by: [argocd]}", "must be one of argocd, bootstrap, not a list"),
        ("x: {type: [simple]}", "must be the name of a type, not a list"),
        ("x: {application: A B}", 'must be the name of an Argo CD Application, not "A B"'),
        ("x: {application: null}", "must be the name of an Argo CD Application, not nothing (null)"),
        ("x: [y]", "an application is a mapping with the keys type, depends_on, provides,"),
        ("x: {1: y}", 'unknown key "1"'),
    ],
)
def test_wrong_values_in_an_application(written: str, said: str) -> None:
    error = refusal(ONE_STACK + f"      y: {{}}\n      {written}\n")
    assert len(error.problems) == 1
    assert said in error.text()
    assert error.problems[0].line == 6


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a graph is a mapping with the keys version, types, stacks, not nothing (null)"),
        ("[]", "a graph is a mapping with the keys version, types, stacks, not a list"),
        ("just text", 'a graph is a mapping with the keys version, types, stacks, not "just text"'),
        ("version: 1\nstacks: {}\n", "stacks: the graph is empty: add a stack with at least one application"),
        ("version: 1\n", "stacks: the graph is empty: add a stack with at least one application"),
        ("stacks: {s: {applications: {a: {}}}}", "version: missing: write 'version: 1'"),
        ("version: 2\nstacks: {s: {applications: {a: {}}}}", "this collection reads version 1, not the number 2"),
        (
            "version: true\nstacks: {s: {applications: {a: {}}}}",
            "this collection reads version 1, not the boolean true",
        ),
        ("version: 1\nstacks: [s]", "stacks: must map the name of a stack to its settings, not be a list"),
        ("version: 1\nstacks: {s: {}}", "stacks.s.applications: the stack has no applications"),
        ("version: 1\nstacks: {s: null}", "stacks.s: a stack is a mapping with the keys depends_on, applications"),
        ("version: 1\nstacks: {s: {applications: [a]}}", "must map the name of an application to its settings"),
        ("version: 1\nstacks: {S: {applications: {a: {}}}}", "the name of a stack must be lower-case letters"),
        (
            "version: 1\nstacks: {s: {depends_on: [storag], applications: {a: {}}}, storage: {applications: {b: {}}}}",
            'stacks.s.depends_on[0]: unknown stack "storag", did you mean "storage"?',
        ),
        (
            "version: 1\ntypes: {kafka: {sync_timeout: 5m}}\nstacks: {s: {applications: {a: {}}}}",
            "types.kafka: a new type needs health_timeout",
        ),
        (
            "version: 1\ntypes: {ceph: {sync_timout: 5m}}\nstacks: {s: {applications: {a: {}}}}",
            'types.ceph.sync_timout: unknown key "sync_timout", did you mean "sync_timeout"?',
        ),
        ("version: 1\nstack: {}\nstacks: {s: {applications: {a: {}}}}", 'unknown key "stack", did you mean "stacks"?'),
    ],
)
def test_wrong_values_above_the_applications(text: str, said: str) -> None:
    error = refusal(text)
    assert len(error.problems) == 1
    assert said in error.text()


@pytest.mark.parametrize(
    "name",
    [
        "a;rm -rf /",
        "$(id)",
        "{{workflow.parameters}}",
        "{{=sprig.env('HOME')}}",
        "{{ lookup('pipe','id') }}",
        "a --post-renderer=/x",
        "a b",
        "a\nb",
        "a\n",
        "../x",
        "a" * 64,
        "",
        "-a",
        "a-",
        "a..b",
        ".",
        "A",
        "a_b",
        "cеph",  # Cyrillic e
        "ceph\u202e",
        "ﬁ",
        "ö",
        "o\u0308",
        "😀",
        "a\0",
    ],
)
def test_names_that_are_no_names(name: str) -> None:
    lines = refusal_of(**{name: {}})
    assert len(lines) == 1
    assert "the name of an application must be lower-case letters, digits, '-' and '.'" in lines[0]
    assert lines[0].isascii()
    assert lines[0].isprintable()


def test_dangerous_names_in_other_places_are_refused_too() -> None:
    assert refusal_of(a={"depends_on": ["$(id)"]})[0].endswith('unknown dependency "$(id)"')
    assert "must be the name of an Argo CD Application" in refusal_of(a={"application": "a --x"})[0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: [1, 2", "not valid YAML: did not find expected"),
        ("a: b: c", "not valid YAML: mapping values are not allowed in this context"),
        ("a: !!python/object/apply:os.system [id]\n", "unknown key"),
        ("a: !!python/name:os.system x\n", "not valid YAML: could not determine a constructor"),
        ("a: *nobody\n", "unknown alias"),
        ("a: &a [*a]\n", "unknown alias"),
        ("version: 1\n---\nversion: 1\n", "a second YAML document starts; a graph is one document"),
        ("? [a]\n: b\n", "a mapping key must be a plain name"),
        ("? {a: b}\n: b\n", "a mapping key must be a plain name"),
        ("x: &x [a]\n*x : b\n", "a mapping key must be a plain name"),
        ("a: {<<: [b]}\n", "'<<' merges mappings only"),
        ("a: \x01\n", "not valid YAML"),
        ("a: 99999999-99-99\n", "unknown key"),
        ("a: 2026-99-99\n", "not valid YAML: month must be in 1..12"),
        ("[" * 2000 + "]" * 2000, "nested deeper than 32 levels"),
        ("{a: " * 2000 + "}" * 2000, "nested deeper than 32 levels"),
    ],
)
def test_broken_and_hostile_yaml(text: str, said: str) -> None:
    assert said in refusal(text).text()


def test_an_alias_bomb_is_refused_before_it_is_expanded() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 9)}]" for level in range(1, 10)]
    assert "values once its aliases are expanded" in refusal("\n".join(lines)).text()


def test_aliases_and_merge_keys_work() -> None:
    text = (
        "version: 1\nstacks:\n  s:\n    applications:\n"
        "      a: &slow {sync_timeout: 20m, health_timeout: 20m}\n"
        "      b: {<<: *slow, health_timeout: 1h}\n"
        "      c: *slow\n"
    )
    nodes = reader.read_graph(source.read_text(text, "dag.yaml")).nodes
    assert [(node.sync_timeout_seconds, node.health_timeout_seconds) for node in nodes.values()] == [
        (1200, 1200),
        (1200, 3600),
        (1200, 1200),
    ]


def test_an_earlier_merge_source_wins() -> None:
    text = "x: &x {a: 1, b: 1}\ny: &y {a: 2, b: 2, c: 2}\nz: {<<: [*x, *y], b: 3}\n"
    assert source.read_text(text, "f").data["z"] == {"a": 1, "b": 3, "c": 2}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "the file does not exist; name the graph's file, for instance dag.yaml"),
        ("folder", "this is a directory"),
        (b"\xff\xfe", "the file is not UTF-8 text (byte 0)"),
        (b"#" * (source.MAX_BYTES + 1), f"more than the {source.MAX_BYTES} that a graph may have"),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, content: t.Any, said: str) -> None:
    path = tmp_path / "dag.yaml"
    if content == "folder":
        path.mkdir()
    elif content is not None:
        path.write_bytes(content)
    with pytest.raises(DagError, match="dag.yaml") as caught:
        source.read_file(str(path))
    assert said in caught.value.text()


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        ({"scope": "stack:x"}, 'scope: unknown stack "x"'),
        ({"scope": "stack:ss"}, 'scope: unknown stack "ss", did you mean "s"?'),
        ({"scope": "app:metalb"}, 'scope: unknown application "metalb", did you mean "metallb"?'),
        ({"scope": "app:resource:nodes"}, 'scope: unknown application "resource:nodes"'),
        ({"scope": "metallb"}, 'scope: must be platform, stack:<name> or app:<name>, not "metallb"'),
        ({"scope": ""}, 'scope: must be platform, stack:<name> or app:<name>, not ""'),
        ({"strategy": "random"}, 'strategy: must be one of waves, dag, not "random"'),
        ({"action": "destroy"}, 'action: must be one of deploy, teardown, not "destroy"'),
    ],
)
def test_choices_that_name_nothing(choice: dict[str, str], said: str) -> None:
    graph = reader.read_graph(
        source.Source(
            "spec", {"version": 1, "stacks": {"s": {"applications": {"metallb": {"provides": ["resource:nodes"]}}}}}
        )
    )
    with pytest.raises(DagError) as caught:
        make_plan(graph, **choice)
    assert caught.value.text() == said


def test_stack_dependencies_that_multiply_beyond_reason_are_refused() -> None:
    many = {f"a{number}": {} for number in range(1500)}
    more = {f"b{number}": {} for number in range(1500)}
    spec = {"version": 1, "stacks": {"a": {"applications": many}, "b": {"depends_on": ["a"], "applications": more}}}
    with pytest.raises(DagError, match="makes 2250000 dependencies between applications, more than 2000000"):
        reader.read_graph(source.Source("spec", spec))


def test_thousands_of_problems_are_cut_to_the_first_ones() -> None:
    error = refusal(ONE_STACK + "".join(f"      x{number}: {{depends_on: [nobody]}}\n" for number in range(3000)))
    assert len(error.problems) == 3000
    assert error.text().count("\n") == MAX_SHOWN + 1
    assert error.text().endswith(f"... and {3000 - MAX_SHOWN} more")
