# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The filters around a report: thin, and clear about bad input."""

from __future__ import annotations

import pytest
from ansible.errors import AnsibleFilterError

from ansible_collections.proficientnow.deploy_ops.plugins.filter.report_html import FilterModule as HtmlFilters
from ansible_collections.proficientnow.deploy_ops.plugins.filter.report_junit import FilterModule as JunitFilters
from ansible_collections.proficientnow.deploy_ops.plugins.filter.report_text import FilterModule as TextFilters

FILTERS = {**HtmlFilters().filters(), **JunitFilters().filters(), **TextFilters().filters()}


@pytest.mark.parametrize("name", ["report_html", "report_junit", "report_text"])
def test_a_report_is_rendered_and_anything_else_refused(name: str) -> None:
    assert "Partial" in FILTERS[name]({"schema": 1, "kind": "deploy", "outcome": "Partial"}).replace(
        "PARTIAL", "Partial"
    )
    with pytest.raises(AnsibleFilterError, match=rf"proficientnow.deploy_ops.{name}: kind must be one of"):
        FILTERS[name]({"schema": 1})
