# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""This collection beside what else deploys a graph of applications: same cluster, same charts, one run.

    make benchmark-peers            # about 25 minutes; brings the embedded cluster up, and leaves it bootstrapped
    make benchmark-peers PEERS="dag helmfile-hooks"     # only these

What is measured, and how to read it: docs/performance.md.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
HERE = "tests/benchmark/peers"
for folder in (".ansible/collections", "testbed", "testbed/platforms", "tests/integration", HERE):
    sys.path.insert(0, str(ROOT / folder))

import alone
import figures
import ordering
from contestants import Collection, Contestant, Helmfile, RollingSync, SyncWaves
from costs import Meter
from deployment import bootstrap
from field import Field, Trouble, eventually
from figures import Result
from observer import Observer

CONTESTANTS: dict[str, Callable[[Field, Observer], Contestant]] = {
    "dag": lambda field, observer: Collection(field, observer, "dag", updates=True),
    "waves": lambda field, observer: Collection(field, observer, "waves"),
    "sync-waves": SyncWaves,
    "rolling-sync": RollingSync,
    "helmfile-hooks": lambda field, observer: Helmfile(field, observer, hooks=True),
    "helmfile": lambda field, observer: Helmfile(field, observer, hooks=False),
    "dag-unsettled": lambda field, observer: Collection(field, observer, "dag", deploy_ops_settle=0),
}
STAGES = (
    "Ready -> Argo CD says Healthy",
    "Healthy -> verdict of the gate",
    "verdict -> task of the dependent at the agent",
    "task -> sync requested",
    "sync requested -> first object",
)
SHOW_EVERY = 15.0
KEPT = ROOT / "build" / "benchmark-peers.json"


def main() -> None:
    options = _options()
    with tempfile.TemporaryDirectory(prefix="deploy-ops-peers-") as folder:
        field, observer = Field(Path(folder)), Observer()
        say(f"{len(field.stacks)} applications, {sum(map(len, field.parents.values()))} edges; bootstrap")
        bootstrap(field.playbook, "rfc")
        field.clear()
        say(f"the critical path alone: {', '.join(alone.path(field))}")
        taken = alone.measure(field, observer)
        critical_path = sum(taken.values())
        say(f"critical path: {critical_path:.1f} s ({', '.join(f'{name} {taken[name]:.1f}' for name in taken)})")
        field.clear()
        results: list[Result] = []
        try:
            for name in options.contestants or CONTESTANTS:
                contest(CONTESTANTS[name](field, observer), field, observer, critical_path, results)
                _keep(results, critical_path)
                field.clear()
        finally:
            observer.close()
            print(f"\ncritical path alone: {critical_path:.1f} s\n\n{figures.table(results, critical_path)}")
            print(f"\nevery moment: {KEPT.relative_to(ROOT)}")


def contest(
    contestant: Contestant, field: Field, observer: Observer, critical_path: float, results: list[Result]
) -> None:
    try:
        run(contestant, field, observer, critical_path, results)
    except (Trouble, AssertionError) as trouble:
        say(f"{contestant.name} could not be prepared or measured: {trouble}")


def run(contestant: Contestant, field: Field, observer: Observer, critical_path: float, results: list[Result]) -> None:
    with contestant.prepared():
        results.append(measured(contestant.name, contestant.install, field, observer))
        _tell_stages(field, observer, results[-1].spans)
        say(figures.table(results[-1:], critical_path).splitlines()[-1])
        if contestant.updates and results[-1].is_done:
            field.next_release()
            results.append(measured(f"{contestant.name}: update", contestant.update, field, observer))
            say(figures.table(results[-1:], critical_path).splitlines()[-1])


def measured(name: str, act: Callable[[Meter], None], field: Field, observer: Observer) -> Result:
    say(f"{name}; load {os.getloadavg()[0]:.1f}")
    observer.forget()
    meter = Meter(observer.api)
    began = time.time()
    with meter, progress(field, observer, began):
        try:
            act(meter)
        except (Trouble, AssertionError) as trouble:
            say(f"{name}: {trouble}")
        took = time.time() - began
    _wait_for_the_rest(field, observer)
    spans = observer.spans(field.release)
    edges = [(parent, name) for name, parents in field.parents.items() for parent in parents]
    violations = ordering.violations(edges, ordering.timeline(ordering.collect()))
    return Result(name, spans, field.parents, violations, took, meter.costs)


def _wait_for_the_rest(field: Field, observer: Observer) -> None:
    """What was begun becomes ready, also where nobody has waited for it."""

    def is_ready() -> bool:
        begun = {name for name, release in observer.arrived if release == field.release}
        return begun <= observer.spans(field.release).keys()

    eventually(is_ready, "everything that was begun is ready", 120, every=2)


@contextmanager
def progress(field: Field, observer: Observer, began: float) -> Iterator[None]:
    """A line now and then: how many have begun."""
    ended = threading.Event()

    def show() -> None:
        while not ended.wait(SHOW_EVERY):
            begun = sum(release == field.release for _name, release in list(observer.arrived))
            say(f"  {time.time() - began:.0f} s: {begun} of {len(field.stacks)} begun")

    thread = threading.Thread(target=show, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def say(text: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)


def _tell_stages(field: Field, observer: Observer, spans: Mapping[str, figures.Span]) -> None:
    """Where the dispatch of a workflow spends its time; of the others nothing is known between the two ends."""
    if not observer.passed:
        return
    moments = {}
    for name, parents in field.parents.items():
        if parents:
            last = max(parents, key=lambda parent: spans[parent].ready)
            moments[name] = (
                spans[last].ready,
                observer.healthy.get(last),
                observer.passed.get(last),
                observer.tasked.get(name),
                observer.requested.get(name),
                spans[name].started,
            )
    for stage, median, worst in figures.stages(moments, STAGES):
        say(f"  {stage:<48} median {median:5.2f} s, p95 {worst:5.2f} s")


def _keep(results: list[Result], critical_path: float) -> None:
    """Everything that was seen, for whoever doubts the table."""
    KEPT.parent.mkdir(exist_ok=True)
    shown = [
        {**result._asdict(), "parents": {key: sorted(of) for key, of in result.parents.items()}} for result in results
    ]
    KEPT.write_text(json.dumps({"critical_path": critical_path, "results": shown}, indent=1))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="peers", description=__doc__.partition("\n")[0])
    parser.add_argument("contestants", nargs="*", choices=CONTESTANTS, metavar="NAME", help=", ".join(CONTESTANTS))
    return parser.parse_args()


if __name__ == "__main__":
    main()
