"""How often `///ask` answers with what is needed: `python -m tools.bench.asked --model FILE.gguf
[--results FILE]`.

Thirty questions about nine libraries (`asked.jsonl`), which are indexed as they are installed here.
An answer is right if each of the `needed` patterns is found in its code, none of the `wrong` ones
is, and the code parses. Each is a line of the results: the same command goes on where it was
stopped. What was answered is held against the patterns as they are now.
"""

import argparse
import http.client
import json
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pipeline
import retrieval
from pipeline.analysis.fences import fences
from pipeline.analysis.python_syntax import is_python
from pipeline.roles import ROLES, setting_of
from server.benchmark.run_settings import revision
from tools.bench.figures import circumstances
from tools.bench.processes import LAIOS, Server, daemon, environment

QUESTIONS = Path(__file__).with_name("asked.jsonl")
RESULTS = Path(".cache/bench/asked/results.jsonl")
NO_ANSWER = ("model_failed", "model_timeout")
LIMIT_S = 2100.0  # of one answer: longer than its run may take


@dataclass(frozen=True, slots=True)
class Question:
    """One line of the file; its library is what its id begins with."""

    id: str
    prompt: str
    needed: Sequence[str]
    wrong: Sequence[str] = ()

    @property
    def library(self) -> str:
        return self.id.partition("/")[0]

    def faults(self, answer: str) -> list[str]:
        """What makes the answer a wrong one; nothing if it is right."""
        blocks = [fence for fence in fences(answer) if fence.code.strip()]
        code = "\n".join(fence.code for fence in blocks)
        found = [f"lacks {each}" for each in self.needed if not re.search(each, code)]
        found += [f"has {each}" for each in self.wrong if re.search(each, code)]
        if not all(is_python(fence.code) for fence in blocks if fence.language == "python"):
            found.append("code that does not parse")
        return found


def questions() -> list[Question]:
    return [Question(**json.loads(line)) for line in QUESTIONS.read_text("utf-8").splitlines()]


def index(libraries: Sequence[str], documents: Path) -> None:
    """Takes the libraries of this environment in. Raises CalledProcessError."""
    env = environment(documents.parent, DOCS_DIR=documents)
    command = [str(LAIOS), "docs", "add", *libraries, "--python", sys.executable]
    subprocess.run(command, env=env, check=True, stdout=subprocess.DEVNULL)


def ask(server: Server, question: Question) -> dict[str, Any]:
    """The row of one question. Raises SystemExit where it was not asked at all."""
    began = time.perf_counter()
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=LIMIT_S)
    try:
        body = json.dumps({"prompt": f"///ask {question.prompt}", "details": True})
        connection.request("POST", "/prompt", body, {"Content-Type": "application/json"})
        said = json.loads(connection.getresponse().read())
    finally:
        connection.close()
    seconds = time.perf_counter() - began
    if "output" not in said and said["error"]["code"] not in NO_ANSWER:
        raise SystemExit(f"{question.id}: {said}")
    row = {"id": question.id, "prompt": question.prompt, "seconds": round(seconds, 1)}
    return row | {"answer": said.get("output", ""), "error": said.get("error")}


def answers(model: Path, results: Path, asked: Sequence[Question]) -> Iterator[dict[str, Any]]:
    """Every question's row: those of this code and model that the file has, then the others."""
    parts = (Path(package.__path__[0]) for package in (pipeline, retrieval))
    of = {"model": model.name, "revision": " ".join(map(revision, parts))}
    wanted = {(each.id, each.prompt) for each in asked}
    rows = [row for row in _rows(results) if of.items() <= row.items()]
    there = [row for row in rows if (row["id"], row["prompt"]) in wanted]
    yield from there
    left = [each for each in asked if each.id not in {row["id"] for row in there}]
    if not left:
        return
    place = results.parent.absolute()
    index(sorted({each.library for each in left}), place / "docs")
    roles = {setting_of(role): f"local/{model.absolute()}" for role in ROLES}
    with daemon(place, DOCS_DIR=place / "docs", **roles) as server, results.open("a") as file:
        for question in left:
            row = of | ask(server, question)
            file.write(json.dumps(row) + "\n")
            file.flush()
            yield row


def _rows(results: Path) -> list[dict[str, Any]]:
    if not results.exists():
        return []
    return [json.loads(line) for line in results.read_text("utf-8").splitlines()]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--model", type=Path, required=True, metavar="FILE")
    options.add_argument("--results", type=Path, default=RESULTS, metavar="FILE")
    arguments = options.parse_args()
    arguments.results.parent.mkdir(parents=True, exist_ok=True)
    print(circumstances())
    asked = {each.id: each for each in questions()}
    right, seconds = 0, []
    for row in answers(arguments.model, arguments.results, list(asked.values())):
        faults = asked[row["id"]].faults(row["answer"])
        right += not faults
        seconds.append(row["seconds"])
        print(f"{row['id']}: {'; '.join(faults) or 'right'}, {row['seconds']:.0f} s")
    print(
        f"{right} of {len(seconds)} right, {min(seconds):.0f}–{max(seconds):.0f} s, "
        f"median {statistics.median(seconds):.0f}"
    )


if __name__ == "__main__":
    main()
