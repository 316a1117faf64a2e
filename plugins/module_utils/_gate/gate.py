# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Carries out one step of whatever a run asks for."""

from __future__ import annotations

import typing as t

from . import request as requests
from .argocd import ArgoCD
from .authority import step_authority
from .errors import ApiError
from .kubernetes import Kubernetes
from .moments import after, moment_text, span
from .removal import remains, step_removal
from .removal_request import Removal
from .request import Request
from .resource_tree import Reference, find
from .safe_text import safe_text
from .shortfall import listed
from .step import step, unavailable
from .survey import Survey
from .transport import server_time
from .verdict import FAILED, HEALTHY, LOOK, PROGRESSING, REFRESH, REMOVED, RETAINED, Blocker, Verdict


class Gate:
    def __init__(self, argocd: ArgoCD, kubernetes: Kubernetes | None, for_teardown: ArgoCD | None = None) -> None:
        self._argocd = argocd
        self._kubernetes = kubernetes
        # What was looked at so far, by run. Losing it costs requests.
        self._surveys: dict[str, Survey] = {}
        self._for_teardown = for_teardown

    def step(self, request: Request, how: str, looked_for: float) -> Verdict:
        """Never raises for what the servers answer: what cannot be told is a verdict, too."""
        if request.do == requests.REFUSE:
            return Verdict(FAILED, "Refused", safe_text(request.message))
        if request.do == requests.KEEP:
            return Verdict(RETAINED, RETAINED, safe_text(request.message))
        if request.do == requests.SURVEY:
            return self._survey(request)
        return self._step(request, how, looked_for)

    def _survey(self, request: Request) -> Verdict:
        survey = self._surveys.setdefault(request.run, Survey(request.nodes))
        verdict = survey.advance(lambda node: self._step(node, REFRESH, 0.0, act=False))
        if verdict.is_final and not verdict.transient:
            self._surveys.pop(request.run, None)
        return verdict

    def _step(self, request: Request, how: str, looked_for: float, act: bool = True) -> Verdict:
        try:
            if request.do in (requests.SYNC, requests.VERIFY):
                return step(self._argocd, request.wish, how, looked_for, act)
            if request.do in (requests.TAKE_AUTHORITY, requests.RELEASE_AUTHORITY):
                take = request.do == requests.TAKE_AUTHORITY
                return step_authority(self._argocd, request.wish.project, request.run, take)
            if request.removal is not None:
                return self._remove(request.removal, looked_for)
            if request.do == requests.VACANT:
                return self._vacant(request, looked_for)
            if request.reference is not None:
                waits_for = self._resource(request, request.reference)
            else:
                waits_for = self._bootstrap(request)
        except ApiError as error:
            return unavailable(error)
        return _awaited(request, waits_for, looked_for)

    def _remove(self, removal: Removal, looked_for: float) -> Verdict:
        if self._for_teardown is None or self._kubernetes is None:
            missing = "Argo CD account that may delete" if self._for_teardown is None else "access to Kubernetes"
            return Verdict(FAILED, "Refused", f"the gate has no {missing}: run the bootstrap again, then the teardown")
        verdict = step_removal(self._for_teardown, self._kubernetes, removal, looked_for)
        return verdict._replace(started=moment_text(after(server_time(None), -looked_for)))

    def _vacant(self, request: Request, looked_for: float) -> Verdict:
        """A kind may lose its operator when no object of it is left; a single object goes with whoever provides it."""
        reference = request.reference
        if reference is None or reference.name or not reference.group or self._kubernetes is None:
            return Verdict(REMOVED, REMOVED, "goes with the application that provides it")
        left = [remains(reference.plural, content) for content in self._kubernetes.objects(reference)]
        if not left:
            return Verdict(REMOVED, REMOVED, "nothing of this kind is left")
        if looked_for < request.wish.health_timeout:
            return Verdict(PROGRESSING, "Waiting", "waiting" + listed(left), LOOK, 1.0, blockers=tuple(left))
        message = f"its operator must stay for what is left after {span(request.wish.health_timeout)}{listed(left)}"
        return Verdict(FAILED, "InUse", message, blockers=tuple(left))

    def _resource(self, request: Request, reference: Reference) -> list[Blocker]:
        """Empty when it exists and is Healthy. Argo CD judges what its applications provide, Kubernetes the rest."""
        found: Blocker | None = None
        for provider in request.providers:
            found = found or find(self._argocd.resource_tree(provider, request.wish.project), reference)
        if not request.providers and self._kubernetes is not None:
            found = self._kubernetes.resource(reference)
        if found is None:
            kind, name = ("CustomResourceDefinition", reference.definition) if not reference.name else ("", "")
            return [Blocker(kind or reference.plural, name or reference.name, reference.namespace, "Missing", "")]
        return [] if found.status == "Healthy" else [found]

    def _bootstrap(self, request: Request) -> list[Blocker]:
        if self._kubernetes is None:
            return [Blocker("Helm release", request.release, request.namespace, "Unknown", "no access to Kubernetes")]
        workloads = self._kubernetes.workloads(request.namespace, request.release)
        if not workloads:
            return [Blocker("Helm release", request.release, request.namespace, "Missing", "it has no workloads")]
        return [workload for workload in workloads if workload.status != "Healthy"]


def _awaited(request: Request, waits_for: t.Sequence[Blocker], looked_for: float) -> Verdict:
    if not waits_for:
        return Verdict(HEALTHY, "Healthy", "exists and is Healthy")
    timeout = request.wish.health_timeout
    if looked_for < timeout:
        return Verdict(PROGRESSING, "Waiting", "waiting" + listed(waits_for), LOOK, 1.0, blockers=tuple(waits_for))
    message = f"not there within {span(timeout)}{listed(waits_for)}"
    return Verdict(FAILED, "HealthTimeout", message, blockers=tuple(waits_for))
