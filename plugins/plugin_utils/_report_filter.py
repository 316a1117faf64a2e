# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the filters that take a report have in common."""

from __future__ import annotations

import typing as t

from ansible.errors import AnsibleFilterError
from ansible.utils.unsafe_proxy import wrap_var

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._report.model import ReportError


def report_filter(name: str, render: t.Callable[[t.Any], str]) -> t.Callable[[t.Any], t.Any]:
    """The renderer as a filter that refuses what is no report."""

    def filtered(report: t.Any) -> t.Any:
        try:
            # A message may look like a template of Ansible's.
            return wrap_var(render(report))
        except ReportError as error:
            raise AnsibleFilterError(f"proficientnow.deploy_ops.{name}: {error}") from error

    return filtered
