"""A real Ollama for a benchmark: the installed program with a folder of its own, on a free port,
and one model made of a GGUF file as it is."""

import json
import os
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import file_digest
from pathlib import Path
from typing import Any

from tools.bench.processes import Server, free_port
from tools.bench.sides import started

MODEL = "bench"
UPLOAD_S = 600.0


@contextmanager
def ollama(directory: Path, program: str, file: Path, parallel: int) -> Iterator[Server]:
    """It answers `parallel` calls at a time and asks nobody outside this machine. Raises
    RuntimeError where it does not come up."""
    port = free_port()
    kept = {name: text for name, text in os.environ.items() if not name.startswith("OLLAMA_")}
    own = {
        "HOME": str(directory),
        "OLLAMA_HOST": f"127.0.0.1:{port}",
        "OLLAMA_MODELS": str(directory / "models"),
        "OLLAMA_NUM_PARALLEL": str(parallel),
        "OLLAMA_NO_CLOUD": "1",
    }
    with started(directory, [program, "serve"], port, kept | own, "/api/version") as server:
        make_model(server, file)
        yield server


def make_model(server: Server, file: Path) -> None:
    """The chat template is the one that Ollama knows for the file."""
    with file.open("rb") as weights:
        digest = f"sha256:{file_digest(weights, 'sha256').hexdigest()}"
        weights.seek(0)
        _post(server, f"/api/blobs/{digest}", weights, file.stat().st_size)
    made = json.dumps({"model": MODEL, "files": {file.name: digest}, "stream": False}).encode()
    _post(server, "/api/create", made, len(made))


def loaded(server: Server) -> dict[str, Any]:
    """The row of the model in memory. Raises StopIteration where it is not loaded."""
    with urllib.request.urlopen(f"{server.url}/api/ps", timeout=UPLOAD_S) as answer:
        rows: list[dict[str, Any]] = json.load(answer)["models"]
    return next(iter(rows))


def _post(server: Server, path: str, body: Any, size: int) -> None:
    head = {"Content-Type": "application/json", "Content-Length": str(size)}
    asked = urllib.request.Request(server.url + path, body, head)
    with urllib.request.urlopen(asked, timeout=UPLOAD_S) as answer:
        answer.read()
