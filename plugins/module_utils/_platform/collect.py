# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Reads what there is to know about a platform.

GET requests only, and never a refresh: that would write an annotation.
"""

from __future__ import annotations

import functools
import typing as t

from .._gate.resource_tree import parse_reference
from .._kube.api import KubeApi, KubeError
from .._phase0.check import Unknown
from .argocd_reader import ArgocdReader
from .facts import Body, Facts, Place, Rules, Settings, destination_of, name_of
from .health import HEALTHY, judge_application

RUN_LABEL = "deploy-ops.proficientnow.com/run"
_ARGO = "/apis/argoproj.io/v1alpha1/namespaces"
_DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
_WORKLOADS = {"Deployment": "deployments", "StatefulSet": "statefulsets", "DaemonSet": "daemonsets"}

Answer = t.TypeVar("Answer")


Plan = t.Mapping[str, t.Any]


def collect(api: KubeApi, settings: Settings, platform: Plan, plan: Plan) -> Facts:
    """`platform`: the plan of the whole graph; `plan`: that of the scope, which alone is looked into.

    Raises KubeError when there is nothing to judge: no cluster, no right to read Applications, no Argo CD.
    """
    applications = _applications(api, settings.argocd_namespace)
    existing = {name_of(body): body for body in applications}
    asked = [name for name in _names(plan) if name in existing]
    unwell = [name for name in asked if judge_application(existing[name], None, settings.now).state != HEALTHY]
    references = [name for name in [*platform["nodes"], *platform["requires"]] if name.startswith("resource:")]
    reader = ArgocdReader(api, settings)
    return Facts(
        applications=applications,
        components={name: _or_unknown(_workloads(api, place)) for name, place in settings.components.items()},
        runs=_or_unknown(lambda: _runs(api, settings.workflows_namespace)),
        resources={name: _or_unknown(_resource(api, name)) for name in references},
        details=reader.applications(unwell),
        events=_events(api, [existing[name] for name in unwell]),
        rules=_rules(api, settings, reader, asked) if settings.compliance else None,
    )


def _names(plan: Plan) -> list[str]:
    """The Applications of a plan."""
    nodes = [plan["nodes"][name] for name in plan["order"]]
    return [node["application"] for node in nodes if node["kind"] == "application" and node["managed_by"] == "argocd"]


def _rules(api: KubeApi, settings: Settings, reader: ArgocdReader, asked: t.Sequence[str]) -> Rules:
    projects = api.items(f"{_ARGO}/{settings.argocd_namespace}/appprojects")
    return Rules(
        projects={name_of(body): body for body in projects},
        argocd=_or_unknown(lambda: _argocd_settings(api, settings.argocd_namespace)),
        definitions=_or_unknown(lambda: frozenset(name_of(body) for body in api.metadata_items(_DEFINITIONS))),
        tokens=_or_unknown(lambda: _token_metadata(api, settings)),
        manifests=reader.manifests(asked),
    )


def _applications(api: KubeApi, namespace: str) -> list[Body]:
    found = api.get(f"{_ARGO}/{namespace}/applications")
    if found is None:
        raise KubeError("the cluster knows no Applications: Argo CD is not installed. Run site.yml, or bootstrap.yml")
    return found.get("items") or []


def _or_unknown(ask: t.Callable[[], Answer]) -> Answer | Unknown:
    """A right that is missing here does not keep the rest from being told."""
    try:
        return ask()
    except KubeError as error:
        return Unknown(str(error))


def _argocd_settings(api: KubeApi, namespace: str) -> dict[str, str]:
    found = api.get(f"/api/v1/namespaces/{namespace}/configmaps/argocd-cm")
    if found is None:
        raise KubeError(f"there is no ConfigMap argocd-cm in namespace {namespace}")
    return found.get("data") or {}


def _workloads(api: KubeApi, place: Place) -> t.Callable[[], list[Body]]:
    def read() -> list[Body]:
        selector = {"labelSelector": f"app.kubernetes.io/instance={place.release}"}
        return [
            {**body, "kind": kind}  # a list does not repeat the kind of its items
            for kind, plural in _WORKLOADS.items()
            for body in api.items(f"/apis/apps/v1/namespaces/{place.namespace}/{plural}", **selector)
        ]

    return read


def _token_metadata(api: KubeApi, settings: Settings) -> dict[str, Body | None]:
    """Without the tokens: when they expire is written beside them."""
    found = api.metadata_items(f"/api/v1/namespaces/{settings.workflows_namespace}/secrets")
    named = {name_of(body): body for body in found}
    return {secret: named.get(secret) for secret in settings.tokens.values()}


def _runs(api: KubeApi, namespace: str) -> list[Body]:
    return api.metadata_items(f"{_ARGO}/{namespace}/workflows", labelSelector=RUN_LABEL)


def _resource(api: KubeApi, text: str) -> t.Callable[[], Body | None]:
    def read() -> Body | None:
        reference = parse_reference(text)
        if reference is None:
            raise KubeError(f"{text} is no reference to a resource")
        if not reference.name:
            return api.get(f"{_DEFINITIONS}/{reference.definition}")
        base = "/api/v1"
        if reference.group:
            group = api.get(f"/apis/{reference.group}")
            if group is None:
                return None
            base = f"/apis/{group['preferredVersion']['groupVersion']}"
        place = f"/namespaces/{reference.namespace}" if reference.namespace else ""
        return api.get(f"{base}{place}/{reference.plural}/{reference.name}")

    return read


def _events(api: KubeApi, applications: t.Iterable[Body]) -> dict[str, list[Body]]:
    """Warnings where something is not Healthy. They explain; without them the report is as true."""
    namespaces = {destination_of(body) for body in applications}
    found = {}
    for namespace in sorted(one for one in namespaces if one):
        path = f"/api/v1/namespaces/{namespace}/events"
        items = _or_unknown(functools.partial(api.items, path, fieldSelector="type=Warning"))
        if not isinstance(items, Unknown):
            found[namespace] = sorted(items, key=lambda body: str(body.get("lastTimestamp") or ""))
    return found
