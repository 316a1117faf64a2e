# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Keeps secrets out of everything that leaves the module.

no_log is not enough: since ansible-core 2.19 a failing task prints its message all the same, and no version knows
a secret's base64 or URL form.
"""

from __future__ import annotations

import base64
import json
import typing as t
import urllib.parse

MASK = "********"
# Shorter ones would tear ordinary words apart, and are no secret worth the name.
_SHORTEST = 4


class Secrets:
    """Every secret that the module has seen, in every form in which it may turn up."""

    def __init__(self) -> None:
        self.forms: set[str] = set()

    def add(self, secret: str | None) -> None:
        if not secret:
            return
        for text in {secret, secret.strip(), *secret.splitlines()}:
            if len(text) >= _SHORTEST:
                self.forms.update(_forms(text))

    def add_pair(self, username: str, password: str | None) -> None:
        """A password, also in the form in which HTTP sends it."""
        self.add(password)
        if password:
            self.add(base64.b64encode(f"{username}:{password}".encode()).decode())

    def add_all(self, value: t.Any) -> None:
        """Every string inside a structure."""
        if isinstance(value, str):
            self.add(value)
        elif isinstance(value, dict):
            for item in value.values():
                self.add_all(item)
        elif isinstance(value, (list, tuple)):
            for item in value:
                self.add_all(item)

    def redact(self, value: t.Any) -> t.Any:
        """The same structure with every secret masked, in keys as well."""
        if isinstance(value, str):
            return self._redact_text(value)
        if isinstance(value, dict):
            return {self.redact(key): self.redact(item) for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.redact(item) for item in value]
        return value

    def _redact_text(self, text: str) -> str:
        # Longest first: a secret may be part of another one.
        for form in sorted(self.forms, key=len, reverse=True):
            text = text.replace(form, MASK)
        return text


def _forms(text: str) -> set[str]:
    raw = text.encode()
    return {
        text,
        base64.b64encode(raw).decode(),
        base64.b64encode(raw).decode().rstrip("="),
        base64.urlsafe_b64encode(raw).decode(),
        urllib.parse.quote(text, safe=""),
        urllib.parse.quote(text),
        urllib.parse.quote_plus(text),
        json.dumps(text)[1:-1],
    }
