# How to work on Realmtable. Needs make and Python 3.11 or newer; everything else goes into .venv.

# The first of these that is 3.11 or newer is used; name one with PYTHON=...
PYTHON = python3.13 python3.12 python3.11 python3
ARGS =
VENV = .venv
BIN = $(VENV)/bin
PIP = $(BIN)/python -m pip install -qq --no-input --disable-pip-version-check
JOBS = 2
# Tests start many processes: each would translate all sources again.
unexport PYTHONDONTWRITEBYTECODE
# Run interpreted, so that coverage sees the rules: what must cover engine, kit and games completely.
COVERED = tests/engine/ tests/kit/ \
	$(wildcard $(patsubst src/realmtable/games/%/__init__.py,tests/%/,$(wildcard src/realmtable/games/*/__init__.py)))
# Of these, what asks the rules very often and covers no line that others do not: run compiled alone.
ASKING = $(wildcard $(addprefix tests/,realm/test_perft.py $(addsuffix /test_symmetry.py,realm oriental_realm modern_realm) \
	$(addprefix fantasy_realms/test_,twin_scoring.py twin_game.py)))
# Run interpreted, as a server runs them: searches, matches, live tables, and people in a real browser.
SERVED = $(wildcard tests/search/ tests/lab/ tests/server/ tests/browser/)
# Run interpreted too: what it measures would be compiled for far longer than it is tested; `make slow` does that.
MEASURED = $(wildcard tests/bench/)
# Run compiled: a search first, which takes longest, then everything else, and the rules once more against their twins,
# counts, playouts and turned boards.
COMPILED = $(wildcard tests/search/test_bench_signature.py) \
	$(filter-out $(COVERED) $(SERVED) $(MEASURED) tests/toys/ tests/__pycache__/,$(wildcard tests/*/)) $(wildcard tests/test_*.py) \
	$(sort $(ASKING) $(wildcard $(addprefix tests/*/test_,twin.py perft.py playout*.py compile.py scoring.py)))
# Of these, what is run interpreted as well would show nothing new.
TWICE = $(wildcard tests/search/test_playouts.py)
# Whoever has nothing left takes over tests of the other, so that none waits for one long file.
PYTEST = $(BIN)/python -m pytest -n $(JOBS) --dist worksteal
# Tests of the server often wait, for a browser, a process or a clock: one more of them fills the time.
PYTEST_WAITING = $(BIN)/python -m pytest -n $(shell expr $(JOBS) + 1) --dist worksteal
COMPILE = .venv-lock/bin/uv pip compile -q --universal --python-version 3.11 --fork-strategy fewest \
	--generate-hashes --no-emit-index-url --no-emit-find-links --no-header --no-annotate

.PHONY: help play setup test quick lint types unit coverage compiled served slow abuse screenshots bench mutants format lock clean

help: ## List these targets.
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile

play: $(VENV)/.runtime ## Play in the browser; pass options of `realmtable serve` with ARGS="...".
	@$(BIN)/realmtable serve --open --log-level warning $(ARGS)

setup: $(VENV)/.runtime ## Set up what playing and serving need, and start nothing.

# The tests of the server often wait, so the types are checked beside them.
test: lint coverage compiled ## Run every check that a change must pass.
	@$(MAKE) --no-print-directory -j 2 types served

quick: lint ## Check style and types, and test what has changed since main, in under a minute; options of pytest in ARGS="...".
	@$(BIN)/python -m tests.quick --jobs $(JOBS) -- $(ARGS)

lint: $(VENV)/.dev ## Check style and formatting.
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev ## Check the types.
	$(BIN)/mypy

unit: $(VENV)/.dev ## Run the tests with the rules interpreted; pass options to pytest with ARGS="...".
	REALMTABLE_COMPILE=0 $(PYTEST) -m "not slow and not compiled" $(ARGS)

coverage: $(VENV)/.dev ## Run the tests of engine, kit and games interpreted, and ask for every line and branch.
	REALMTABLE_COMPILE=0 $(PYTEST) -m "not slow and not compiled" \
		--cov --cov-branch --cov-fail-under=100 $(COVERED) $(addprefix --ignore=,$(ASKING))

compiled: $(VENV)/.dev ## Run all other tests, and those of the rules again, compiled.
	$(PYTEST) -m "not slow" $(COMPILED)

served: $(VENV)/.dev ## Run the tests of searches, matches, the server and its pages in a real browser.
	REALMTABLE_COMPILE=0 $(PYTEST_WAITING) -m "not slow and not compiled" \
		$(SERVED) $(MEASURED) $(addprefix --ignore=,$(TWICE))

slow: $(VENV)/.dev ## Run the slow tests, those that compile every search, and those of made-up examples with new ones.
	$(PYTEST) -m "slow or hypothesis" --hypothesis-profile=new $(addprefix --ignore=,$(SERVED)) $(ARGS)
	$(PYTEST) -m compiled $(wildcard tests/search/ tests/lab/) $(ARGS)
	$(PYTEST) -m "not slow" $(MEASURED) $(ARGS)
	REALMTABLE_COMPILE=0 $(PYTEST) -m "(slow or hypothesis) and not compiled" --hypothesis-profile=new $(SERVED) $(ARGS)

abuse: $(VENV)/.dev ## Attack servers of our own on this machine, and print what others felt; pass options with ARGS="...".
	$(BIN)/python -m bench.abuse $(ARGS)

screenshots: $(VENV)/.dev ## Keep pictures of the pages, to look at; pass options with ARGS="...".
	REALMTABLE_COMPILE=0 $(BIN)/python -m tests.browser.screenshots $(ARGS)

bench: $(VENV)/.dev ## Measure the claims of speed; pass options with ARGS="...".
	$(BIN)/python -m bench $(ARGS)

mutants: $(VENV)/.dev ## Try small mistakes in the source and list those that no test notices; pass options with ARGS="...".
	$(BIN)/python -m bench.mutants $(ARGS)

format: $(VENV)/.dev ## Format the code and apply the safe fixes.
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

lock: ## Make the lock files again; ARGS=--upgrade takes the newest versions.
	@$(FIND_PYTHON); "$$python" -m venv .venv-lock
	@.venv-lock/bin/python -m pip install -qq --no-input --disable-pip-version-check uv
	$(COMPILE) $(ARGS) pyproject.toml --all-extras -o requirements.lock
	$(COMPILE) $(ARGS) --group build -c requirements.lock -o requirements-build.lock
	$(COMPILE) $(ARGS) pyproject.toml --all-extras --group dev -c requirements.lock -c requirements-build.lock -o requirements-dev.lock
	@rm -rf .venv-lock

clean: ## Remove .venv and everything that was built or cached.
	rm -rf $(VENV) .venv-lock build dist .coverage .coverage.* .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find src tests bench examples -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

# Sets the shell variable `python` to the first interpreter that is new enough and can make environments.
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
		echo "Realmtable needs Python 3.11 or newer; tried: $(PYTHON). Name yours with make PYTHON=/path/to/python." >&2; exit 1; \
	fi

# Two stamps in one environment: what playing needs, then what working on the code needs.
$(VENV)/.runtime: pyproject.toml requirements.lock requirements-build.lock
	@$(FIND_PYTHON); \
	echo "Setting up $(VENV) (once, about a minute) …"; \
	$(BIN)/python -c 'import pip' 2>/dev/null || "$$python" -m venv --clear $(VENV)
	@$(PIP) --require-hashes -r requirements.lock -r requirements-build.lock
	@$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.runtime requirements-dev.lock
	@echo "Adding the development tools to $(VENV) (once, about a minute) …"
	@$(PIP) --require-hashes -r requirements-dev.lock
	@touch $@
