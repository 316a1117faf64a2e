# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the watching does on the controller: the display, the last words, the commands to type next."""

from __future__ import annotations

import os
import subprocess
import sys
import typing as t
from pathlib import Path

import pytest

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._workflow.progress import NodeState, Progress
from ansible_collections.proficientnow.deploy_ops.plugins.plugin_utils._command_line import playbook_command
from ansible_collections.proficientnow.deploy_ops.plugins.plugin_utils._progress_display import Lines, Live, Quiet

ROOT = Path(__file__).resolve().parents[4]


def seen(phase: str, **states: str) -> Progress:
    return Progress("run-1", phase, "", "", "", [NodeState(name, state, "text") for name, state in states.items()], [])


class Terminal:
    """Keeps what a terminal would show, for the two movements that are used."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.log: list[str] = []

    def display(self, msg: str, *, screen_only: bool = False, newline: bool = True) -> None:
        if msg.startswith("\x1b["):
            height = int(msg[2:].partition("A")[0])
            assert msg == f"\x1b[{height}A\x1b[J"
            assert not newline
            del self.lines[-height:]
            return
        self.lines += msg.split("\n")
        if not screen_only:
            self.log.append(msg)


def test_the_foot_of_a_terminal_is_written_over_and_the_news_stay() -> None:
    terminal = Terminal()
    live = Live(terminal, 80, "a hint")
    live.show(seen("Running", a="running", b="waiting"), 1, 60)
    assert [line.strip() for line in terminal.lines] == [
        "0:01  0/2 Healthy, 1 running, about 1 min left",
        "a  text",
        "a hint",
    ]
    live.show(seen("Running", a="healthy", b="running"), 2, 30)
    assert terminal.lines[0] == "  0:02  1/2 Healthy  ok  a: text"
    assert len(terminal.lines) == 4
    live.trouble("no answer", 3)
    assert "no answer" in terminal.lines[-1]
    live.show(seen("Succeeded", a="healthy", b="healthy"), 4, 0)
    live.close()
    assert [line.split("  ")[-1] for line in terminal.lines] == [
        "a: text",
        "no answer; the workflow goes on by itself, asking again",
        "b: text",
    ]
    assert terminal.log == terminal.lines, "a log file gets the news and nothing else"


def test_elsewhere_it_is_told_line_by_line_or_not_at_all() -> None:
    lines, quiet = Terminal(), Terminal()
    for way in (Lines(lines), Quiet(quiet)):
        way.show(seen("Running", a="running"), 11, 60)
        way.trouble("no answer", 12)
        way.show(seen("Succeeded", a="healthy"), 13, 0)
        way.close()
    assert lines.lines == [
        "  0:11  0/1 Healthy  running: a (text), about 1 min left",
        "  0:12  no answer; the workflow goes on by itself, asking again",
        "  0:13  1/1 Healthy  ok  a: text",
    ]
    assert quiet.lines == []


def command(**given: t.Any) -> str:
    return playbook_command("x.y.deploy", given, ["/etc/ansible/hosts"], deploy_ops_scope="app:a")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"inventory": ("/etc/ansible/hosts",)}, "-e deploy_ops_scope=app:a"),
        ({"inventory": ("/srv/my inventory",)}, "-i '/srv/my inventory' -e deploy_ops_scope=app:a"),
        (
            {"subset": "here", "ask_vault_pass": True, "vault_password_files": ("f",), "vault_ids": ("a@b",)},
            "--limit here --ask-vault-pass --vault-id a@b --vault-password-file f -e deploy_ops_scope=app:a",
        ),
        (
            {"extra_vars": ("@vars.yml", "deploy_ops_dag=d.yaml deploy_ops_scope=platform")},
            "-e @vars.yml -e deploy_ops_dag=d.yaml -e deploy_ops_scope=app:a",
        ),
        ({"extra_vars": ('{"deploy_ops_settle": 5}',)}, "-e deploy_ops_settle=5 -e deploy_ops_scope=app:a"),
    ],
)
def test_the_next_command_has_what_belongs_to_it(given: dict[str, t.Any], words: str) -> None:
    assert command(**given) == f"ansible-playbook x.y.deploy {words}"


@pytest.mark.parametrize(
    "text",
    [
        "my_password=hunter2",
        "deploy_ops_git_password=hunter2",
        "deploy_ops_kubeconfig_data=hunter2",
        '{"deploy_ops_registry_auth": "hunter2"}',
        '{"deploy_ops_git_repositories": [{"password": "hunter2"}]}',
        "{hunter2",
        "x='hunter2",
    ],
)
def test_the_next_command_never_holds_a_secret_and_says_that_something_is_missing(text: str) -> None:
    shown = command(extra_vars=(text,))
    assert "hunter2" not in shown
    assert shown.endswith("# and your own --extra-vars")


@pytest.mark.parametrize(("taken_back", "said"), [(False, "come back\n"), (True, "")])
def test_the_last_words_of_a_task_that_was_killed_are_said_by_the_main_process(taken_back: bool, said: str) -> None:
    program = (
        "import os, signal\n"
        "from ansible_collections.proficientnow.deploy_ops.plugins.plugin_utils._main_process import FAREWELL\n"
        "task = os.fork()\n"
        "if task == 0:\n"
        "    FAREWELL.leave('something longer')\n"
        "    FAREWELL.leave('come back')\n"
        f"    {taken_back} and FAREWELL.take_back()\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "os.waitpid(task, 0)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT / ".ansible" / "collections")}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == said
