# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Recognises containers whose work is to wait for something else, and what they wait for."""

from __future__ import annotations

import re
import typing as t

from .facts import Body

# Images that do nothing else.
_WAITING_IMAGES = re.compile(r"k8s-wait-for|wait-for-it|wait4x|kubernetes-entrypoint|pod-dependency-wait")
_COMMANDS = (
    (re.compile(r"\bkubectl\b[^;&|\n]*?\s(?:wait|rollout\s+status)\s"), "kubectl wait"),
    (re.compile(r"\bargocd\s+app\s+(?:wait|sync)\b"), "argocd app wait"),
    (re.compile(r"\bargo\s+wait\b"), "argo wait"),
    (re.compile(r"\b(?:until|while)\b.+?\bsleep\b", re.DOTALL), "a loop that sleeps"),
    (re.compile(r"\b(?:nc|ncat|netcat)\s+(?:-\S+\s+)*-\w*z"), "nc -z"),
    (re.compile(r"\b(?:pg_isready|wait-for-it(?:\.sh)?|wait4x|mysqladmin\s+ping)\b"), "a readiness tool"),
    (re.compile(r"\bdockerize\b.*-wait\b"), "dockerize -wait"),
    (re.compile(r"\b(?:curl|wget)\b[^;&|\n]*--retry"), "curl --retry"),
    (re.compile(r"\b(?:curl|wget)\b[^;&|\n]*/(?:health|healthz|livez|readyz|ready)\b"), "a health request"),
)
_KIND = r"(?:services?|svc|jobs?|job-wr|pods?|deployments?|deploy|statefulsets?|sts|crds?|customresourcedefinitions?)"
_TARGETS = (
    re.compile(r"https?://([A-Za-z][A-Za-z0-9.-]*)"),
    re.compile(r"\b(?:nc|ncat|netcat)\s+(?:-\S+\s+(?:\d+\s+)?)*([A-Za-z][A-Za-z0-9.-]*)\s+\d+"),
    re.compile(r"(?:\s-h\s*|--host[= ]\s*)([A-Za-z][A-Za-z0-9.-]*)"),
    re.compile(r"(?:^|[\s/=])([a-z][a-z0-9.-]*):\d{2,5}\b"),
    re.compile(r"\bargocd\s+app\s+(?:wait|sync)\s+([a-z][a-z0-9.-]*)"),
    re.compile(r"(?:^|\s)" + _KIND + r"[ /]([a-z][a-z0-9.-]*)"),
    re.compile(r"\bkubectl\b[^;&|\n]*?\s[a-z][a-z.]*/([a-z][a-z0-9.-]*)"),
    re.compile(r"(?:\s-l\s*|--selector[= ]\s*)[^\s=]+=([a-z][a-z0-9.-]*)"),
)
_NAMESPACE = re.compile(r"(?:\s-n[= ]?|--namespace[= ])\s*([a-z0-9][a-z0-9-]*)")
_VARIABLE = re.compile(r"\$(?:\{(\w+)\}|\((\w+)\)|(\w+))")
_NO_TARGETS = ("localhost", "status")


class Target(t.NamedTuple):
    """A host or an object that is waited for. Namespace empty: the waiting one's own, as far as can be told."""

    name: str
    namespace: str = ""

    def text(self) -> str:
        return f"{self.namespace}/{self.name}" if self.namespace else self.name

    @property
    def names(self) -> tuple[str, str]:
        """As it is written, and without the number of a pod of a StatefulSet."""
        return self.name, re.sub(r"-\d+$", "", self.name)


class Wait(t.NamedTuple):
    container: str
    how: str
    targets: tuple[Target, ...]


def find_wait(container: Body) -> Wait | None:
    """None for a container that does work of its own."""
    name = container_name(container)
    command = _command(container)
    image = str(container.get("image") or "").rsplit("/", 1)[-1]
    if _WAITING_IMAGES.search(image):
        return Wait(name, f"image {image}", _targets(command))
    for pattern, how in _COMMANDS:
        if pattern.search(command):
            return Wait(name, how, _targets(command))
    return None


def container_name(container: Body) -> str:
    """Of a Workflow's container, which needs none, Argo's own word for it."""
    return str(container.get("name") or "main")


def containers_of(body: t.Any) -> t.Iterator[tuple[str, Body]]:
    """(list that it stands in, container) of whatever runs pods: Workflows, and kinds that nobody here knows."""
    if isinstance(body, list):
        for item in body:
            yield from containers_of(item)
    if not isinstance(body, dict):
        return
    for key, value in body.items():
        if key in ("containers", "initContainers") and isinstance(value, list):
            yield from ((key, one) for one in value if isinstance(one, dict))
        elif key in ("container", "script") and isinstance(value, dict) and value.get("image"):
            yield "containers", value
        else:
            yield from containers_of(value)


def _command(container: Body) -> str:
    """Everything that it is told to do, with the variables that stand beside it filled in."""
    parts = [container.get(key) for key in ("command", "args", "source")]
    words = [word for part in parts for word in (part if isinstance(part, list) else [part]) if word is not None]
    env = container["env"] if isinstance(container.get("env"), list) else []
    variables = {
        str(one.get("name")): str(one["value"]) for one in env if isinstance(one, dict) and one.get("value") is not None
    }
    text = " ".join(str(word) for word in words)
    return _VARIABLE.sub(lambda found: variables.get(next(filter(None, found.groups())), found.group(0)), text)


def _targets(command: str) -> tuple[Target, ...]:
    namespace = _NAMESPACE.search(command)
    default = namespace.group(1) if namespace else ""
    found = {_target(match, default) for pattern in _TARGETS for match in pattern.findall(command)}
    return tuple(sorted(one for one in found if one.name not in _NO_TARGETS))


def _target(host: str, default: str) -> Target:
    """vault.security.svc.cluster.local is the Service vault in the namespace security."""
    labels = host.strip(".").split(".")
    if len(labels) == 2 or (len(labels) > 2 and labels[2] == "svc"):
        return Target(labels[0], labels[1])
    return Target(host, default)
