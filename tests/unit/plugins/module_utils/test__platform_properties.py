# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Rendered manifests may be anything that is JSON: no judge of them may stumble."""

from __future__ import annotations

import typing as t

from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._platform.hooks import Owners, check_hooks
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._platform.waves import check_waves
from ansible_collections.proficientnow.deploy_ops.tests.unit.plugins.module_utils.platform_objects import application

KEYS = st.sampled_from(
    [
        "metadata",
        "annotations",
        "name",
        "namespace",
        "spec",
        "template",
        "containers",
        "initContainers",
        "container",
        "command",
        "args",
        "env",
        "value",
        "image",
        "kind",
        "argocd.argoproj.io/hook",
        "argocd.argoproj.io/sync-wave",
    ]
)
WORDS = st.sampled_from(
    ["PreSync", "until nc -z $A ${B} 80; do sleep 1; done", "kubectl wait x/y", "k8s-wait-for:v1", "-9"]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=30,
)


@given(st.lists(st.dictionaries(KEYS, JSON, max_size=5), max_size=3))
def test_any_json_is_judged(manifests: list[dict[str, t.Any]]) -> None:
    findings = check_hooks("a", "ns", manifests, Owners([application()]), frozenset())
    findings += check_waves("a", manifests)
    for finding in findings:
        assert all(isinstance(part, str) and part for part in finding)
