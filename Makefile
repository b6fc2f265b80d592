# make setup | run | test | check | bench | bench-full | clients | lock | train | test-train
PYTHON ?= python3
UV := $(shell command -v uv 2>/dev/null)
BIN := .venv/bin

.PHONY: setup run test check bench bench-full clients format lock train test-train clean

setup: .venv/.ready

# The lock holds every package with its hashes; the project itself is linked in without a download.
.venv/.ready: requirements.lock pyproject.toml
ifdef UV
	uv venv --quiet --allow-existing --python $(PYTHON) .venv
	uv pip install --quiet --python $(BIN)/python --require-hashes -r requirements.lock
	uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation -e .
else
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
endif
	@touch $@

run: setup
	@$(BIN)/laios serve

test: setup
	$(BIN)/python -m pytest -n 4 --dist loadgroup

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest tests/test_layering.py

bench: setup
	$(BIN)/python -m tools.bench

# With a million records and a soak of ten minutes.
bench-full: setup
	$(BIN)/python -m tools.bench --records 1000000 --soak 10

# Real chat clients, as far as they are installed (python -m tools.clients.install).
clients: setup
	$(BIN)/python -m tools.clients

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# uv resolves for every platform at once; the result names no index.
lock:
	$(PYTHON) -m venv .cache/lock
	.cache/lock/bin/python -m pip install --quiet --disable-pip-version-check uv
	.cache/lock/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	  --no-header --extra litellm --group dev -o requirements.lock pyproject.toml

# torch and all that laios itself needs, for the pipeline that the evaluation runs.
.venv-train/.ready: pyproject.toml
	$(PYTHON) -m venv .venv-train
	.venv-train/bin/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"  # --group
	.venv-train/bin/python -m pip install --quiet --group train --group dev -e .
	@touch $@

# The starter model from nothing, or from its last checkpoints; hours on two cores.
train: .venv-train/.ready
	nice .venv-train/bin/python -m tools.starter

# Five families, a few minutes: the whole making of it, as a test.
test-train: .venv-train/.ready
	.venv-train/bin/python -m pytest tests/test_starter_training.py

clean:
	rm -rf .venv .venv-train .cache build dist
