# The README's commands. `make install` runs by itself when requirements.txt has changed, and only then.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed

.PHONY: run install test soak lint bench clean

run: install
	$(BIN)/python main.py

install: $(INSTALLED)

$(INSTALLED): requirements.txt requirements-dev.txt requirements-ray.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "chattest needs Python 3.11 or newer")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt -r requirements-dev.txt
	touch $(INSTALLED)

test: install
	$(BIN)/python -m pytest -n 2 --dist loadfile -rs

# 200 kills at random moments, then 20,000 turns with a service that fails: minutes, and nothing may be lost.
soak: install
	$(BIN)/python -m tests.soak.kills --kills 200
	$(BIN)/python -m tests.soak.load --turns 20000 --workers 32

lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Everything README says about speed and memory, in one table; in about ten minutes, on a machine that does nothing else.
bench: install
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
