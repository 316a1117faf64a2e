# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""YAML, where PyYAML is there: that it is missing is a finding, not a reason to fail."""

from __future__ import annotations

import typing as t

try:
    import yaml
except ImportError:
    yaml = None  # type: ignore[assignment]


class NotYaml(ValueError):
    """The text is safe to show: it quotes nothing of the content."""


def load(text: str | bytes) -> t.Any:
    if yaml is None:
        raise NotYaml("cannot be read without the Python package pyyaml")
    try:
        # Ten times as fast where libyaml is built in; the index of a chart repository has megabytes.
        return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, RecursionError):
        raise NotYaml("is not YAML") from None
