# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

from __future__ import annotations


class ModuleDocFragment:
    """What the modules of a teardown are told."""

    DOCUMENTATION = r"""
options:
  plan:
    description: The plan that M(proficientnow.deploy_ops.dag_order) makes for a removal (C(reverse=true)).
    type: dict
    required: true
  project:
    description: AppProject of the platform's Applications.
    type: str
    default: platform
  argocd_namespace:
    description: Namespace of Argo CD.
    type: str
    default: argocd
  workflows_namespace:
    description: Namespace of Argo Workflows. What the Applications had is written down there.
    type: str
    default: argo
  namespaces:
    description: Namespaces of the platform. Volume claims are looked for there as well when no Application is left.
    type: list
    elements: str
    default: []
  volumes:
    description:
      - What becomes of volume claims.
      - V(retain) keeps claims, their volumes and their namespaces.
      - V(retain_volumes) keeps the volumes only.
      - V(snapshot) makes a snapshot of each before it goes.
      - V(delete) keeps nothing.
    type: str
    choices: [retain, retain_volumes, snapshot, delete]
    default: retain
  volumes_overrides:
    description: Another policy for the claims of an application, by its name in the graph.
    type: dict
    default: {}
  snapshot_class:
    description: VolumeSnapshotClass to use. Without it the first one for the driver of a volume.
    type: str
    default: ''
  environment_name:
    description: Name of the environment.
    type: str
    default: ''
  confirm_volumes:
    description: Must be O(environment_name) where volumes are deleted.
    type: str
    default: ''
"""
