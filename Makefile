# Set up, serve, test and check Upcard. Bare `make` lists the targets.

PYTHON ?= python3
ARGS ?=

# Tools are run as modules, never by their scripts: the first line of a script holds the path
# of this folder, and the kernel cuts it short when the folder lies deep.
RUN = .venv/bin/python -m
INSTALL = $(RUN) pip install --quiet --disable-pip-version-check --no-input
COMPILE = $(RUN) uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --annotation-style line --custom-compile-command 'make pins'
LINT = REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true \
	node .tools/node_modules/@redocly/cli/bin/cli.js lint --config tests/clients/redocly.yaml
# Tools that stay apart from .venv, since they bring a hundred packages: `make tools` installs them.
TOOLS = .tools/venv/bin/python -m
# The oldest and the newest Kubernetes that k8s/ is for.
KUBERNETES = 1.30 1.37
# Every line and branch of these is tested; the rest of the service is held to `fail_under` in pyproject.toml.
WHOLE = service/cards/*,service/rulebooks/*,service/play/*

PROOFS = tests/fuzz tests/hostile tests/watching tests/secrets tests/chaos

.PHONY: help setup serve test proofs pythons check format pins tools clients k8s oracle fairness mutants docs clean debian fuzz hostile image-check streams browser chaos rolling secrets bench plots

help: ## List the targets
	@sed -n 's/^\([a-z0-9-]*\):.*## /  make \1	/p' Makefile | expand -t 20

setup: .venv/serve.done ## Make .venv with the upcard command (PYTHON=python3.13 picks another Python)

serve: .venv/serve.done ## Serve on http://127.0.0.1:8000 with a store of its own (ARGS="--port 9000" for more)
	@$(RUN) service.cli serve $(ARGS)

# Coverage is kept in a short folder, since SQLite refuses a path of more than 512 characters.
test: .venv/dev.done ## Run all tests and hold the coverage
	@folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && export COVERAGE_FILE="$$folder/coverage" && \
	$(RUN) pytest --quiet --numprocesses 2 --dist loadfile --no-loadscope-reorder --cov --cov-report=term && \
	$(RUN) coverage report --include='$(WHOLE)' --fail-under=100

# Each has a long form of its own below. They load the machine and measure no coverage, so they run after the tests.
proofs: .venv/dev.done ## Run the short forms of fuzz, hostile, streams, secrets and chaos
	@$(RUN) pytest --quiet --no-cov --numprocesses 2 --dist loadfile $(PROOFS)

pythons: .venv/dev.done ## Run the tests of units and of the API on Python 3.12 and 3.13, where they are
	@bash .ci/pythons 3.12 3.13

check: .venv/dev.done ## Check lint, format, types, and who imports whom
	@$(RUN) ruff check --quiet .
	@$(RUN) ruff format --check .
	@$(RUN) mypy
	@.venv/bin/python -c 'from importlinter.cli import lint_imports_command as main; main()' --no-logo

format: .venv/dev.done ## Put code and imports in order
	@$(RUN) ruff check --quiet --fix-only .
	@$(RUN) ruff format .

pins: .venv/dev.done ## Compile requirements/ from pyproject.toml (ARGS=--upgrade takes newer releases)
	@$(COMPILE) pyproject.toml --extra embedded --extra dev --group build $(ARGS) -o requirements/dev.txt
	@$(COMPILE) pyproject.toml --extra embedded --group build -c requirements/dev.txt $(ARGS) -o requirements/serve.txt
	@$(COMPILE) pyproject.toml -c requirements/dev.txt $(ARGS) -o requirements/image.txt
	@$(COMPILE) --group image -c requirements/dev.txt $(ARGS) -o requirements/image-build.txt
	@$(COMPILE) --group tools $(ARGS) -o requirements/tools/python.txt
	@cd requirements/tools && npm install --package-lock-only

tools: debian .tools/node.done .tools/python.done ## Install what the targets below need, from Debian, PyPI and npm

# None of them needs a network once it is installed, or asks for one.
clients: .venv/dev.done tools ## Lint openapi.yaml, make a Python and a TypeScript client, and play matches with both
	@$(LINT) openapi.yaml
	@$(RUN) tests.clients

browser: .venv/dev.done tools ## Follow a match from a web page in Chromium
	@$(RUN) pytest --quiet tests/e2e/in_chromium.py

oracle: .venv/dev.done ## Play N=20000 rounds beside OpenSpiel and report every difference
	@$(RUN) tests.oracle --rounds $(or $(N),20000)

fairness: .venv/dev.done ## Shuffle N=200000 decks and look for cards that prefer a place
	@$(RUN) tests.fairness $(or $(N),200000)

fuzz: .venv/dev.done ## Try the service with N=500 requests an operation made from openapi.yaml
	@$(RUN) tests.fuzz $(or $(N),500)

hostile: .venv/dev.done ## Send N=20000 hostile requests to a service of its own and report what gave way
	@$(RUN) tests.hostile $(or $(N),20000) $(or $(SEED),1)

secrets: .venv/dev.done ## Compare what readers fetch in N=20000 states of games with other secrets, call by call
	@$(RUN) tests.secrets $(or $(N),20000) $(or $(SEED),1)

streams: .venv/dev.done ## Cut N=200 streams of games again and again, kill their store, stop their server, let games expire
	@$(RUN) tests.watching --streams $(or $(N),200)

mutants: .venv/dev.done ## Change the rules of gin in small ways and list what no test notices (takes 20 minutes)
	@$(RUN) tests.mutants $(ARGS)

k8s: .venv/dev.done tools ## Render k8s/, hold it against Kubernetes' schemas and checkov, and test it
	@$(RUN) tests.k8s.render build/k8s
	@for version in $(KUBERNETES); do \
		$(TOOLS) kubernetes_validate --quiet --strict --kubernetes-version $$version build/k8s/*.yaml || exit; done
	@$(TOOLS) checkov.main --config-file k8s/checkov.yaml --directory build/k8s
	@$(RUN) pytest --quiet tests/k8s

image-check: .venv/dev.done tools ## Build the container image without Docker, run it locked up, and try it (as root)
	@.tools/venv/bin/hadolint Dockerfile
	@UPCARD_SECRET=- REDIS_PASSWORD=- docker-compose --file examples/compose.yaml config --quiet
	@$(RUN) tests.image

chaos: .venv/dev.done ## Play N=10000 moves while everything breaks, and look up every promise
	@$(RUN) tests.chaos --moves $(or $(N),10000)

rolling: .venv/dev.done debian ## Renew two instances behind nginx in turn, under N=10000 requests
	@$(RUN) tests.chaos.rolling --requests $(or $(N),10000)

bench: .venv/dev.done .tools/python.done ## Measure what requests, rules and memory cost, in 4 minutes (FULL=1 takes 32; ARGS="http" one part)
	@$(RUN) bench $(if $(FULL),--full) $(ARGS)

plots: .tools/python.done ## Draw the recorded figures of the benchmarks into docs/performance
	@$(TOOLS) bench.plots

docs: .venv/serve.done ## Write the pages that are made from the code
	@$(RUN) service.config > docs/configuration.md
	@.venv/bin/python -c 'from service.rulebooks.handbook import page; print(page())' > docs/rules.md
	@.venv/bin/python -c 'from service.web.refusals import page; print(page())' > docs/api/refusals.md

clean: ## Remove .venv, .tools and everything that was made
	@rm -rf .venv .tools build dist htmlcov .coverage .coverage.* .hypothesis \
		.import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/made.done:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "Upcard needs Python 3.11 or newer, and '$(PYTHON)' is not. Name one: make setup PYTHON=python3.13" >&2; \
		exit 1; }
	@rm -rf .venv
	@$(PYTHON) -m venv .venv
	@touch $@

.venv/serve.done: .venv/made.done requirements/serve.txt pyproject.toml
	@echo "Setting up .venv"
	@$(INSTALL) -r requirements/serve.txt
	@$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

.venv/dev.done: .venv/serve.done requirements/dev.txt
	@echo "Adding the tools to .venv"
	@$(INSTALL) -r requirements/dev.txt
	@touch $@

.tools/python.done: .venv/made.done requirements/tools/python.txt
	@echo "Setting up .tools/venv"
	@mkdir -p .tools
	@.venv/bin/python -m venv --clear .tools/venv
	@$(TOOLS) pip install --quiet --disable-pip-version-check --no-input -r requirements/tools/python.txt
	@touch $@

# Looked for each time: a program can be gone that was there yesterday.
debian:
	@bash .ci/debian $$(cat requirements/tools/debian.txt)

.tools/node.done: requirements/tools/package.json requirements/tools/package-lock.json requirements/tools/.npmrc | debian
	@node -e 'const [major, minor] = process.versions.node.split("."); process.exit(major * 100 + +minor < 2019 ? 1 : 0)' || { \
		echo "The tools need Node.js 20.19 or newer, and this is $$(node --version)" >&2; exit 1; }
	@echo "Setting up .tools"
	@mkdir -p .tools
	@cp $^ .tools
	@cd .tools && npm ci --loglevel=error >/dev/null
	@touch $@
