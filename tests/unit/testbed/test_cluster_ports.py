# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A taken port is named together with the program that holds it."""

from __future__ import annotations

import os
import socket

import pytest

from deploy_ops_testbed.cluster import ports
from deploy_ops_testbed.errors import TestbedError


@pytest.mark.parametrize(
    ("bound", "wanted"), [("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "127.0.0.1"), ("::", "127.0.0.1")]
)
def test_a_listener_is_found_and_named(bound: str, wanted: str) -> None:
    family = socket.AF_INET6 if ":" in bound else socket.AF_INET
    with socket.create_server((bound, 0), family=family) as server:
        port = server.getsockname()[1]
        with pytest.raises(TestbedError) as error:
            ports.check_free("etcd", [ports.Endpoint(wanted, port)])
    assert f"etcd cannot start: port {wanted}:{port} is taken" in str(error.value)
    assert f"pid {os.getpid()}" in str(error.value)


def test_a_listener_on_another_address_does_not_matter() -> None:
    with socket.create_server(("127.0.0.2", 0)) as server:
        ports.check_free("etcd", [ports.Endpoint("127.0.0.1", server.getsockname()[1])])


def test_a_connection_is_no_listener() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        ports.check_free("etcd", [ports.Endpoint("127.0.0.1", client.getsockname()[1])])


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("0100007F", "127.0.0.1"),
        ("0100FA0A", "10.250.0.1"),
        ("00000000000000000000000000000000", "::"),
        ("00000000000000000000000001000000", "::1"),
        ("0000000000000000FFFF00000100007F", "127.0.0.1"),
    ],
)
def test_addresses_of_the_kernel_are_read(text: str, address: str) -> None:
    assert ports._address(text) == address
