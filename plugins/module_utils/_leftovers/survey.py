# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""What a removal of the primitives meets: what it would remove, what is in its way, what stays."""

from __future__ import annotations

import typing as t

from .._phase0.components import KINDS, SHARED_NAMESPACES
from .catalog import OWNER_LABEL, Catalog, Thing
from .namespaces import content
from .orphans import Ours

APPLICATIONS = ("applications.argoproj.io", "applicationsets.argoproj.io")
SEALING_KEY = "sealedsecrets.bitnami.com/sealed-secrets-key"


class Component(t.NamedTuple):
    """What one role of the bootstrap installed, in the order in which it is removed."""

    name: str
    namespace: str
    releases: tuple[str, ...]

    @property
    def definitions(self) -> tuple[str, ...]:
        return KINDS[self.name].crds if self.name in KINDS else ()


class Wanted(t.NamedTuple):
    components: t.Sequence[Component]
    # Of the platform's applications
    namespaces: t.Sequence[str] = ()
    definitions: t.Sequence[str] = ()

    def ours(self, catalog: Catalog) -> Ours:
        releases = {(one.namespace, release) for one in self.components for release in one.releases}
        marked = {one.name for one in catalog.things if one.kind == "Namespace" and OWNER_LABEL in one.labels}
        own = {one.namespace for one in self.components if one.namespace in marked}
        named = {name for one in self.components for name in one.definitions} | set(self.definitions)
        return Ours(frozenset(releases), frozenset(own), frozenset(own | set(self.namespaces)), frozenset(named))


def survey(catalog: Catalog, wanted: Wanted) -> dict[str, t.Any]:
    ours = wanted.ours(catalog)
    recorded = _releases(catalog)
    return {
        "components": [_component(one, catalog, ours, recorded) for one in wanted.components],
        "applications": [str(one) for one in catalog.things if _is_application(one) and not ours.made(one)],
        "unfinished_workflows": [
            str(one)
            for one in catalog.things
            if one.definition == "workflows.argoproj.io" and "workflows.argoproj.io/completed" not in one.labels
        ],
        "namespaces": _namespaces(catalog, ours),
        "definitions": _definitions(catalog, ours),
        "secrets": [_reference(one) for one in catalog.things if _is_delivered(one, ours)],
        "sealing_keys": [
            _reference(one) for one in catalog.things if one.kind == "Secret" and SEALING_KEY in one.labels
        ],
    }


def additional(catalog: Catalog, snapshot: t.Mapping[str, t.Any]) -> list[str]:
    """What the cluster has and phase 0's snapshot of it did not have."""
    now = {
        "namespaces": [one.name for one in catalog.things if one.kind == "Namespace"],
        "crds": [one.name for one in catalog.things if one.kind == "CustomResourceDefinition"],
        "storage_classes": [one.name for one in catalog.things if one.kind == "StorageClass"],
        "releases": ["/".join(one) for one in _releases(catalog)],
    }
    before = {
        **{key: set(snapshot.get(key) or ()) for key in ("namespaces", "crds", "storage_classes")},
        "releases": {entry.split(" ", 1)[0] for entry in snapshot.get("releases") or ()},
    }
    words = {"namespaces": "Namespace", "crds": "CustomResourceDefinition", "storage_classes": "StorageClass"}
    return [
        f"{words.get(key, 'Helm release')} {name}"
        for key, names in now.items()
        for name in sorted(names)
        if name not in before[key]
    ]


def _component(
    one: Component, catalog: Catalog, ours: Ours, recorded: t.Mapping[tuple[str, str], str]
) -> dict[str, t.Any]:
    """`objects` go before the controller does, `dependents` are others' and need it to go."""
    custom = [
        thing
        for thing in catalog.things
        if thing.definition in one.definitions and not ours.made(thing) and not _is_application(thing)
    ]
    inside = [thing for thing in custom if thing.namespace in ours.own_namespaces]
    present = [name for name in one.releases if (one.namespace, name) in recorded]
    foreign = [name for name in present if _is_foreign((one.namespace, name), catalog, ours)]
    return {
        "name": one.name,
        "namespace": one.namespace,
        "releases": [
            {"name": name, "namespace": one.namespace, "status": recorded[one.namespace, name]}
            for name in present
            if name not in foreign
        ],
        "foreign": [f"{one.namespace}/{name}" for name in foreign],
        "objects": [_reference(thing) for thing in inside if not thing.owned],
        "dependents": [str(thing) for thing in custom if thing not in inside and thing.finalizers],
    }


def _is_foreign(release: tuple[str, str], catalog: Catalog, ours: Ours) -> bool:
    """In a namespace that is not ours a release is known by the mark on what it made."""
    if release[0] in ours.own_namespaces:
        return False
    made = [one for one in catalog.things if one.release == release and one.kind == "Deployment"]
    return any(OWNER_LABEL not in one.labels for one in made)


def _releases(catalog: Catalog) -> dict[tuple[str, str], str]:
    """Helm's records say in their labels what they are of; the newest one has the release's status."""
    records = [one for one in catalog.things if one.kind == "Secret" and one.labels.get("owner") == "helm"]
    records.sort(key=lambda one: int(one.labels.get("version") or 0))
    return {(one.namespace, one.labels.get("name", "")): one.labels.get("status", "") for one in records}


def _namespaces(catalog: Catalog, ours: Ours) -> list[dict[str, t.Any]]:
    found = []
    for thing in catalog.things:
        if thing.kind != "Namespace" or thing.name not in ours.namespaces or thing.name in SHARED_NAMESPACES:
            continue
        inside = content(thing.name, catalog.things)
        found.append(
            {
                "name": thing.name,
                "of": "primitives" if thing.name in ours.own_namespaces else "platform",
                "claims": [str(one) for one in inside if one.kind in ("PersistentVolumeClaim", "VolumeSnapshot")],
                "content": [str(one) for one in inside],
            }
        )
    return found


def _definitions(catalog: Catalog, ours: Ours) -> list[dict[str, t.Any]]:
    """`used` are objects that would go with the definition and are not ours to remove."""
    found = []
    for thing in catalog.things:
        if thing.kind == "CustomResourceDefinition" and thing.name in ours.definitions:
            objects = [one for one in catalog.things if one.definition == thing.name and not ours.made(one)]
            found.append(
                {
                    "name": thing.name,
                    "foreign": ours.foreign_definition(thing),
                    "used": [str(one) for one in objects if one.namespace not in ours.own_namespaces],
                }
            )
    return found


def _is_application(thing: Thing) -> bool:
    return thing.definition in APPLICATIONS


def _is_delivered(thing: Thing, ours: Ours) -> bool:
    """A Secret that the role credentials brought into a namespace that stays."""
    return thing.kind == "Secret" and OWNER_LABEL in thing.labels and thing.namespace not in ours.own_namespaces


def _reference(thing: Thing) -> dict[str, t.Any]:
    """As kubernetes.core.k8s takes it."""
    where = {"namespace": thing.namespace} if thing.namespace else {}
    return {"apiVersion": thing.api_version, "kind": thing.kind, "metadata": {"name": thing.name, **where}}
