# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The page of a report in a real browser: what a person sees, with mouse, keyboard, a telephone, in the dark."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from chromium import Browser

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._report.page import report_html
from ansible_collections.proficientnow.deploy_ops.tests.unit.plugins.module_utils.report_samples import node, partial


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("profile")) as started:
        yield started


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "deploy.html"
    path.write_text(report_html(partial()), encoding="utf-8")
    return path


def requests(browser: Browser) -> list[str]:
    sent = [event["params"] for event in browser.events if event["method"] == "Network.requestWillBeSent"]
    return [params["request"]["url"] for params in sent]


def complaints(browser: Browser) -> list[Any]:
    """Whatever the browser writes to its console: errors of the script, what the page's policy forbids."""
    wanted = ("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled")
    return [event["params"] for event in browser.events if event["method"] in wanted]


def texts(browser: Browser, selector: str) -> list[str]:
    return browser.js(f"[...document.querySelectorAll({selector!r})].map(e => e.textContent.trim())")


def test_a_newcomer_sees_first_what_failed_why_and_what_to_do(browser: Browser, page: Path) -> None:
    browser.open(page)
    assert texts(browser, "#outcome") == ["Partial"]
    (failure,) = texts(browser, "#failures article")
    for part in ("vault", "Progressing for 1 min", "StatefulSet base/vault", "FailedMount", "look at StatefulSet"):
        assert part in failure
    assert browser.js("document.querySelector('#failures').getBoundingClientRect().top") < 400
    assert texts(browser, "#next") == ["ansible-playbook proficientnow.deploy_ops.deploy"]
    assert texts(browser, "#skipped tbody td") == ["portal", "base", "vault"]
    above = "document.querySelector('#failures').compareDocumentPosition(document.querySelector('#nodes'))"
    assert browser.js(above) == 4, "the failures stand before the table of all nodes"


def test_the_page_loads_nothing_and_nothing_is_refused(browser: Browser, page: Path) -> None:
    browser.open(page)
    assert requests(browser) == [page.resolve().as_uri()]
    assert complaints(browser) == []
    assert browser.js("getComputedStyle(document.querySelector('#outcome')).borderRadius") == "6px", "its style is used"


def test_what_stands_in_a_message_is_text(browser: Browser, tmp_path: Path) -> None:
    attack = "<img src=x onerror=document.title='owned'><script>document.title='owned'</script>"
    path = tmp_path / "attack.html"
    path.write_text(report_html({**partial(), "summary": [attack], "environment": attack}), encoding="utf-8")
    browser.open(path)
    assert browser.js("document.title") != "owned"
    assert texts(browser, "#summary li") == [attack]
    assert browser.js("document.images.length") == 0


def test_pointing_at_a_node_shows_its_chain(browser: Browser, tmp_path: Path) -> None:
    nodes = [node("a", wave=0), node("b", wave=1, needs=["a"]), node("c", wave=2, needs=["b"]), node("other", wave=0)]
    path = tmp_path / "graph.html"
    path.write_text(report_html({**partial(), "nodes": nodes}), encoding="utf-8")
    browser.open(path)
    browser.js("document.querySelector('.graph').scrollIntoView()")
    second = "document.querySelectorAll('.box')[1].getBoundingClientRect()"
    spot = browser.js(f"(({{x, y}}) => ({{x: x + 30, y: y + 10}}))({second})")
    browser.call("Input.dispatchMouseEvent", type="mouseMoved", **spot)
    near = ".graph.chosen .box.near text:not(.sign)"
    assert texts(browser, near) == ["a", "b", "c"]
    assert len(texts(browser, ".graph.chosen .line.near")) == 2
    browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=1, y=1)
    assert texts(browser, near) == []


def test_the_failure_is_in_view_however_wide_the_graph_is(browser: Browser, tmp_path: Path) -> None:
    nodes = [node(f"n{number}", "Failed" if number == 20 else "Healthy", wave=number) for number in range(30)]
    path = tmp_path / "wide.html"
    path.write_text(report_html({**partial(), "nodes": nodes}), encoding="utf-8")
    browser.open(path, width=800)
    assert 0 < browser.js("document.querySelector('.box.bad').getBoundingClientRect().x") < 700


def test_everything_can_be_reached_with_the_keyboard(browser: Browser, page: Path) -> None:
    browser.open(page)
    reached = []
    for _press in range(40):
        for kind in ("rawKeyDown", "keyUp"):
            browser.call("Input.dispatchKeyEvent", type=kind, key="Tab", windowsVirtualKeyCode=9)
        reached.append(browser.js("document.activeElement.dataset.node ?? document.activeElement.className"))
    assert {"0", "1", "2"} <= set(reached), "the nodes of the graph"
    assert "scroll" in reached, "what may be too wide can be scrolled"


@pytest.mark.parametrize("width", [360, 800, 1600])
def test_the_page_fits_a_telephone_as_well(browser: Browser, page: Path, width: int) -> None:
    browser.open(page, width=width)
    assert browser.js("document.documentElement.scrollWidth") <= width


def test_it_is_readable_in_the_dark(browser: Browser, page: Path) -> None:
    lightness = "(text => text.match(/\\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0))"
    ground, ink = "getComputedStyle(document.body).backgroundColor", "getComputedStyle(document.body).color"
    browser.open(page, scheme="dark")
    assert browser.js(f"{lightness}({ground})") < 150
    assert browser.js(f"{lightness}({ink})") > 600
    browser.open(page, scheme="light")
    assert browser.js(f"{lightness}({ground})") > 700


def test_a_link_in_the_graph_leads_to_the_node(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.js("document.querySelectorAll('.box')[1].dispatchEvent(new MouseEvent('click', {bubbles: true}))")
    assert browser.js("location.hash") == "#node-1"
    assert "vault" in browser.js("document.querySelector(':target').textContent")
