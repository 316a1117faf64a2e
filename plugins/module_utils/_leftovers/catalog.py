# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Everything that a cluster holds, by name: what a removal has to look at, whatever kinds operators have added."""

from __future__ import annotations

import typing as t

from .._kube.api import KubeApi, KubeError

OWNER_LABEL = "deploy-ops.proficientnow.com/owner"
RELEASE = "meta.helm.sh/release-name"
RELEASE_NAMESPACE = "meta.helm.sh/release-namespace"

# Many, short-lived, and nobody's loss.
SKIPPED = {("", "events"), ("events.k8s.io", "events"), ("metrics.k8s.io", "pods"), ("metrics.k8s.io", "nodes")}


class Thing(t.NamedTuple):
    """One object, without its content."""

    group: str
    version: str
    plural: str
    kind: str
    namespace: str
    name: str
    labels: t.Mapping[str, str] = {}
    annotations: t.Mapping[str, str] = {}
    finalizers: tuple[str, ...] = ()
    deleting: bool = False
    # It goes when another object goes.
    owned: bool = False

    @property
    def definition(self) -> str:
        """The CustomResourceDefinition that it would be of."""
        return f"{self.plural}.{self.group}"

    @property
    def release(self) -> tuple[str, str]:
        """(namespace, name) of the Helm release that it belongs to."""
        return self.annotations.get(RELEASE_NAMESPACE, ""), self.annotations.get(RELEASE, "")

    @property
    def api_version(self) -> str:
        return f"{self.group}/{self.version}" if self.group else self.version

    def __str__(self) -> str:
        return f"{self.kind} {self.namespace}/{self.name}" if self.namespace else f"{self.kind} {self.name}"


class Resource(t.NamedTuple):
    group: str
    version: str
    plural: str
    kind: str

    @property
    def path(self) -> str:
        return (
            f"/apis/{self.group}/{self.version}/{self.plural}" if self.group else f"/api/{self.version}/{self.plural}"
        )


class Contents(t.NamedTuple):
    """The few kinds of which more than the name decides."""

    volumes: t.Sequence[t.Mapping[str, t.Any]]
    services: t.Sequence[t.Mapping[str, t.Any]]
    slices: t.Sequence[t.Mapping[str, t.Any]]
    webhooks: t.Sequence[t.Mapping[str, t.Any]]
    api_services: t.Sequence[t.Mapping[str, t.Any]]


class Catalog(t.NamedTuple):
    things: list[Thing]
    # API groups that nobody answers for: what they hold cannot be seen, and keeps namespaces from going.
    unanswered: list[str]


def read(api: KubeApi) -> Catalog:
    resources, unanswered = _resources(api)
    things = []
    for resource in resources:
        try:
            things += [_thing(resource, body) for body in api.metadata_items(resource.path)]
        except KubeError as error:
            unanswered.append(f"{resource.plural}.{resource.group}: {error}")
    return Catalog(things, unanswered)


def _resources(api: KubeApi) -> tuple[list[Resource], list[str]]:
    """Everything that can be listed, once: in the version that its group prefers."""
    versions = [("", "v1", "/api/v1")]
    for group in (api.get("/apis") or {}).get("groups") or []:
        version = group["preferredVersion"]["version"]
        versions.append((group["name"], version, f"/apis/{group['name']}/{version}"))
    found, unanswered = [], []
    for group_name, version, path in versions:
        try:
            served = (api.get(path) or {}).get("resources") or []
        except KubeError as error:
            unanswered.append(f"{group_name}: {error}")
            continue
        found += [
            Resource(group_name, version, entry["name"], entry["kind"])
            for entry in served
            if "list" in entry["verbs"] and "/" not in entry["name"] and (group_name, entry["name"]) not in SKIPPED
        ]
    return found, unanswered


def _thing(resource: Resource, body: dict[str, t.Any]) -> Thing:
    metadata = body["metadata"]
    return Thing(
        *resource,
        namespace=metadata.get("namespace") or "",
        name=metadata["name"],
        labels=metadata.get("labels") or {},
        annotations=metadata.get("annotations") or {},
        finalizers=tuple(metadata.get("finalizers") or ()),
        deleting="deletionTimestamp" in metadata,
        owned=bool(metadata.get("ownerReferences")),
    )


def read_contents(api: KubeApi) -> Contents:
    """Lists leave the kind of their items out."""
    admission = "/apis/admissionregistration.k8s.io/v1"
    webhooks = [
        dict(body, kind=kind)
        for kind in ("ValidatingWebhookConfiguration", "MutatingWebhookConfiguration")
        for body in api.items(f"{admission}/{kind.lower()}s")
    ]
    services = "/apis/apiregistration.k8s.io/v1/apiservices"
    return Contents(
        volumes=api.items("/api/v1/persistentvolumes"),
        services=api.items("/api/v1/services"),
        slices=api.items("/apis/discovery.k8s.io/v1/endpointslices"),
        webhooks=webhooks,
        api_services=[dict(body, kind="APIService") for body in api.items(services)],
    )
