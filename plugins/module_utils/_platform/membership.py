# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""The graph and the cluster name the same Applications, and the authority reaches all of them."""

from __future__ import annotations

import typing as t

from .._gate.authority import HOLDER, is_held
from .facts import (
    LOCKED,
    SELF_HEAL,
    Body,
    Settings,
    annotations_of,
    destination_of,
    is_automated,
    name_of,
    project_of,
    spec_of,
)
from .finding import BLOCKING, INFO, WARNING, Finding


def check_graph(wanted: t.AbstractSet[str], applications: t.Iterable[Body], settings: Settings) -> list[Finding]:
    """`wanted`: the Applications that the graph names."""
    ours = {name_of(body) for body in applications if project_of(body) == settings.project}
    everything = {name_of(body) for body in applications}
    if wanted and not wanted & everything:
        found = "none of the Applications that the graph names exists: the platform is not deployed"
        fix = "Run: ansible-playbook proficientnow.deploy_ops.site"
        return [Finding("graph.not-deployed", BLOCKING, settings.project, found, "a deployed platform", fix)]
    missing = [
        Finding(
            "graph.no-application",
            BLOCKING,
            name,
            "the graph names it, and there is no such Application",
            "an Application for every node",
            f"Let Root create the Application {name}, or take it out of dag.yaml.",
        )
        for name in sorted(wanted - everything)
    ]
    outside = [
        Finding(
            "graph.outside",
            WARNING,
            name,
            f"an Application of the AppProject {settings.project} that the graph does not name: no run ever syncs it",
            "every Application of the platform in the graph",
            f"Add {name} to dag.yaml, or move it to another AppProject.",
        )
        for name in sorted(ours - wanted)
    ]
    return missing + outside


def check_authority(
    wanted: t.AbstractSet[str],
    applications: t.Sequence[Body],
    project: Body | None,
    run_at_work: bool,
    settings: Settings,
) -> list[Finding]:
    findings = [*_out_of_reach(wanted, applications, settings), *_root(applications, settings)]
    findings += _outside_but_automated(wanted, applications, project, settings)
    return findings + _window(project, run_at_work, settings)


def _out_of_reach(
    wanted: t.AbstractSet[str], applications: t.Iterable[Body], settings: Settings
) -> t.Iterator[Finding]:
    for body in applications:
        name, project = name_of(body), project_of(body)
        if name in wanted and project != settings.project:
            automated = " and syncs by itself" if is_automated(body) else ""
            yield Finding(
                "authority.out-of-reach",
                BLOCKING,
                name,
                f"belongs to the AppProject {project}{automated}: the authority of a run does not hold it",
                f"AppProject {settings.project}",
                f"Set spec.project of the Application {name} to {settings.project} in Git.",
            )


def _root(applications: t.Iterable[Body], settings: Settings) -> t.Iterator[Finding]:
    """In pinned and locked a commit waits for its run; a Root that syncs by itself does not let it wait."""
    for body in applications:
        if name_of(body) == settings.root and is_automated(body) and settings.steady_state != SELF_HEAL:
            yield Finding(
                "authority.root-automated",
                BLOCKING,
                settings.root,
                "Root syncs by itself: every commit moves the platform at once, in no order",
                f"no automated sync of Root (deploy_ops_steady_state {settings.steady_state})",
                "Run: ansible-playbook proficientnow.deploy_ops.gitops_handoff",
            )


def _outside_but_automated(
    wanted: t.AbstractSet[str], applications: t.Iterable[Body], project: Body | None, settings: Settings
) -> t.Iterator[Finding]:
    """Argo CD syncs them into the platform's namespaces whenever it likes, whether a run is at work or not."""
    places = {one.get("namespace") for one in spec_of(project or {}).get("destinations") or []} - {None, "*"}
    for body in applications:
        name, namespace = name_of(body), destination_of(body)
        if name in wanted or name == settings.root or not is_automated(body):
            continue
        if project_of(body) != settings.project and namespace in places:
            yield Finding(
                "authority.automated-outside",
                WARNING,
                name,
                f"syncs by itself into the platform's namespace {namespace}, from AppProject {project_of(body)}",
                "nothing but runs changes the platform's namespaces",
                f"Add {name} to the graph and to the AppProject {settings.project}, or give it a namespace of its own.",
            )


def _window(project: Body | None, run_at_work: bool, settings: Settings) -> list[Finding]:
    where = f"AppProject {settings.project}"
    if project is None:
        fix = "Run: ansible-playbook proficientnow.deploy_ops.gitops_handoff"
        return [Finding("authority.no-project", BLOCKING, where, "does not exist", "the platform's AppProject", fix)]
    held = is_held(project)
    if settings.steady_state == LOCKED and not held:
        fix = "Run: ansible-playbook proficientnow.deploy_ops.deploy"
        wanted = "the lock always on (deploy_ops_steady_state locked)"
        return [Finding("authority.not-locked", BLOCKING, where, "Argo CD syncs by itself", wanted, fix)]
    if settings.steady_state != LOCKED and held:
        holder = annotations_of(project).get(HOLDER) or "nobody in particular"
        found = f"the authority is held ({holder}): Argo CD neither syncs nor heals by itself"
        if run_at_work:
            return [
                Finding("authority.held", INFO, where, found, "released at the end of the run", "Wait for the run.")
            ]
        fix = "The last run did not succeed. Run: ansible-playbook proficientnow.deploy_ops.deploy"
        return [Finding("authority.held", WARNING, where, found, "released: no run is at work", fix)]
    return []
