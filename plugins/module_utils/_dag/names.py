# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Which names are allowed, and what they become in a workflow."""

from __future__ import annotations

import re
import typing as t

NAME_FORM = "lower-case letters, digits, '-' and '.', at most 63 characters, starting and ending with a letter or digit"
RESOURCE_PREFIX = "resource:"
RESOURCE_FORM = "resource:<plural>[.<group>][/<namespace>][/<name>], for instance resource:cephclusters.ceph.rook.io"

_DNS_LABEL = r"[a-z0-9](?:[-a-z0-9]*[a-z0-9])?"
_DNS_SUBDOMAIN = rf"{_DNS_LABEL}(?:\.{_DNS_LABEL})*"

# fullmatch and not "$": the latter lets a trailing newline through.
is_subdomain = re.compile(_DNS_SUBDOMAIN, re.ASCII).fullmatch
_is_resource = re.compile(
    rf"resource:([a-z][a-z0-9]*)(?:\.({_DNS_SUBDOMAIN}))?((?:/{_DNS_SUBDOMAIN}){{0,2}})", re.ASCII
).fullmatch


class ResourceReference(t.NamedTuple):
    """A Kubernetes kind, or one object of it, that a node waits for."""

    plural: str
    group: str
    namespace: str
    name: str


def is_name(value: t.Any) -> bool:
    """A DNS-1123 subdomain that also fits into a label, where Argo CD may write it."""
    return isinstance(value, str) and len(value) <= 63 and is_subdomain(value) is not None


def is_application_name(value: t.Any) -> bool:
    """What Kubernetes takes as the name of an Argo CD Application."""
    return isinstance(value, str) and len(value) <= 253 and is_subdomain(value) is not None


def parse_resource(reference: str) -> ResourceReference | None:
    match = _is_resource(reference) if len(reference) <= 128 else None
    if match is None:
        return None
    plural, group, rest = match.groups()
    parts = rest.split("/")[1:]
    namespace, name = parts if len(parts) == 2 else ("", parts[0] if parts else "")
    return ResourceReference(plural, group or "", namespace, name)


def task_name(node_name: str) -> str:
    """The name of a node's task in the workflow, which knows neither '.' nor ':' nor '/'.

    The prefix keeps a task from starting with a digit and from being a word of the expression language ("all", "in").
    """
    if node_name.startswith(RESOURCE_PREFIX):
        return "resource-" + re.sub(r"[./]", "-", node_name[len(RESOURCE_PREFIX) :])
    return "app-" + node_name.replace(".", "-")
