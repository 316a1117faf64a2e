# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What stands beside the cluster: the registry, the Git server and the storage provisioner."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from deploy_ops_testbed import packages, paths, supply
from deploy_ops_testbed.cluster import layout, probes
from deploy_ops_testbed.cluster.component import Component
from deploy_ops_testbed.cluster.layout import Layout
from deploy_ops_testbed.cluster.ports import Endpoint


@dataclass(frozen=True)
class Addresses:
    """Where the registry and the Git server listen: that depends on how the nodes reach the host."""

    registry: str = layout.LOOPBACK
    git: str = layout.NODE_ADDRESS

    @property
    def registry_endpoint(self) -> str:
        return f"{self.registry}:{layout.REGISTRY_PORT}"

    @property
    def git_url(self) -> str:
        return f"http://{self.git}:{layout.GIT_PORT}"


EMBEDDED = Addresses()


def environment(where: Layout, addresses: Addresses) -> dict[str, str]:
    """The variables that tests and people find the services by."""
    return {
        "TESTBED_CHARTS": str(supply.charts_dir()),
        "TESTBED_CHARTS_URL": f"{addresses.git_url}/charts",
        "TESTBED_GIT_URL": addresses.git_url,
        "TESTBED_GIT_USER": layout.GIT_READER,
        "TESTBED_GIT_PASSWORD_FILE": str(where.password_file(layout.GIT_READER)),
        "TESTBED_GIT_WRITE_USER": layout.GIT_WRITER,
        "TESTBED_GIT_WRITE_PASSWORD_FILE": str(where.password_file(layout.GIT_WRITER)),
        "TESTBED_REGISTRY": addresses.registry_endpoint,
        "TESTBED_VALUES": str(paths.testbed_dir() / "values" / "values.yaml"),
    }


def registry(where: Layout, addresses: Addresses = EMBEDDED) -> Component:
    config = where.config / "registry.yaml"
    return Component(
        "registry",
        [str(supply.binary("docker-registry")), "serve", str(config)],
        lambda: probes.http_ok(f"http://{addresses.registry_endpoint}/v2/"),
        ports=(Endpoint(addresses.registry, layout.REGISTRY_PORT),),
        files=(config,),
    )


def git(where: Layout, addresses: Addresses = EMBEDDED) -> Component:
    listen = ["--address", addresses.git, "--port", str(layout.GIT_PORT)]
    return _python(
        "git",
        "git_server",
        [
            *listen,
            *("--folder", str(where.git), "--charts", str(supply.charts_dir())),
            *("--credentials", str(where.credentials)),
        ],
        lambda: probes.http_ok(f"{addresses.git_url}/healthz"),
        ports=(Endpoint(addresses.git, layout.GIT_PORT),),
    )


def storage(where: Layout) -> Component:
    return _python(
        "storage",
        "storage",
        ["--pki", str(where.pki), "--folder", str(where.volumes), "--heartbeat", str(where.heartbeat)],
        lambda: probes.storage(where),
    )


def _python(
    name: str,
    module: str,
    arguments: list[str],
    probe: Callable[[], str | None],
    ports: tuple[Endpoint, ...] = (),
) -> Component:
    """A component that is a module of this package: the same for every checkout with the same code.

    The interpreter is found by PATH, so that it is also the same for every virtual environment that runs `testbed`.
    """
    path = os.pathsep.join([os.path.dirname(sys.executable), packages.SEARCHED])
    return Component(
        name,
        ["python3", "-m", f"deploy_ops_testbed.cluster.{module}", *arguments],
        probe,
        ports,
        files=(Path(__file__).with_name(f"{module}.py"),),
        environment={
            "PATH": path,
            "PYTHONPATH": str(paths.testbed_dir()),
            "PYTHONUNBUFFERED": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
        },
    )
