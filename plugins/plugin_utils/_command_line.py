# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The command line that was given, as far as it belongs into a command to type next."""

from __future__ import annotations

import re
import shlex
import typing as t

import yaml

# Whatever is not ours may be a secret, and what is ours may name one.
_OURS = re.compile(r"deploy_ops_(?!.*(?:password|passwd|secret|token|key|auth|credential|_data$))\w+", re.IGNORECASE)


def playbook_command(playbook: str, given: t.Mapping[str, t.Any], default_inventory: t.Any, **variables: str) -> str:
    """Given are Ansible's own options (context.CLIARGS)."""
    words = ["ansible-playbook", playbook]
    inventory = list(given.get("inventory") or ())
    if inventory != list(default_inventory or ()):
        words += [word for source in inventory for word in ("-i", source)]
    if given.get("subset"):
        words += ["--limit", given["subset"]]
    if given.get("ask_vault_pass"):
        words.append("--ask-vault-pass")
    words += [word for name in given.get("vault_ids") or () for word in ("--vault-id", name)]
    words += [word for name in given.get("vault_password_files") or () for word in ("--vault-password-file", name)]
    kept, dropped = _kept(given.get("extra_vars") or ())
    kept = [text for text in kept if text.partition("=")[0] not in variables]
    kept += [f"{name}={value}" for name, value in variables.items() if value]
    words += [word for text in kept for word in ("-e", text)]
    return " ".join(map(shlex.quote, words)) + ("  # and your own --extra-vars" if dropped else "")


def _kept(extra_vars: t.Iterable[str]) -> tuple[list[str], bool]:
    """Files by their name, our own variables with their values; and whether anything was left out."""
    kept: list[str] = []
    dropped = False
    for text in map(str, extra_vars):
        if text.startswith("@"):
            kept.append(text)
            continue
        pairs = _pairs(text)
        ours = [f"{name}={value}" for name, value in pairs.items() if _is_ours(name, value)]
        kept += ours
        dropped = dropped or len(ours) < len(pairs)
    return kept, dropped


def _is_ours(name: str, value: t.Any) -> bool:
    return _OURS.fullmatch(name) is not None and not isinstance(value, (dict, list))


def _pairs(text: str) -> dict[str, t.Any]:
    if text.lstrip().startswith(("{", "[")):
        try:
            content = yaml.safe_load(text)
        except yaml.YAMLError:
            content = None
        return {str(name): value for name, value in content.items()} if isinstance(content, dict) else {"": text}
    try:
        words = shlex.split(text)
    except ValueError:
        return {"": text}
    return {name: value for name, separator, value in (word.partition("=") for word in words) if separator}
