# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whatever stands in a report, its forms are well-formed and say nothing that the report does not."""

from __future__ import annotations

import html.parser
import re
import typing as t
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._report.junit import report_junit
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._report.model import OUTCOMES
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._report.page import report_html
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._report.text import report_text

# Surrogates too: a message may be cut in the middle of a character.
ANY = st.one_of(
    st.text(st.characters(codec=None), max_size=20),
    st.sampled_from(
        [
            "<script>alert(1)</script>",
            "</pre></svg>",
            '" onload="x',
            "{{ 7 * 7 }}",
            "]]>",
            "&amp;",
            "\x1b[2J",
            "\ud800",
        ]
    ),
)
MOMENT = st.one_of(ANY, st.sampled_from(["2026-11-16T08:00:00Z", "2026-11-16T08:05:00Z", "9999-12-31T23:59:59-14:00"]))
AMOUNT = st.one_of(st.none(), st.integers(), st.floats(), st.integers(0, 100))
NAMES = st.lists(st.one_of(ANY, st.sampled_from("abc")), max_size=3)


def some(**fields: st.SearchStrategy[t.Any]) -> st.SearchStrategy[dict[str, t.Any]]:
    """Any of the fields, or none."""
    return st.fixed_dictionaries({}, optional=fields)


RESOURCE = some(kind=ANY, namespace=ANY, name=ANY, status=ANY, message=ANY, events=st.lists(ANY, max_size=2))
NODE = some(
    name=st.one_of(ANY, st.sampled_from("abc")),
    stack=ANY,
    kind=ANY,
    wave=st.one_of(st.none(), st.integers()),
    needs=NAMES,
    state=st.one_of(ANY, st.sampled_from(["Healthy", "Failed", "Skipped", "Running", "Waiting", "Retained"])),
    started=MOMENT,
    finished=MOMENT,
    sync_seconds=AMOUNT,
    health_seconds=AMOUNT,
    attempts=st.one_of(st.none(), st.integers()),
    revision=ANY,
    message=ANY,
    resources=st.lists(RESOURCE, max_size=2),
    recommendation=ANY,
    because=NAMES,
    log=st.lists(ANY, max_size=2),
)


@st.composite
def reports(draw: st.DrawFn) -> dict[str, t.Any]:
    kind = draw(st.sampled_from(sorted(OUTCOMES)))
    fields = some(
        environment=ANY,
        cluster=ANY,
        scope=ANY,
        strategy=ANY,
        run=ANY,
        started=MOMENT,
        finished=MOMENT,
        seconds=AMOUNT,
        summary=st.lists(ANY, max_size=2),
        nodes=st.lists(NODE, max_size=5),
        stacks=st.lists(some(name=ANY, state=ANY), max_size=2),
        findings=st.lists(some(id=ANY, severity=ANY, where=ANY, found=ANY, wanted=ANY, fix=ANY), max_size=2),
        metrics=st.dictionaries(ANY, st.one_of(st.integers(), st.floats()), max_size=2),
        removed=st.lists(ANY, max_size=2),
        orphans=st.lists(st.dictionaries(ANY, ANY, max_size=2), max_size=2),
        next=st.lists(ANY, max_size=2),
    )
    return {"schema": 1, "kind": kind, "outcome": draw(st.sampled_from(OUTCOMES[kind])), **draw(fields)}


class Page(html.parser.HTMLParser):
    """Fails on a tag that is left open or closed twice, and remembers what could run or load something."""

    VOID: t.ClassVar = {"meta", "br"}

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: dict[str, int] = {}
        self.suspicious: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen[tag] = self.seen.get(tag, 0) + 1
        if tag not in self.VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name.startswith("on") or name in ("src", "style", "srcdoc", "action"):
                self.suspicious.append(f"{tag} {name}")
            if name == "href" and not re.fullmatch(r"#node-\d+", value or ""):
                self.suspicious.append(f"{tag} href={value}")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@given(reports())
def test_any_report_makes_a_well_formed_page_that_loads_and_runs_nothing_else(report: dict[str, t.Any]) -> None:
    text = report_html(report)
    text.encode()
    page = Page(text)
    assert page.open == []
    assert page.suspicious == []
    assert page.seen["script"] == page.seen["style"] == 1
    assert not {"img", "iframe", "link", "object", "embed", "form", "base"} & set(page.seen)


# What Jenkins' schema of JUnit reports (xunit-plugin, junit-10.xsd) lets stand where, as far as it is used here:
# the attributes that an element must have, those that it may have, and the elements inside it.
JUNIT = {
    "testsuites": (set(), {"name"}, {"testsuite"}),
    "testsuite": (
        {"name", "tests", "failures", "errors"},
        {"skipped", "time", "timestamp"},
        {"properties", "testcase"},
    ),
    "properties": (set(), set(), {"property"}),
    "property": ({"name", "value"}, set(), set()),
    "testcase": ({"name"}, {"classname", "time"}, {"failure", "skipped", "system-out"}),
    "failure": (set(), {"type", "message"}, set()),
    "skipped": (set(), {"message"}, set()),
    "system-out": (set(), set(), set()),
}


@given(reports())
def test_any_report_makes_xml_as_jenkins_wants_it(report: dict[str, t.Any]) -> None:
    root = ElementTree.fromstring(report_junit(report).encode())
    assert root.tag == "testsuites"
    assert len(root[0].findall("testcase")) == len(report.get("nodes", []))
    for element in root.iter():
        required, optional, inside = JUNIT[element.tag]
        assert required <= set(element.keys()) <= required | optional
        assert {child.tag for child in element} <= inside
        assert re.fullmatch(r"\d*(\.\d*)?", element.get("time", ""))


@given(reports())
def test_any_report_makes_text_without_control_characters(report: dict[str, t.Any]) -> None:
    text = report_text(report)
    text.encode()
    assert all(character in "\n\t" or character.isprintable() or ord(character) >= 0xA0 for character in text)
