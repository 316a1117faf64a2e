# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[3]
# The fragments that document how a module reaches the cluster.
CONNECTION = {"kubernetes.core.k8s_auth_options", "kubernetes.core.helm_common_options"}


def _takes_a_kubeconfig(module: Path) -> bool:
    documentation = yaml.safe_load(module.read_text().partition('DOCUMENTATION = r"""')[2].partition('"""')[0])
    fragments = documentation.get("extends_documentation_fragment", [])
    return bool(CONNECTION & set(fragments)) or "kubeconfig" in documentation.get("options", {})


def test_action_group_holds_every_module_that_takes_a_kubeconfig() -> None:
    """Else the kubeconfig that a play sets once for all would not reach the one that was forgotten."""
    runtime = yaml.safe_load((ROOT / "meta" / "runtime.yml").read_text())
    modules = (ROOT / "plugins" / "modules").glob("[a-z]*.py")
    assert sorted(runtime["action_groups"]["cluster"]) == sorted(
        module.stem for module in modules if _takes_a_kubeconfig(module)
    )
