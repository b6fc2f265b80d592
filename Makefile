# make setup | setup-dev | run | test | test-ollama | check | bench | bench-full | clients | fuzz | lock | train | test-train
PYTHON ?= python3
BIN := .venv/bin
ifneq ($(shell command -v uv 2>/dev/null),)
VENV := uv venv --quiet --allow-existing --python $(PYTHON) .venv
INSTALL := uv pip install --quiet --python $(BIN)/python
else
VENV := $(PYTHON) -m venv .venv
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
endif

.PHONY: setup setup-dev run test test-ollama check bench bench-full clients fuzz format lock train test-train clean

# What running needs.
setup: .venv/.ready

# What tests and checks need as well.
setup-dev: .venv/.ready-dev

# The locks hold every package with its hashes; the project itself is linked in without a download.
.venv/.ready: requirements.lock pyproject.toml
	$(VENV)
	$(INSTALL) --require-hashes -r requirements.lock
	$(INSTALL) --no-deps --no-build-isolation -e .
	@touch $@

.venv/.ready-dev: requirements-dev.lock .venv/.ready
	$(INSTALL) --require-hashes -r requirements-dev.lock
	@touch $@

run: setup
	@$(BIN)/laios serve

# The processes that the tests start share the compiled code, also where the environment says not;
# compiled first, because on a fresh checkout all would do it at once.
# SLOWEST=40 prints the forty that took longest.
test: export PYTHONDONTWRITEBYTECODE =
test: export OLLAMA_BIN =
test: setup-dev
	@$(BIN)/python -m compileall -q -j 0 config.py dashboard history laios pipeline retrieval server
	$(BIN)/python -m pytest -n 8 --dist loadgroup $(if $(SLOWEST),--durations=$(SLOWEST))

# What laios takes for granted of Ollama, held against the fake and a real one: the program on the
# PATH, or that OLLAMA_BIN names. OLLAMA_TEST_MODELS names a folder with a GGUF file to take instead
# of the starter's weights.
test-ollama: OLLAMA = $(or $(OLLAMA_BIN),$(shell command -v ollama))
test-ollama: setup-dev
	@if [ -z "$(OLLAMA)" ]; then \
	  echo "No ollama on the PATH, and OLLAMA_BIN names none: skipped what is held against a real one."; \
	else \
	  OLLAMA_BIN="$(OLLAMA)" $(BIN)/python -m pytest -rs --timeout 600 \
	    tests/test_ollama_contract.py tests/test_ollama_runs.py tests/test_ollama_facade.py; \
	fi

check: setup-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest tests/test_layering.py

bench: setup-dev
	$(BIN)/python -m tools.bench

# With a million records and a soak of ten minutes.
bench-full: setup-dev
	$(BIN)/python -m tools.bench --records 1000000 --soak 10

# Real chat clients, as far as they are installed (python -m tools.clients.install).
clients: setup-dev
	$(BIN)/python -m tools.clients
	$(BIN)/python -m tools.clients.agents

# Every reader of untrusted text: thousands of texts each, then a megabyte of each hostile text.
fuzz: setup-dev
	FUZZ_EXAMPLES=$${FUZZ_EXAMPLES:-2000} $(BIN)/python -m pytest --timeout 3600 tests/test_readers.py
	$(BIN)/python -m tools.fuzz

format: setup-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# uv resolves for every platform at once; the result names no index. What running needs is locked to
# the versions that are tested.
COMPILE := .cache/lock/bin/uv pip compile --quiet --universal --python-version 3.11 \
  --generate-hashes --no-header pyproject.toml
lock:
	$(PYTHON) -m venv .cache/lock
	.cache/lock/bin/python -m pip install --quiet --disable-pip-version-check uv
	$(COMPILE) --extra litellm --extra mcp --extra otel --extra export --extra ray --group dev -o requirements-dev.lock
	$(COMPILE) --group build --constraint requirements-dev.lock -o requirements.lock

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
