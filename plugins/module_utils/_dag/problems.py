# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""What is wrong with a graph: all of it at once, each problem with its place."""

from __future__ import annotations

import difflib
import json
import re
import typing as t

# Keys and list indices from the top of the file down to the value in question.
Path = tuple[t.Any, ...]

# A file with thousands of mistakes has one cause, and the first of them show it.
MAX_SHOWN = 50
# Looking for near-misses among 100,000 names costs a tenth of a second each.
MAX_SUGGESTIONS = 20

_is_plain = re.compile(r"[-\w.:/]{1,80}", re.ASCII).fullmatch


class Problem(t.NamedTuple):
    """One thing that is wrong, and where."""

    path: Path
    message: str
    line: int | None = None

    def text(self, source: str) -> str:
        place = source if self.line is None else f"{source}:{self.line}"
        where = path_text(self.path)
        return f"{place}: {where}: {self.message}" if where else f"{place}: {self.message}"


class DagError(Exception):
    """The graph is refused; carries every problem that was found."""

    def __init__(self, source: str, problems: t.Sequence[Problem]) -> None:
        self.source = source
        self.problems = list(problems)
        super().__init__(self.text())

    def lines(self) -> list[str]:
        return [problem.text(self.source) for problem in self.problems]

    def text(self) -> str:
        if len(self.problems) == 1:
            return self.lines()[0]
        shown = self.lines()[:MAX_SHOWN]
        hidden = len(self.problems) - len(shown)
        if hidden:
            shown.append(f"... and {hidden} more")
        return f"{len(self.problems)} problems in the graph:\n" + "\n".join(f"- {line}" for line in shown)


class Problems:
    """Collects problems while a graph is read, so that all of them are told at once."""

    def __init__(self) -> None:
        self.found: list[Problem] = []
        self._suggestions_left = MAX_SUGGESTIONS

    def add(self, path: Path, message: str) -> None:
        self.found.append(Problem(path, message))

    def add_unknown(self, path: Path, what: str, name: str, known: t.Iterable[str]) -> None:
        """Report a name that nobody defines, with the nearest one that exists."""
        self.add(path, f"unknown {what} {quoted(name)}{self._suggestion(name, known)}")

    def _suggestion(self, name: str, known: t.Iterable[str]) -> str:
        if self._suggestions_left == 0:
            return ""
        self._suggestions_left -= 1
        nearest = difflib.get_close_matches(name, sorted(known), n=1)
        return f", did you mean {quoted(nearest[0])}?" if nearest else ""


def quoted(value: t.Any) -> str:
    """A value for a message: control characters and look-alike letters become visible escapes."""
    text = json.dumps(str(value))
    return text if len(text) <= 100 else text[:97] + '..."'


def described(value: t.Any) -> str:
    """What YAML made of a value, in words that tell why it is not what was meant."""
    if value is None:
        return "nothing (null)"
    if isinstance(value, bool):
        word = "true" if value else "false"
        return f"the boolean {word} (YAML reads yes, no, on and off as booleans: use quotes)"
    if isinstance(value, (int, float)):
        return f"the number {value} (YAML reads 1:30 as 90, too: use quotes for text)"
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, (list, tuple)):
        return "a list"
    return f"a {type(value).__name__} (YAML reads 2026-01-31 as a date: use quotes)"


def path_text(path: Path) -> str:
    text = ""
    for part in path:
        if isinstance(part, int) and not isinstance(part, bool):
            text += f"[{part}]"
        else:
            word = part if isinstance(part, str) and _is_plain(part) else quoted(part)
            text += f".{word}" if text else word
    return text
