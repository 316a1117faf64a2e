# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""What is in a namespace, and what keeps one that is being deleted from going."""

from __future__ import annotations

import typing as t

from .catalog import Catalog, Thing

# What Kubernetes itself puts into every namespace
STANDARD = {("ServiceAccount", "default"), ("ConfigMap", "kube-root-ca.crt")}
# Conditions that the namespace controller sets while it cannot go on
COMPLAINTS = (
    "NamespaceDeletionDiscoveryFailure",
    "NamespaceDeletionGroupVersionParsingFailure",
    "NamespaceDeletionContentFailure",
    "NamespaceContentRemaining",
    "NamespaceFinalizersRemaining",
)


def content(namespace: str, things: t.Iterable[Thing]) -> list[Thing]:
    """What somebody has put there; what goes with another object is not named apart."""
    return [
        thing
        for thing in things
        if thing.namespace == namespace and not thing.owned and (thing.kind, thing.name) not in STANDARD
    ]


def holders(namespace: dict[str, t.Any], catalog: Catalog) -> list[dict[str, t.Any]]:
    """What holds a namespace: objects with their finalizers, else its own, else what does not answer."""
    name = namespace["metadata"]["name"]
    held = [
        _held(str(thing), thing.finalizers, way_out(thing))
        for thing in catalog.things
        if thing.namespace == name and thing.finalizers
    ]
    own = tuple(namespace["metadata"].get("finalizers") or ())
    if own:
        held.append(_held(f"Namespace {name}", own, "Ask who set it; the namespace goes when it is taken off."))
    if not held:
        held = [_held(text, (), _SERVE) for text in catalog.unanswered]
    return held or [_held(text, (), _WAIT) for text in complaints(namespace)]


_WAIT = "Wait, then run again: the namespace controller names what it still removes."
_SERVE = "Nobody answers for this API: start its server, or remove its APIService when it is gone for good."


def complaints(namespace: dict[str, t.Any]) -> list[str]:
    """What the namespace controller says by itself."""
    conditions = (namespace.get("status") or {}).get("conditions") or []
    order = [one for kind in COMPLAINTS for one in conditions if one["type"] == kind]
    return [one.get("message", one["type"]) for one in order if one.get("status") == "True"]


def _held(what: str, finalizers: tuple[str, ...], fix: str) -> dict[str, t.Any]:
    return {"object": what, "finalizers": list(finalizers), "fix": fix}


def way_out(thing: Thing) -> str:
    """For an object that is being deleted and does not go."""
    named = f"-e recover_api_version={thing.api_version} -e recover_kind={thing.kind}"
    named += f" -e recover_namespace={thing.namespace} -e recover_name={thing.name}"
    return (
        "Bring back the controller that answers for the finalizer. When it is gone for good: "
        f"ansible-playbook proficientnow.deploy_ops.recover_remove {named} "
        f"-e recover_finalizers={','.join(thing.finalizers)} -e deploy_ops_confirm=ENVIRONMENT"
    )
