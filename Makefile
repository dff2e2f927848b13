# make demo   the bot, a server and a prompt, all here
# make test   the whole suite, on real servers; WORKERS=N at once
# make check  form, lint, types, directions of imports
# make bench  the figures of bench/
# make wheel-test  the commands and examples against an installed wheel, away from this folder
# make docs   the grammars as diagrams and as a reference, in docs/grammar and docs/reference
# make versions  the games' tests on Python 3.12 and 3.13, where they are installed
# make clean  back to a fresh clone

# Debian's own where there is one, whatever comes first in PATH: it is the one that the README promises
PYTHON ?= $(firstword $(wildcard /usr/bin/python3) python3)
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install -qq --disable-pip-version-check
# as pip compiles what it installs: a machine that is told to keep no bytecode compiles all of it at each start
COMPILED = $(BIN)/python -m compileall -q ircdice grammars
METADATA := setup.cfg setup.py pyproject.toml
SERVERS := ngircd inspircd atheme-services openssl postgresql-15 faketime chromium
SHELL := /bin/bash
export PYTHON

.PHONY: demo test check docs bench wheel-test versions packages clean

demo: $(VENV)/.for-demo
	@$(COMPILED)
	@exec $(BIN)/ircdice demo

test: $(VENV)/.for-test packages
	@$(COMPILED)
	@.ci/suite $(BIN)/python

check: $(VENV)/.for-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python docs/draw.py --check
	$(BIN)/python docs/reference.py --check
	$(BIN)/python -m pytest -q tests/test_structure.py

docs: $(VENV)/.for-dev
	$(BIN)/python docs/draw.py
	$(BIN)/python docs/reference.py

bench: $(VENV)/.for-bench packages
	$(BIN)/python -m bench

# Without the source: the commands, the examples of the specification, the documents and a plug-in, as a user has them.
wheel-test: $(VENV)/.for-test packages
	@$(COMPILED)
	@set -eu; work=$$(mktemp -d); trap 'rm -rf "$$work"' EXIT; \
	rm -rf build; \
	$(BIN)/python -m build --wheel --outdir "$$work" . >"$$work/build.log" 2>&1 </dev/null \
	    || { cat "$$work/build.log" >&2; exit 1; }; \
	rm -rf build; \
	$(PYTHON) -m venv "$$work/venv"; \
	wheel=$$(echo "$$work"/ircdice-*.whl); \
	"$$work/venv/bin/python" -m pip install -qq --disable-pip-version-check "$$wheel[test]" </dev/null; \
	mkdir "$$work/suite"; \
	tar -c --exclude=./grammars --exclude=./ircdice --exclude='./.[!c]*' --exclude='*.egg-info' . | tar -x -C "$$work/suite"; \
	cd "$$work/suite"; \
	env -u PYTHONPATH "$(CURDIR)/.ci/suite" "$$work/venv/bin/python" -o pythonpath= -p no:cacheprovider -m 'not slow' \
	    tests/cli/test_[a-l]*.py tests/games/test_examples.py tests/games/test_plug_in_game.py tests/docs/test_readme.py \
	    tests/ledger/test_verify_command.py tests/ledger/test_check_line.py

versions:
	@.ci/versions 3.12 3.13

packages:
	@.ci/packages $(SERVERS)

$(BIN)/python:
	@.ci/packages python3-venv
	@$(PYTHON) -m venv $(VENV) </dev/null || { rm -rf $(VENV); exit 1; }

$(VENV)/.for-demo: $(BIN)/python $(METADATA)
	@$(PIP) -e '.[web]' </dev/null
	@touch $@

$(VENV)/.for-test: $(BIN)/python $(METADATA)
	@$(PIP) -e '.[test]' </dev/null
	@touch $@

$(VENV)/.for-dev: $(BIN)/python $(METADATA)
	@$(PIP) -e '.[dev]' </dev/null
	@touch $@

# bench generic compares with d20
$(VENV)/.for-bench: $(BIN)/python $(METADATA)
	@$(PIP) -e '.[test]' 'd20>=1.1,<2' </dev/null
	@touch $@

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
