# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""From facts to checks. No I/O here: the same facts always give the same report."""

from __future__ import annotations

from . import (
    capacity,
    cluster,
    connectivity,
    credentials,
    identity,
    installed_collections,
    leftovers,
    permissions,
    python_packages,
    tools,
    versions,
)
from .check import Check
from .gather import Facts
from .settings import Settings


def evaluate(facts: Facts, settings: Settings) -> list[Check]:
    view = facts.cluster
    return [
        *tools.evaluate(facts.tools),
        *python_packages.evaluate(facts.python_packages, facts.interpreter),
        *installed_collections.evaluate(facts.collections),
        *identity.evaluate(facts.kubeconfig, view.uid, settings.expected),
        *cluster.evaluate(cluster.ClusterFacts(view.version, view.authenticated, view.nodes, view.dns_pods)),
        *permissions.evaluate(view.permissions),
        *capacity.evaluate(
            capacity.CapacityFacts(view.nodes, view.requested, view.disk_free),
            settings.components,
            settings.minimum_disk,
        ),
        *connectivity.evaluate(facts.registries, facts.repositories, facts.charts),
        *credentials.evaluate(
            facts.registries, facts.registry_auth_problem, facts.repositories, facts.dns, settings.allow_git_write
        ),
        *versions.evaluate(settings.components, {chart.component: chart.app_version for chart in facts.charts}),
        *leftovers.evaluate(
            leftovers.LeftoverFacts(view.namespaces, view.crds, view.shared_releases, view.shared_deployments),
            settings.components,
            settings.platform_namespaces,
        ),
    ]
