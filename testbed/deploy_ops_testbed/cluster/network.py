# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The node's own network: a bridge with the node address, and walls around it so that no packet leaves the machine."""

from __future__ import annotations

import ipaddress
import json
import subprocess
import time
from typing import Any

from deploy_ops_testbed.cluster import layout
from deploy_ops_testbed.errors import TestbedError

OWN_TABLE = ("ip", "deploy_ops_testbed")
# Made by kube-proxy; nobody else uses these names, and `up` refuses to start where they exist already.
PROXY_TABLES = (("ip", "kube-proxy"), ("ip6", "kube-proxy"))
DEADLINE = 10.0

# Pods talk to pods, Services and the node. Everything else would leave by the machine's default route.
WALL = f"""
table {" ".join(OWN_TABLE)} {{
  chain forward {{
    type filter hook forward priority filter; policy accept;
    ip saddr {layout.POD_NETWORK} ip daddr != {{ {layout.POD_NETWORK}, {layout.NODE_NETWORK} }} reject
  }}
}}
"""


def ensure() -> None:
    """Bridge, node address, routes and wall; returns only when the address is really assigned."""
    if not _link_exists(layout.BRIDGE):
        _ip("link", "add", layout.BRIDGE, "type", "bridge")
    _ip("addr", "replace", f"{layout.NODE_ADDRESS}/24", "dev", layout.BRIDGE)
    _ip("link", "set", layout.BRIDGE, "up")
    deadline = time.monotonic() + DEADLINE
    while not address_assigned():
        if time.monotonic() > deadline:
            raise TestbedError(
                f"{layout.BRIDGE} does not carry {layout.NODE_ADDRESS}",
                "without it, packets for the cluster would leave this machine, so nothing was started",
                f"look at `ip addr show {layout.BRIDGE}`; `testbed down` removes the interface",
            )
        time.sleep(0.05)
    # Until kube-proxy and the pods have their own, more exact ways, packets end here and not at the default route.
    _ip("route", "replace", layout.SERVICE_NETWORK, "dev", layout.BRIDGE, "src", layout.NODE_ADDRESS)
    _ip("route", "replace", "unreachable", layout.POD_NETWORK)
    _delete_table(OWN_TABLE)
    _nft("-f", "-", stdin=WALL)


def problem() -> str | None:
    """What is wrong with the node's network, or None."""
    if not _link_exists(layout.BRIDGE):
        return f"the interface {layout.BRIDGE} is missing"
    if not address_assigned():
        return f"{layout.BRIDGE} does not carry {layout.NODE_ADDRESS}"
    if OWN_TABLE not in tables():
        return f"the nftables table {' '.join(OWN_TABLE)} is missing: packets of pods could leave the machine"
    return None


def address_assigned() -> bool:
    return any(
        address["local"] == layout.NODE_ADDRESS
        for link in _ip_json("-4", "addr", "show")
        if link.get("ifname") == layout.BRIDGE and "UP" in link["flags"]
        for address in link["addr_info"]
    )


def remove() -> None:
    """Take everything away that `ensure`, the pods and kube-proxy have made."""
    _remove_pod_links()
    if _link_exists(layout.BRIDGE):
        _ip("link", "delete", layout.BRIDGE)
    if any(route.get("type") == "unreachable" for route in _ip_json("route", "show", layout.POD_NETWORK)):
        _ip("route", "delete", "unreachable", layout.POD_NETWORK)
    for table in (OWN_TABLE, *PROXY_TABLES):
        _delete_table(table)


def _remove_pod_links() -> None:
    """The kernel takes them away itself, soon after the last process of a pod: both of us may be at it."""
    deadline = time.monotonic() + DEADLINE
    while (names := pod_links()) and time.monotonic() < deadline:
        for name in names:
            subprocess.run(["ip", "link", "delete", name], capture_output=True, check=False)
        time.sleep(0.05)


def left_over() -> list[str]:
    found = [f"interface {name}" for name in pod_links()]
    if _link_exists(layout.BRIDGE):
        found.append(f"interface {layout.BRIDGE}")
    present = tables()
    return found + [f"nftables table {' '.join(table)}" for table in (OWN_TABLE, *PROXY_TABLES) if table in present]


def pod_links() -> list[str]:
    """The host's ends of the pods' cables: those that a route to a pod address goes through."""
    pods = ipaddress.IPv4Network(layout.POD_NETWORK)
    return sorted(
        {
            route["dev"]
            for route in _ip_json("-4", "route", "show")
            if "dev" in route
            and route["dev"] != layout.BRIDGE
            and route["dst"] != "default"
            and ipaddress.IPv4Network(route["dst"]).subnet_of(pods)
        }
    )


def forwarding_walls() -> list[str]:
    """Chains that drop forwarded packets by default, as Docker makes one: pods could not reach each other."""
    listed = json.loads(_nft("-j", "list", "chains"))["nftables"]
    chains = [item["chain"] for item in listed if "chain" in item]
    return [
        f"{chain['family']} {chain['table']} {chain['name']}"
        for chain in chains
        if chain.get("hook") == "forward" and chain.get("policy") == "drop"
    ]


def tables() -> set[tuple[str, str]]:
    listed = json.loads(_nft("-j", "list", "tables"))["nftables"]
    return {(item["table"]["family"], item["table"]["name"]) for item in listed if "table" in item}


def _delete_table(table: tuple[str, str]) -> None:
    if table in tables():
        _nft("delete", "table", *table)


def _link_exists(name: str) -> bool:
    return any(link.get("ifname") == name for link in _ip_json("link", "show"))


def _ip_json(*arguments: str) -> list[dict[str, Any]]:
    return json.loads(_run(["ip", "-json", *arguments]) or "[]")


def _ip(*arguments: str) -> None:
    _run(["ip", *arguments])


def _nft(*arguments: str, stdin: str | None = None) -> str:
    return _run(["nft", *arguments], stdin=stdin)


def _run(command: list[str], *, stdin: str | None = None) -> str:
    done = subprocess.run(command, input=stdin, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise TestbedError(
            f"`{' '.join(command)}` failed",
            done.stderr.strip() or f"it ended with {done.returncode}",
            "the kernel needs bridge, veth and nf_tables, and you need root; then run the same command again",
        )
    return done.stdout
