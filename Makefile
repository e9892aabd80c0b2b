PYTHON ?= python3

VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
PROJECT_FILES := pyproject.toml sdk/pyproject.toml sdk/sixtysix/_version.py

# Generated code refuses a runtime older than its generator, so the generator is old, pinned and kept apart.
PROTOS_VENV := .venv-protos
PROTOS_INSTALLED := $(PROTOS_VENV)/.installed
PROTOS_OUT ?= sdk

BENCH_VENV := .venv-bench
BENCH_INSTALLED := $(BENCH_VENV)/.installed

PLATFORM_VENV := .venv-platform
PLATFORM_INSTALLED := $(PLATFORM_VENV)/.installed

TOURNAMENTS := example_bots/tournaments/schnapsen.toml example_bots/tournaments/sixty-six.toml

LANGUAGE_RULES := schnapsen sixty-six

define need_python
@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	{ echo "make: '$(PYTHON)' is not Python 3.11 or newer (choose another with PYTHON=...)" >&2; exit 1; }
@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	{ echo "make: '$(PYTHON)' cannot make virtual environments; on Debian: apt-get install python3-venv" >&2; exit 1; }
endef

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup protos-venv protos vectors check format bots bots-strict test test-platform soak tournament tournament-languages bench clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-20s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(INSTALLED) ## Make .venv and install the project with its development tools

$(INSTALLED): $(PROJECT_FILES)
	$(need_python)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

protos-venv: $(PROTOS_INSTALLED)

$(PROTOS_INSTALLED): protos/requirements.txt
	$(need_python)
	$(PYTHON) -m venv $(PROTOS_VENV)
	$(PROTOS_VENV)/bin/pip install --quiet --disable-pip-version-check --requirement protos/requirements.txt
	@touch $@

protos: $(PROTOS_INSTALLED) ## Generate the Python stubs from protos/ (PROTOS_OUT=DIR: elsewhere than sdk/)
	$(PROTOS_VENV)/bin/python -m grpc_tools.protoc --proto_path=protos \
		--python_out=$(PROTOS_OUT) --pyi_out=$(PROTOS_OUT) --grpc_python_out=$(PROTOS_OUT) \
		$(sort $(wildcard protos/sixtysix/v1/*.proto))

vectors: $(INSTALLED) ## Work out the results in vectors/ again
	$(BIN)/python -m vectors.generate

check: $(INSTALLED) ## Check format, lint, types, import contracts and protos
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/buf lint protos

format: $(INSTALLED) ## Format the code and fix what ruff can fix
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .
	$(BIN)/buf format --write protos

bots: $(INSTALLED) ## Build the example bots in other languages; those whose tools are missing are skipped
	$(BIN)/python -m example_bots.build

bots-strict: $(INSTALLED) ## The same, but fail where tools are missing
	$(BIN)/python -m example_bots.build --strict

test: check $(PROTOS_INSTALLED) bots test-platform ## Run all checks, then the tests, those of the bots in other languages too
	$(BIN)/pytest

$(PLATFORM_INSTALLED): tests/platform-requirements.txt $(PROJECT_FILES)
	$(need_python)
	$(PYTHON) -m venv $(PLATFORM_VENV)
	$(PLATFORM_VENV)/bin/pip install --quiet --disable-pip-version-check --editable . --requirement tests/platform-requirements.txt
	@touch $@

test-platform: $(PLATFORM_INSTALLED) ## Run the tests with bots of the teaching platform, in an environment with it
	$(PLATFORM_VENV)/bin/pytest tests/sdk/test_platform_adapter.py

soak: $(INSTALLED) ## Run the tests that take long: 200,000 messages of nonsense, 1,000 bots at once
	$(BIN)/pytest -m soak -s

tournament: $(INSTALLED) ## Play a round-robin of the example bots in schnapsen, then in sixty-six
	set -e; for file in $(TOURNAMENTS); do $(BIN)/arbiter run --force "$$file"; done

tournament-languages: bots ## Play the bots in all languages that can be built against each other
	set -e; for rules in $(LANGUAGE_RULES); do \
		$(BIN)/python -m example_bots.tournament "runs/languages-$$rules.toml" --rules "$$rules"; \
		$(BIN)/arbiter run --force "runs/languages-$$rules.toml"; \
	done

$(BENCH_INSTALLED): benchmarks/requirements.txt $(PROJECT_FILES)
	$(need_python)
	$(PYTHON) -m venv $(BENCH_VENV)
	$(BENCH_VENV)/bin/pip install --quiet --disable-pip-version-check --editable '.[data]' --requirement benchmarks/requirements.txt
	@touch $@

bench: $(BENCH_INSTALLED) ## Run the benchmarks and print their ratios
	$(BENCH_VENV)/bin/python -m benchmarks

clean: ## Remove environments, caches and build output; tournaments in runs/ stay
	rm -rf $(VENV) $(PROTOS_VENV) $(PLATFORM_VENV) $(BENCH_VENV) build dist sdk/dist
	rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
