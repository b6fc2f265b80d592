"""laios as an Ollama server, held against a real one: every request of a table is sent to both, and
what differs of the answers is what the table says. So is our fake, for what laios itself sends."""

import json
import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from facade_table import MODEL, ROWS, Row
from fakes import CODE, Answer, FakeOllama, Pulled
from processes import daemon_here
from real_ollama import BINARY, needs_ollama, real_ollama

PAGE = "http://chat.example"
# The fake says no more of a model than laios reads, and is a newer server than 0.24.
OF_THE_FAKE = {"show": ("-model_info", "-tensors"), "tags": ("+models[].capabilities",)}


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with real_ollama(tmp_path_factory.mktemp("ollama"), OLLAMA_ORIGINS=PAGE) as server:
        yield server.url


@pytest.fixture(scope="module")
def laios(real: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """In front of the same server."""
    with laios_before(real, tmp_path_factory.mktemp("history")) as address:
        yield address


@contextmanager
def laios_before(ollama: str, history: Path) -> Iterator[str]:
    roles = {f"LAIOS_{role}_MODEL_NAME": "ollama/writer" for role in ("CODER", "JUDGE", "REVIEWER")}
    with daemon_here(
        LAIOS_PORT="0",
        LAIOS_HISTORY_DIR=str(history),
        LAIOS_ALLOWED_ORIGINS=PAGE,
        LAIOS_MAX_OUTPUT_TOKENS="512",  # for the window that Ollama takes by itself: no reload
        OLLAMA_HOST=ollama,
        **roles,
    ) as address:
        yield address


@contextmanager
def fake_ollama() -> Iterator[str]:
    writer = Pulled("writer", family="llama", capabilities=("completion",))
    with FakeOllama(Answer('{"n": 1}', structured=True), models=(writer,)) as fake:
        yield fake.url


def send(url: str, row: Row, model: str) -> httpx.Response:
    body = row.body if isinstance(row.body, str | None) else json.dumps(row.body)
    kind = {} if body is None else {"Content-Type": "application/json"}
    return httpx.request(
        row.method,
        url + row.path.replace(MODEL, model),
        content=body and body.replace(MODEL, model),
        headers={**kind, **row.headers},
        timeout=60,
        verify=False,  # loading certificates takes longer than the answer
    )


def pieces(answer: httpx.Response) -> list[Any]:
    """What a body holds: objects, or its text."""
    kind = answer.headers.get("content-type", "")
    if kind.startswith("text/event-stream"):
        lines = answer.text.splitlines()
        return [json.loads(line[6:]) for line in lines if line.startswith("data: {")]
    if "json" in kind and answer.text:
        return [json.loads(line) for line in answer.text.splitlines()]
    return [answer.text]


def fields(value: Any, path: str = "") -> dict[str, str]:
    """Every field with its type, as `message.content`; of a list its first element's."""
    inner: dict[str, Any] = {}
    if isinstance(value, dict):
        inner = {f"{path}.{name}" if path else name: each for name, each in value.items()}
    elif isinstance(value, list):
        inner = {f"{path}[]": each for each in value[:1]}
    found = {path: "number" if isinstance(value, int | float) else type(value).__name__}
    for name, each in inner.items():
        found |= fields(each, name)
    return found


def parts(answer: httpx.Response) -> dict[str, str]:
    """The fields of the whole; of a stream those of its last piece, and of all the others."""
    found = pieces(answer)
    if len(found) == 1:
        return fields(found[0])
    first: dict[str, str] = {}
    for piece in found[:-1]:
        first |= fields(piece)
    named = {f"first {name}": kind for name, kind in first.items()}
    return named | {f"last {name}": kind for name, kind in fields(found[-1]).items()}


def kind(answer: httpx.Response) -> str:
    return answer.headers.get("content-type", "").partition(";")[0]


def differences(ours: httpx.Response, theirs: httpx.Response) -> set[str]:
    if ours.status_code != theirs.status_code:
        return {"status"}
    if kind(ours) != kind(theirs):
        return {"type"}
    mine, other = parts(ours), parts(theirs)
    return (
        {f"-{name}" for name in other.keys() - mine.keys()}
        | {f"+{name}" for name in mine.keys() - other.keys()}
        | {f"!{name}" for name in mine.keys() & other.keys() if mine[name] != other[name]}
    )


def unexplained(found: set[str], meant: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """Differences that the row does not name, and those that it names and that are not there."""

    def stands_for(name: str, each: str) -> bool:
        return each.startswith(name[:-1]) if name.endswith("*") else each == name

    more = [each for each in found if not any(stands_for(name, each) for name in meant)]
    gone = [name for name in meant if not any(stands_for(name, each) for each in found)]
    return sorted(more), gone


@needs_ollama
@pytest.mark.timeout(300)
def test_laios_answers_as_the_real_one_but_for_what_is_meant(real: str, laios: str) -> None:
    """Route by route and field by field; what is meant stands in the table with its reason."""
    wrong = {}
    for row in ROWS:
        ours, theirs = send(laios, row, "laios:raw"), send(real, row, "writer")
        found = unexplained(differences(ours, theirs), row.meant)
        if found != ([], []):
            wrong[row.name] = (*found, theirs.status_code, ours.status_code, ours.text[:200])
    assert not wrong


@needs_ollama
def test_the_fake_answers_as_the_real_one(real: str) -> None:
    """What laios itself sends: the tests that stand on the fake stand on nothing else."""
    wrong = {}
    with fake_ollama() as fake:
        for row in ROWS:
            if row.sent:
                ours, theirs = send(fake, row, "writer"), send(real, row, "writer")
                known = OF_THE_FAKE.get(row.name, ())
                found = {each for each in differences(ours, theirs) if not each.startswith(known)}
                if found:
                    wrong[row.name] = (found, theirs.text[:300], ours.text[:300])
    assert not wrong


@needs_ollama
def test_ollama_s_own_program_is_a_client_of_laios(tmp_path: Path) -> None:
    """It lists and shows the modes, asks one, sees what is loaded; a pull is sent elsewhere."""

    def ollama(*words: str) -> subprocess.CompletedProcess[str]:
        env = {**os.environ, "OLLAMA_HOST": laios, "HOME": str(tmp_path), "TERM": "dumb"}
        return subprocess.run(
            [str(BINARY), *words], env=env, capture_output=True, text=True, timeout=60, input=""
        )

    with FakeOllama(Answer(CODE), models=(Pulled("writer"),)) as fake:
        fake.version = "0.24.0"
        with laios_before(fake.url, tmp_path / "history") as laios:
            listed = ollama("list").stdout
            assert "laios:raw" in listed and "4.7 GB" in listed
            assert "completion" in ollama("show", "laios:raw").stdout
            assert ollama("ps").stdout.count("\n") == 1
            assert ollama("run", "laios:raw", "add").stdout.strip() == CODE.strip()
            assert "ollama/writer" in ollama("ps").stdout
            assert ollama("stop", "laios:raw").returncode == 0
            assert "laios models pull" in ollama("pull", "laios:raw").stderr
            assert "0.24.0" in ollama("--version").stdout
