# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""What a workflow asks of the gate: the parameters of a plugin template, checked."""

from __future__ import annotations

import json
import re
import typing as t

from .removal_request import Removal, parse_recorded
from .resource_tree import Reference, parse_reference
from .wish import Wish

SYNC = "sync"
VERIFY = "verify"
RESOURCE = "resource"
BOOTSTRAP = "bootstrap"
TAKE_AUTHORITY = "take-authority"
RELEASE_AUTHORITY = "release-authority"
SURVEY = "survey"  # all nodes of a run at once, before it starts
REMOVE = "remove"
VACANT = "vacant"  # nothing of a kind is left, so what serves the kind may go
KEEP = "keep"  # part of the graph, and not the teardown's to remove
REFUSE = "refuse"  # a workflow that cannot go on says why in the same way as everything else

_TEXTS = ("application", "project", "namespace", "release", "reference", "message", "scope")
_is_name = re.compile(r"[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?", re.ASCII).fullmatch

_DEFAULTS = Wish("", "", "")

# Which parameters each action needs, and which it may have.
_NEEDED: dict[str, tuple[str, ...]] = {
    SYNC: ("application", "project"),
    VERIFY: ("application", "project"),
    RESOURCE: ("reference", "project"),
    BOOTSTRAP: ("namespace", "release"),
    TAKE_AUTHORITY: ("project",),
    RELEASE_AUTHORITY: ("project",),
    SURVEY: ("project", "scope"),
    REMOVE: ("application", "project"),
    VACANT: ("reference",),
    KEEP: ("message",),
    REFUSE: ("message",),
}
# Texts that are no Kubernetes names
_FREE_TEXTS = ("reference", "message", "scope")
_NUMBERS = {
    "sync_timeout_seconds": _DEFAULTS.sync_timeout,
    "health_timeout_seconds": _DEFAULTS.health_timeout,
    "settle_seconds": _DEFAULTS.settle,
    "grace_seconds": _DEFAULTS.grace,
    "attempts": _DEFAULTS.attempts,
    "backoff_seconds": _DEFAULTS.backoff,
    "delete_timeout_seconds": 300,
}
_RECORDS = ("resources", "claims", "volumes")
_KNOWN = {
    "do",
    "revision",
    "resolved",
    "nodes",
    "providers",
    "prune",
    "wait_for",
    *_RECORDS,
    *_NUMBERS,
    *(name for names in _NEEDED.values() for name in names),
}


class BadRequest(Exception):
    """The request cannot be carried out as it is written; the text says why."""


class Request(t.NamedTuple):
    do: str
    # Names the run, and the node in it
    run: str
    node: str
    wish: Wish
    reference: Reference | None = None
    providers: tuple[str, ...] = ()
    namespace: str = ""
    release: str = ""
    message: str = ""
    # What a survey looks at
    nodes: tuple[Request, ...] = ()
    removal: Removal | None = None


def parse_request(raw: t.Any, run: str) -> Request:
    """`run` is the workflow's uid, or whatever else names the run. Workflow parameters arrive as text."""
    if not isinstance(raw, dict):
        raise BadRequest("the request is no mapping")
    do = raw.get("do")
    if do not in _NEEDED:
        raise BadRequest(f"`do` must be one of {', '.join(_NEEDED)}, not {do!r}")
    unknown = sorted(set(raw) - _KNOWN)
    if unknown:
        raise BadRequest(f"unknown parameters of `{do}`: {', '.join(unknown)}")
    texts = {name: str(raw.get(name) or "") for name in _TEXTS}
    missing = [name for name in _NEEDED[do] if not texts[name]]
    if missing:
        raise BadRequest(f"`{do}` needs {', '.join(missing)}")
    bad = [name for name in _NEEDED[do] if name not in _FREE_TEXTS and not _is_name(texts[name])]
    if bad:
        raise BadRequest(f"{bad[0]} {texts[bad[0]]!r} is no Kubernetes name")
    reference = parse_reference(texts["reference"])
    if do in (RESOURCE, VACANT) and reference is None:
        raise BadRequest(
            f"{texts['reference']!r} is not of the form resource:<plural>[.<group>][/<namespace>][/<name>]"
        )
    node = texts["application"] or texts["reference"] or texts["release"] or do
    return Request(
        do,
        run,
        node,
        _wish(raw, texts, f"{run}/{node}", do == SYNC),
        reference,
        tuple(_names(raw.get("providers"))),
        texts["namespace"],
        texts["release"],
        texts["message"],
        tuple(_nodes(raw, run, texts)) if do == SURVEY else (),
        _removal(raw, texts) if do == REMOVE else None,
    )


def _nodes(raw: dict[str, t.Any], run: str, texts: dict[str, str]) -> t.Iterator[Request]:
    """The nodes of the scope. Each is a request of its own, with the scopes that it belongs to."""
    given = raw.get("nodes")
    try:
        listed = json.loads(given) if isinstance(given, str) else given
    except ValueError:
        listed = None
    if not isinstance(listed, list) or not all(isinstance(node, dict) and "scopes" in node for node in listed):
        raise BadRequest("`nodes` must be a list of requests, each with its `scopes`")
    common = {"project": texts["project"], "settle_seconds": raw.get("settle_seconds")}
    for node in listed:
        if texts["scope"] in node["scopes"]:
            yield parse_request({**common, **{key: node[key] for key in node if key != "scopes"}}, run)


def _removal(raw: dict[str, t.Any], texts: dict[str, str]) -> Removal:
    try:
        records = [parse_recorded(str(raw.get(name) or "")) for name in _RECORDS]
    except ValueError as error:
        raise BadRequest(str(error)) from None
    timeout = _number(raw, "delete_timeout_seconds", _NUMBERS["delete_timeout_seconds"])
    return Removal(texts["application"], texts["project"], timeout, *records)


def _wish(raw: dict[str, t.Any], texts: dict[str, str], run: str, sync: bool) -> Wish:
    numbers = {name: _number(raw, name, default) for name, default in _NUMBERS.items()}
    wait_for = raw.get("wait_for") or "healthy"
    if wait_for not in ("healthy", "synced"):
        raise BadRequest(f"wait_for must be healthy or synced, not {wait_for!r}")
    if numbers["attempts"] < 1:
        raise BadRequest("attempts must be at least 1")
    return Wish(
        application=texts["application"],
        project=texts["project"],
        run=run,
        revision=str(raw.get("revision") or ""),
        resolved=str(raw.get("resolved") or ""),
        sync_timeout=numbers["sync_timeout_seconds"],
        health_timeout=numbers["health_timeout_seconds"],
        settle=numbers["settle_seconds"] if sync else 0,
        grace=numbers["grace_seconds"],
        attempts=numbers["attempts"],
        backoff=numbers["backoff_seconds"],
        prune=str(raw.get("prune", True)).lower() not in ("false", "no", "0"),
        health=wait_for == "healthy",
        sync=sync,
    )


def _number(raw: dict[str, t.Any], name: str, default: int) -> int:
    value = raw.get(name)
    if value is None or value == "":
        return default
    text = str(value)
    if not (text.isascii() and text.isdigit()) or len(text) > 7:
        raise BadRequest(f"{name} must be a whole number of at most 7 digits, not {value!r}")
    return int(text)


def _names(value: t.Any) -> list[str]:
    """A list, or a comma-separated text: workflow parameters are text."""
    names = value.split(",") if isinstance(value, str) else list(value or [])
    names = [str(name).strip() for name in names if str(name).strip()]
    for name in names:
        if not _is_name(name):
            raise BadRequest(f"provider {name!r} is no Kubernetes name")
    return names
