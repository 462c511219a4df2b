# Everything a person or a CI job does here. `make help` lists it.
PYTHON ?= python3.11
BIN := .venv/bin
STAMP := .venv/.installed
.DEFAULT_GOAL := help
.PHONY: help install demo test slow check static format format-check lint types imports bench lock clean

help:  ## Show this list
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

install: $(STAMP)  ## Make .venv with everything pinned and hashed; .venv/bin/fairtrial works after it

$(STAMP): requirements.lock pyproject.toml scripts/setup.sh
	@PYTHON="$(PYTHON)" sh scripts/setup.sh
	@touch $@

demo: install  ## Examine the example shop agent for three trials and walk through the result
	@$(BIN)/python examples/demo.py

test: install  ## Run all tests but the long simulations
	@$(BIN)/python -m pytest -q

slow: install  ## Run the long simulations: how often intervals hold, and how often tests, looks and lines err
	@$(BIN)/python -m pytest -q -m slow

static: format-check lint types imports

format-check: install
	@$(BIN)/ruff format --check .

format: install  ## Format the code
	@$(BIN)/ruff format . && $(BIN)/ruff check --fix -q .

lint: install
	@$(BIN)/ruff check .

types: install
	@$(BIN)/mypy

imports: install
	@$(BIN)/lint-imports

check: static test  ## Format, lint, strict types, import contracts, then the tests

bench: install  ## Measure speed and memory, in one run, beside named peers
	@$(BIN)/python benchmarks/all.py

lock: install  ## Compile the hash-locked requirements anew from pyproject.toml
	@sh scripts/lock.sh

clean:  ## Remove what was built or cached here
	@rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache dist
