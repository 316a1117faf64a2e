# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the operator face says in its log."""

from __future__ import annotations


class Talk:
    """Says things; repeats itself about a place only when it has something new to say there."""

    def __init__(self) -> None:
        self._said: dict[str, str] = {}

    def say(self, text: str) -> None:
        print(text, flush=True)

    def say_once(self, place: str, text: str) -> None:
        if self._said.get(place) != text:
            self._said[place] = text
            self.say(f"{place}: {text}")
