# make run    everything on this machine: needs Python 3.11+ and Node 20+, nothing else
#             with BILLING=demo plans are sold, and paid at a stand-in for Stripe
# make check  format, lint, types, layers, unused code, front end, generated API types
# make test   make check, then the tests on real parts
# make test-long  costly tests and the long forms of campaigns, which belong to every change: nodes that come and go, every page at every width
# make test-gpu  the part of make test-long that needs torch, in an environment of its own
# make dist   the product as a wheel, and its sources with the pages built: neither needs Node to install
# make release  make check and make dist, with bills of materials, notes and digests; SIGN_WITH=KEY signs these
# make soak   the long campaigns: attacks, faults under load, broken media, the steps of the images
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := run
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory
export npm_config_update_notifier := false
# Where the environment forbids Python to store what it compiled, every process compiles each module again: a collection
# of the tests takes 29 instead of 12 core-seconds, and an installation starts half as fast.
unexport PYTHONDONTWRITEBYTECODE

PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3; do \
  command -v $$p >/dev/null && $$p -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null && echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin
UV := $(BIN)/uv
CODE := api benchmarks cluster pipelines serve conftest.py
# More than the cores of the smallest machine: half of the time tests wait for programs that they started.
TEST_PROCESSES ?= 4
PYTEST = nice -n 5 $(BIN)/pytest -n $(TEST_PROCESSES) --dist loadfile --no-loadscope-reorder --durations=15 -ra
UI_SOURCES := $(shell find ui -type f -not -path 'ui/node_modules/*' -not -path 'ui/dist/*' 2>/dev/null)
DOCUMENTS := $(wildcard *.md docs/*.md)
CHARACTERS := pipelines/captions/texts/characters.json

.PHONY: run check test test-long soak dist release install install-dev ui types manifests services clean \
  check-format check-lint check-types check-layers check-unused check-deploy check-ui check-first-load check-api compiled-tests test-python test-long-python test-ui test-gpu

run:
	@$(MAKE) -s -j2 .make/installed .make/ui
	@exec $(if $(filter demo,$(BILLING)),$(BIN)/python -m api.testing.stripe.demo,$(BIN)/sagascript up)

install: .make/installed
install-dev: .make/installed-dev
ui: .make/ui

# ---- installing -----------------------------------------------------------------------------------------------------

.make/venv:
	@mkdir -p .make
	@test -n "$(PYTHON)" || { echo "Python 3.11, 3.12 or 3.13 is needed. Install one, or name it: make PYTHON=/path/to/python3.11"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || \
	  { echo "$(PYTHON) cannot make a virtual environment. Install its venv package (Debian: apt install python3-venv)."; exit 1; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt uv || true
	@touch $@

define install
	@echo "Installing Python packages …"
	@UV_SYSTEM_CERTS=1 $(UV) pip install --quiet --python $(BIN)/python -c constraints.txt -e '$(1)' || \
	  { echo "uv cannot install them; trying pip, which is slower …"; \
	    $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '$(1)'; }
	@touch $@
endef

.make/installed: pyproject.toml constraints.txt | .make/venv
	$(call install,.)

.make/installed-dev: pyproject.toml constraints.txt .make/installed
	$(call install,.[dev])

.make/ui-modules: ui/package.json ui/package-lock.json
	@mkdir -p .make
	@command -v node >/dev/null && node -e 'process.exit(+(parseInt(process.versions.node) < 20))' || \
	  { echo "Node 20 or newer is needed to build the pages."; exit 1; }
	@echo "Installing the front end's packages …"
	@cd ui && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

.make/ui: .make/ui-modules $(UI_SOURCES) $(DOCUMENTS) $(CHARACTERS)
	@echo "Building the pages …"
	@cd ui && npm run --silent build -- --logLevel warn
	@touch $@

# ---- packing --------------------------------------------------------------------------------------------------------

# The time of the last commit stands in the archives: the same commit makes the same bytes.
dist: .make/installed-dev .make/ui
	@rm -rf dist
	@SOURCE_DATE_EPOCH=$${SOURCE_DATE_EPOCH:-$$(git log -1 --format=%ct 2>/dev/null || echo 1)} \
	  UV_SYSTEM_CERTS=1 $(UV) build --quiet --out-dir dist .
	@rm -f dist/.gitignore
	@SOURCE_DATE_EPOCH=$${SOURCE_DATE_EPOCH:-$$(git log -1 --format=%ct 2>/dev/null || echo 1)} \
	  $(BIN)/python -m benchmarks.manifests chart dist >/dev/null
	@ls -l dist | awk 'NR > 1 {printf "%s  %.1f MB\n", $$9, $$5 / 1e6}'

# Bills of materials in CycloneDX, notes and digests beside the archives; with SIGN_WITH=~/.ssh/id_ed25519 a signature too.
release: .make/installed-dev
	@test -z "$$(git status --porcelain)" || { echo "Commit your changes first: a release is made of a commit."; exit 1; }
	@$(MAKE) check dist
	@version=$$(sed -n 's/^version = "\(.*\)"$$/\1/p' pyproject.toml) && \
	  UV_SYSTEM_CERTS=1 $(UV) pip compile --quiet --no-header -c constraints.txt pyproject.toml -o dist/requirements.txt && \
	  PYTHONWARNINGS=ignore UV_SYSTEM_CERTS=1 $(UV) tool run --quiet --from cyclonedx-bom==7.5.0 cyclonedx-py requirements dist/requirements.txt \
	    --pyproject pyproject.toml --output-reproducible -o dist/sagascript-$$version.python.cdx.json && \
	  (cd ui && npm sbom --sbom-format cyclonedx --omit dev) > dist/sagascript-$$version.pages.cdx.json
	@$(BIN)/python -m benchmarks.manifests release
	@test -z "$(SIGN_WITH)" || ssh-keygen -q -Y sign -n sagascript -f $(SIGN_WITH) dist/SHA256SUMS
	@cat dist/SHA256SUMS

# ---- checking -------------------------------------------------------------------------------------------------------

# The longest first, so that no core is left with nothing to do at the end.
CHECKS := check-deploy check-unused check-first-load check-types check-api check-ui check-layers check-format check-lint

check: .make/installed-dev .make/ui-modules
	@$(MAKE) -j3 -k --output-sync=target $(CHECKS)
	@echo "make check: all good."

check-format:
	@$(BIN)/ruff format --check --quiet $(CODE)

check-lint:
	@$(BIN)/ruff check --quiet $(CODE)
	@! grep -rn --include='*.py' '\.wait_for_function(' api || \
	  { echo "The pages' policy forbids it from its second look on: use wait_until of api.testing.in_browser.pages."; exit 1; }

check-types:
	@$(BIN)/pyrefly check --min-severity=error --summary=none

check-layers:
	@$(BIN)/lint-imports --no-logo >.make/layers.log 2>&1 || { cat .make/layers.log; exit 1; }

# Fields of models and rows are used by frameworks, so only functions, classes, imports and dead code count.
check-unused:
	@$(BIN)/vulture >.make/unused.log || true
	@! grep -v -E "unused (variable|attribute)" .make/unused.log

# Manifests, compose files and Dockerfiles, without a cluster or an engine.
check-deploy: .make/platforms
	@$(BIN)/python -m benchmarks.manifests check

# Asks the package index, so only when a requirement changes.
.make/platforms: pyproject.toml constraints.txt benchmarks/manifests/platforms.py | .make/installed-dev
	@$(BIN)/python -m benchmarks.manifests platforms
	@touch $@

check-ui: .make/ui-modules
	@cd ui && npm run --silent check

# What visitors download before a page shows; builds the pages only when they changed.
check-first-load: .make/ui
	@cd ui && node firstLoad.mjs

# The front end's types of the API must be those the API has now.
check-api: .make/ui-modules
	@$(BIN)/python -m api.openapi > .make/openapi.json
	@cd ui && npx --no-install openapi-typescript ../.make/openapi.json -o ../.make/schema.d.ts >/dev/null
	@diff -q .make/schema.d.ts ui/src/platform/api/schema.d.ts >/dev/null || \
	  { echo "ui/src/platform/api/schema.d.ts is older than the API. Run: make types"; exit 1; }

types: .make/installed .make/ui-modules
	@cd ui && npm run --silent api:types

# The chart as plain YAML. Needs Helm, or Go and sprig.
manifests: .make/installed-dev
	@$(BIN)/python -m benchmarks.manifests render

# ---- testing --------------------------------------------------------------------------------------------------------

test:
	@$(MAKE) -j2 --output-sync=target .make/installed-dev .make/ui-modules services
	@$(MAKE) -j3 -k --output-sync=target compiled-tests $(CHECKS)
	@$(MAKE) -j2 -k test-ui test-python

test-long: .make/installed-dev .make/ui
	@$(MAKE) services
	@$(MAKE) -j2 -k test-gpu test-long-python

# Compile the tests once: on a fresh clone four processes would each do it for themselves.
compiled-tests: .make/installed-dev
	@$(BIN)/pytest --collect-only -q >.make/tests.log || { tail -40 .make/tests.log; exit 1; }

# Debian packages that the tests run against; without root or sudo, says what is left out.
services:
	@.ci/services

# Beside the Python tests, whose closing line is that of the whole run.
test-ui:
	@cd ui && npm test --silent >../.make/ui-tests.log 2>&1 || { cat ../.make/ui-tests.log; exit 1; }

# Tests of the engines that need torch, in an environment of their own that stays between runs. One thread: on busy cores
# the threads of one operation wait for each other.
test-gpu:
	@python="$$(PYTHON=$(PYTHON) .ci/gpu-environment)" || \
	  { echo "The environment with torch cannot be built here, so its tests are left out."; exit 0; }; \
	  PYTHONPATH=$(CURDIR) PYANNOTE_METRICS_ENABLED=0 OMP_NUM_THREADS=1 nice -n 5 "$$python" -m pytest -q -m 'gpu_env and (long or not long)' \
	  serve pipelines benchmarks >.make/gpu-tests.log 2>&1 || { cat .make/gpu-tests.log; exit 1; }; \
	  tail -1 .make/gpu-tests.log

test-python:
	@$(PYTEST)

test-long-python:
	@$(PYTEST) -m 'long and not gpu_env'

# Runs them all and then names those that fell short.
soak: .make/installed-dev .make/ui
	@short=; for name in abuse captions durability exports jobs live media-mutants nodes schema tasks; do \
	  $(BIN)/python -m benchmarks.soak $$name || short="$$short $$name"; done; \
	  $(BIN)/pytest -q -m 'soak or hypothesis and (long or not long)' || short="$$short tests"; \
	  $(BIN)/python -m benchmarks.manifests build-steps api cpu gpu || short="$$short build-steps"; \
	  test -z "$$short" || { echo "make soak: fell short:$$short"; exit 1; }
	@echo "make soak: all good."

clean:
	rm -rf .make ui/dist .ruff_cache .pytest_cache .import_linter_cache
