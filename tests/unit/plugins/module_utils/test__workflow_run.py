# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A run is one Workflow: the same run again is attached to, a finished one is followed by the next attempt."""

from __future__ import annotations

import typing as t

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._workflow.run import RUN_LABEL, next_run, run_key

TEMPLATE = {
    "metadata": {"name": "platform-bootstrap", "namespace": "argo", "annotations": {"plan-digest": "d"}},
    "spec": {"templates": []},
}


def existing(run: t.Any, phase: str) -> dict[str, t.Any]:
    return {"metadata": run.definition["metadata"], "status": {"phase": phase} if phase else {}}


def test_the_first_run_has_a_name_that_follows_from_what_it_does() -> None:
    run = next_run(TEMPLATE, "stack:storage", "abc", [])
    assert run.name == f"platform-bootstrap-{run_key(TEMPLATE, 'stack:storage', 'abc')}-1"
    assert not run.attach
    assert run.definition["metadata"]["name"] == run.name
    assert run.definition["spec"] == {
        "workflowTemplateRef": {"name": "platform-bootstrap"},
        "arguments": {
            "parameters": [{"name": "scope", "value": "stack:storage"}, {"name": "revision", "value": "abc"}]
        },
    }


def test_a_run_at_work_is_attached_to() -> None:
    first = next_run(TEMPLATE, "platform", "abc", [])
    for phase in ("", "Pending", "Running"):
        again = next_run(TEMPLATE, "platform", "abc", [existing(first, phase)])
        assert (again.name, again.attach) == (first.name, True)


def test_a_finished_run_is_followed_by_the_next_attempt() -> None:
    first = next_run(TEMPLATE, "platform", "abc", [])
    for phase in ("Succeeded", "Failed", "Error"):
        second = next_run(TEMPLATE, "platform", "abc", [existing(first, phase)])
        assert not second.attach
        assert second.name == first.name[:-1] + "2"
    tenth = dict(existing(first, "Failed"), metadata={**first.definition["metadata"], "name": first.name[:-1] + "10"})
    assert next_run(TEMPLATE, "platform", "abc", [tenth, existing(first, "Failed")]).name == first.name[:-1] + "11"


def test_another_scope_commit_or_template_is_another_run() -> None:
    first = next_run(TEMPLATE, "platform", "abc", [])
    at_work = [existing(first, "Running")]
    for other in (
        next_run(TEMPLATE, "app:x", "abc", at_work),
        next_run(TEMPLATE, "platform", "abd", at_work),
        next_run({**TEMPLATE, "spec": {"templates": [1]}}, "platform", "abc", at_work),
    ):
        assert not other.attach
        assert other.name != first.name


def test_names_fit_into_kubernetes_and_labels_select_them() -> None:
    run = next_run(TEMPLATE, "platform", "f" * 40, [])
    assert len(run.name) <= 63
    assert run.definition["metadata"]["labels"][RUN_LABEL] in run.name
