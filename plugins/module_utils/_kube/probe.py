# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Exercise a component with throwaway objects and requests; whatever was made is removed again."""

from __future__ import annotations

import json
import time
import typing as t

from .api import KubeApi, KubeError

Body = dict[str, t.Any]
PAUSE = 0.5
REPEAT = 3.0


class ProbeError(Exception):
    """The component did not do what it is for; safe to show."""


class Probe:
    """Runs steps in order, each until it holds or the common deadline has passed."""

    def __init__(self, api: KubeApi, namespace: str, timeout: float) -> None:
        self._api = api
        self._namespace = namespace
        self._deadline = time.monotonic() + timeout
        self._timeout = timeout

    def run(self, steps: t.Sequence[Body], leftovers: t.Sequence[Body]) -> list[str]:
        """The answers of the requests, in their order. `leftovers` names what the component makes by itself."""
        throwaway = [step["create"] for step in steps if step.get("create")] + list(leftovers)
        self._remove(throwaway)  # of a probe that was killed
        answers = []
        try:
            for step in steps:
                if step.get("create"):
                    self._create(step["create"])
                if step.get("request"):
                    answers.append(self._call(step["request"]))
                if step.get("wait"):
                    self._wait(step["wait"], step.get("request"))
        finally:
            self._remove(throwaway)
        return answers

    def _path(self, body: Body, collection: bool = False) -> str:
        kind, metadata = body["kind"], body.get("metadata") or {}
        namespace = metadata.get("namespace") or self._namespace
        path = self._api.path_of(body["apiVersion"], kind, namespace, "" if collection else metadata["name"])
        if path is None:
            raise ProbeError(f"the API server does not serve {body['apiVersion']}/{kind}")
        return path

    def _create(self, body: Body) -> None:
        self._api.create(self._path(body, collection=True), body)

    def _remove(self, bodies: t.Iterable[Body]) -> None:
        paths = [self._path(body) for body in bodies]
        removed = [path for path in paths if self._api.delete(path)]
        self._until(lambda: all(self._api.get(path) is None for path in removed), f"{removed} are not removed")

    def _call(self, request: Body) -> str:
        """Through the API server's service proxy, so that the component is reached from wherever Ansible runs."""
        service = f"{request['scheme']}:{request['service']}:{request['port']}"
        path = f"/api/v1/namespaces/{self._namespace}/services/{service}/proxy{request['path']}"
        last = [""]

        def answered() -> bool:
            try:
                if request["method"] == "GET":
                    last[0] = self._api.text(path)
                else:
                    last[0] = self._api.post_text(path, request.get("body"))
            except KubeError as error:
                last[0] = str(error)
                return False
            return request["contains"] in last[0]

        self._until(answered, f"service {request['service']} does not answer {request['path']} as expected", last)
        return last[0]

    def _wait(self, wanted: Body, request: Body | None) -> None:
        """A request in the same step is made again now and then: its effect may be lost while the component starts."""
        reference = {"apiVersion": wanted["api_version"], "kind": wanted["kind"]}
        if wanted.get("label_selector"):
            path, query = self._path(reference, collection=True), {"labelSelector": wanted["label_selector"]}
        else:
            path, query = self._path(dict(reference, metadata={"name": wanted["name"]})), {}
        what = f"{wanted['kind']} {wanted.get('name') or wanted['label_selector']}"
        last = ["it does not exist"]
        again = time.monotonic() + REPEAT

        def holds() -> bool:
            nonlocal again
            if request and time.monotonic() > again:
                self._call(request)
                again = time.monotonic() + REPEAT
            found = self._api.get(path, **query)
            bodies = (found or {}).get("items", [found]) if found else []
            states = [field(body, wanted["field"]) for body in bodies]
            reasons = [field(body, wanted.get("explained_by") or "status.message") for body in bodies]
            pairs = zip(states, reasons)
            seen = [f"{wanted['field']} is {state}" + (f", {why}" if why else "") for state, why in pairs]
            last[0] = "; ".join(seen) or "it does not exist"
            if any(str(state) in (wanted.get("failures") or []) for state in states):
                raise ProbeError(f"{what}: {last[0]}")
            return bool(states) and all(str(state) in wanted["values"] for state in states)

        self._until(holds, f"{what} did not reach {wanted['field']} {' or '.join(wanted['values'])}", last)

    def _until(self, holds: t.Callable[[], bool], complaint: str, last: t.Sequence[str] = ("",)) -> None:
        while not holds():
            if time.monotonic() + PAUSE > self._deadline:
                seen = f" (last seen: {last[0][:300]})" if last[0] else ""
                raise ProbeError(f"{complaint} within {self._timeout:.0f} s{seen}")
            time.sleep(PAUSE)


def field(body: Body, path: str) -> t.Any:
    """`status.phase` of an object; None where there is nothing."""
    value: t.Any = body
    for part in path.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return json.dumps(value, sort_keys=True) if isinstance(value, (dict, list)) else value
