# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Teardowns of a sample platform: run as a user does, watched from outside."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from deployment import INVENTORY, LABEL, Deployment, bootstrap, eventually, ordering

# Runs in the container of an application with a volume.
_WRITE = "import sys; open('/data/kept', 'w').write(sys.argv[1])"

PLAYBOOK = "tests/integration/playbooks/teardown_platform.yml"
_BUILT_IN = ("configmaps", "services", "deployments", "statefulsets", "pods")


def deployed(playbook: Any, kubectl: Callable[..., str], folder: Path) -> Iterator[Teardown]:
    """The platform, deployed and Healthy; whatever is left of it is removed in the end."""
    bootstrap(playbook)
    deployment = Deployment(playbook, kubectl, folder)
    deployment.remove()
    teardown = Teardown(deployment, playbook)
    teardown.redeploy()
    yield teardown
    deployment.remove()


class Teardown:
    def __init__(self, deployment: Deployment, playbook: Any) -> None:
        self.deployment = deployment
        self._playbook = playbook
        self._folder = deployment.dag.parent / "reports"

    def start(self, *options: str, **variables: Any) -> subprocess.Popen[str]:
        given = {
            "deploy_ops_sample": self.deployment.platform,
            "deploy_ops_dag": str(self.deployment.dag),
            "deploy_ops_confirm": "local",
            "deploy_ops_report_folder": str(self._folder),
            **variables,
        }
        return self._playbook.start(PLAYBOOK, INVENTORY, *options, **given)

    def __call__(self, *options: str, **variables: Any) -> Any:
        return self._playbook.finish(self.start(*options, **variables))

    def finish(self, process: subprocess.Popen[str]) -> Any:
        return self._playbook.finish(process)

    def report(self) -> dict[str, Any]:
        """Of the last teardown."""
        return json.loads((self._folder / "teardown.json").read_text())

    def write(self, text: str) -> None:
        """Into the volume of vault."""
        self.deployment.kubectl("exec", "vault-0", "--namespace=security", "--", "python3", "-c", _WRITE, text)

    def read(self) -> str:
        return self.deployment.kubectl("exec", "vault-0", "--namespace=security", "--", "cat", "/data/kept")

    def redeploy(self) -> None:
        self.deployment.hand_over()
        done = self.deployment.deploy(deploy_ops_strategy="dag")
        assert done.code == 0, done

    @contextlib.contextmanager
    def watched(self) -> Iterator[list[dict[str, Any]]]:
        """All changes of Applications and of the platform's objects, in the API server's own words."""
        kinds = [*_BUILT_IN, *(item["metadata"]["name"] for item in self._definitions())]
        watches = [("applications.argoproj.io", "--namespace=argocd")]
        watches += [(kind, "--all-namespaces", f"--selector={LABEL}") for kind in kinds]
        events: list[dict[str, Any]] = []
        options = ("--watch", "--output-watch-events", "--output=json")
        with contextlib.ExitStack() as stack:
            files = [stack.enter_context(tempfile.TemporaryFile("w+")) for _watch in watches]
            processes = [
                subprocess.Popen(["kubectl", "get", *watch, *options], stdout=file)
                for watch, file in zip(watches, files, strict=True)
            ]
            try:
                eventually(lambda: os.fstat(files[0].fileno()).st_size > 0, "the watch has begun")
                yield events
            finally:
                for process in processes:
                    process.terminate()
                    process.wait()
                for file in files:
                    file.seek(0)
                    events += _documents(file.read())

    def violations(self, events: list[dict[str, Any]]) -> list[str]:
        seen = ordering.removals(events)
        assert seen, "nothing was seen to go"
        return ordering.removal_violations(self.deployment.application_edges(), seen)

    def _definitions(self) -> list[dict[str, Any]]:
        found = self.deployment.kubectl("get", "customresourcedefinitions", f"--selector={LABEL}", "--output=json")
        return json.loads(found)["items"]


def _documents(text: str) -> Iterator[dict[str, Any]]:
    decoder = json.JSONDecoder()
    text = text.strip()
    while text:
        document, end = decoder.raw_decode(text)
        yield document
        text = text[end:].lstrip()
