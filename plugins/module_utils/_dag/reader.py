# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""From what a user wrote to a Graph, or to all the problems that it has."""

from __future__ import annotations

import typing as t

from .checks import Checks
from .collector import collector_paused
from .cycles import find_cycles
from .model import BUILT_IN_TYPES, DEFAULT_RETRIES, DEFAULT_TYPE, MANAGED_BY, Graph, Node, NodeType
from .names import RESOURCE_FORM, RESOURCE_PREFIX, is_application_name, parse_resource, task_name
from .ordering import Ordering
from .problems import DagError, Path, Problems, described, quoted
from .source import Source

VERSION = 1
# Stack dependencies multiply: 1,000 applications on 1,000 others are a million edges.
MAX_EDGES = 2_000_000

GRAPH_KEYS = ("version", "types", "stacks")
STACK_KEYS = ("depends_on", "applications")
TYPE_KEYS = ("sync_timeout", "health_timeout", "expected_duration")
APPLICATION_KEYS = (
    "type",
    "depends_on",
    "provides",
    "application",
    "managed_by",
    "sync_timeout",
    "health_timeout",
    "retries",
    "expected_duration",
)


@collector_paused()
def read_graph(source: Source) -> Graph:
    """The graph, or DagError with everything that is wrong with it."""
    reader = _Reader()
    graph = reader.read(source.data)
    problems = [
        *source.problems,
        *(problem._replace(line=source.line_of(problem.path)) for problem in reader.problems.found),
    ]
    if problems or graph is None:
        raise DagError(source.name, problems)
    return graph


class _Reader:
    """Reads one graph; every method goes on after a problem, so that all of them are found."""

    def __init__(self) -> None:
        self.problems = Problems()
        self.check = Checks(self.problems)
        self.data: t.Any = None
        self.types: dict[str, NodeType] = dict(BUILT_IN_TYPES)
        self.nodes: dict[str, Node] = {}
        self.stacks: dict[str, list[str]] = {}
        self.stack_needs: dict[str, list[str]] = {}
        self.providers: dict[str, list[str]] = {}

    def read(self, data: t.Any) -> Graph | None:
        self.data = data
        top = self.check.mapping(data, (), GRAPH_KEYS, "a graph")
        if top is not data:
            return None
        self._version(top)
        self._types(top.get("types"))
        for name, stack in self.check.named(top.get("stacks"), ("stacks",), "a stack").items():
            self._stack(name, stack)
        if not top.get("stacks"):
            self.problems.add(("stacks",), "the graph is empty: add a stack with at least one application")
        ordering = self._resolve()
        if self.problems.found or ordering is None:
            return None
        stacks = {name: tuple(sorted(members)) for name, members in sorted(self.stacks.items())}
        return Graph({name: self.nodes[name] for name in ordering.names}, stacks, ordering)

    # --- the parts of the file ---

    def _version(self, top: dict[t.Any, t.Any]) -> None:
        version = top.get("version")
        if version is None:
            self.problems.add(("version",), f"missing: write 'version: {VERSION}'")
        elif isinstance(version, bool) or version != VERSION:
            self.problems.add(("version",), f"this collection reads version {VERSION}, not {described(version)}")

    def _types(self, types: t.Any) -> None:
        for name, value in self.check.named(types, ("types",), "a type").items():
            path: Path = ("types", name)
            settings = self.check.mapping(value, path, TYPE_KEYS, "a type")
            base = self.types.get(name)
            if base is None:
                missing = [key for key in ("sync_timeout", "health_timeout") if key not in settings]
                if missing:
                    self.problems.add(path, f"a new type needs {' and '.join(missing)}")
                base = BUILT_IN_TYPES[DEFAULT_TYPE]
            self.types[name] = NodeType(
                self.check.duration(settings, path, "sync_timeout", base.sync_timeout_seconds),
                self.check.duration(settings, path, "health_timeout", base.health_timeout_seconds),
                self.check.duration(settings, path, "expected_duration", base.expected_seconds, least=0),
            )

    def _stack(self, name: str, value: t.Any) -> None:
        path: Path = ("stacks", name)
        stack = self.check.mapping(value, path, STACK_KEYS, "a stack")
        self.stack_needs[name] = self.check.names(stack.get("depends_on"), (*path, "depends_on"))
        members = self.stacks[name] = []
        path = (*path, "applications")
        if not stack.get("applications") and isinstance(value, dict):
            self.problems.add(path, "the stack has no applications: add one, or remove the stack")
        for application, settings in self.check.named(stack.get("applications"), path, "an application").items():
            here = (*path, application)
            if application in self.nodes:
                self.problems.add(
                    here, f"the name is taken by an application of stack {quoted(self.nodes[application].stack)}"
                )
                continue
            members.append(application)
            self._application(name, application, settings, here)

    def _application(self, stack: str, name: str, value: t.Any, path: Path) -> None:
        # "metallb:" with nothing behind it is an application that needs no settings.
        settings = self.check.mapping(value, path, APPLICATION_KEYS, "an application") if value is not None else {}
        type_name = settings.get("type", DEFAULT_TYPE)
        defaults = self.types.get(type_name) if isinstance(type_name, str) else None
        if defaults is None:
            self._bad_type(type_name, path)
            defaults = self.types[DEFAULT_TYPE]
        managed_by = settings.get("managed_by", MANAGED_BY[0])
        if managed_by not in MANAGED_BY:
            self.problems.add(
                (*path, "managed_by"), f"must be one of {', '.join(MANAGED_BY)}, not {described(managed_by)}"
            )
        for resource in self.check.names(settings.get("provides"), (*path, "provides")):
            self.providers.setdefault(resource, []).append(name)
        application = settings.get("application", name)
        if application is not name and not is_application_name(application):
            self.problems.add(
                (*path, "application"), f"must be the name of an Argo CD Application, not {described(application)}"
            )
        self.nodes[name] = Node(
            name=name,
            kind="application",
            stack=stack,
            type=str(type_name),
            application=str(application),
            managed_by=str(managed_by),
            depends_on=tuple(sorted(self.check.names(settings.get("depends_on"), (*path, "depends_on")))),
            sync_timeout_seconds=self.check.duration(settings, path, "sync_timeout", defaults.sync_timeout_seconds),
            health_timeout_seconds=self.check.duration(
                settings, path, "health_timeout", defaults.health_timeout_seconds
            ),
            retries=self.check.retries(settings["retries"], (*path, "retries"))
            if "retries" in settings
            else DEFAULT_RETRIES,
            # What the bootstrap owns stands already when the orchestration starts: verifying it takes no time.
            expected_seconds=0
            if managed_by == "bootstrap"
            else self.check.duration(settings, path, "expected_duration", defaults.expected_seconds, least=0),
        )

    def _bad_type(self, type_name: t.Any, path: Path) -> None:
        if isinstance(type_name, str):
            self.problems.add_unknown((*path, "type"), "type", type_name, self.types)
        else:
            self.problems.add((*path, "type"), f"must be the name of a type, not {described(type_name)}")

    # --- dependencies ---

    def _resolve(self) -> Ordering | None:
        """Expand stack dependencies, add resource nodes, and refuse what is unknown, doubled or circular."""
        inherited = self._stack_dependencies()
        self._resource_nodes()
        self._collisions()
        self._unknown_dependencies()
        expanded = sum(len(self.stacks[stack]) * len(needs) for stack, needs in inherited.items())
        if expanded > MAX_EDGES:
            self.problems.add(
                ("stacks",),
                f"depends_on between stacks makes {expanded} dependencies between applications, more than {MAX_EDGES}:"
                " let single applications depend on single applications instead",
            )
            return None
        for stack, needs in inherited.items():
            for name in self.stacks[stack] if needs else ():
                node = self.nodes[name]
                self.nodes[name] = node._replace(depends_on=tuple(sorted({*node.depends_on, *needs})))
        dependencies = {name: node.depends_on for name, node in self.nodes.items()}
        return self._ordering(dependencies, self._place_of, "dependency cycle")

    def _unknown_dependencies(self) -> None:
        for name, node in self.nodes.items():
            for dependency in node.depends_on:
                if dependency not in self.nodes and not self._is_resource(dependency):
                    path = self._place_in((*self._place_of(name), "depends_on"), dependency)
                    self._unknown_dependency(path, dependency)

    def _stack_dependencies(self) -> dict[str, list[str]]:
        """For every stack, the applications that all of its own wait for."""
        for stack, needs in self.stack_needs.items():
            for need in needs:
                if need not in self.stacks:
                    self.problems.add_unknown(
                        self._place_in(("stacks", stack, "depends_on"), need), "stack", need, self.stacks
                    )
        known = {stack: [need for need in needs if need in self.stacks] for stack, needs in self.stack_needs.items()}
        if self._ordering(known, lambda stack: ("stacks", stack, "depends_on"), "stacks depend on each other") is None:
            # Expanded, one cycle of stacks would become a cycle for every pair of their applications.
            return {stack: [] for stack in self.stacks}
        return {stack: [name for need in needs for name in self.stacks[need]] for stack, needs in known.items()}

    def _resource_nodes(self) -> None:
        for resource, providers in self.providers.items():
            place = (*self._place_of(providers[0]), "provides")
            if self._is_resource(resource):
                owner = self.nodes[min(providers)]
                self.nodes[resource] = owner._replace(
                    name=resource,
                    kind="resource",
                    application="",
                    depends_on=tuple(sorted(providers)),
                    expected_seconds=0,
                )
            else:
                self.problems.add(place, f"{quoted(resource)} is no resource: write {RESOURCE_FORM}")

    def _is_resource(self, name: str) -> bool:
        return name.startswith(RESOURCE_PREFIX) and parse_resource(name) is not None

    def _collisions(self) -> None:
        """One Argo CD Application and one workflow task belong to one node."""
        applications: dict[str, str] = {}
        tasks: dict[str, str] = {}
        for name, node in self.nodes.items():
            owner = applications.setdefault(node.application, name) if node.application else name
            if owner != name:
                self.problems.add(
                    self._place_of(name),
                    f"the Argo CD Application {quoted(node.application)} is node {quoted(owner)} already",
                )
            task = task_name(name)
            other = tasks.setdefault(task, name)
            if other != name:
                both = f"{quoted(name)} and {quoted(other)}"
                self.problems.add(
                    self._place_of(name), f"{both} would become one workflow task, {quoted(task)}: rename one"
                )

    def _place_of(self, name: str) -> Path:
        node = self.nodes[name]
        if node.kind == "resource":
            return (*self._place_of(node.depends_on[0]), "provides")
        return ("stacks", node.stack, "applications", name)

    def _place_in(self, path: Path, name: str) -> Path:
        """Where a name stands in a list of the user's."""
        written = self.data
        for part in path:
            written = written[part]
        return (*path, written.index(name))

    def _unknown_dependency(self, path: Path, name: str) -> None:
        if name.startswith(RESOURCE_PREFIX):
            self.problems.add(path, f"{quoted(name)} is no resource: write {RESOURCE_FORM}")
        elif name in self.stacks:
            self.problems.add(path, f"{quoted(name)} is a stack: name its applications, or depend on it in the stack")
        else:
            self.problems.add_unknown(path, "dependency", name, self.nodes)

    def _ordering(
        self, dependencies: t.Mapping[str, t.Sequence[str]], place: t.Callable[[str], Path], what: str
    ) -> Ordering | None:
        """The order of an acyclic graph; of any other, every cycle is reported."""
        ordering = Ordering(dependencies)
        if sum(map(len, ordering.levels)) == len(dependencies):
            return ordering
        for cycle in find_cycles(dependencies):
            self.problems.add(place(cycle[0]), f"{what}: {' -> '.join(cycle)}")
        return None
