"""What every test stands on: an environment of its own, and scripted models."""

import asyncio
import gc
import json
import os
import signal
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import selection
from hypothesis import HealthCheck, settings

import pipeline.capabilities  # noqa: F401  (fills MODES)
from config import Settings, load_settings
from laios.answering_process import AnsweringProcess
from pipeline.models.registry import Registry
from pipeline.request import Request
from pipeline.run import Run
from pipeline.scheduler import Scheduler
from server.daemon import Daemon

# A busy machine is no reason to fail; every limit of time that matters has a test or a benchmark.
settings.register_profile(
    "laios",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    max_examples=selection.examples(100),
)
settings.load_profile("laios")

# A shell starts what it puts into the background with Ctrl-C ignored, and children inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

ROLES_IN_CAPITALS = ("CODER", "JUDGE", "REVIEWER")
# A scripted coder repeats itself, and most tests are about one stage: what draws drafts again and
# runs them has tests of its own (test_drafting.py, test_running.py).
ONE_DRAFT = {"MAX_DRAFTS": 1, "EVIDENCE_RUN": "off"}


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(selection)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Nothing that is collected is garbage before the end. Python's collector, which looks through
    all of it again and again, took a quarter of the suite's time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()
        gc.set_threshold(10_000, 20, 20)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What one worker has to run alone (a browser) begins first: at the end the others would wait
    for it."""
    items.sort(key=lambda item: item.get_closest_marker("xdist_group") is None)


@pytest.fixture(autouse=True)
def own_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads the settings, history or models of the person who runs it."""
    for name in list(os.environ):
        if name.startswith("LAIOS_") or name == "OLLAMA_HOST":
            monkeypatch.delenv(name)
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")  # where nobody listens


@pytest.fixture(autouse=True)
def no_waiting_on_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is asked of a process is asked beside the event loop: it may have to be started, and
    others may be asking it too."""
    ask = AnsweringProcess.ask

    def beside_the_loop(process: AnsweringProcess, *asked: Any) -> bytes | None:
        assert asyncio._get_running_loop() is None, "asked on the event loop"
        return ask(process, *asked)

    monkeypatch.setattr(AnsweringProcess, "ask", beside_the_loop)


@pytest.fixture
def script(tmp_path: Path) -> Callable[..., str]:
    """Writes the rules of a scripted model and gives its name."""

    def write(*rules: dict[str, Any], name: str = "replies") -> str:
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(rules))
        return f"scripted/{path}"

    return write


class MemoryHistory:
    """A history that keeps its records in a list."""

    def __init__(self) -> None:
        self.records: list[dict[str, Any]] = []

    async def append(self, record: Any) -> bool:
        self.records.append(record)
        return True

    def load_recent_records(self, n: int, session: str | None = None) -> list[dict[str, Any]]:
        fit = [r for r in self.records if r["session"] == session and r["final_output"]]
        return fit[-n:] if n else []


class Pipeline:
    """The pipeline in this process, with the record of its last run at hand."""

    def __init__(self, settings: Settings) -> None:
        self.history = MemoryHistory()
        self.models = Registry(settings)
        self.scheduler = Scheduler(settings, self.models, self.history, self.history)

    def submit(self, prompt: str, **request: Any) -> Run:
        return self.scheduler.submit(Request(prompt, **request))

    async def __call__(self, prompt: str, **request: Any) -> str:
        return await self.scheduler.finished(self.submit(prompt, **request))

    @property
    def record(self) -> dict[str, Any]:
        return self.history.records[-1]


@pytest.fixture
def pipeline_with(script: Callable[..., str]) -> Callable[..., Any]:
    """`async with pipeline_with(rule, …, SETTING=…) as run:` a pipeline on a scripted model."""

    @asynccontextmanager
    async def make(*rules: dict[str, Any], **settings: Any) -> AsyncIterator[Pipeline]:
        name = script(*rules)
        roles = {f"{role}_MODEL_NAME": name for role in ROLES_IN_CAPITALS}
        made = Pipeline(load_settings(**ONE_DRAFT | roles | settings))
        try:
            yield made
        finally:
            await made.scheduler.drain(0)
            await made.models.close()

    return make


@pytest.fixture
def daemon_with(script: Callable[..., str], tmp_path: Path) -> Callable[..., Any]:
    """`async with daemon_with(rule, …, SETTING=…) as (daemon, http):` a daemon on a free port, on
    a scripted model, with a client. It is stopped in order."""

    @asynccontextmanager
    async def make(
        *rules: dict[str, Any], **settings: Any
    ) -> AsyncIterator[tuple[Daemon, httpx.AsyncClient]]:
        name = script(*rules) if rules else "auto"
        options: dict[str, Any] = {f"{role}_MODEL_NAME": name for role in ROLES_IN_CAPITALS}
        options |= {"PORT": 0, "HISTORY_DIR": tmp_path / "history", "HISTORY_FSYNC": False}
        options |= ONE_DRAFT if rules else {}
        options |= settings
        daemon = Daemon(load_settings(**options), lambda line: None, options)
        serving = asyncio.create_task(daemon.run())
        client = httpx.AsyncClient(
            base_url=daemon.address,
            timeout=30,
            limits=httpx.Limits(max_connections=None),
            verify=False,  # loading certificates takes longer than most tests
        )
        async with client as http:
            try:
                yield daemon, http
            finally:
                daemon.stop()
                await serving

    return make


@pytest.fixture
def roles(
    script: Callable[..., str], monkeypatch: pytest.MonkeyPatch, free_port: int
) -> Callable[..., None]:
    """A scripted model in every role, and a port where nothing listens."""

    def use(*rules: dict[str, Any]) -> None:
        for role in ROLES_IN_CAPITALS:
            monkeypatch.setenv(f"LAIOS_{role}_MODEL_NAME", script(*rules))
        monkeypatch.setenv("LAIOS_PORT", str(free_port))

    return use


@pytest.fixture
def free_port() -> int:
    """Where nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
