# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the role probes of Kargo and nothing else: a server that answers, and a controller that makes namespaces."""

from __future__ import annotations

import http.server
import json
import os
import ssl
import sys
import time
import urllib.error
import urllib.request

ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount"
SERVER = f"https://{os.environ['KUBERNETES_SERVICE_HOST']}:{os.environ['KUBERNETES_SERVICE_PORT']}"


def call(path: str, body: dict | None = None) -> dict:
    with open(f"{ACCOUNT}/token", encoding="utf-8") as token:
        headers = {"Authorization": f"Bearer {token.read()}", "Content-Type": "application/json"}
    request = urllib.request.Request(SERVER + path, json.dumps(body).encode() if body else None, headers)
    trust = ssl.create_default_context(cafile=f"{ACCOUNT}/ca.crt")
    with urllib.request.urlopen(request, context=trust, timeout=10) as answer:
        return json.load(answer)


def give_namespaces() -> None:
    for project in call("/apis/kargo.akuity.io/v1alpha1/projects")["items"]:
        meta = project["metadata"]
        owner = {"apiVersion": "kargo.akuity.io/v1alpha1", "kind": "Project", "name": meta["name"], "uid": meta["uid"]}
        try:
            call("/api/v1/namespaces", {"metadata": {"name": meta["name"], "ownerReferences": [owner]}})
        except urllib.error.HTTPError as error:
            if error.code != 409:
                raise


if sys.argv[1] == "management-controller":
    while True:
        give_namespaces()
        time.sleep(0.5)
os.chdir("/usr/share")
http.server.ThreadingHTTPServer(("", 8080), http.server.SimpleHTTPRequestHandler).serve_forever()
