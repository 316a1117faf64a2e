# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""The options of the module as the judges take them, or everything that is wrong with them."""

from __future__ import annotations

import typing as t

from .._gate.moments import Moment
from .facts import Place, Settings

_DAY = 86400


class OptionError(Exception):
    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


def read_settings(options: t.Mapping[str, t.Any], now: Moment) -> Settings:
    """Raises OptionError."""
    problems = [
        f"components: {name} must have namespace and release, both text"
        for name, place in options["components"].items()
        if not isinstance(place, dict) or not all(_is_text(place.get(key)) for key in ("namespace", "release"))
    ]
    problems += [
        f"tokens: {account} must be the name of a Secret, not {secret!r}"
        for account, secret in options["tokens"].items()
        if not _is_text(secret)
    ]
    problems += [
        f"kinds_without_health: {text!r} must be group/Kind"
        for text in options["kinds_without_health"]
        if text.count("/") != 1
    ]
    if options["token_warn_days"] < 0:
        problems.append(f"token_warn_days must not be negative, and is {options['token_warn_days']}")
    if problems:
        raise OptionError(problems)
    return Settings(
        project=options["project"],
        argocd_namespace=options["argocd_namespace"],
        workflows_namespace=options["workflows_namespace"],
        steady_state=options["steady_state"],
        components={name: Place(place["namespace"], place["release"]) for name, place in options["components"].items()},
        tokens=dict(options["tokens"]),
        token_warn_seconds=options["token_warn_days"] * _DAY,
        kinds_without_health=tuple(options["kinds_without_health"]),
        compliance=options["compliance"],
        now=now,
    )


def _is_text(value: t.Any) -> bool:
    return isinstance(value, str) and bool(value)
