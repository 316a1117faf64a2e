# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""Asks everybody at once: this host, the cluster, the endpoints."""

from __future__ import annotations

import functools
import sys
import typing as t

from . import identity, permissions
from .check import Unknown
from .collect import charts, dns_provider, docker_config, git, host, kubeconfig, registry
from .collect.cluster import look
from .collect.docker_config import DockerConfig
from .collect.http import Http
from .collect.kube import KubeConfigError, KubeReader
from .collect.parallel import Deadline, Job, run
from .components import Component
from .connectivity import ChartFact, GitFact, Reach, RegistryFact
from .credentials import DnsFact
from .images import Image, is_loopback
from .installed_collections import CollectionFact
from .redact import Secrets
from .settings import Settings
from .tools import TOOLS, ToolFact
from .view import ClusterView, unseen


class Facts(t.NamedTuple):
    """All that is known; what follows from it is decided elsewhere, without any I/O."""

    interpreter: str
    tools: t.Mapping[str, ToolFact]
    python_packages: t.Mapping[str, str | None]
    collections: t.Mapping[str, CollectionFact | None]
    kubeconfig: identity.KubeconfigFact
    cluster: ClusterView
    registries: t.Sequence[RegistryFact]
    registry_auth_problem: str
    repositories: t.Sequence[GitFact]
    charts: t.Sequence[ChartFact]
    dns: DnsFact | None


def gather(settings: Settings, secrets: Secrets) -> Facts:
    deadline = Deadline(settings.timeout)
    http = Http(settings.request_timeout, deadline, settings.ca_file)
    docker = docker_config.load(settings.registry_auth, secrets)
    config = kubeconfig.load(
        settings.kubeconfig or kubeconfig.default_path(), settings.kubeconfig_data, settings.context, secrets
    )
    jobs: dict[tuple[str, str], Job] = {
        **_cluster_job(settings, config, deadline),
        **_tool_jobs(settings),
        **_registry_jobs(settings, docker, http),
        **_git_jobs(settings, http),
        **_chart_jobs(settings, docker, http),
        **_dns_job(settings, http),
    }
    answers = run(jobs, deadline)

    def family(name: str) -> dict[str, t.Any]:
        return {key: answer for (kind, key), answer in answers.items() if kind == name}

    return Facts(
        interpreter=sys.executable,
        tools=family("tool"),
        python_packages=host.python_packages(),
        collections=host.collections(settings.collections_paths),
        kubeconfig=config.fact,
        cluster=answers["cluster", ""],
        registries=list(family("registry").values()),
        registry_auth_problem=docker.problem,
        repositories=list(family("git").values()),
        charts=[fact for facts in family("charts").values() for fact in facts],
        dns=answers.get(("dns", "")),
    )


def _cluster_job(settings: Settings, config: kubeconfig.Kubeconfig, deadline: Deadline) -> dict[tuple[str, str], Job]:
    accesses = permissions.needed(settings.components)

    def ask() -> ClusterView:
        refusal = identity.usable(config.fact, settings.expected)
        if refusal is not None:
            return unseen(refusal, accesses)
        try:
            reader = KubeReader(config, settings.request_timeout, deadline)
        except ImportError:
            return unseen(Unknown("the Python package kubernetes is not installed", reported=True), accesses)
        except KubeConfigError as exc:
            return unseen(Unknown(str(exc)), accesses)
        return look(reader, settings.components, accesses, deadline)

    return {("cluster", ""): Job(ask, lambda why: unseen(why, accesses))}


def _tool_jobs(settings: Settings) -> dict[tuple[str, str], Job]:
    return {
        ("tool", tool.name): Job(
            functools.partial(host.tool, tool, settings.request_timeout * 2),
            functools.partial(_unanswered_tool, tool.name),
        )
        for tool in TOOLS
    }


def _unanswered_tool(name: str, why: Unknown) -> ToolFact:
    return ToolFact(name, problem=why.reason)


def _registry_jobs(settings: Settings, docker: DockerConfig, http: Http) -> dict[tuple[str, str], Job]:
    """One job for each registry: those of the images, and those that a credential was given for."""
    wanted: dict[str, list[Image]] = {name: [] for name in docker.logins}
    for image in settings.images:
        wanted.setdefault(image.registry, []).append(image)

    def job(name: str, images: t.Sequence[Image]) -> Job:
        plain_http = images[0].plain_http if images else is_loopback(name)
        return Job(
            functools.partial(registry.probe, http, name, plain_http, images, docker.logins.get(name)),
            lambda why: RegistryFact(name, Reach(False, why.reason), dict.fromkeys((one.text for one in images), why)),
        )

    return {("registry", name): job(name, images) for name, images in sorted(wanted.items())}


def _git_jobs(settings: Settings, http: Http) -> dict[tuple[str, str], Job]:
    def job(repository: git.Repository) -> Job:
        return Job(
            functools.partial(git.probe, repository, http, settings.ca_file),
            lambda why: GitFact(git.address(repository.url).name, Reach(False, why.reason), why, repository.revision),
        )

    return {("git", repository.url): job(repository) for repository in settings.repositories}


def _chart_jobs(settings: Settings, docker: DockerConfig, http: Http) -> dict[tuple[str, str], Job]:
    """One job for each source: its index is fetched once for all charts."""
    sources: dict[str, list[Component]] = {}
    for component in settings.components:
        if component.repository:
            sources.setdefault(component.repository, []).append(component)

    def job(source: str, components: t.Sequence[Component]) -> Job:
        return Job(
            functools.partial(charts.probe, source, components, http, docker.logins),
            lambda why: [charts.fact(source, one, Reach(False, why.reason), why) for one in components],
        )

    return {("charts", source): job(source, components) for source, components in sources.items()}


def _dns_job(settings: Settings, http: Http) -> dict[tuple[str, str], Job]:
    if settings.dns is None:
        return {}
    dns = settings.dns
    ask = functools.partial(dns_provider.probe, dns.provider, dns.credentials, dns.api_url, http)
    return {("dns", ""): Job(ask, lambda why: DnsFact(dns.provider, accepted=why))}
