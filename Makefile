# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

PYTHON ?= $(shell command -v python3.11 || echo python3)
export PYTHON
export DEPLOY_OPS_CACHE ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/deploy_ops
# Ansible refuses other encodings, and messages in other languages would make the tests depend on the machine.
export LC_ALL := C.UTF-8

VENV := $(PYTHON) tests/tools/venv.py
MAIN := $(VENV) exec main --
CORE215 := $(VENV) exec core215 --
STEPS := $(PYTHON) tests/tools/steps.py
TESTBED := testbed/testbed

SHELL_SCRIPTS = $(shell git ls-files --cached --others --exclude-standard -z | xargs -0 grep -lE '^\#!.*\b(ba)?sh\b' -- 2>/dev/null)
INTEGRATION := tests/testbed tests/integration

.PHONY: help
help: ## Show this list
	@awk 'BEGIN {FS = ":.*## "} /^[a-z0-9.-]+:.*## / {printf "  %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: setup
setup: ## Prepare this machine: packages, virtual environment (.venv), collections (.ansible/collections)
	@tests/tools/system_packages
	@venv=$$($(VENV) path main); ln -sfn "$$venv" .venv
	@$(MAIN) python tests/tools/dependencies.py

.PHONY: shell
shell: setup ## Open a shell with the virtual environment active
	@$(MAIN) bash

.PHONY: test
test: setup ## Run every check, with a summary per step
	@$(STEPS) lint docs galaxy sanity build unit integration

.PHONY: lint
lint: setup ## Check style, types and syntax of everything
	@$(STEPS) lint-python lint-format lint-types lint-shell lint-yaml lint-ansible

.PHONY: lint-python
lint-python:
	@$(MAIN) ruff check .

.PHONY: lint-format
lint-format:
	@$(MAIN) ruff format --check .

.PHONY: lint-types
lint-types:
	@MYPYPATH=.ansible/collections $(MAIN) mypy --package ansible_collections.proficientnow.deploy_ops.plugins

.PHONY: lint-shell
lint-shell:
	@$(MAIN) shellcheck $(SHELL_SCRIPTS)

.PHONY: lint-yaml
lint-yaml:
	@$(MAIN) yamllint --strict .

.PHONY: lint-ansible
lint-ansible:
	@$(MAIN) ansible-lint --strict --offline $(if $(MAKE_TERMOUT),,--nocolor)

.PHONY: format
format: setup ## Format the Python code and fix what ruff can fix
	@$(MAIN) ruff check --fix .
	@$(MAIN) ruff format .

.PHONY: unit
unit: setup ## Run the unit tests on ansible-core 2.19, and the plugins' on 2.15 too
	@$(STEPS) unit-2.19 unit-2.15

.PHONY: unit-2.19
unit-2.19:
	@$(MAIN) pytest -n auto tests/unit

.PHONY: unit-2.15
unit-2.15:
	@$(CORE215) pytest -n auto tests/unit/plugins

.PHONY: sanity
sanity: setup ## Run ansible-test sanity, without a single ignore
	@$(MAIN) tests/tools/sanity $(SANITY)

.PHONY: galaxy
galaxy: setup ## Build the artifact, install it into an empty tree, use it there, and let galaxy-importer judge it
	@DEPLOY_OPS_IMPORTER="$$($(VENV) path importer)" $(MAIN) pytest tests/galaxy

.PHONY: docs
docs: setup ## Check the documentation of plugins and roles, and the changelog
	@$(MAIN) tests/tools/docs

.PHONY: integration
integration: setup cluster ## Run the tests that need the embedded cluster (not the long ones)
	@$(TESTBED) exec -- $(MAIN) pytest -m "not long" $(INTEGRATION)

.PHONY: molecule
molecule: setup cluster ## Run the molecule scenario of every role on the embedded cluster
	@$(TESTBED) exec -- $(MAIN) molecule test --all

.PHONY: browser
browser: setup ## Open a report in a real browser (installs Debian's headless Chromium, 70 MB)
	@tests/tools/system_packages browser
	@$(MAIN) pytest tests/browser

.PHONY: test-long
test-long: setup ## Run the tests that take many minutes each, and the one that needs a browser
	@$(STEPS) browser long

.PHONY: long
long: setup cluster
	@$(TESTBED) exec -- $(MAIN) pytest -m long $(INTEGRATION)

.PHONY: benchmark
benchmark: setup ## Print how long planning takes beside networkx sorting the same graph
	@$(MAIN) python tests/benchmark/plan.py

.PHONY: benchmark-cluster
benchmark-cluster: setup ## Print what the embedded cluster costs to start and to have (stops a running one)
	@$(MAIN) python tests/benchmark/cluster.py

.PHONY: benchmark-redeploy
benchmark-redeploy: setup cluster ## Print what a deployment costs where everything is Healthy already (PLATFORM=rfc or demo)
	@$(TESTBED) exec -- $(MAIN) python tests/benchmark/redeploy.py $(PLATFORM)

.PHONY: benchmark-peers
benchmark-peers: setup cluster ## Deploy the RFC's platform with this collection and its peers, side by side (25 min, empties the cluster)
	@$(TESTBED) build helmfile
	@$(TESTBED) exec -- $(MAIN) python tests/benchmark/peers $(PEERS)

.PHONY: benchmark-bootstrap
benchmark-bootstrap: setup cluster ## Print what the bootstrap takes, first and second run, and Ansible's share (wipes the cluster)
	@$(TESTBED) exec -- $(MAIN) python tests/benchmark/bootstrap.py

.PHONY: build
build: setup ## Build what the embedded cluster is made of
	@$(TESTBED) build

.PHONY: cluster
cluster: setup ## Bring up the embedded cluster
	@$(TESTBED) up

.PHONY: cluster-down
cluster-down: ## Stop the embedded cluster
	@$(TESTBED) down

.PHONY: demo
demo: setup cluster ## Deploy a sample platform on the embedded cluster, from bare to Healthy
	@$(TESTBED) exec -- $(MAIN) tests/tools/demo

.PHONY: lock
lock: setup ## Resolve tests/requirements/*.in anew into pinned *.txt
	@for source in tests/requirements/*.in; do $(VENV) lock "$$(basename "$$source" .in)"; done

.PHONY: clean
clean: ## Remove what the tools left in this checkout (the cache stays: it is shared and keyed)
	@rm -rf .ansible .venv .hypothesis .mypy_cache .pytest_cache .ruff_cache build tests/output
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
