# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A real browser, driven over its own debugging protocol: no driver, no other library.

python tests/browser/chromium.py reports/deploy.html docs/report.png 1200 1000
"""

from __future__ import annotations

import base64
import fcntl
import itertools
import json
import os
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

# Its own pages only: the sandbox needs rights that a container may not have.
COMMAND = ["chromium-headless-shell", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe"]
_TIMEOUT = 30


class Browser:
    """One page of a headless Chromium."""

    def __init__(self, profile: Path) -> None:
        # The protocol: messages that end with a zero byte, to it on descriptor 3 and from it on 4.
        to_read, self._writer = os.pipe()
        self._reader, to_write = os.pipe()

        def take_places() -> None:
            # Out of the way first: either of them may be 3 or 4 itself.
            reader, writer = (fcntl.fcntl(descriptor, fcntl.F_DUPFD, 10) for descriptor in (to_read, to_write))
            os.dup2(reader, 3)
            os.dup2(writer, 4)

        self._process = subprocess.Popen(
            [*COMMAND, f"--user-data-dir={profile}"],
            pass_fds=(3, 4),
            preexec_fn=take_places,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_read)
        os.close(to_write)
        self._numbers = itertools.count(1)
        self._pending = b""
        self._session: str | None = None
        self.events: list[dict[str, Any]] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_error: object) -> None:
        # All of its processes end with it; a signal would reach the first one only.
        self._session = None
        self.call("Browser.close")
        self._process.wait(_TIMEOUT)
        os.close(self._writer)
        os.close(self._reader)

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._writer, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == number:
                assert "error" not in answer, answer["error"]
                return answer["result"]
            self.events.append(answer)

    def _receive(self) -> dict[str, Any]:
        deadline = time.monotonic() + _TIMEOUT
        while b"\0" not in self._pending:
            ready, _unused, _unused = select.select([self._reader], [], [], max(0.0, deadline - time.monotonic()))
            assert ready, f"the browser said nothing for {_TIMEOUT} s"
            data = os.read(self._reader, 1 << 20)
            assert data, "the browser has ended"
            self._pending += data
        message, _zero, self._pending = self._pending.partition(b"\0")
        return json.loads(message)

    def open(self, page: Path, width: int = 1200, height: int = 900, scheme: str = "light") -> None:
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.events.clear()
        self.call("Page.navigate", url=page.resolve().as_uri())
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            self.events.append(self._receive())

    def js(self, expression: str) -> Any:
        """The value of an expression in the page; a promise is waited for."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    def screenshot(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))


if __name__ == "__main__":
    import tempfile

    page, picture, width, height = sys.argv[1:5]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch, Browser(Path(scratch)) as browser:
        browser.open(Path(page), int(width), int(height), *sys.argv[5:6])
        browser.screenshot(Path(picture))
