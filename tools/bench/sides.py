"""The servers that are compared with the daemon, and the daemon itself, each with the request that
is put to it (see `tools.bench.peers`)."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from pipeline.review.conversation import CODER
from tools.bench.load import PROMPT, Load
from tools.bench.openai_backend import MODEL
from tools.bench.processes import (
    LAIOS,
    LIMIT_S,
    POLL_S,
    Server,
    end,
    environment,
    free_port,
    get,
    on,
)

MANY = 64
# Its own price table, no .env, no reports home, no log line a request, and no key to check.
QUIET = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "LITELLM_MODE": "PRODUCTION",
    "LITELLM_TELEMETRY": "False",
    "LITELLM_LOG": "ERROR",
    "LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY": "true",
}
CHAT = {
    "model": MODEL,
    "messages": [
        {"role": "system", "content": CODER},
        {"role": "user", "content": PROMPT},
    ],
}


@dataclass(slots=True)
class Side:
    """A server, the request that is put to it, and what was measured, a value a round. `cpu_ms` is
    the server's own processor time a request."""

    server: Server
    request: Path
    one: list[Load] = field(default_factory=list)
    many: list[Load] = field(default_factory=list)
    cpu_ms: list[float] = field(default_factory=list)

    def measure_one(self, seconds: float) -> None:
        self.one.append(self.load(1, seconds))

    def measure_many(self, seconds: float) -> None:
        before = self.server.cpu_s()
        load = self.load(MANY, seconds)
        self.many.append(load)
        self.cpu_ms.append((self.server.cpu_s() - before) / load.succeeded * 1000)

    def load(self, concurrent: int, seconds: float) -> Load:
        """Puts a load on the server, from a process of its own. Raises AssertionError for any
        request that fails."""
        words = [f"--port={self.server.port}", f"--file={self.request}"]
        words += [f"--concurrent={concurrent}", f"--seconds={seconds}"]
        command = [sys.executable, "-m", "tools.bench.request", *words]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        load = Load(**json.loads(done.stdout))
        assert load.succeeded and not load.failed, load
        return load


@contextmanager
def laios(
    directory: Path, backend: Server, model: str | None = None, *, fsync: bool = True
) -> Iterator[Side]:
    """The daemon, on the backend's Ollama side or on another model."""
    port = free_port()
    settings = on(backend) | {"PORT": port, "HISTORY_DIR": directory / "h", "HISTORY_FSYNC": fsync}
    if model:
        settings |= {f"{role}_MODEL_NAME": model for role in ("CODER", "JUDGE", "REVIEWER")}
    env = environment(directory, **settings) | {"HOSTED_VLLM_API_BASE": f"{backend.url}/v1"}
    with started(directory, [str(LAIOS), "serve"], port, env, "/healthz") as server:
        body = {"prompt": f"///raw {PROMPT}"}
        yield Side(server, written(directory, server, "/prompt", body))


@contextmanager
def proxy(directory: Path, backend: Server, program: Path) -> Iterator[Side]:
    """litellm's proxy, one worker, with one model."""
    port, config = free_port(), directory / "config.yaml"
    directory.mkdir()
    address = {"api_base": f"{backend.url}/v1", "api_key": "none"}
    entry = {"model_name": MODEL, "litellm_params": {"model": f"openai/{MODEL}", **address}}
    config.write_text(json.dumps({"model_list": [entry]}))  # JSON is YAML
    command = [str(program), "--config", str(config), "--host", "127.0.0.1", "--port", str(port)]
    env = environment(directory) | QUIET
    with started(directory, command, port, env, "/health/liveliness") as server:
        yield Side(server, written(directory, server, "/v1/chat/completions", CHAT))


@contextmanager
def portkey(directory: Path, backend: Server, script: Path) -> Iterator[Side]:
    """Portkey's gateway, sent to the backend by headers. It listens on every address."""
    port = free_port()
    directory.mkdir()
    command = ["node", str(script), f"--port={port}", "--headless"]
    env = environment(directory) | {"NODE_ENV": "production"}
    way = {
        "x-portkey-provider": "openai",
        "x-portkey-custom-host": f"{backend.url}/v1",
        "Authorization": "Bearer none",
    }
    with started(directory, command, port, env, "/") as server:
        yield Side(server, written(directory, server, "/v1/chat/completions", CHAT, way))


@contextmanager
def started(
    directory: Path,
    command: Sequence[str],
    port: int,
    env: dict[str, str],
    ready: str,
    limit_s: float = LIMIT_S,
) -> Iterator[Server]:
    """A server, its output in a file, from when it answers GET `ready`. Raises RuntimeError with
    the end of that file if it does not come up within the limit."""
    directory.mkdir(parents=True, exist_ok=True)
    log = directory / "log"
    with log.open("w") as out:
        process = subprocess.Popen(command, stdout=out, stderr=out, text=True, env=env)
    server = Server(process, port)
    try:
        if not answers(server, ready, limit_s):
            raise RuntimeError(f"{command[0]} did not come up:\n{log.read_text()[-2000:]}")
        yield server
    finally:
        if process.poll() is None:
            end(process)


def answers(server: Server, path: str, limit_s: float = LIMIT_S) -> bool:
    """Waits for a 200. False if the process ends before, or the limit passes."""
    until = time.monotonic() + limit_s
    while time.monotonic() < until and server.process.poll() is None:
        try:
            if get(server, path)[0] == 200:
                return True
        except OSError:
            time.sleep(POLL_S)
    return False


def written(
    directory: Path,
    server: Server,
    path: str,
    body: Mapping[str, object],
    headers: Mapping[str, str] = {},
) -> Path:
    """The request as a file, head and body."""
    content = json.dumps(body).encode()
    host = {"Host": f"127.0.0.1:{server.port}", "Content-Type": "application/json"}
    lines = host | {"Content-Length": str(len(content))} | dict(headers)
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    file = directory / "request"
    file.write_bytes(f"POST {path} HTTP/1.1\r\n{head}\r\n".encode() + content)
    return file


def versions(litellm: Path | None, gateway: Path | None) -> list[str]:
    """What the peers call themselves."""
    found = []
    if litellm:
        found.append(f"litellm {number(litellm, env={**os.environ, **QUIET})}")
    if gateway:
        package = json.loads((gateway.parents[1] / "package.json").read_text())
        found += [f"{package['name']} {package['version']}", f"node {number(Path('node'))}"]
    return found


def number(program: Path, env: Mapping[str, str] | None = None) -> str:
    """The version number in what `program --version` prints."""
    done = subprocess.run([program, "--version"], capture_output=True, text=True, env=env)
    match = re.search(r"\d+\.\d+\.\d+", done.stdout)
    return match[0] if match else "of unknown version"
