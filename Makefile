# make demo   the bot, a server and a prompt, all here
# make test   the whole suite, on real servers; WORKERS=N at once
# make check  form, lint, types, directions of imports
# make bench  the figures of bench/
# make wheel-test  an installed wheel, tested by what the sdist holds, away from this folder
# make elsewhere  wheel-test, then versions
# make docs   what is generated in docs: diagrams, reference, the bot's replies in scenes
# make versions  a few tests of each part on Python 3.12 and 3.13, where they are installed
# make clean  back to a fresh clone

# Debian's own where there is one, whatever comes first in PATH: it is the one that the README promises
PYTHON ?= $(firstword $(wildcard /usr/bin/python3) python3)
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install -qq --disable-pip-version-check
# as pip compiles what it installs: with PYTHONDONTWRITEBYTECODE set, each start would compile everything
COMPILED = $(BIN)/python -m compileall -q ircdice grammars
METADATA := setup.cfg setup.py pyproject.toml
SERVERS := ngircd inspircd atheme-services openssl postgresql-15 faketime chromium libatomic1 systemd
SHELL := /bin/bash
export PYTHON

.PHONY: demo test check docs bench wheel-test versions elsewhere packages clean

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
	$(BIN)/python docs/scenes.py --check
	$(BIN)/python -m pytest -q tests/test_structure.py

docs: $(VENV)/.for-dev
	$(BIN)/python docs/draw.py
	$(BIN)/python docs/reference.py
	$(BIN)/python docs/scenes.py

bench: $(VENV)/.for-bench packages
	$(BIN)/python -m bench

# The sdist holds the tests and all that they need; the wheel, made from it, what runs: each is used without the other.
wheel-test: $(VENV)/.for-test packages
	@set -eu; work=$$(mktemp -d); chmod 755 "$$work"; trap 'rm -rf "$$work"' EXIT; \
	$(BIN)/python -m build --outdir "$$work" . >"$$work/build.log" 2>&1 </dev/null \
	    || { cat "$$work/build.log" >&2; exit 1; }; \
	$(PYTHON) -m venv "$$work/venv"; \
	wheel=$$(echo "$$work"/ircdice-*.whl); \
	"$$work/venv/bin/python" -m pip install -qq --disable-pip-version-check "$$wheel[test]" </dev/null; \
	test -e "$$work/venv/share/man/man1/ircdice.1"; \
	mkdir "$$work/suite"; \
	tar -xzf "$$work"/ircdice-*.tar.gz -C "$$work/suite" --strip-components 1; \
	rm -r "$$work/suite/ircdice" "$$work/suite/grammars"; \
	cd "$$work/suite"; \
	env -u PYTHONPATH "$(CURDIR)/.ci/suite" "$$work/venv/bin/python" -o pythonpath= -p no:cacheprovider -m 'not slow' \
	    tests/cli/test_commands.py tests/cli/test_deploy.py tests/config/test_config_example.py \
	    tests/docs/test_readme.py tests/games/test_examples.py tests/games/test_plug_in_game.py \
	    tests/web/test_process.py

versions:
	@.ci/versions 3.12 3.13

# One after the other: both build in this folder.
elsewhere: $(VENV)/.for-test packages
	@$(MAKE) --no-print-directory wheel-test
	@$(MAKE) --no-print-directory versions

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

# dev has all of test
$(VENV)/.for-dev: $(BIN)/python $(METADATA)
	@$(PIP) -e '.[dev]' </dev/null
	@touch $(VENV)/.for-test $@

# bench generic compares with d20
$(VENV)/.for-bench: $(BIN)/python $(METADATA)
	@$(PIP) -e '.[test]' 'd20>=1.1,<2' </dev/null
	@touch $@

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
