"""What a daemon on a small model answers to the requests of a file of this folder: each answer is a
line of the results, so that the same command goes on where it was stopped."""

import argparse
import http.client
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Protocol, TypeVar

import psutil

import pipeline
import retrieval
from pipeline.roles import ROLES, setting_of
from server.benchmark.run_settings import revision
from tools.bench.processes import Server, daemon

NO_ANSWER = ("model_failed", "model_timeout")
LIMIT_S = 2100.0  # of one answer: longer than its run may take

Row = dict[str, Any]


class Asked(Protocol):
    """A request: a line of its file."""

    @property
    def id(self) -> str: ...

    @property
    def prompt(self) -> str: ...

    @property
    def path(self) -> str:
        """Where it is posted to."""

    @property
    def body(self) -> Mapping[str, object]: ...


A = TypeVar("A", bound=Asked)


def ask(server: Server, asked: Asked) -> Row:
    """The row of one request. Raises SystemExit where it was not asked at all."""
    began, cpu = time.perf_counter(), cpu_s(server)
    with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=LIMIT_S)) as to:
        body = json.dumps(asked.body)
        to.request("POST", asked.path, body, {"Content-Type": "application/json"})
        response = to.getresponse()
        said = json.loads(response.read())
    seconds = time.perf_counter() - began
    if response.status != http.HTTPStatus.OK and said["error"]["code"] not in NO_ANSWER:
        raise SystemExit(f"{asked.id}: {said}")
    row: Row = {"id": asked.id, "prompt": asked.prompt, "seconds": round(seconds, 1)}
    row["cpu_s"] = round(cpu_s(server) - cpu, 1)
    row["run"] = response.getheader("X-Laios-Run-Id")
    row["answer"] = _answer_of(said)
    return row | {"success": said.get("success"), "error": said.get("error")}


def _answer_of(said: Mapping[str, Any]) -> str:
    """Whatever the route; "" where there was none."""
    if choices := said.get("choices"):
        return str(choices[0]["message"]["content"])
    return str(said.get("output", said.get("code", "")))


def cpu_s(server: Server) -> float:
    """Seconds of processor time of the daemon and its processes, the model's among them: what an
    answer takes of one core, whatever else the machine does."""
    above = psutil.Process(server.process.pid)
    used = 0.0
    for each in [above, *above.children(recursive=True)]:
        with suppress(psutil.NoSuchProcess):
            times = each.cpu_times()
            used += times.user + times.system + times.children_user + times.children_system
    return used


def answers(
    model: Path,
    results: Path,
    every: Sequence[A],
    prepare: Callable[[Sequence[A], Path], Mapping[str, object]],
) -> Iterator[Row]:
    """The row of each: those of this code and model that the file has, then the others. `prepare`
    gets what is left to be asked and a directory, and gives the daemon's settings."""
    of = _of(model)
    wanted = {(each.id, each.prompt) for each in every}
    rows = [row for row in _rows(results) if of.items() <= row.items()]
    there = [row for row in rows if (row["id"], row["prompt"]) in wanted]
    yield from there
    left = [each for each in every if each.id not in {row["id"] for row in there}]
    if not left:
        return
    place = results.parent.absolute()
    roles = {setting_of(role): f"local/{model.absolute()}" for role in ROLES}
    settings = {**prepare(left, place), **roles}
    with daemon(place, **settings) as server, results.open("a") as file:
        for each in left:
            row = of | ask(server, each)
            file.write(json.dumps(row) + "\n")
            file.flush()
            yield row


def arguments(text: str | None, results: Path) -> argparse.ArgumentParser:
    """The options that these benches have in common."""
    options = argparse.ArgumentParser(description=text)
    options.add_argument("--model", type=Path, required=True, metavar="FILE")
    options.add_argument("--results", type=Path, default=results, metavar="FILE")
    return options


def _of(model: Path) -> Row:
    parts = (Path(package.__path__[0]) for package in (pipeline, retrieval))
    return {"model": model.name, "revision": " ".join(map(revision, parts))}


def _rows(results: Path) -> list[Row]:
    results.parent.mkdir(parents=True, exist_ok=True)
    if not results.exists():
        return []
    return [json.loads(line) for line in results.read_text("utf-8").splitlines()]
