# Development commands. They need make and Python 3.11 or newer; everything else is installed into .venv.

# The first interpreter that is 3.11 or newer is used; choose one with PYTHON=...
PYTHON = python3.13 python3.12 python3.11 python3
ARGS =
VENV = .venv
BIN = $(VENV)/bin
PIP = $(BIN)/python -m pip install -qq --no-input --disable-pip-version-check
JOBS = 2
# Tests start many processes: without cached bytecode, each would compile all sources again.
unexport PYTHONDONTWRITEBYTECODE
GAMES = $(patsubst src/realmtable/games/%/__init__.py,%,$(wildcard src/realmtable/games/*/__init__.py))
# Run interpreted, so that coverage sees the rules: the tests that must cover engine, kit and games completely.
COVERED = tests/engine/ tests/kit/ $(wildcard tests/rl/) $(wildcard $(patsubst %,tests/%/,$(GAMES)))
# The game whose tests take about as long as those of all others: both halves run at the same time.
LARGEST = magic_realm
# Those of them that run only code that others cover, many times over: run only compiled.
COMPILED_RULES = $(wildcard $(addprefix tests/,realm/test_perft.py $(addsuffix /test_symmetry.py,realm oriental_realm modern_realm) \
	$(addprefix fantasy_realms/test_,twin_scoring.py twin_game.py)))
# Run interpreted: pages in a real browser.
BROWSED = $(wildcard tests/browser/)
# Run interpreted: the server, in two parts that take about as long.
SERVED = $(wildcard tests/server/)
STORED = $(wildcard $(addprefix tests/server/,contract/ http/ storage/ workers/))
# Run interpreted: searches, analyses, experiments, and kernels for GPUs in the simulator.
SEARCHED = $(wildcard $(addprefix tests/,search/ analysis/ lab/ gpu/))
# Run interpreted too, because compiling takes far longer than these tests: commands, benchmarks, documents, packages and
# the sources themselves. `make slow` runs them compiled.
COMMANDS = $(wildcard $(addprefix tests/,cli/ bench/ docs/ packaging/ test_*.py))
# Run compiled: first a search, which takes longest, then the conformance of all games, and again the tests that compare the rules
# with their twins, perft counts, playouts and symmetries.
COMPILED = $(wildcard tests/search/test_bench_signature.py) $(COMPILED_GAMES) \
	$(filter-out $(COVERED) $(BROWSED) $(SERVED) $(SEARCHED) $(COMMANDS) tests/toys/ tests/__pycache__/,$(wildcard tests/*/)) \
	$(sort $(COMPILED_RULES) $(wildcard $(addprefix tests/*/test_,twin.py perft.py playout*.py compile.py scoring.py)))
# Left out of `make searched`, because `make compiled` runs them.
COMPILED_GAMES = $(wildcard tests/search/test_playout_speed.py)
# Idle workers take over tests from busy ones, so that no long file delays the run. A part of `make test` runs in one
# process: each worker imports and collects everything again, and sending its results takes as long as many tests do.
WORKERS = -n $(JOBS) --dist worksteal
PYTEST = $(BIN)/python -m pytest $(WORKERS)
# What `make test` leaves out; `make full` leaves out only the slow tests.
LEFT_OUT = (slow or long)
COMPILE = .venv-lock/bin/uv pip compile -q --universal --python-version 3.11 --fork-strategy fewest \
	--generate-hashes --strip-extras --no-emit-index-url --no-emit-find-links --no-header --no-annotate

# What `make play` installs; development needs every extra.
SERVER_EXTRAS = --extra server --extra postgres --extra redis

.PHONY: help play setup test full quick lint types unit coverage cover_largest cover_others compiled browser served stored searched commands slow abuse screenshots icons bench mutants format lock clean

help: ## List these targets.
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile

play: $(VENV)/.runtime ## Play in the browser; pass options to `realmtable serve` with ARGS="...".
	@$(BIN)/realmtable serve --open --log-level warning $(ARGS)

setup: $(VENV)/.runtime ## Install what playing and serving need, without starting anything.

# One check more than there are processors: with fewer, a processor would be idle while a test waits for a browser, a process or
# a clock; with more, so many programs share the caches that all take longer. The checks of the server wait most, so one of them
# runs together with the two that take longest. The last ones are short: none runs long after the others.
test: lint ## Run all checks that a change must pass, without the tests that take longest.
	@$(MAKE) --no-print-directory -j $$(($$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2) + 1)) WORKERS="-n 0" \
		stored compiled browser served coverage types searched commands

full: ## Run all checks with the tests that take longest.
	@$(MAKE) --no-print-directory test LEFT_OUT=slow

quick: lint ## Check style and types, and test what has changed since main, in under a minute; options of pytest in ARGS="...".
	@$(BIN)/python -m tests.quick --jobs $(JOBS) -- $(ARGS)

lint: $(VENV)/.dev ## Check style and formatting.
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev ## Check the types.
	$(BIN)/mypy

unit: $(VENV)/.dev ## Run the tests with the rules interpreted; pass options to pytest with ARGS="...".
	REALMTABLE_COMPILE=0 $(PYTEST) -m "not slow and not compiled" $(ARGS)

coverage: cover_others cover_largest ## Run the tests of engine, kit and games interpreted; require full line and branch coverage.
	$(BIN)/python -m tests.measure_coverage .coverage.largest .coverage.others

# In one process each: `make -j 2 coverage` runs both at the same time. Each measures only the games that it tests, because
# preparing the files of a game takes seconds.
COVER = REALMTABLE_COMPILE=0 $(BIN)/python -m pytest -n 0 -m "not $(LEFT_OUT) and not compiled" -p tests.measure_coverage
OMIT = $(patsubst %,--coverage-omit='src/realmtable/games/%/*',$(1))
cover_largest: $(VENV)/.dev
	$(COVER) --coverage-file=.coverage.largest $(call OMIT,$(filter-out $(LARGEST),$(GAMES))) tests/$(LARGEST)/
cover_others: $(VENV)/.dev
	$(COVER) --coverage-file=.coverage.others $(call OMIT,$(LARGEST)) $(filter-out tests/$(LARGEST)/,$(COVERED)) \
		$(addprefix --ignore=,$(COMPILED_RULES))

compiled: $(VENV)/.dev ## Run the conformance tests and playouts compiled, and the tests of the rules again.
	$(PYTEST) -m "not $(LEFT_OUT)" $(COMPILED)

browser: $(VENV)/.dev ## Run the tests of the pages in a real browser.
	REALMTABLE_COMPILE=0 $(PYTEST) -m "not $(LEFT_OUT)" $(BROWSED)

served: $(VENV)/.dev ## Run the tests of the server's tables, accounts and pages.
	REALMTABLE_COMPILE=0 $(PYTEST) -m "not $(LEFT_OUT) and not compiled" $(SERVED) $(addprefix --ignore=,$(STORED))

stored: $(VENV)/.dev ## Run the tests of the server's storage, worker processes and HTTP.
	REALMTABLE_COMPILE=0 $(PYTEST) -m "not $(LEFT_OUT) and not compiled" $(STORED)

searched: $(VENV)/.dev ## Run the tests of searches, analyses, experiments and kernels for GPUs.
	REALMTABLE_COMPILE=0 $(PYTEST) -m "not $(LEFT_OUT) and not compiled" $(SEARCHED) $(addprefix --ignore=,$(COMPILED_GAMES))

commands: $(VENV)/.dev ## Run the tests of commands, benchmarks, documents, packages and the sources themselves.
	REALMTABLE_COMPILE=0 $(PYTEST) -m "not $(LEFT_OUT) and not compiled" $(COMMANDS)

# A slow test may run longer than `faulthandler_timeout`; printing where its thread is while it runs can crash Python 3.11.
slow: PYTEST += -o faulthandler_timeout=3600
slow: $(VENV)/.dev ## Run the slow tests, the tests that compile every search, and property tests with new examples.
	$(PYTEST) -m "slow or hypothesis" --hypothesis-profile=new $(addprefix --ignore=,$(BROWSED) $(SERVED) $(SEARCHED)) $(ARGS)
	$(PYTEST) -m compiled $(SEARCHED) $(ARGS)
	$(PYTEST) -m "not slow" $(COMMANDS) $(ARGS)
	REALMTABLE_COMPILE=0 $(PYTEST) -m "(slow or hypothesis) and not compiled" --hypothesis-profile=new $(BROWSED) $(SERVED) $(SEARCHED) $(ARGS)

abuse: $(VENV)/.dev ## Attack a local server and measure the effect on other players; pass options with ARGS="...".
	$(BIN)/python -m bench.abuse $(ARGS)

.PHONY: docs
docs: $(VENV)/.dev ## Build the documentation as a site in build/docs; a dead link or a page that nothing leads to fails.
	@rm -rf build/docs
	$(BIN)/sphinx-build -q -W --keep-going -c docs . build/docs
	$(BIN)/python -m tests.docs.check_site build/docs

screenshots: $(VENV)/.dev ## Take screenshots of the pages; pass options with ARGS="...".
	REALMTABLE_COMPILE=0 $(BIN)/python -m tests.browser.screenshots $(ARGS)

icons: $(VENV)/.dev ## Draw the PNG icons of the installed site from icon.svg.
	$(BIN)/python -m tests.browser.icons

bench: $(VENV)/.dev ## Measure the performance claims; pass options with ARGS="...".
	$(BIN)/python -m bench $(ARGS)

mutants: $(VENV)/.dev ## Mutate the source and list the changes that no test notices; pass options with ARGS="...".
	$(BIN)/python -m bench.mutants $(ARGS)

format: $(VENV)/.dev ## Format the code and apply safe fixes.
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

lock: ## Update the lock files; ARGS=--upgrade takes the newest versions.
	@$(FIND_PYTHON); "$$python" -m venv .venv-lock
	@.venv-lock/bin/python -m pip install -qq --no-input --disable-pip-version-check uv
	$(COMPILE) $(ARGS) pyproject.toml $(SERVER_EXTRAS) -o requirements.lock
	$(COMPILE) $(ARGS) --group build -c requirements.lock -o requirements-build.lock
	$(COMPILE) $(ARGS) pyproject.toml --all-extras --group dev -c requirements.lock -c requirements-build.lock -o requirements-dev.lock
	$(COMPILE) $(ARGS) --no-deps --group slipcover -c requirements-dev.lock -o requirements-slipcover.lock
	@rm -rf .venv-lock

clean: ## Remove .venv and all build and cache files.
	rm -rf $(VENV) .venv-lock build dist .coverage .coverage.* .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find src tests bench examples -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

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

# Where SlipCover has no wheel, it is built if there is a compiler: with coverage.py instead, `make test` takes much longer.
BUILD_SLIPCOVER = $(BIN)/python -c 'import slipcover' 2>/dev/null || \
	$(PIP) --no-deps --no-build-isolation --require-hashes -r requirements-slipcover.lock >/dev/null 2>&1 || \
	echo "SlipCover could not be built: coverage.py will measure coverage, which takes longer (on Debian and Ubuntu: apt install g++ python3-dev)."

$(VENV)/.dev: pyproject.toml requirements.lock requirements-build.lock requirements-dev.lock requirements-slipcover.lock
	@$(CREATE_ENVIRONMENT)
	@$(PIP) --no-deps --require-hashes -r requirements-dev.lock -r requirements-build.lock
	@$(BUILD_SLIPCOVER)
	@$(INSTALL_REALMTABLE)
	@touch $(VENV)/.runtime $@
