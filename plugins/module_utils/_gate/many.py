# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Several Applications at once, each on its own course."""

from __future__ import annotations

import concurrent.futures
import threading
import typing as t

from .argocd import ArgoCD
from .course import follow
from .errors import ApiError
from .retry import Clock
from .step import step, unavailable
from .verdict import REFRESH, Verdict
from .wish import Wish

# Waiting costs a thread next to nothing; asking costs Argo CD something.
_MOST_THREADS = 200
_MOST_REQUESTS = 10


class Outcome(t.NamedTuple):
    verdict: Verdict
    has_synced: bool


def deploy(argocd: ArgoCD, wishes: t.Sequence[Wish], clock: Clock, timeout: float | None) -> dict[str, Outcome]:
    """Sync what does not stand, and wait for all of them."""
    turn = threading.BoundedSemaphore(_MOST_REQUESTS)

    def deploy_one(wish: Wish) -> Outcome:
        def take_step(how: str, looked_for: float) -> Verdict:
            with turn:
                return _step(argocd, wish, how, looked_for)

        return Outcome(*follow(take_step, clock, timeout))

    return _each(wishes, deploy_one)


def look(argocd: ArgoCD, wishes: t.Sequence[Wish], act: bool) -> dict[str, Outcome]:
    """One step for each: what is, and what would be done, or with `act` has been started."""

    def look_once(wish: Wish) -> Outcome:
        verdict = _step(argocd, wish, REFRESH, 0.0, act)
        return Outcome(verdict, verdict.synced)

    return _each(wishes, look_once)


def _step(argocd: ArgoCD, wish: Wish, how: str, looked_for: float, act: bool = True) -> Verdict:
    try:
        return step(argocd, wish, how, looked_for, act)
    except ApiError as error:
        return unavailable(error)


def _each(wishes: t.Sequence[Wish], function: t.Callable[[Wish], Outcome]) -> dict[str, Outcome]:
    with concurrent.futures.ThreadPoolExecutor(min(_MOST_THREADS, len(wishes) or 1)) as pool:
        outcomes = pool.map(function, wishes)
        return {wish.application: outcome for wish, outcome in zip(wishes, outcomes)}
