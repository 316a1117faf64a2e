# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a deployment costs where everything is Healthy already. Deploys a sample platform first, and leaves it standing.

    make benchmark-redeploy                      # the RFC's platform, three times
    make benchmark-redeploy PLATFORM=demo

Wall time of `ansible-playbook proficientnow.deploy_ops.deploy`, and inside it what Argo Workflows says of the run.
"""

from __future__ import annotations

import sys
import tempfile
import time
from datetime import datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
# `make setup` links this checkout there.
sys.path[:0] = [str(ROOT / ".ansible" / "collections"), str(ROOT / "tests" / "integration")]

from conftest import Playbook, kubectl
from deployment import Deployment, bootstrap

RUNS = 3


def seconds(begin: str, end: str) -> float:
    return (datetime.fromisoformat(end) - datetime.fromisoformat(begin)).total_seconds()


def parts(workflow: dict[str, Any]) -> dict[str, float]:
    """Where the time of a run goes; the API's times have whole seconds."""
    status = workflow["status"]
    survey = next(node for node in status["nodes"].values() if node["displayName"] == "survey(0)")
    return {
        "agent and survey": seconds(survey["startedAt"], survey["finishedAt"]),
        "workflow": seconds(workflow["metadata"]["creationTimestamp"], status["finishedAt"]),
    }


def main() -> None:
    platform = sys.argv[1] if len(sys.argv) > 1 else "rfc"
    components = {"deploy_ops_argo_rollouts_enabled": platform == "rfc"}
    with tempfile.TemporaryDirectory(prefix="deploy-ops-redeploy-") as folder:
        playbook = Playbook(Path(folder))
        bootstrap(playbook, platform, **components)
        deployment = Deployment(playbook, kubectl, Path(folder), platform)
        deployment.hand_over(**components)
        first = deployment.deploy(**components)
        assert first.code == 0, first
        before = deployment.syncs()
        nodes = len(deployment.plan()["nodes"])
        print(f"{platform}: {len(before)} Applications, {nodes} nodes, all Healthy", flush=True)
        for _run in range(RUNS):
            start = time.monotonic()
            again = deployment.deploy(**components)
            took = time.monotonic() - start
            assert again.code == 0, again
            workflow = deployment.workflows()[-1]
            syncs = sum(deployment.syncs().values()) - sum(before.values())
            shown = "  ".join(f"{name} {value:.0f} s" for name, value in parts(workflow).items())
            print(f"deploy {took:5.1f} s  (of it {shown})  syncs {syncs}  changed {again.changed}", flush=True)


if __name__ == "__main__":
    main()
