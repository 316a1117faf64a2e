# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""The options that the modules of a teardown have in common."""

from __future__ import annotations

import typing as t

from .settings import POLICIES, RETAIN, Settings


def argument_spec() -> dict[str, t.Any]:
    from ansible_collections.kubernetes.core.plugins.module_utils.args_common import AUTH_ARG_SPEC

    return dict(
        AUTH_ARG_SPEC,
        plan={"type": "dict", "required": True},
        project={"type": "str", "default": "platform"},
        argocd_namespace={"type": "str", "default": "argocd"},
        workflows_namespace={"type": "str", "default": "argo"},
        namespaces={"type": "list", "elements": "str", "default": []},
        volumes={"type": "str", "choices": list(POLICIES), "default": RETAIN},
        volumes_overrides={"type": "dict", "default": {}},
        snapshot_class={"type": "str", "default": ""},
        environment_name={"type": "str", "default": ""},
        confirm_volumes={"type": "str", "default": ""},
    )


def settings_from(params: t.Mapping[str, t.Any]) -> Settings:
    return Settings(
        params["project"],
        params["argocd_namespace"],
        params["workflows_namespace"],
        tuple(params["namespaces"]),
        params["volumes"],
        params["volumes_overrides"],
        params["snapshot_class"],
        params["environment_name"],
        params["confirm_volumes"],
    )
