"""What is tried with every client, and what counts as passed."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from history.reader import Reader
from tools.clients.client_home import ClientFailed
from tools.clients.script import (
    ASYNC_CODE,
    CODE,
    FOLLOW_UP,
    PROMPT,
    PROSE,
    RIGHT_TAG,
    WRONG_TAG,
)

SETTLE_S = 20.0  # a client's own extra calls may come after its answer


class Client(Protocol):
    """A client that can be talked to. `name`: as people call it; `protocol`: how it reaches the
    daemon. Raises ClientFailed."""

    name: str
    protocol: str

    def version(self) -> str: ...

    def ask(self, model: str, prompt: str) -> str:
        """The answer to the first message of a new chat."""
        ...

    def go_on(self, prompt: str) -> str:
        """The answer to the next message of that chat."""
        ...


@dataclass(slots=True)
class Outcome:
    """`passed` by step; `remarks` say what was wrong or odd."""

    name: str
    protocol: str
    version: str = ""
    passed: dict[str, bool] = field(default_factory=dict)
    auxiliary: int = 0
    remarks: list[str] = field(default_factory=list)
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Step:
    """One message: what to say, what the person must see, and how the run must be recorded (no
    mode: there must be none, because the message is refused)."""

    name: str
    say: Callable[[Client], str]
    seen: tuple[str, ...]
    mode: str | None = None
    prompt: str = ""


STEPS = (
    Step("raw", lambda c: c.ask("laios:raw", PROMPT), (PROSE, CODE), "code_raw", PROMPT),
    Step("judged", lambda c: c.ask("laios", PROMPT), (CODE,), "code_reviewed", PROMPT),
    Step("follow-up", lambda c: c.go_on(FOLLOW_UP), (ASYNC_CODE,), "code_reviewed", FOLLOW_UP),
    Step("tag", lambda c: c.ask("laios", f"{RIGHT_TAG} {PROMPT}"), (CODE,), "code_raw", PROMPT),
    Step("error", lambda c: c.ask("laios", f"{WRONG_TAG} {PROMPT}"), (RIGHT_TAG,)),
)


class Records:
    """The daemon's history, as it grows. Without a directory nothing is known of it."""

    def __init__(self, directory: Path | None) -> None:
        self._reader = Reader(directory) if directory else None
        self._seen: set[str] = set()

    def new(self) -> list[dict[str, object]] | None:
        """The records since the last call, oldest first; None if the history cannot be seen."""
        if self._reader is None:
            return None
        fresh = [dict(record) for record in self._reader if record["id"] not in self._seen]
        self._seen |= {str(record["id"]) for record in fresh}
        return fresh


def check_client(client: Client, records: Records, idle: Callable[[], bool]) -> Outcome:
    """All steps, each on its own: one that fails does not end the others. `idle`: whether the
    daemon has nothing to do."""
    outcome = Outcome(client.name, client.protocol)
    started = time.monotonic()
    with _remarked(outcome, "version"):
        outcome.version = client.version()
    for step in STEPS:
        if outcome.version:
            _take(step, client, records, idle, outcome)
    outcome.seconds = time.monotonic() - started
    return outcome


def _take(
    step: Step, client: Client, records: Records, idle: Callable[[], bool], outcome: Outcome
) -> None:
    records.new()
    outcome.passed[step.name] = False
    with _remarked(outcome, step.name):
        said = _say(step, client)
        _settle(idle)
        complaints = [*_wrong_answer(step, said), *_wrong_records(step, records.new(), outcome)]
        outcome.passed[step.name] = not complaints
        outcome.remarks += [f"{step.name}: {complaint}" for complaint in complaints[:1]]


def _say(step: Step, client: Client) -> str:
    try:
        return step.say(client)
    except ClientFailed as error:
        if step.mode:
            raise
        return error.said


@contextmanager
def _remarked(outcome: Outcome, name: str) -> Iterator[None]:
    try:
        yield
    except ClientFailed as error:
        outcome.remarks.append(f"{name}: {error}")


def _settle(idle: Callable[[], bool]) -> None:
    """Until nothing has been running for half a second."""
    until, quiet_since = time.monotonic() + SETTLE_S, time.monotonic()
    while time.monotonic() < until and time.monotonic() - quiet_since < 0.5:
        if not idle():
            quiet_since = time.monotonic()
        time.sleep(0.05)


def _wrong_answer(step: Step, said: str) -> Iterator[str]:
    """Clients indent and wrap what they show: only the words are compared."""
    shown = " ".join(said.split())
    for wanted in step.seen:
        if " ".join(wanted.split()) not in shown:
            yield f"no `{wanted.splitlines()[0]}` in `… {shown[-40:]}`"


def _wrong_records(
    step: Step, records: list[dict[str, object]] | None, outcome: Outcome
) -> Iterator[str]:
    """One run, in the right mode, with the right prompt, or none; the rest is auxiliary."""
    if records is None:
        return
    runs = [record for record in records if record["kind"] == "run"]
    outcome.auxiliary += len(records) - len(runs)
    if len(runs) != (1 if step.mode else 0):
        yield f"{len(runs)} runs on record"
    for run in runs:
        if run["mode"] != step.mode:
            yield f"mode {run['mode']}"
        prompt = str(run["normalized_prompt"])
        if step.prompt not in prompt or "///" in prompt:
            yield f"prompt {prompt[:60]!r}"
        if run["error"]:
            yield f"error {run['error']}"
