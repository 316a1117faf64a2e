# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The objects of a release: what its manifest names, and which of them the cluster has."""

from __future__ import annotations

import re
import typing as t
from collections import Counter
from dataclasses import dataclass

from .._kube.api import KubeApi

try:
    import yaml
except ImportError:  # the module class of kubernetes.core reports it
    yaml = None  # type: ignore[assignment]

_HEAD_KEYS = ("apiVersion:", "kind:", "metadata:")


@dataclass(frozen=True, order=True)
class ObjectRef:
    api_version: str
    kind: str
    namespace: str
    name: str

    def __str__(self) -> str:
        return f"{self.kind} {self.namespace}/{self.name}" if self.namespace else f"{self.kind} {self.name}"


def manifest_objects(manifest: str, release_namespace: str) -> list[ObjectRef]:
    """Every object in a rendered manifest, in its order. A List counts as its items."""
    refs = []
    for document in re.split(r"^---\s*$", manifest, flags=re.MULTILINE):
        head = yaml.safe_load(_head(document))
        if not isinstance(head, dict) or "kind" not in head:
            continue
        bodies = yaml.safe_load(document).get("items") or [] if head["kind"].endswith("List") else [head]
        for body in bodies:
            metadata = body.get("metadata") or {}
            namespace = metadata.get("namespace") or release_namespace
            refs.append(ObjectRef(body["apiVersion"], body["kind"], namespace, metadata["name"]))
    return refs


def _head(document: str) -> str:
    """Type and metadata only: a CRD's schema of a megabyte takes PyYAML seconds."""
    kept: list[str] = []
    keep = False
    for line in document.splitlines():
        if line and not line[0].isspace() and line[0] not in "#-}]":
            keep = line.startswith(_HEAD_KEYS)
        if keep:
            kept.append(line)
    return "\n".join(kept)


def counts(refs: t.Iterable[ObjectRef]) -> dict[str, int]:
    return dict(sorted(Counter(ref.kind for ref in refs).items()))


def live_objects(
    api: KubeApi, refs: t.Sequence[ObjectRef], in_full: t.Container[str]
) -> dict[ObjectRef, dict[str, t.Any] | None]:
    """What the cluster has of `refs` (None: missing); one list request for each kind and namespace.

    Kinds in `in_full` come complete, of all others the metadata is enough.
    """
    found: dict[ObjectRef, dict[str, t.Any] | None] = {}
    lists: dict[str, dict[str, dict[str, t.Any]]] = {}
    for ref in refs:
        path = api.path_of(ref.api_version, ref.kind, ref.namespace)
        if path is None:
            found[ref] = None
            continue
        if path not in lists:
            entries = api.items(path) if ref.kind in in_full else api.metadata_items(path)
            lists[path] = {entry["metadata"]["name"]: entry for entry in entries}
        found[ref] = lists[path].get(ref.name)
    return found


def shortfalls(
    api: KubeApi,
    live: dict[ObjectRef, dict[str, t.Any] | None],
    minimum: dict[str, int],
    served_kinds: t.Iterable[str],
) -> list[str]:
    """How the release falls short of what its role expects; empty when it does not."""
    present = counts(ref for ref, body in live.items() if body is not None)
    problems = [f"{ref} is in the release but not in the cluster" for ref, body in live.items() if body is None]
    problems += [
        f"{present.get(kind, 0)} objects of kind {kind}, at least {wanted} expected"
        for kind, wanted in sorted(minimum.items())
        if present.get(kind, 0) < wanted
    ]
    for served in served_kinds:
        api_version, kind = served.rsplit("/", 1)
        if api.path_of(api_version, kind) is None:
            problems.append(f"the API server does not serve {served}: its CustomResourceDefinition is missing")
    return problems
