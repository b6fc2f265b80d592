"""A real Ollama for the tests: the program that OLLAMA_BIN names, with models of its own, on a free
port.

Its models are made of the smallest GGUF file in the folder that OLLAMA_TEST_MODELS names, or else
of the starter's weights, which say there that they were trained for a longer window.
"""

import json
import os
import signal
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import file_digest
from pathlib import Path
from typing import Any, BinaryIO

import psutil
import pytest
from fakes import CHAT_TEMPLATE
from processes import free_port, wait_for

from pipeline.models.starter import DIRECTORY

BINARY = os.environ.get("OLLAMA_BIN") or None  # `make test` sets it to nothing
SERVERS = ["fake", "real"] if BINARY else ["fake"]
FOLDER = os.environ.get("OLLAMA_TEST_MODELS") or None
SERVE_S = 60.0
TRAINED, OTHER = 16384, 12288  # tokens; a file that says another number is another model
needs_ollama = pytest.mark.skipif(
    BINARY is None,
    reason="no real Ollama: `make test-ollama` takes the one on the PATH or that OLLAMA_BIN names",
)


def weights() -> Path:
    """The file of which models are made."""
    if FOLDER is None:
        return DIRECTORY / "coder.gguf"
    found = sorted(Path(FOLDER).glob("*.gguf"), key=lambda path: path.stat().st_size)
    assert found, f"OLLAMA_TEST_MODELS names {FOLDER}, which holds no .gguf file"
    return found[0]


class RealOllama:
    """A server below a directory. `start` and `kill` it as often as is wanted."""

    def __init__(self, directory: Path, **environment: str) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._directory = directory
        self._log = directory / "serve.log"
        self._process: subprocess.Popen[bytes] | None = None
        self._digests: dict[Path, str] = {}
        self._environment = {
            **{name: text for name, text in os.environ.items() if not name.startswith("OLLAMA_")},
            "HOME": str(directory),
            "OLLAMA_HOST": f"127.0.0.1:{self.port}",
            "OLLAMA_MODELS": str(directory / "models"),
            "OLLAMA_NUM_PARALLEL": "1",
            "OLLAMA_NO_CLOUD": "1",  # it would ask ollama.com for its lists
            **environment,
        }

    def start(self) -> None:
        assert BINARY
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [BINARY, "serve"],
                env=self._environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        wait_for(self._answers)

    def kill(self) -> None:
        """With its runners, which would stay for ever: they do not see that it is gone."""
        assert self._process
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(10)

    def runners(self) -> list[psutil.Process]:
        """The processes that hold the models, or are loading one."""
        assert self._process
        children = psutil.Process(self._process.pid).children(recursive=True)
        return [each for each in children if "--model" in each.cmdline()]

    def stop(self) -> None:
        if self._process and self._process.poll() is None:
            self._process.terminate()
            self._process.wait(20)

    @property
    def load_count(self) -> int:
        """How often any model was loaded."""
        return self._log.read_text().count('msg="loaded runners"')

    def create(self, name: str, template: str, window: int = TRAINED, stop: str = "") -> None:
        """Makes a model of the weights, which ends before it would say `stop`; those of one window
        share what is in memory."""
        files = {"weights.gguf": self._uploaded(self._weights(window))}
        made = {"model": name, "files": files, "template": template, "stream": False}
        # Its threads wait for each other spinning: with two of them a busy machine of two cores
        # takes minutes for a line.
        parameters = {"num_thread": 1} | ({"stop": [stop]} if stop else {})
        self._post("/api/create", json.dumps({**made, "parameters": parameters}).encode())

    def delete(self, name: str) -> None:
        self._post("/api/delete", json.dumps({"model": name}).encode(), "DELETE")

    def ask(self, path: str) -> Any:
        with urllib.request.urlopen(self.url + path, timeout=SERVE_S) as answer:
            return json.load(answer)

    def _answers(self) -> bool:
        assert self._process and self._process.poll() is None, self._log.read_text()[-2000:]
        try:
            return bool(self.ask("/api/version"))
        except OSError:
            return False

    def _weights(self, window: int) -> Path:
        """The file, with another number where its window stands (a key, four bytes of type, four
        of value)."""
        path = self._directory / f"{window}.gguf"
        if not path.exists():
            head, key, rest = weights().read_bytes().partition(b".context_length")
            path.write_bytes(head + key + rest[:4] + window.to_bytes(4, "little") + rest[8:])
        return path

    def _uploaded(self, path: Path) -> str:
        """The digest of a file that the server has now. Once is enough: it closes the connection on
        whoever sends what it has."""
        if path not in self._digests:
            with path.open("rb") as weights:
                digest = f"sha256:{file_digest(weights, 'sha256').hexdigest()}"
                weights.seek(0)
                self._post(f"/api/blobs/{digest}", weights, size=path.stat().st_size)
            self._digests[path] = digest
        return self._digests[path]

    def _post(
        self, path: str, body: bytes | BinaryIO, method: str = "POST", size: int | None = None
    ) -> None:
        """`size`: of a file, which is not read into memory."""
        head = {"Content-Type": "application/json"}
        if size is not None:
            head["Content-Length"] = str(size)
        asked = urllib.request.Request(self.url + path, body, head, method=method)
        with urllib.request.urlopen(asked, timeout=SERVE_S) as answer:
            said = answer.read()
        assert b'"error"' not in said, said


@contextmanager
def real_ollama(directory: Path, **environment: str) -> Iterator[RealOllama]:
    """With the models `writer`, which has a chat template, and `bare`, which has none."""
    server = RealOllama(directory, **environment)
    try:
        server.start()
        server.create("writer", CHAT_TEMPLATE)
        server.create("bare", "{{ .Prompt }}")
        yield server
    finally:
        server.stop()
