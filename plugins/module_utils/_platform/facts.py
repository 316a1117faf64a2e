# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""What was read of a platform, before anybody judges it, and what the judges are told beside it."""

from __future__ import annotations

import typing as t

from .._gate.moments import Moment
from .._phase0.check import Unknown

Body = dict[str, t.Any]

PINNED = "pinned"
LOCKED = "locked"
SELF_HEAL = "self_heal"
STEADY_STATES = (PINNED, LOCKED, SELF_HEAL)


class Place(t.NamedTuple):
    """A Helm release that the bootstrap installed."""

    namespace: str
    release: str


class Settings(t.NamedTuple):
    project: str
    argocd_namespace: str
    workflows_namespace: str
    steady_state: str
    components: dict[str, Place]
    # Account of Argo CD -> Secret with its token
    tokens: dict[str, str]
    # A token that expires sooner is reported.
    token_warn_seconds: int
    # "group/Kind", for which existence is readiness enough
    kinds_without_health: tuple[str, ...]
    # Whether more than health is asked for
    compliance: bool
    now: Moment

    @property
    def root(self) -> str:
        return f"{self.project}-root"


class Rules(t.NamedTuple):
    """What compliance is judged by. Where an answer could not be had, Unknown says why."""

    projects: dict[str, Body]
    # argocd-cm
    argocd: dict[str, str] | Unknown
    # Names of all CustomResourceDefinitions
    definitions: frozenset[str] | Unknown
    # Secret -> its metadata, None when there is none
    tokens: dict[str, Body | None] | Unknown
    # Application -> what Argo CD renders for it
    manifests: dict[str, list[Body] | Unknown]


class Facts(t.NamedTuple):
    applications: list[Body]
    # Component of the bootstrap -> its workloads
    components: dict[str, list[Body] | Unknown]
    # Metadata of our Workflows
    runs: list[Body] | Unknown
    # Node of the graph -> its object, None when there is none
    resources: dict[str, Body | Unknown | None]
    # Application that is not Healthy -> what Argo CD's API says of it, with the health of each resource
    details: dict[str, Body | Unknown]
    # Namespace -> its Warning events, the latest last
    events: dict[str, list[Body]]
    # None when only health is asked for
    rules: Rules | None

    def named(self) -> dict[str, Body]:
        return {name_of(one): one for one in self.applications}


def part(body: t.Any, key: str) -> Body:
    """A mapping inside of another; empty where something else stands, as in a manifest that nobody has checked."""
    found = body.get(key) if isinstance(body, dict) else None
    return found if isinstance(found, dict) else {}


def name_of(body: Body) -> str:
    return str(part(body, "metadata").get("name") or "")


def namespace_of(body: Body) -> str:
    return str(part(body, "metadata").get("namespace") or "")


def annotations_of(body: Body) -> Body:
    return part(part(body, "metadata"), "annotations")


def spec_of(body: Body) -> Body:
    return part(body, "spec")


def destination_of(application: Body) -> str:
    """The namespace that it deploys into."""
    return str(part(spec_of(application), "destination").get("namespace") or "")


def project_of(application: Body) -> str:
    return str(spec_of(application).get("project") or "default")


def is_automated(application: Body) -> bool:
    """Present and not switched off: since Argo CD 3.0 `enabled: false` may stand beside the rest."""
    automated = part(spec_of(application), "syncPolicy").get("automated")
    return isinstance(automated, dict) and automated.get("enabled") is not False
