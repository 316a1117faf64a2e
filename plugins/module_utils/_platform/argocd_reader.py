# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""What only Argo CD's API tells: rendered manifests, and the health of each resource.

Asked through the API server's proxy, with the token of the orchestration: it may look at the platform's project and
nothing else, and whoever reads the Secret could do as much without us.
"""

from __future__ import annotations

import functools
import json
import typing as t

from .._credentials.token import AccountToken, TokenError
from .._gate.safe_text import safe_text
from .._kube.api import KubeApi, KubeError
from .._phase0.check import Unknown
from .._phase0.collect.parallel import Deadline, Job, run
from .facts import Body, Settings

ACCOUNT = "orchestrator"
# A chart that does not render answers 500 for ever: no reason to wait for it.
_PATIENCE = 3
_TIME_FOR_ALL = 120
_WORKERS = 8


class ArgocdReader:
    def __init__(self, api: KubeApi, settings: Settings) -> None:
        self._api = api.with_patience(_PATIENCE)
        self._settings = settings
        self._secret = settings.tokens.get(ACCOUNT, "")
        service = f"/api/v1/namespaces/{settings.argocd_namespace}/services/https:argocd-server:https/proxy"
        self._applications = f"{service}/api/v1/applications"

    def manifests(self, names: t.Sequence[str]) -> dict[str, list[Body] | Unknown]:
        return self._ask(names, "/manifests", _manifests)

    def applications(self, names: t.Sequence[str]) -> dict[str, Body | Unknown]:
        return self._ask(names, "", dict)

    def _ask(self, names: t.Sequence[str], what: str, read: t.Callable[[Body], t.Any]) -> dict[str, t.Any]:
        token = self._token if names else ""
        if isinstance(token, Unknown):
            return dict.fromkeys(names, token)
        jobs = {name: Job(functools.partial(self._get, name, what, token, read)) for name in names}
        return run(jobs, Deadline(_TIME_FOR_ALL), _WORKERS)

    def _get(self, name: str, what: str, token: str, read: t.Callable[[Body], t.Any]) -> t.Any:
        try:
            # By cookie, because the API server drops Authorization on its way to a service.
            headers = {"Cookie": f"argocd.token={token}"}
            answer = self._api.text(f"{self._applications}/{name}{what}", headers, project=self._settings.project)
            return read(json.loads(answer))
        except KubeError as error:
            return Unknown(safe_text(error))
        except ValueError:
            return Unknown("Argo CD answered with something else than JSON")

    @functools.cached_property
    def _token(self) -> str | Unknown:
        settings = self._settings
        place = f"Secret {settings.workflows_namespace}/{self._secret}"
        account = AccountToken(
            self._api, settings.argocd_namespace, ACCOUNT, settings.workflows_namespace, self._secret
        )
        try:
            token = account.stored()
            if not token:
                return Unknown(f"there is no token in {place}", reported=True)
            return token if account.accepted(token) else Unknown(f"Argo CD does not accept the token in {place}")
        except (KubeError, TokenError) as error:
            return Unknown(str(error))
        except ValueError:
            return Unknown(f"what {place} holds is no token")


def _manifests(answer: Body) -> list[Body]:
    bodies = [json.loads(text) for text in answer.get("manifests") or []]
    return [body for body in bodies if isinstance(body, dict)]
