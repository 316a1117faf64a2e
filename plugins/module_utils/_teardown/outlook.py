# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""What a teardown would do, as data for playbooks and reports. Pure."""

from __future__ import annotations

import typing as t

from .changes import changes, is_ours
from .claims import Claim, claims_of
from .problems import problems
from .record import parameters, record_of, rules
from .seen import Plan, Seen, application_names
from .settings import DELETE, RETAIN, RETAIN_VOLUMES, SNAPSHOT, WITHOUT_CLAIMS, Settings


def outlook(seen: Seen, plan: Plan, settings: Settings) -> dict[str, t.Any]:
    claims = claims_of(seen, plan, settings)
    record = record_of(seen, plan, claims)
    records = {name: parameters(name, entry, settings) for name, entry in sorted(record.items())}
    existing = {node: name for name, node in application_names(plan).items() if name in seen.applications}
    of_nobody = [claim for claim in claims if not claim.node and claim.policy in WITHOUT_CLAIMS]
    todo = bool(existing or record or of_nobody)
    return {
        "applications": dict(sorted(existing.items())),
        "idle": not todo,
        "problems": problems(seen, plan, settings, claims),
        "changes": [change.text for change in changes(seen, plan, settings, claims, record)] if todo else [],
        "records": records,
        "rules": rules(plan, records.values()),
        "claims": [claim._asdict() for claim in claims],
        "volumes": [_fate(claim) for claim in claims],
        "namespaces": sorted({name for entry in record.values() for name in entry["namespaces"]}),
        "kept_namespaces": sorted(
            {claim.namespace for claim in claims if claim.policy in (RETAIN, SNAPSHOT)}
            | {item["metadata"]["namespace"] for item in seen.snapshots if is_ours(item)}
        ),
        "definitions": sorted(
            {
                resource.rpartition("/")[2]
                for entry in record.values()
                for resource in entry["resources"]
                if resource.startswith("CustomResourceDefinition ")
            }
        ),
    }


_FATES = {
    RETAIN: "stays, with its volume and namespace",
    RETAIN_VOLUMES: "goes, its volume stays",
    SNAPSHOT: "goes, after a snapshot of it is ready",
    DELETE: "goes, with its volume and all data",
}


def _fate(claim: Claim) -> str:
    owner = f"of {claim.node}" if claim.node else "of no application"
    return f"{claim.text()} {owner}: {_FATES.get(claim.policy, claim.policy)}"
