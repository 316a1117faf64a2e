# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How long planning takes, beside networkx sorting the same graph: one run, one machine, ratios.

    make benchmark                # or: .venv/bin/python tests/benchmark/plan.py [largest number of nodes]

Times are processor time, the best of several runs each. Peak memory is measured in a process of its own per size.
"""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import time
import typing as t
from functools import partial
from pathlib import Path

import networkx as nx

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / ".ansible" / "collections"))

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.plan import make_plan
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.reader import read_graph
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._dag.source import Source

SIZES = (43, 1_000, 10_000, 100_000)
DEPENDENCIES = 3
ROUNDS = 5


def random_spec(count: int) -> dict[str, t.Any]:
    """Applications with about three dependencies each, anywhere among those before them."""
    choose = random.Random(count)
    names = [f"app-{number:06d}" for number in range(count)]
    applications = {
        name: {"depends_on": [names[other] for other in {choose.randrange(number) for _ in range(DEPENDENCIES)}]}
        if number
        else {}
        for number, name in enumerate(names)
    }
    return {"version": 1, "stacks": {"benchmark": {"applications": applications}}}


def plan(spec: dict[str, t.Any]) -> dict[str, t.Any]:
    return make_plan(read_graph(Source("benchmark", spec)))


def networkx_sort(graph: nx.DiGraph[str]) -> list[str]:
    return list(nx.lexicographical_topological_sort(graph))


def as_networkx(spec: dict[str, t.Any]) -> nx.DiGraph[str]:
    graph: nx.DiGraph[str] = nx.DiGraph()
    for name, settings in spec["stacks"]["benchmark"]["applications"].items():
        graph.add_node(name)
        graph.add_edges_from((dependency, name) for dependency in settings.get("depends_on", ()))
    return graph


def best(*functions: t.Callable[[], t.Any]) -> list[float]:
    """Processor seconds of each, the best of some rounds, taken in turns so that a busy moment meets all of them."""
    times: list[list[float]] = [[] for _function in functions]
    for _round in range(ROUNDS):
        for function, seconds in zip(functions, times, strict=True):
            start = time.process_time()
            result = function()
            seconds.append(time.process_time() - start)
            del result
    return [min(seconds) for seconds in times]


def peak_mebibytes(count: int) -> float:
    """What a process needs at its peak that does nothing but plan."""
    code = subprocess.run([sys.executable, __file__, "--peak", str(count)], capture_output=True, text=True, check=True)
    return float(code.stdout)


def main(largest: int) -> None:
    print("   nodes  networkx sort        plan  plan/sort  growth sort  growth plan  peak memory")
    earlier: tuple[float, float] | None = None
    for count in (size for size in SIZES if size <= largest):
        spec = random_spec(count)
        graph = as_networkx(spec)
        sorting, planning = best(partial(networkx_sort, graph), partial(plan, spec))
        growth = (
            "          -            -"
            if earlier is None
            else f"{sorting / earlier[0]:11.1f}  {planning / earlier[1]:11.1f}"
        )
        print(
            f"{count:8d}  {sorting * 1000:10.1f} ms  {planning * 1000:7.1f} ms  {planning / sorting:9.2f}  {growth}"
            f"  {peak_mebibytes(count):7.0f} MiB",
            flush=True,
        )
        earlier = (sorting, planning)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--peak"]:
        plan(random_spec(int(sys.argv[2])))
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    else:
        main(int(sys.argv[1]) if sys.argv[1:] else SIZES[-1])
