# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Puts images into the cluster's registry."""

from __future__ import annotations

import urllib.error
import urllib.request
from collections.abc import Iterable

from deploy_ops_testbed.errors import TestbedError
from deploy_ops_testbed.progress import Step
from deploy_ops_testbed.supply import oci
from deploy_ops_testbed.supply.assembly import Image


def name_in_registry(ref: str) -> str:
    """The name under which containerd asks a mirror for an image: without the host that it came from."""
    return ref.partition("/")[2]


def push(images: Iterable[Image], registry: str, step: Step) -> None:
    """Push the images that the registry does not have exactly like this."""
    for image in images:
        if _digest_in(registry, image.ref) == oci.digest_of(image.archive):
            continue
        step.note(image.ref)
        step.run(
            [
                "skopeo",
                "copy",
                "--insecure-policy",
                "--preserve-digests",
                "--dest-tls-verify=false",
                f"oci:{image.archive}:{image.ref}",
                f"docker://{registry}/{name_in_registry(image.ref)}",
            ],
            way_out="see `testbed logs registry`, then run the same command again",
        )


def _digest_in(registry: str, ref: str) -> str | None:
    name, _, tag = name_in_registry(ref).rpartition(":")
    request = urllib.request.Request(
        f"http://{registry}/v2/{name}/manifests/{tag}", method="HEAD", headers={"Accept": oci.MANIFEST}
    )
    # Straight to the loopback, whatever proxy the machine uses for the world.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=10) as answer:
            return str(answer.headers.get("Docker-Content-Digest"))
    except urllib.error.HTTPError as error:
        if error.code == 404:
            return None
        raise TestbedError(
            f"The registry refuses to say whether it has {ref}", str(error), "see `testbed logs registry`"
        ) from None
    except OSError as error:
        raise TestbedError(
            f"The registry at {registry} does not answer",
            str(error),
            "see `testbed status` and `testbed logs registry`",
        ) from None
