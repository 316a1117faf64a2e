# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""The calls to Argo CD that the gate makes, and what their refusals mean."""

from __future__ import annotations

import typing as t
import urllib.parse

from .errors import Absent, ApiError, Forbidden, Refused, Unavailable
from .moments import Moment, moment_text
from .retry import Retry
from .transport import Answer, Transport
from .verdict import HARD_REFRESH, LOOK
from .wish import REQUESTED_INFO, RUN_INFO, Wish

# A refresh answers when the controller has compared, which may take long; the agent that asks the plugin waits 30 s.
_TIMEOUT = 10.0
_REFRESH_TIMEOUT = 18.0

# Refusals of a sync that say "not now": the next look tells what is going on.
_NOT_NOW = ("another operation is already in progress", "error resolving repo revision", "the object has been modified")


class ArgoCD:
    def __init__(self, transport: Transport, retry: Retry) -> None:
        self._transport = transport
        self._retry = retry

    def application(self, name: str, project: str, how: str = LOOK) -> Answer:
        """The Application; `how` says whether Argo CD compares anew before it answers."""
        query = {"project": project}
        if how != LOOK:
            query["refresh"] = "hard" if how == HARD_REFRESH else "normal"
        return self._read(_application_path(name), query, project, name)

    def resource_tree(self, name: str, project: str) -> list[dict[str, t.Any]]:
        answer = self._read(_application_path(name, "/resource-tree"), {"project": project}, project, name)
        return answer.content.get("nodes") or []

    def sync(self, wish: Wish, attempt: int, now: Moment) -> None:
        """Ask for an operation, once. Unavailable when it is unknown whether it exists: look before asking again."""
        body = {
            "name": wish.application,
            "project": wish.project,
            "prune": wish.prune,
            "infos": [
                {"name": RUN_INFO, "value": wish.correlation(attempt)},
                {"name": REQUESTED_INFO, "value": moment_text(now)},
            ],
        }
        try:
            self._transport.request("POST", _application_path(wish.application, "/sync"), {}, body, _TIMEOUT)
        except Forbidden as error:
            if "sync window" in error.text:
                text = f"{error.text}. Wait for the window to end, or let it allow manual syncs"
                raise Refused(text, error.status) from None
            raise self._denied(error, "sync", wish.project, wish.application) from None
        except Refused as error:
            if error.status == 409 or any(text in error.text for text in _NOT_NOW):
                raise Unavailable(error.text, error.status) from None
            raise

    def terminate(self, name: str, project: str) -> None:
        """End the operation in progress; that there is none any more is what was wanted."""
        path, query = _application_path(name, "/operation"), {"project": project}
        try:
            self._transport.request("DELETE", path, query, None, _TIMEOUT)
        except Forbidden as error:
            raise self._denied(error, "sync", project, name) from None
        except Refused as error:
            if "No operation is in progress" not in error.text:
                raise

    def delete(self, name: str, project: str) -> None:
        """Ask for the deletion of the Application and of all that it has, owners after what they own."""
        query = {"project": project, "cascade": "true", "propagationPolicy": "foreground"}
        try:
            self._transport.request("DELETE", _application_path(name), query, None, _TIMEOUT)
        except Absent:
            return
        except Forbidden as error:
            raise self._denied(error, "delete", project, name) from None
        except Refused as error:
            if error.status == 409 or any(text in error.text for text in _NOT_NOW):
                raise Unavailable(error.text, error.status) from None
            raise

    def project(self, name: str) -> dict[str, t.Any]:
        return self._retry.call(lambda: self._project_request("GET", name, None)).content

    def write_project(self, name: str, project: dict[str, t.Any]) -> None:
        """Replace the AppProject, if nobody has changed it since it was read."""
        self._project_request("PUT", name, {"project": project})

    def _project_request(self, method: str, name: str, body: t.Any) -> Answer:
        path = f"/api/v1/projects/{urllib.parse.quote(name, safe='')}"
        try:
            return self._transport.request(method, path, {}, body, _TIMEOUT)
        except Forbidden as error:
            text = f"the Argo CD account may not {'read' if method == 'GET' else 'change'} the AppProject {name}"
            raise Refused(f"{text}: grant it `projects, get` and `projects, update`", error.status) from None
        except Absent:
            raise Absent(f"there is no AppProject {name}", 404) from None

    def _read(self, path: str, query: dict[str, str], project: str, name: str) -> Answer:
        timeout = _REFRESH_TIMEOUT if "refresh" in query else _TIMEOUT
        return self._retry.call(lambda: self._read_once(path, query, timeout, project, name))

    def _read_once(self, path: str, query: dict[str, str], timeout: float, project: str, name: str) -> Answer:
        try:
            return self._transport.request("GET", path, query, None, timeout)
        except Forbidden as error:
            raise self._denied(error, "get", project, name) from None
        except Absent:
            text = f"there is no Application {name} in the AppProject {project}"
            raise Absent(f"{text}: check its name and spec.project, and that Root is synced", 404) from None

    def _denied(self, error: Forbidden, action: str, project: str, name: str) -> ApiError:
        """Argo CD also says "permission denied" when it could not read an Application: then can-i says yes."""
        if error.text == "permission denied" and self._can_i(action, project, name):
            return Unavailable(f"{self._transport.name} could not read the Application {name}", error.status)
        text = f"the Argo CD account may not {action} {project}/{name}"
        return Forbidden(f"{text}: grant it `applications, {action}, {project}/*`", error.status)

    def _can_i(self, action: str, project: str, name: str) -> bool:
        place = urllib.parse.quote(f"{project}/{name}", safe="/")
        try:
            answer = self._transport.request(
                "GET", f"/api/v1/account/can-i/applications/{action}/{place}", {}, None, _TIMEOUT
            )
        except Unavailable:
            return True
        except Refused:
            return False
        return isinstance(answer.content, dict) and answer.content.get("value") == "yes"


def _application_path(name: str, rest: str = "") -> str:
    return f"/api/v1/applications/{urllib.parse.quote(name, safe='')}{rest}"
