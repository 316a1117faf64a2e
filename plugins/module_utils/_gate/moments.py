# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Moments as Argo CD, Kubernetes and HTTP write them, and spans of time as people read them."""

from __future__ import annotations

import datetime
import email.utils
import typing as t

Moment = datetime.datetime


def parse_moment(text: t.Any) -> Moment | None:
    """An RFC 3339 time in whole seconds, as the Kubernetes API writes it."""
    if not isinstance(text, str) or len(text) < 20:
        return None
    try:
        return datetime.datetime.strptime(text[:19] + "Z", "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=datetime.timezone.utc)
    except ValueError:
        return None


def parse_http_date(text: str | None) -> Moment | None:
    """The server's own clock, from the Date header of its answer."""
    try:
        return email.utils.parsedate_to_datetime(text) if text else None
    except (TypeError, ValueError):
        return None


def moment_text(moment: Moment) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def after(moment: Moment, seconds: float) -> Moment:
    return moment + datetime.timedelta(seconds=seconds)


def seconds_between(start: Moment | None, end: Moment | None) -> int:
    """Whole seconds, never less than none: clocks of two components may differ by a tick."""
    return max(0, round((end - start).total_seconds())) if start and end else 0


def latest(*moments: Moment | None) -> Moment | None:
    return max((moment for moment in moments if moment is not None), default=None)


def span(seconds: float) -> str:
    """How long, in the two largest units that matter."""
    left = round(seconds)
    parts = []
    for unit, size in (("h", 3600), ("m", 60), ("s", 1)):
        number, left = divmod(left, size)
        if number:
            parts.append(f"{number}{unit}")
    return "".join(parts[:2]) or "0s"
