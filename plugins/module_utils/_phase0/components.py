# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""What the bootstrap installs: the part of it that phase 0 has to know.

Versions, namespaces and release names are the inventory's (module option ``components``); what belongs to the
software itself, whatever its version, stands here.
"""

from __future__ import annotations

import typing as t

# Every namespace that the collection creates carries it; docs/phase0.md has the whole rule.
OWNER_LABEL = "deploy-ops.proficientnow.com/owner"
OWNER = "deploy-ops"

# Namespaces that every cluster has: there a release is told by its values, not by the namespace's label.
SHARED_NAMESPACES = ("default", "kube-system", "kube-public", "kube-node-lease")


class Component(t.NamedTuple):
    """One Helm release that the bootstrap will install."""

    name: str
    namespace: str
    release: str
    chart: str
    version: str
    # Empty: the one that the chart brings along.
    app_version: str = ""
    # Folder with CHART-VERSION.tgz, https:// repository or oci:// registry path.
    repository: str = ""
    cpu: str = "0"
    memory: str = "0"


class Kind(t.NamedTuple):
    """What is true of a component in every version."""

    crds: tuple[str, ...] = ()
    # Helm adopts a CRD that a chart templates only from a release of the same name; one in the chart's crds/ it skips.
    crds_templated: bool = True
    # Deployment to look for in a shared namespace, where no namespace label can tell.
    deployment: str = ""
    # (API group, resource) of the component's own objects that the bootstrap creates in its namespace.
    namespaced: tuple[tuple[str, str], ...] = ()
    cluster_scoped: tuple[tuple[str, str], ...] = ()


def _argo(*plurals: str) -> tuple[str, ...]:
    return tuple(f"{plural}.argoproj.io" for plural in plurals)


KINDS: dict[str, Kind] = {
    "sealed_secrets": Kind(
        crds=("sealedsecrets.bitnami.com",),
        crds_templated=False,
        deployment="sealed-secrets-controller",
        namespaced=(("bitnami.com", "sealedsecrets"),),
    ),
    "argocd": Kind(
        crds=_argo("applications", "applicationsets", "appprojects"),
        namespaced=(("argoproj.io", "applications"), ("argoproj.io", "appprojects")),
    ),
    "argo_workflows": Kind(
        crds=_argo(
            "workflows", "workflowtemplates", "clusterworkflowtemplates", "cronworkflows", "workflowtasksets",
            "workflowtaskresults", "workfloweventbindings", "workflowartifactgctasks",
        ),
        namespaced=(("argoproj.io", "workflows"), ("argoproj.io", "workflowtemplates")),
        cluster_scoped=(("argoproj.io", "clusterworkflowtemplates"),),
    ),
    "argo_events": Kind(
        crds=_argo("eventbus", "eventsources", "sensors"),
        namespaced=(("argoproj.io", "eventbus"), ("argoproj.io", "eventsources"), ("argoproj.io", "sensors")),
    ),
    "argo_rollouts": Kind(
        crds=_argo("rollouts", "experiments", "analysisruns", "analysistemplates", "clusteranalysistemplates"),
    ),
    "kargo": Kind(
        crds=tuple(
            f"{plural}.kargo.akuity.io"
            for plural in (
                "clusterconfigs", "clusterpromotiontasks", "freights", "projectconfigs", "projects", "promotions",
                "promotiontasks", "stages", "warehouses",
            )
        ),
        cluster_scoped=(("kargo.akuity.io", "projects"),),
    ),
}  # fmt: skip
