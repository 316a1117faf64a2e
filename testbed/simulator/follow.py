# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Keeps the resources of one kind current by list and watch, in a thread of its own."""

from __future__ import annotations

import threading
import time

from cluster_api import ApiError, ClusterApi
from kinds import Fields
from talk import Talk

LOOK_AGAIN = 2.0


class Followed:
    """What a list and then a watch of one path say; `woken` is set at every change."""

    def __init__(self, api: ClusterApi, path: str, woken: threading.Event, talk: Talk, **query: str) -> None:
        self._api = api
        self._path = path
        self._query = query
        self._woken = woken
        self._talk = talk
        self._items: dict[str, Fields] = {}
        self._lock = threading.Lock()
        self.listed = False
        threading.Thread(target=self._follow, name=path, daemon=True).start()

    def items(self) -> list[Fields]:
        with self._lock:
            return list(self._items.values())

    def put(self, item: Fields) -> None:
        with self._lock:
            self._items[item["metadata"]["uid"]] = item

    def _follow(self) -> None:
        while True:
            try:
                self._list_and_watch()
            except ApiError as error:
                # 404: the CRD has not come yet, or has gone. 410: the watch is too old, list again at once.
                if error.status == 404:
                    self._replace({})
                elif error.status != 410:
                    self._talk.say_once(self._path, str(error))
                if error.status != 410:
                    time.sleep(LOOK_AGAIN)

    def _list_and_watch(self) -> None:
        page = self._api.get(self._path, **self._query)
        self._replace({item["metadata"]["uid"]: item for item in page["items"]})
        self.listed = True
        for event in self._api.watch(self._path, page["metadata"]["resourceVersion"], **self._query):
            if event["type"] == "DELETED":
                with self._lock:
                    self._items.pop(event["object"]["metadata"]["uid"], None)
            else:
                self.put(event["object"])
            self._woken.set()

    def _replace(self, items: dict[str, Fields]) -> None:
        with self._lock:
            self._items = items
        self._woken.set()
