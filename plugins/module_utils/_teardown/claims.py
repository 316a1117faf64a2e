# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Which volume claim belongs to which application, and what becomes of it. Pure."""

from __future__ import annotations

import re
import typing as t

from .seen import Object, Plan, Seen, application_names, namespaces_of, resources_of
from .settings import Settings

_INSTANCE_LABELS = ("argocd.argoproj.io/instance", "app.kubernetes.io/instance")


class Claim(t.NamedTuple):
    namespace: str
    name: str
    # Empty: no application of the plan is where it is.
    node: str
    policy: str
    # Empty while it is not bound
    volume: str
    reclaim: str
    size: str

    @property
    def path(self) -> str:
        return f"/api/v1/namespaces/{self.namespace}/persistentvolumeclaims/{self.name}"

    def text(self) -> str:
        volume = f"volume {self.volume}, {self.size}" if self.volume else "no volume"
        return f"PersistentVolumeClaim {self.namespace}/{self.name} ({volume})"


def claims_of(seen: Seen, plan: Plan, settings: Settings) -> list[Claim]:
    owners = _Owners(seen, plan)
    found = []
    for item in seen.claims:
        metadata, spec = item["metadata"], item.get("spec") or {}
        node = owners.node_of(item)
        if not node and plan["scope"] != "platform":
            continue  # somebody else's: a part of the platform does not touch it
        volume = seen.volumes.get(spec.get("volumeName") or "", {})
        volume_spec = volume.get("spec") or {}
        found.append(
            Claim(
                metadata["namespace"],
                metadata["name"],
                node,
                settings.policy(node),
                (volume.get("metadata") or {}).get("name") or "",
                volume_spec.get("persistentVolumeReclaimPolicy") or "",
                (volume_spec.get("capacity") or {}).get("storage") or "",
            )
        )
    return found


class _Owners:
    def __init__(self, seen: Seen, plan: Plan) -> None:
        nodes = application_names(plan)
        apps = {node: seen.applications[name] for name, node in nodes.items() if name in seen.applications}
        recorded = seen.recorded.get("nodes", {})
        self._by_label = {name: node for name, node in nodes.items() if node in apps or node in recorded}
        self._by_object = {
            (item["kind"], item.get("namespace") or "", item["name"]): node
            for node, app in apps.items()
            for item in resources_of(app)
        }
        self._by_record = {
            tuple(claim.split("/", 1)): node
            for node, entry in recorded.items()
            if node in plan["nodes"]
            for claim in entry.get("claims", [])
        }
        self._stateful_sets = seen.stateful_sets
        # The application of a namespace that is removed last: whoever uses a claim of nobody is gone by then.
        self._by_namespace = {
            namespace: node
            for node in plan["order"]
            for namespace in {
                *(namespaces_of(apps[node]) if node in apps else ()),
                *recorded.get(node, {}).get("namespaces", []),
            }
        }

    def node_of(self, claim: Object) -> str:
        metadata = claim["metadata"]
        namespace, name = metadata["namespace"], metadata["name"]
        labels = metadata.get("labels") or {}
        return (
            self._by_record.get((namespace, name))
            or self._by_object.get(("PersistentVolumeClaim", namespace, name))
            or self._of_owner(metadata)
            or self._of_stateful_set(namespace, name)
            or next((self._by_label[labels[key]] for key in _INSTANCE_LABELS if labels.get(key) in self._by_label), "")
            or self._by_namespace.get(namespace, "")
        )

    def _of_owner(self, metadata: Object) -> str:
        for owner in metadata.get("ownerReferences") or []:
            node = self._by_object.get((owner["kind"], metadata["namespace"], owner["name"]))
            if node:
                return node
        return ""

    def _of_stateful_set(self, namespace: str, name: str) -> str:
        """Its claims are called <template>-<set>-<number>, and belong to nobody by reference."""
        for item in self._stateful_sets:
            metadata = item["metadata"]
            templates = [one["metadata"]["name"] for one in item["spec"].get("volumeClaimTemplates") or []]
            names = "|".join(re.escape(template) for template in templates)
            pattern = rf"(?:{names})-{re.escape(metadata['name'])}-\d+"
            if templates and metadata["namespace"] == namespace and re.fullmatch(pattern, name):
                return self._by_object.get(("StatefulSet", namespace, metadata["name"])) or self._of_owner(metadata)
        return ""
