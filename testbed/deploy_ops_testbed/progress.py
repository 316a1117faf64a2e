# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Shows what is being done: a live line on a terminal, plain lines elsewhere, a log for each step."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TextIO

from deploy_ops_testbed import paths
from deploy_ops_testbed.durations import Durations
from deploy_ops_testbed.errors import TestbedError, disk_full

LAST_LINES = 15
STILL_RUNNING_EVERY = 30.0
REDRAW_EVERY = 0.5


def spoken(seconds: float) -> str:
    """A duration as a person says it."""
    whole = round(seconds)
    return f"{whole} s" if whole < 90 else f"{whole // 60} min {whole % 60:02} s"


def tail(log: Path, lines: int = LAST_LINES) -> str:
    """The last lines of a log, indented; empty when there is none."""
    try:
        text = log.read_text(errors="replace")
    except FileNotFoundError:
        return ""
    return "\n".join(f"    {line}" for line in text.splitlines()[-lines:])


class Step:
    """One thing that is being done."""

    def __init__(self, key: str, text: str, log: Path) -> None:
        self.key = key
        self.text = text
        self.log = log
        self.started = time.monotonic()
        self.remark = ""

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started

    def note(self, text: str) -> None:
        """Say what the step is at; shown with the next line."""
        self.remark = text
        with self.log.open("a") as log:
            log.write(f"# {text}\n")

    def run(
        self,
        command: Sequence[str | Path],
        *,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        way_out: str = "read the log, mend that and run the same command again: what is finished is kept",
    ) -> None:
        """Run a program with its output in the log; end it when we are ended; a failure becomes one message."""
        words = [str(word) for word in command]
        with self.log.open("ab") as log:
            log.write(f"$ {' '.join(words)}\n".encode())
            log.flush()
            try:
                process = subprocess.Popen(
                    words, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT
                )
            except FileNotFoundError as error:
                raise TestbedError(
                    f"{self.text}: cannot run {words[0]}", str(error), "install it and run the same command again"
                ) from None
            try:
                code = process.wait()
            except BaseException:
                _end(process)
                raise
        if code != 0:
            said = tail(self.log)
            if "no space left on device" in said.lower():
                raise disk_full(f"{self.text}: see {self.log}")
            raise TestbedError(
                f"{self.text}: `{Path(words[0]).name}` ended with {code}",
                f"last lines of {self.log}:\n{said}",
                way_out,
            )


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class Steps:
    """The steps of one command, in the order in which they are done."""

    def __init__(self, title: str, plan: Sequence[str], *, stream: TextIO | None = None) -> None:
        self.title = title
        self.stream = stream or sys.stdout
        self.live = self.stream.isatty()
        self.started = time.monotonic()
        self._plan = list(plan)
        self._over: set[str] = set()
        self._durations = Durations(title)
        self._current: Step | None = None
        self._wake = threading.Event()
        self._ticker: threading.Thread | None = None

    def __enter__(self) -> Steps:
        return self

    def __exit__(self, *_exception: object) -> None:
        self._current = None

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started

    def step(self, key: str, text: str) -> _Running:
        """A context manager for one step; yields the Step."""
        if key not in self._plan:
            self._plan.append(key)
        return _Running(self, key, text)

    def skip(self, key: str) -> None:
        """Planned, but there was nothing to do."""
        self._over.add(key)

    def say(self, text: str) -> None:
        """One lasting line."""
        self._clear()
        print(text, file=self.stream, flush=True)

    def time_left(self) -> float | None:
        """Seconds until the plan is done, or None while something in it was never timed on this machine."""
        left = 0.0
        for key in self._plan:
            if key in self._over:
                continue
            expected = self._durations.expected(key)
            if expected is None:
                return None
            spent = self._current.seconds if self._current and self._current.key == key else 0.0
            left += max(expected - spent, 0.0)
        return left

    def _begin(self, key: str, text: str) -> Step:
        folder = paths.cache_dir() / "logs" / self.title
        folder.mkdir(parents=True, exist_ok=True)
        log = folder / f"{key}.log"
        log.write_text("")
        step = Step(key, text, log)
        self._current = step
        if not self.live:
            self.say(f"{self._place(step)} {text}: started{self._estimate()}")
        self._wake.clear()
        self._ticker = threading.Thread(target=self._tick, args=(step,), daemon=True)
        self._ticker.start()
        return step

    def _finish(self, step: Step, failure: type[BaseException] | None) -> None:
        self._wake.set()
        if self._ticker:
            self._ticker.join()
        place = self._place(step)
        self._over.add(step.key)
        self._current = None
        if failure:
            how = "interrupted" if issubclass(failure, KeyboardInterrupt) else "failed"
            self.say(f"{place} {step.text}: {how} after {spoken(step.seconds)}, log: {step.log}")
            return
        self._durations.learn(step.key, step.seconds)
        self.say(f"{place} {step.text}: done in {spoken(step.seconds)}")

    def _tick(self, step: Step) -> None:
        every = REDRAW_EVERY if self.live else STILL_RUNNING_EVERY
        while not self._wake.wait(every):
            remark = f", {step.remark}" if step.remark else ""
            if self.live:
                line = f"{self._place(step)} {step.text}: {spoken(step.seconds)}{remark}{self._estimate()}"
                width = shutil.get_terminal_size().columns - 1
                self.stream.write("\r\033[K" + line[:width])
                self.stream.flush()
            else:
                self.say(
                    f"{self._place(step)} {step.text}: still running after {spoken(step.seconds)}"
                    f"{remark}{self._estimate()}"
                )

    def _place(self, step: Step) -> str:
        width = len(str(len(self._plan)))
        return f"[{self._plan.index(step.key) + 1:>{width}}/{len(self._plan)}]"

    def _estimate(self) -> str:
        left = self.time_left()
        return "" if left is None else f" (about {spoken(left)} left)"

    def _clear(self) -> None:
        if self.live:
            self.stream.write("\r\033[K")


class _Running:
    """The `with` block of one step."""

    def __init__(self, steps: Steps, key: str, text: str) -> None:
        self._steps = steps
        self._key = key
        self._text = text

    def __enter__(self) -> Step:
        self._step = self._steps._begin(self._key, self._text)
        return self._step

    def __exit__(
        self, kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self._steps._finish(self._step, kind)
