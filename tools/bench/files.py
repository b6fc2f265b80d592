"""`///files` against a project in one call, on the same ten tasks.

`python -m tools.bench.files [--model NAME] [--scripted] [--rounds N] [--seed N]`

Three ways to a project: one call whose JSON holds all files, read as it is; the same with a
repair layer; and the mode. A project counts where every file parses and nothing serious is
found by the mode's checks; with `--scripted` it also has to be the task's own project to the byte.

`--scripted` needs no model: replies come from the tasks' own projects, damaged at random: half of
the one-call answers, and plans and files at the rates of `RATES`.
"""

import argparse
import asyncio
import json
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Literal

import pipeline.capabilities  # noqa: F401  (fills MODES)
from config import Settings, load_settings
from laios.git_patch import BadPatch, read_patch
from laios.safe_paths import BadPath, check_paths
from pipeline.analysis.code_extraction import drop_thinking
from pipeline.analysis.file_types import type_of_path
from pipeline.errors import LaiosError
from pipeline.model import Call
from pipeline.model_call import chat
from pipeline.models.registry import Registry
from pipeline.projects.consistency import check
from pipeline.projects.fault import serious
from pipeline.projects.manifest import Manifest, PlannedFile
from pipeline.projects.project import Project
from pipeline.request import Request
from pipeline.scheduler import Scheduler
from server.benchmark.measurement import LastRecord
from tools.bench.damage import script
from tools.bench.figures import circumstances

TASKS = Path(__file__).with_name("projects")
Way = Literal["one call", "one call, repaired", "///files"]
WAYS: tuple[Way, ...] = ("one call", "one call, repaired", "///files")

BASELINE = """\
You write a small software project. Answer with one JSON object and nothing else:
{"files": [{"file_path": "<relative path>", "content": "<the whole text of the file>"}],
 "dependencies": ["<package>"], "setup_instructions": "<commands>"}
The content of every file is a JSON string: escape quotes, backslashes and line breaks in it."""


@dataclass(frozen=True, slots=True)
class Task:
    """What is asked for, and a project that is an answer to it."""

    name: str
    prompt: str
    texts: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One task on one way. `error`: why it does not count, or None."""

    task: str
    way: Way
    error: str | None
    calls: int
    tokens: int
    seconds: float


def read_tasks() -> list[Task]:
    """The tasks: patches whose remark is the prompt."""
    found = []
    for path in sorted(TASKS.glob("*.patch")):
        text = path.read_bytes().decode()
        prompt = text.partition("\n")[0].removeprefix("# ")
        found.append(Task(path.stem, prompt, read_patch(text)))
    return found


async def measure(
    tasks: Sequence[Task], settings: Settings, *, exact: bool, baseline: bool = True
) -> list[Outcome]:
    """Every task on every way, one after the other. `exact`: the answer is known."""
    models, history = Registry(settings), LastRecord()
    scheduler = Scheduler(settings, models, history, history)
    found: list[Outcome] = []
    try:
        await models.resolve(settings)
        for task in tasks:
            if baseline:
                found += await _one_call(task, models, settings, exact)
            found.append(await _files(task, scheduler, history, exact))
    finally:
        await scheduler.drain(0)
        await models.close()
    return found


# --- the mode ----------------------------------------------------------------------------------


async def _files(task: Task, scheduler: Scheduler, history: LastRecord, exact: bool) -> Outcome:
    begun = time.monotonic()
    try:
        run = scheduler.submit(Request(f"///files {task.prompt}"))
        texts = read_patch(await scheduler.finished(run))
        error = await asyncio.to_thread(_fault, texts, task, exact)
    except (LaiosError, BadPatch) as caught:
        error = str(caught)
    calls = [step for step in history.record["steps"] if step["model"]]
    tokens = sum((step["prompt_tokens"] or 0) + (step["output_tokens"] or 0) for step in calls)
    return Outcome(task.name, "///files", error, len(calls), tokens, time.monotonic() - begun)


def _fault(texts: Mapping[str, str], task: Task, exact: bool) -> str | None:
    """Why the files are no answer, or None."""
    if exact and texts != task.texts:
        return "it is not the project to the byte"
    try:
        check_paths(texts)
    except BadPath as error:
        return str(error)
    plan = tuple(PlannedFile(p, type_of_path(p), p, "", "") for p in texts)
    faults = serious(check(Project(Manifest("", "", plan, _any_package(texts)), texts)))
    return str(faults[0]) if faults else None


def _any_package(texts: Mapping[str, str]) -> tuple[str, ...]:
    """Both sides may use any package: whether it is declared is not what is compared."""
    words = re.findall(r"^(?:import|from)\s+(\w+)", "\n".join(texts.values()), re.MULTILINE)
    return tuple(dict.fromkeys(words))


# --- the baseline ------------------------------------------------------------------------------


async def _one_call(task: Task, models: Registry, settings: Settings, exact: bool) -> list[Outcome]:
    """The answer read as it is, and read after the repair: one call for both."""
    begun = time.monotonic()
    call = Call(
        role="coder",
        messages=[
            {"role": "system", "content": BASELINE},
            {"role": "user", "content": f"{task.prompt}\n\nThe project as JSON:"},
        ],
        context_tokens=settings.MAX_CONTEXT_TOKENS,
        max_tokens=settings.MAX_OUTPUT_TOKENS * 2,
    )
    reply, failed, tokens = "", "", 0
    deadline = asyncio.get_running_loop().time() + settings.MODEL_TIMEOUT_S * 2
    try:
        answer = await chat(models.for_role("coder", settings), call, deadline=deadline)
        reply, tokens = answer.text, (answer.prompt_tokens or 0) + (answer.output_tokens or 0)
    except LaiosError as error:
        failed = error.message
    seconds = time.monotonic() - begun
    body = _unfenced(drop_thinking(reply))
    tried: tuple[tuple[Way, str], ...] = (
        ("one call", body),
        ("one call, repaired", repaired(body)),
    )
    found = []
    for way, text in tried:
        read = await asyncio.to_thread(_fault_of_json, text, task, exact)
        fault = failed or read
        found.append(Outcome(task.name, way, fault, 1, tokens, seconds))
    return found


def _unfenced(reply: str) -> str:
    found = re.search(r"```(?:json)?\n(.*)\n```", reply, re.DOTALL)
    return found[1] if found else reply


def _fault_of_json(body: str, task: Task, exact: bool) -> str | None:
    try:
        files = json.loads(body)["files"]
        texts = {str(file["file_path"]): str(file["content"]) for file in files}
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        return f"the JSON cannot be read: {error}"
    return _fault(texts, task, exact)


_CONTENT = re.compile(r'("content":\s*")(.*?)("\s*(?:,\s*"\w+":|\}\s*[,\]]))', re.DOTALL)


def repaired(body: str) -> str:
    """The repair layer: quotes within content fields that no backslash stands before get one, as do
    raw line breaks and tabs."""
    if _reads(body):
        return body

    def escape(found: re.Match[str]) -> str:
        inner = re.sub(r'(?<!\\)"', r"\"", found[2])
        inner = inner.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")
        return found[1] + inner + found[3]

    return _CONTENT.sub(escape, body)


def _reads(body: str) -> bool:
    try:
        json.loads(body)
    except (ValueError, RecursionError):
        return False
    return True


# --- the table ---------------------------------------------------------------------------------


def table(found: Sequence[Outcome]) -> str:
    """A row for each way: success, calls, tokens and seconds a task."""
    rows = ["| way | projects | success | calls | tokens | seconds (median) |"]
    rows.append("|---|---|---|---|---|---|")
    for way in WAYS:
        own = [each for each in found if each.way == way]
        if own:
            good = sum(each.error is None for each in own)
            rows.append(
                f"| {way} | {len(own)} | {100 * good / len(own):.1f} % "
                f"| {statistics.mean(each.calls for each in own):.1f} "
                f"| {statistics.mean(each.tokens for each in own):,.0f} "
                f"| {statistics.median(each.seconds for each in own):.2f} |"
            )
    return "\n".join(rows)


async def scripted(rounds: int, seed: int, *, baseline: bool = True) -> list[Outcome]:
    """All tasks, each with replies of its own, so many times. The same seed gives the same."""
    random = Random(seed)
    found = []
    for _ in range(rounds):
        for task in read_tasks():
            with tempfile.TemporaryDirectory() as directory:
                path = Path(directory) / "replies.json"
                replies = await asyncio.to_thread(script, task.texts, random)
                path.write_text(json.dumps(replies), "utf-8")
                roles = ("CODER", "JUDGE", "REVIEWER")
                names: dict[str, Any] = {f"{role}_MODEL_NAME": f"scripted/{path}" for role in roles}
                settings = load_settings(**names)
                found += await measure([task], settings, exact=True, baseline=baseline)
    return found


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--model", help="for every role; default: the configured ones")
    options.add_argument("--scripted", action="store_true", help="replies damaged at random")
    options.add_argument("--rounds", type=int, default=1, help="of all tasks")
    options.add_argument("--seed", type=int, default=1)
    arguments = options.parse_args()
    begun = circumstances()
    if arguments.scripted:
        found = asyncio.run(scripted(arguments.rounds, arguments.seed))
    else:
        roles = ("CODER", "JUDGE", "REVIEWER")
        names = {f"{role}_MODEL_NAME": arguments.model for role in roles}
        tasks = read_tasks() * arguments.rounds
        found = asyncio.run(measure(tasks, load_settings(**names), exact=False))
    for each in found:
        if each.error:
            print(f"{each.task}, {each.way}: {each.error}", file=sys.stderr)
    print(f"{begun}\n\n{table(found)}")


if __name__ == "__main__":
    main()
