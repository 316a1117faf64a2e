# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""What a removal left behind, each with the reason why it counts as left behind and what to do about it."""

from __future__ import annotations

import typing as t

from .._phase0.components import KINDS
from .catalog import OWNER_LABEL, Catalog, Contents, Thing
from .namespaces import way_out

Body = t.Mapping[str, t.Any]
# Helm marks what a chart templates, and nothing in its folder crds/.
TEMPLATED = frozenset(name for kind in KINDS.values() if kind.crds_templated for name in kind.crds)


class Orphan(t.NamedTuple):
    id: str
    what: str
    why: str
    fix: str
    severity: str = "info"
    # Something that a complete removal would not have left.
    counts: bool = False


class Ours(t.NamedTuple):
    """What belongs to the platform and its primitives."""

    releases: frozenset[tuple[str, str]]
    # Of the primitives, marked as ours
    own_namespaces: frozenset[str]
    # And those of the platform's applications
    namespaces: frozenset[str]
    definitions: frozenset[str]

    def made(self, thing: Thing) -> bool:
        return thing.release in self.releases or OWNER_LABEL in thing.labels

    def foreign_definition(self, thing: Thing) -> str:
        """Whose a CustomResourceDefinition of a kind of ours is; empty when it is ours."""
        if thing.release == ("", ""):
            return "no Helm release" if thing.name in TEMPLATED else ""
        return "" if thing.release in self.releases else f"the Helm release {'/'.join(thing.release)}"


def orphans(catalog: Catalog, contents: Contents, ours: Ours) -> list[Orphan]:
    return [
        *_of_ours(catalog, ours),
        *_definitions(catalog, ours),
        *_volumes(catalog, contents.volumes),
        *_services(contents, ours),
        *_webhooks(contents),
        *_namespaces(catalog, ours),
    ]


def _of_ours(catalog: Catalog, ours: Ours) -> t.Iterator[Orphan]:
    """Outside of our namespaces; CustomResourceDefinitions and namespaces have rules of their own."""
    for thing in catalog.things:
        apart = thing.kind in ("CustomResourceDefinition", "Namespace") or thing.namespace in ours.own_namespaces
        if ours.made(thing) and not thing.owned and not apart:
            yield _left(thing)


def _left(thing: Thing) -> Orphan:
    if thing.deleting and thing.finalizers:
        why, fix = f"is being deleted, held by {', '.join(thing.finalizers)}", way_out(thing)
    else:
        kind = f"{thing.plural}.{thing.group}" if thing.group else thing.plural
        namespace = f"--namespace={thing.namespace} " if thing.namespace else ""
        why, fix = "made by the bootstrap, and not removed", f"Run: kubectl delete {kind} {namespace}{thing.name}"
    return Orphan("orphan.object", str(thing), why, fix, "warning", True)


def _definitions(catalog: Catalog, ours: Ours) -> t.Iterator[Orphan]:
    for thing in catalog.things:
        known = thing.kind == "CustomResourceDefinition" and thing.name in ours.definitions
        if known and not ours.foreign_definition(thing):
            objects = [str(one) for one in catalog.things if one.definition == thing.name]
            count = f"{len(objects)} objects: {', '.join(objects[:3])}" if objects else "no objects"
            yield Orphan(
                "orphan.definition",
                str(thing),
                f"its controller is gone; {count}",
                "Keep it for a later bootstrap, or remove it together with all others that have no objects: "
                "-e deploy_ops_crds=remove",
            )


def _volumes(catalog: Catalog, volumes: t.Sequence[Body]) -> t.Iterator[Orphan]:
    claims = {(one.namespace, one.name) for one in catalog.things if one.kind == "PersistentVolumeClaim"}
    for volume in volumes:
        claim = volume["spec"].get("claimRef") or {}
        name = volume["metadata"]["name"]
        if claim and (claim.get("namespace"), claim.get("name")) not in claims:
            yield Orphan(
                "orphan.volume",
                f"PersistentVolume {name}",
                f"its claim {claim.get('namespace')}/{claim.get('name')} is gone",
                f"To use its data again, create that claim with spec.volumeName {name} after taking uid and "
                f"resourceVersion off spec.claimRef of the volume. To give the data up: "
                f"kubectl delete persistentvolume {name}, and remove what it stood for in the storage system.",
            )


def _services(contents: Contents, ours: Ours) -> t.Iterator[Orphan]:
    served = set()
    for entry in contents.slices:
        ready = [one for one in entry.get("endpoints") or [] if (one.get("conditions") or {}).get("ready", True)]
        if ready:
            labels = entry["metadata"].get("labels") or {}
            served.add((entry["metadata"]["namespace"], labels.get("kubernetes.io/service-name")))
    for service in contents.services:
        metadata = service["metadata"]
        where = (metadata["namespace"], metadata["name"])
        if metadata["namespace"] in ours.namespaces and service["spec"].get("selector") and where not in served:
            yield Orphan(
                "orphan.service",
                f"Service {'/'.join(where)}",
                "no pod answers for it",
                f"Run: kubectl delete service --namespace={where[0]} {where[1]}",
                "warning",
            )


def _webhooks(contents: Contents) -> t.Iterator[Orphan]:
    """One whose service is gone makes the API server refuse, or ignore, whatever it was to judge."""
    existing = {(one["metadata"]["namespace"], one["metadata"]["name"]) for one in contents.services}
    for body in contents.webhooks:
        configs = [(webhook.get("clientConfig") or {}).get("service") for webhook in body.get("webhooks") or []]
        yield from _unserved(body, configs, existing)
    for body in contents.api_services:
        yield from _unserved(body, [body["spec"].get("service")], existing)


def _unserved(body: Body, configs: t.Sequence[Body | None], existing: set[tuple[str, str]]) -> t.Iterator[Orphan]:
    wanted = {(one["namespace"], one["name"]) for one in configs if one}
    gone = sorted("/".join(one) for one in wanted - existing)
    if gone:
        kind, name = body["kind"], body["metadata"]["name"]
        yield Orphan(
            "orphan.webhook",
            f"{kind} {name}",
            f"its service {', '.join(gone)} is gone: the API server asks it in vain",
            f"Run: kubectl delete {kind.lower()} {name}",
            "blocking",
        )


def _namespaces(catalog: Catalog, ours: Ours) -> t.Iterator[Orphan]:
    for thing in catalog.things:
        if thing.kind == "Namespace" and thing.deleting:
            held = [one for one in catalog.things if one.namespace == thing.name and one.finalizers]
            why = ", ".join(f"{one} by {', '.join(one.finalizers)}" for one in held[:3])
            yield Orphan(
                "orphan.namespace",
                str(thing),
                f"is being deleted and does not go{f', held by {why}' if why else ''}",
                f"kubectl get namespace {thing.name} -o jsonpath='{{.status.conditions}}' names what has to go first",
                "blocking",
                thing.name in ours.namespaces,
            )
