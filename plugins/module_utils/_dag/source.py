# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Read dag.yaml: plain data plus the line of every key, safe against hostile files.

PyYAML's own loaders recurse (2,000 levels end in a RecursionError), keep the last of two equal keys without a word,
and expand aliases into more memory than there is. So the parser's events are turned into data here, in one pass,
with a stack, a depth limit, a size limit and an error for every doubled key.
"""

from __future__ import annotations

import os
import typing as t
from types import MappingProxyType

from .problems import DagError, Path, Problem, quoted

try:
    import yaml

    _Loader: t.Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    HAS_YAML = True
except ImportError:
    HAS_YAML = False

MAX_BYTES = 16 * 1024 * 1024
# A graph needs seven levels; editors and generators may add a few.
MAX_DEPTH = 32
# Values after aliases are expanded. 100,000 applications with three dependencies each are about 1,500,000.
MAX_VALUES = 5_000_000

_MERGE = "tag:yaml.org,2002:merge"
_STR = "tag:yaml.org,2002:str"


class Source(t.NamedTuple):
    """A graph as it was written, where it came from, where each key stands, and what is wrong with its YAML."""

    name: str
    data: t.Any
    # By the identity of the mapping or list, then by key or index.
    lines: t.Mapping[int, t.Mapping[t.Any, int]] = MappingProxyType({})
    problems: tuple[Problem, ...] = ()

    def line_of(self, path: Path) -> int | None:
        """The line of the deepest part of the path that exists in the file."""
        here, line = self.data, None
        for part in path:
            known = self.lines.get(id(here), {})
            if part not in known:
                break
            line = known[part]
            here = here[part]
        return line


def read_file(path: str) -> Source:
    """Load a dag.yaml, or raise DagError with the reason in one sentence."""
    try:
        size = os.path.getsize(path)
        if size > MAX_BYTES:
            raise _refusal(path, f"the file has {size} bytes, more than the {MAX_BYTES} that a graph may have")
        with open(path, encoding="utf-8") as stream:
            text = stream.read()
    except FileNotFoundError:
        raise _refusal(path, "the file does not exist; name the graph's file, for instance dag.yaml") from None
    except IsADirectoryError:
        raise _refusal(path, "this is a directory; name the graph's file, for instance dag.yaml") from None
    except UnicodeDecodeError as error:
        raise _refusal(path, f"the file is not UTF-8 text (byte {error.start})") from None
    except OSError as error:
        raise _refusal(path, f"the file cannot be read: {error.strerror}") from None
    return read_text(text, path)


def read_text(text: str, name: str) -> Source:
    """Load the text of a dag.yaml; name is used in messages only."""
    if not HAS_YAML:
        raise _refusal(name, "reading it needs the Python package PyYAML on the host that does it: install it there")
    builder = _Builder(name)
    try:
        for event in yaml.parse(text, Loader=_Loader):
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise _refusal(
            name, f"not valid YAML: {error.problem or error.context}", mark.line + 1 if mark else None
        ) from None
    except (yaml.YAMLError, ValueError) as error:
        raise _refusal(name, f"not valid YAML: {error}") from None
    return Source(name, builder.root, builder.lines, tuple(builder.problems))


def _refusal(name: str, message: str, line: int | None = None) -> DagError:
    return DagError(name, [Problem((), message, line)])


class _Open:
    """A mapping or list that is still being read."""

    __slots__ = ("anchor", "key", "key_line", "line", "merges", "size", "value")

    def __init__(self, value: t.Any, anchor: str | None, line: int) -> None:
        self.value = value
        self.anchor = anchor
        self.line = line
        self.key: t.Any = _NO_KEY
        self.key_line = 0
        self.merges: list[dict[t.Any, t.Any]] = []
        self.size = 1


_NO_KEY = object()
_MERGE_KEY = object()


class _Builder:
    """Turns parser events into data. One instance reads one file."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.root: t.Any = None
        self.lines: dict[int, dict[t.Any, int]] = {}
        self.problems: list[Problem] = []
        self._open: list[_Open] = []
        self._anchors: dict[str, tuple[t.Any, int]] = {}
        self._documents = 0
        self._scalars = _Loader("")

    def take(self, event: yaml.Event) -> None:
        kind = type(event)
        if kind is yaml.ScalarEvent:
            self._scalar(t.cast(yaml.ScalarEvent, event))
        elif kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
            self._start({} if kind is yaml.MappingStartEvent else [], event)
        elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
            self._end()
        elif kind is yaml.AliasEvent:
            self._alias(t.cast(yaml.AliasEvent, event))
        elif kind is yaml.DocumentStartEvent:
            self._documents += 1
            if self._documents > 1:
                raise _refusal(self.name, "a second YAML document starts; a graph is one document", _line(event))

    def _scalar(self, event: yaml.ScalarEvent) -> None:
        mark: t.Any = event.start_mark
        tag = (
            event.tag
            if event.tag and event.tag != "!"
            else self._scalars.resolve(yaml.ScalarNode, event.value, event.implicit)
        )
        in_mapping = bool(self._open) and isinstance(self._open[-1].value, dict)
        if tag == _MERGE and in_mapping and self._open[-1].key is _NO_KEY:
            value: t.Any = _MERGE_KEY
        elif tag == _STR:
            value = event.value
        else:
            value = self._scalars.construct_object(yaml.ScalarNode(tag, event.value, mark, mark))
        self._place(value, 1, event.anchor, _line(event))

    def _start(self, value: t.Any, event: t.Any) -> None:
        if len(self._open) >= MAX_DEPTH:
            raise _refusal(self.name, f"nested deeper than {MAX_DEPTH} levels", _line(event))
        if self._expects_key():
            raise _refusal(self.name, "a mapping key must be a plain name", _line(event))
        self.lines[id(value)] = {}
        self._open.append(_Open(value, event.anchor, _line(event)))

    def _end(self) -> None:
        done = self._open.pop()
        # A mapping's own keys win over merged ones, an earlier source over a later one.
        for merged in done.merges:
            for key, value in merged.items():
                done.value.setdefault(key, value)
        self._place(done.value, done.size, done.anchor, done.line)

    def _alias(self, event: yaml.AliasEvent) -> None:
        if event.anchor not in self._anchors:
            raise _refusal(self.name, f"unknown alias {quoted(event.anchor)}", _line(event))
        value, size = self._anchors[event.anchor]
        self._place(value, size, None, _line(event))

    def _expects_key(self) -> bool:
        return bool(self._open) and isinstance(self._open[-1].value, dict) and self._open[-1].key is _NO_KEY

    def _place(self, value: t.Any, size: int, anchor: str | None, line: int) -> None:
        """Put a finished value where it belongs: the document, a list, a mapping's key or its value."""
        if anchor:
            self._anchors[anchor] = (value, size)
        if not self._open:
            self.root = value
            return
        parent = self._open[-1]
        parent.size += size
        if parent.size > MAX_VALUES:
            raise _refusal(self.name, f"more than {MAX_VALUES} values once its aliases are expanded", line)
        if isinstance(parent.value, list):
            self.lines[id(parent.value)][len(parent.value)] = line
            parent.value.append(value)
        elif parent.key is _NO_KEY:
            self._key(parent, value, line)
        elif parent.key is _MERGE_KEY:
            self._merge(parent, value, line)
        else:
            parent.value[parent.key] = value
            self.lines[id(parent.value)][parent.key] = parent.key_line
            parent.key = _NO_KEY

    def _key(self, parent: _Open, key: t.Any, line: int) -> None:
        if isinstance(key, (dict, list)):
            raise _refusal(self.name, "a mapping key must be a plain name", line)
        if key is not _MERGE_KEY and key in parent.value:
            first = self.lines[id(parent.value)][key]
            self.problems.append(Problem((*self._path(), key), f"this key stands twice, first in line {first}", line))
        parent.key, parent.key_line = key, line

    def _path(self) -> Path:
        """Where the innermost open mapping stands."""
        return tuple(above.key if isinstance(above.value, dict) else len(above.value) for above in self._open[:-1])

    def _merge(self, parent: _Open, value: t.Any, line: int) -> None:
        sources = value if isinstance(value, list) else [value]
        if not all(isinstance(source, dict) for source in sources):
            raise _refusal(self.name, "'<<' merges mappings only", line)
        parent.merges.extend(sources)
        parent.key = _NO_KEY


def _line(event: yaml.Event) -> int:
    mark: t.Any = event.start_mark
    return int(mark.line) + 1
