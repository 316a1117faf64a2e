# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""RFC 5.4: sync waves order the resources inside one application, from -3 on, and never applications."""

from __future__ import annotations

import typing as t

from .facts import Body, annotations_of, name_of
from .finding import BLOCKING, WARNING, Finding

_WAVE = "argocd.argoproj.io/sync-wave"
_LOWEST = -3


def check_waves(application: str, manifests: t.Iterable[Body]) -> list[Finding]:
    findings = []
    for body in manifests:
        wave = annotations_of(body).get(_WAVE)
        if wave is None:
            continue
        where = f"{application}: {body.get('kind') or 'object'} {name_of(body)}"
        number = _number(wave)
        if number is None:
            findings.append(
                Finding("waves.no-number", WARNING, where, f"sync wave {wave!r}", "a whole number", _rename(_LOWEST))
            )
        elif number < _LOWEST:
            wanted = f"{_LOWEST} at the lowest (RFC 5.4)"
            findings.append(
                Finding("waves.too-low", WARNING, where, f"sync wave {number}", wanted, _rename(_LOWEST)),
            )
    return findings


def check_application_waves(applications: t.Iterable[Body]) -> list[Finding]:
    """On an Application a wave makes the sync of Root wait for health, which the authority of the run holds back."""
    return [
        Finding(
            "waves.on-application",
            BLOCKING,
            name_of(body),
            f"the Application has sync wave {annotations_of(body)[_WAVE]}",
            "no sync wave on Applications: the graph orders them",
            f"Remove the annotation {_WAVE} from the Application {name_of(body)} in Git;"
            " say under depends_on in dag.yaml what it waits for.",
        )
        for body in applications
        if _WAVE in annotations_of(body)
    ]


def _number(text: t.Any) -> int | None:
    try:
        return int(str(text).strip())
    except ValueError:
        return None


def _rename(lowest: int) -> str:
    return (
        f"Choose a wave from {lowest} on: {lowest} CRDs and operators, -2 storage, -1 core services, 0 infrastructure,"
        " 1 databases, 2 application infrastructure, 3 and more the rest."
    )
