# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""A report as one HTML page that needs nothing but itself: no network, no other file. Pure.

Messages come from the cluster and may hold anything. The template escapes every value, and the page's own policy lets
the browser run this one script and use this one style, whatever else might have got in.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import pathlib
import typing as t

from . import model
from .graph import BOX_HEIGHT, BOX_WIDTH, picture
from .moments import clock
from .timeline import timeline

_FOLDER = pathlib.Path(__file__).parent / "parts"
_SYMBOLS = {
    model.BAD: "✗",
    model.WARNING: "!",
    model.BUSY: "▶",
    model.SKIPPED: "–",
    model.IDLE: "…",
    model.KEPT: "⚑",
    model.GOOD: "✓",
}


def report_html(given: t.Any) -> str:
    """Raises ReportError."""
    report = model.complete(given)
    style, script = _part("style.css"), _part("behaviour.js")
    return _template().render(
        report=report,
        outcome_tone=model.outcome_tone(report),
        counts=model.counts(report),
        troubled=model.troubled(report),
        skipped=model.nodes_of(report, model.SKIPPED),
        numbers={node["name"]: number for number, node in enumerate(report["nodes"])},
        picture=picture(report["nodes"]),
        box={"width": BOX_WIDTH, "height": BOX_HEIGHT},
        timeline=timeline(report),
        style=style,
        script=script,
        policy=f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}",
    )


@functools.lru_cache(maxsize=1)
def _template() -> t.Any:
    # On the controller only, and Ansible itself is made with it.
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters.update(
        tone=model.tone,
        symbol=lambda how: _SYMBOLS[how],
        span=model.span,
        number=model.number,
        place=model.place,
        clock=clock,
        commands=_commands,
    )
    return environment.from_string(_part("page.html.j2"))


def _commands(text: str) -> t.Any:
    """Escaped, with what stands between backticks as code."""
    from markupsafe import Markup, escape

    parts = (
        f"<code>{escape(part)}</code>" if number % 2 else escape(part) for number, part in enumerate(text.split("`"))
    )
    return Markup("").join(Markup(part) for part in parts)


def _part(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """How a browser knows an inline part again. The template puts nothing between the tags but the part itself."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
