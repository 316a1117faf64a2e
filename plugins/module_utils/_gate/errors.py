# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Why a call to an API did not give what was asked for. Texts are safe to show: no body, no credential."""

from __future__ import annotations


class ApiError(Exception):
    """Base of all: `status` is 0 when nothing answered."""

    def __init__(self, text: str, status: int = 0) -> None:
        super().__init__(text)
        self.text = text
        self.status = status


class Unavailable(ApiError):
    """No usable answer, and one may come later."""

    def __init__(self, text: str, status: int = 0, retry_after: float = 0.0) -> None:
        super().__init__(text, status)
        self.retry_after = retry_after


class Refused(ApiError):
    """The answer is no, and asking again will not change it."""


class Absent(Refused):
    """What was asked for does not exist."""


class Unauthenticated(Refused):
    """The credentials are not, or no longer, accepted."""


class Forbidden(Refused):
    """The credentials are good, and do not allow this."""
