# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One look at a release and its surroundings, and the waits that are made of such looks."""

from __future__ import annotations

import time
import typing as t

from .._kube.api import KubeApi
from .evidence import evidence
from .objects import counts, live_objects, manifest_objects, shortfalls
from .processes import helm_processes
from .readiness import CHECKED_KINDS, services_without_endpoint, why_not_ready
from .release import Release, read_release

# API versions of the kinds that may be required and have no namespace
CLUSTER_WIDE = {"CustomResourceDefinition": "apiextensions.k8s.io/v1"}
# Seconds between two looks at the local processes, which cost nothing
PROCESS_PAUSE = 0.2


class Observer:
    """Looks at one release; every method is a fresh read."""

    def __init__(self, api: KubeApi, namespace: str, name: str) -> None:
        self.api = api
        self.namespace = namespace
        self.name = name

    def release(self) -> Release | None:
        return read_release(self.api, self.namespace, self.name)

    def surroundings(self) -> dict[str, t.Any]:
        """The namespace and the nodes, as far as an installation depends on them."""
        namespace = self.api.get(f"/api/v1/namespaces/{self.namespace}")
        return {
            "namespace": {
                "exists": namespace is not None,
                "terminating": bool(namespace and namespace["metadata"].get("deletionTimestamp")),
                "labels": (namespace or {}).get("metadata", {}).get("labels") or {},
                "creatable": namespace is not None or self._may_create_namespace(),
            },
            "schedulable_nodes": sum(_schedulable(node) for node in self.api.items("/api/v1/nodes")),
        }

    def objects(self, release: Release, minimum: dict[str, int], kinds: t.Iterable[str]) -> dict[str, t.Any]:
        """What exists of the release, what is missing, and what is not ready."""
        refs = manifest_objects(release.manifest, self.namespace)
        live = live_objects(self.api, refs, CHECKED_KINDS)
        bodies = {ref: dict(body, kind=ref.kind) for ref, body in live.items() if body is not None}
        unready = [f"{ref}: {reason}" for ref, body in bodies.items() for reason in [why_not_ready(body)] if reason]
        services = [body for ref, body in bodies.items() if ref.kind == "Service" and ref.namespace == self.namespace]
        if services:
            slices = self.api.items(f"/apis/discovery.k8s.io/v1/namespaces/{self.namespace}/endpointslices")
            unready += [f"Service {name}: no ready endpoint" for name in services_without_endpoint(services, slices)]
        return {
            "counts": counts(bodies),
            "shortfalls": shortfalls(self.api, live, minimum, kinds),
            "unready": unready,
        }

    def missing(self, requirements: t.Iterable[dict[str, str]]) -> list[str]:
        """Objects that must be there before anything is installed."""
        found = []
        for need in requirements:
            cluster_wide = need["kind"] in CLUSTER_WIDE
            namespace = "" if cluster_wide else need.get("namespace") or self.namespace
            path = self.api.path_of(CLUSTER_WIDE.get(need["kind"], "v1"), need["kind"], namespace, need["name"])
            if path is None or not self.api.metadata_exists(path):
                found.append(f"{need['kind']} {namespace}{'' if cluster_wide else '/'}{need['name']}")
        return found

    def wait_until_ready(
        self, minimum: dict[str, int], kinds: t.Sequence[str], timeout: float, pause: float
    ) -> dict[str, t.Any]:
        """The last look at the objects; ready, or all that the time allowed."""
        deadline = time.monotonic() + timeout
        while True:
            release = self.release()
            seen = self.objects(release, minimum, kinds) if release else {"shortfalls": ["the release is gone"]}
            if not (seen["shortfalls"] or seen.get("unready")) or time.monotonic() + pause > deadline:
                return seen
            time.sleep(pause)

    def wait_until_settled(self, start: float, timeout: float, pause: float) -> list[str]:
        """Until no helm process on this machine works on the release any more, which may `start` seconds from now.

        Returns the evidence as it was before Helm cleaned up after a failure.
        """
        begun = next_look = time.monotonic()
        kept: list[str] = []
        seen = False
        while time.monotonic() < begun + timeout:
            at_work = bool(helm_processes(self.name))
            seen = seen or at_work
            if not at_work and (seen or time.monotonic() >= begun + start):
                break
            if time.monotonic() >= next_look:
                release = self.release()
                if release and not release.pending and not at_work:
                    break  # it was faster than we
                if release and release.pending:
                    kept = evidence(self.api, self.namespace) or kept
                next_look = time.monotonic() + pause
            time.sleep(PROCESS_PAUSE)
        return kept

    def _may_create_namespace(self) -> bool:
        review = {
            "apiVersion": "authorization.k8s.io/v1",
            "kind": "SelfSubjectAccessReview",
            "spec": {"resourceAttributes": {"verb": "create", "resource": "namespaces"}},
        }
        answer = self.api.create("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", review)
        return bool((answer.get("status") or {}).get("allowed"))


def _schedulable(node: dict[str, t.Any]) -> bool:
    conditions = {c["type"]: c["status"] for c in (node.get("status") or {}).get("conditions") or []}
    pressed = any(conditions.get(kind) == "True" for kind in ("MemoryPressure", "DiskPressure", "PIDPressure"))
    return conditions.get("Ready") == "True" and not pressed and not node["spec"].get("unschedulable", False)
