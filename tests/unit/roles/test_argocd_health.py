# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Argo CD's health checks of the role argocd, in a Lua engine with Argo CD's sandbox, against recorded objects.

health/<group>_<Kind>.yaml holds the cases of one check: the object as its operator writes it (what no check reads is
left out), and what Argo CD must make of it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from lupa import luajit21

ROLE = Path(__file__).parents[3] / "roles" / "argocd"
SCRIPTS = sorted((ROLE / "files" / "health").glob("*.lua"))
CASES = Path(__file__).parent / "health"

# What gopher-lua in Argo CD does not have: util/lua/lua.go opens base, table, package and a part of os only.
SANDBOX = """
string = nil; math = nil; io = nil; debug = nil; coroutine = nil; os = nil; jit = nil; bit = nil; ffi = nil
getmetatable("").__index = nil
"""


def to_lua(engine: Any, value: Any) -> Any:
    if isinstance(value, dict):
        return engine.table_from({key: to_lua(engine, item) for key, item in value.items() if item is not None})
    if isinstance(value, list):
        return engine.table_from([to_lua(engine, item) for item in value])
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def health(script: str, obj: dict[str, Any]) -> dict[str, str]:
    engine = luajit21.LuaRuntime(unpack_returned_tuples=True, register_builtins=False, register_eval=False)
    engine.execute(SANDBOX)
    engine.globals().obj = to_lua(engine, obj)
    result = engine.execute(script)
    return {"status": result["status"], "message": result["message"]}


def recorded(script: Path) -> list[dict[str, Any]]:
    return yaml.safe_load((CASES / f"{script.stem}.yaml").read_text())


def cases() -> list[Any]:
    found = []
    for script in SCRIPTS:
        for case in recorded(script):
            found.append(pytest.param(script, case, id=f"{script.stem}: {case['name']}"))
    return found


@pytest.mark.parametrize(("script", "case"), cases())
def test_health(script: Path, case: dict[str, Any]) -> None:
    result = health(script.read_text(), case["object"])
    assert result["status"] == case["expect"]
    if "message" in case:
        assert result["message"] == case["message"]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_a_resource_that_nobody_has_looked_at_is_progressing(script: Path) -> None:
    """An empty answer would count as Healthy, an error as Unknown; both would let the graph go on or fail too early."""
    bare = {"metadata": {"name": "x", "namespace": "y", "generation": 1}, "spec": {}}
    assert health(script.read_text(), bare)["status"] == "Progressing"
    assert health(script.read_text(), {**bare, "status": {}})["status"] == "Progressing"


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_no_check_trusts_a_status_of_an_older_generation(script: Path) -> None:
    healthy = [
        case["object"]
        for case in recorded(script)
        if case["expect"] == "Healthy" and "observedGeneration" in case["object"].get("status", {})
    ]
    if script.stem == "argoproj.io_Application":  # an Application has no generation: its check looks at comparedTo
        assert not healthy
        return
    assert healthy
    for obj in healthy:
        obj["metadata"]["generation"] += 1
        assert health(script.read_text(), obj)["status"] == "Progressing"


def test_only_named_ceph_clusters_may_warn() -> None:
    script = (ROLE / "files" / "health" / "ceph.rook.io_CephCluster.lua").read_text()
    warning = {
        "metadata": {"name": "ceph", "namespace": "rook-ceph", "generation": 1},
        "status": {"phase": "Ready", "ceph": {"health": "HEALTH_WARN"}},
    }
    marker = "local accepts_health_warn = {}"  # what the role replaces
    assert script.count(marker) == 1
    accepted = script.replace(marker, 'local accepts_health_warn = {["rook-ceph/ceph"]=true}')
    assert health(script, warning)["status"] == "Progressing"
    assert health(accepted, warning)["status"] == "Healthy"
    warning["metadata"]["name"] = "other"
    assert health(accepted, warning)["status"] == "Progressing"
