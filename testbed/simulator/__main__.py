# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The simulator of the sample platforms. One program, two faces: `app` and `operator`."""

from __future__ import annotations

import sys


def main(arguments: list[str]) -> None:
    # Each face imports only what it needs: see app.py.
    if arguments == ["app"]:
        from app import main as face
    elif arguments == ["operator"]:
        from drive import main as face
    else:
        sys.exit("usage: python3 /simulator app|operator")
    face()


if __name__ == "__main__":
    main(sys.argv[1:])
