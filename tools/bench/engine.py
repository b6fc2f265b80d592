"""What the pipeline costs on the embedded engine, beside llama.cpp's own server on the same file:
`python -m tools.bench.engine --model FILE.gguf [--rounds N]`.

Both sides in one process each, on the same prompts. The bare side is the server that the engine is
built on, asked once with the prompt of the coder. Nothing else should run meanwhile. The table that
it prints is the one in docs/engine.md.
"""

import argparse
import asyncio
import json
import re
import statistics
import subprocess
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

import psutil

import pipeline.capabilities  # noqa: F401  (fills MODES)
from config import Settings, load_settings
from pipeline.models.llama_cpp import thread_count
from pipeline.review.coder import write_prompt
from pipeline.roles import ROLES, setting_of
from pipeline.task import Task
from server.benchmark.measurement import Bench
from tools.bench.engine_calls import (
    Bare,
    Spoken,
    first_token_figure,
    judge_figures,
    lookup_figures,
    side_by_side_figures,
)
from tools.bench.engine_prompts import LONG_PROMPTS, PROMPTS, WITH_EXAMPLES
from tools.bench.figures import HEAD, Figure, at_least, at_most, circumstances, row
from tools.bench.processes import LAIOS, end, environment, start, wait_ready, work_directory

ALONE = {"MAX_DRAFTS": 1, "COMPARE_DRAFTS": "off", "JUDGE_WHEN": "always"}
ACCEPTING = {"ESCALATION_CONFIDENCE_THRESHOLD": 1, "ESCALATION_CONFLICT_THRESHOLD": 10}
ESCALATING = {
    "ESCALATION_CONFIDENCE_THRESHOLD": 10,
    "ESCALATION_CONFLICT_THRESHOLD": 1,
    "JUDGE_REVIEW": False,  # so that an escalated run is three calls
}
FLAGS = ("avx2", "avx_vnni", "avx512f", "avx512_vnni", "avx512_bf16", "amx_int8", "asimd", "i8mm")
Records = Sequence[Mapping[str, Any]]


def first_token_s(record: Mapping[str, Any], stage: str) -> float:
    step = next(each for each in record["steps"] if each["stage"] == stage)
    return float(step["first_token_ms"]) / 1000


def seconds(record: Mapping[str, Any]) -> float:
    return float(record["duration_ms"]) / 1000


def mean_seconds(records: Records) -> float:
    return statistics.mean(map(seconds, records)) if records else float("nan")


def cached_share(records: Records, stage: str) -> float:
    """Of the prompt tokens of a stage, those that came from the cache."""
    steps = [s for record in records for s in record["steps"] if s["stage"] == stage]
    read: int = sum(step["prompt_tokens"] or 0 for step in steps)
    cached: int = sum(step["cached_tokens"] or 0 for step in steps)
    return cached / read if read else float("nan")


def written(records: Records, stage: str) -> float:
    """Tokens that the stage wrote, the mean of its calls."""
    steps = [s for record in records for s in record["steps"] if s["stage"] == stage]
    return statistics.mean(step["output_tokens"] or 0 for step in steps)


def settings_for(model: Path, **changes: Any) -> Settings:
    """One model for all roles."""
    names = {setting_of(role): (f"local/{model}",) for role in ROLES}
    return load_settings(**names, **changes)


class Runs:
    """Runs of one model. A prompt is asked again only when another has been in between, so that
    each run reads its own."""

    def __init__(self, model: Path, rounds: int) -> None:
        self._model, self._rounds = model, rounds
        self.memory_mb = float("nan")

    async def of(self, prompts: Sequence[str], mode: str, **settings: Any) -> Records:
        """Each prompt as often as there are rounds, in an engine of their own."""
        async with self._engine(**settings) as bench:
            memory = EngineMemory(self._model)
            found = [await bench.run(each, mode) for _ in range(self._rounds) for each in prompts]
            self.memory_mb = memory.needed_mb()
        return found

    async def beside(self, bare: Bare, prompts: Sequence[str]) -> tuple[list[Spoken], Records]:
        """The same of a bare call and a raw run, in turn: a machine is not as fast at any time."""
        spoken, raw = [], []
        async with self._engine() as bench:
            for each in list(prompts) * self._rounds:
                spoken.append(await asyncio.to_thread(bare.ask, write_prompt(Task(each))))
                raw.append(await bench.run(each, "code_raw"))
        return spoken, raw

    @asynccontextmanager
    async def _engine(self, **settings: Any) -> AsyncIterator[Bench]:
        """One that has been asked something."""
        async with Bench(settings_for(self._model, **settings)) as bench:
            await bench.run("Write a function that adds two numbers.", "code_raw")
            yield bench


async def figures(model: Path, rounds: int) -> AsyncIterator[Figure]:
    """Each as soon as it is measured."""
    bare = Bare(model)
    yield first_token_figure(bare)
    async for figure in pipeline_figures(model, bare, rounds):
        yield figure
    for figure in (*judge_figures(model), *lookup_figures(model)):
        yield figure
    for figure in await side_by_side_figures(model, rounds):
        yield figure
    yield warm_run_figure(model)


async def pipeline_figures(model: Path, bare: Bare, rounds: int) -> AsyncIterator[Figure]:
    """Runs of each kind, on each prompt in turn."""
    runs = Runs(model, rounds)
    spoken, raw = await runs.beside(bare, PROMPTS)
    for figure in (*speeds(spoken), *speeds_of_runs(raw)):
        yield figure
    per_call = statistics.mean(each.seconds for each in spoken)
    yield at_most("raw run ÷ bare call", mean_seconds(raw) / per_call, 1.1, "{:.2f}")
    for figure in await judged_figures(runs, PROMPTS, raw):
        yield figure
    yield at_most("memory beside the model's file", runs.memory_mb, 250, "{:.0f} MB")
    for figure in await default_figures(runs, raw):
        yield figure
    for figure in await judged_figures(runs, LONG_PROMPTS, await runs.of(LONG_PROMPTS, "code_raw")):
        yield figure


async def judged_figures(runs: Runs, prompts: Sequence[str], raw: Records) -> list[Figure]:
    """What judge and reviewer cost where they are always asked; `raw` are runs of these prompts.
    Their turns are as long for any draft, so the draft's length says what share they have. A draft
    that fails evidence escalates, whatever the judge is asked."""
    asked = await runs.of(prompts, "code_reviewed", **ALONE, **ESCALATING)
    judged = await runs.of(prompts, "code_reviewed", **ALONE, **ACCEPTING)
    escalated = [each for each in zip(asked, raw, strict=True) if each[0]["escalated"]]
    accepted = [each for each in zip(judged, raw, strict=True) if not each[0]["escalated"]]
    drafts = f"drafts of {written(raw, 'coder'):.0f} tokens"
    judge = "reviewed run, always judged, not escalated"
    return [
        *share_figures(judge, "judge", accepted, 1.35, drafts),
        *share_figures("escalated", "reviewer", escalated, 2.2, drafts),
    ]


def share_figures(
    name: str,
    stage: str,
    pairs: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]],
    most: float,
    drafts: str,
) -> list[Figure]:
    """Runs by the raw runs of their prompts, and what the stage had from the cache."""
    name = f"{name} ÷ raw run ({len(pairs)} runs), {drafts}"
    if not pairs:
        return [Figure(name, "no such run")]
    runs, raw = zip(*pairs, strict=True)
    cached = f"{stage}'s prompt from the cache, {drafts}"
    return [
        at_most(name, mean_seconds(runs) / mean_seconds(raw), most, "{:.2f}"),
        at_least(cached, cached_share(runs, stage), 0.8, "{:.0%}"),
    ]


async def default_figures(runs: Runs, raw: Records) -> list[Figure]:
    """What one gets without any setting: examples in the prompt decide, else drafts that agree,
    else the judge. Of `raw` are the prompts without examples."""
    found = []
    for name, prompts, without in (
        ("without", PROMPTS, raw),
        ("with", WITH_EXAMPLES, await runs.of(WITH_EXAMPLES, "code_raw")),
    ):
        reviewed = await runs.of(prompts, "code_reviewed")
        judged = sum(any(s["stage"] == "judge" for s in each["steps"]) for each in reviewed)
        escalated = sum(bool(each["escalated"]) for each in reviewed)
        found.append(
            at_most(
                f"reviewed run by default ÷ raw run, {name} examples in the prompt "
                f"({len(reviewed)} runs: {judged} judged, {escalated} escalated)",
                mean_seconds(reviewed) / mean_seconds(without),
                1.35,
                "{:.2f}",
            )
        )
    return found


def speeds(spoken: Sequence[Spoken]) -> list[Figure]:
    read = sum(s.read for s in spoken) / sum(s.read_s for s in spoken)
    written = sum(s.written for s in spoken) / sum(s.written_s for s in spoken)
    return [
        Figure("bare calls: read", f"{read:.0f} tokens/s"),
        Figure("bare calls: write", f"{written:.0f} tokens/s"),
        Figure("first token of a bare call", f"{statistics.mean(s.read_s for s in spoken):.2f} s"),
    ]


def speeds_of_runs(records: Records) -> list[Figure]:
    """The same of the coder's calls in runs, as their records have it."""
    steps = [step for record in records for step in record["steps"] if step["stage"] == "coder"]
    read = sum(step["prompt_tokens"] - step["cached_tokens"] for step in steps)
    written = sum(step["output_tokens"] for step in steps)
    read_s = sum(step["first_token_ms"] for step in steps) / 1000
    written_s = sum(step["duration_ms"] for step in steps) / 1000 - read_s
    return [
        Figure("raw runs: read", f"{read / read_s:.0f} tokens/s"),
        Figure("raw runs: write", f"{written / written_s:.0f} tokens/s"),
        Figure("raw run, first token", f"{read_s / len(steps):.2f} s"),
    ]


class EngineMemory:
    """What the engine's process needs beside the model's file. Weights that llama.cpp lays out anew
    for the processor stand in for the file's pages, which are then touched no more: those alone
    count that are touched from now on (proc_pid_clear_refs(5)); the system may drop the others."""

    def __init__(self, model: Path) -> None:
        self._model = model
        children = psutil.Process().children(recursive=True)
        engines = [each for each in children if any("engine" in word for word in each.cmdline())]
        self._places = [Path(f"/proc/{each.pid}") for each in engines]
        for place in self._places:
            (place / "clear_refs").write_text("1")

    def needed_mb(self) -> float:
        return max(map(self._needed_mb, self._places), default=float("nan"))

    def _needed_mb(self, place: Path) -> float:
        own = _kilobytes(r"^RssAnon:", (place / "status").read_text())
        touched = rf" {re.escape(str(self._model.resolve()))}\n(?:[A-Z].*\n)*?Referenced:"
        file = _kilobytes(touched, (place / "smaps").read_text())
        return (own + file) / 1024 - self._model.stat().st_size / 1024**2


def _kilobytes(label: str, text: str) -> int:
    return sum(map(int, re.findall(rf"{label}\s+(\d+) kB", text, re.MULTILINE)))


def warm_run_figure(model: Path) -> Figure:
    """From the start of the command to the first token, with the daemon up and the model loaded:
    all of the command that is not the run, and the run's own first token."""
    names = {setting_of(role): f"local/{model}" for role in ROLES}
    with work_directory() as directory, (directory / "log").open("w") as log:
        server = start(directory, log, **names)
        try:
            wait_ready(server)
            taken = []
            for prompt in ("Write add(a, b).", *PROMPTS):
                began = time.perf_counter()
                env = environment(directory, PORT=server.port, **names)
                subprocess.run(
                    [LAIOS, "run", f"///raw {prompt}"], env=env, check=True, capture_output=True
                )
                wall = time.perf_counter() - began
                record = last_record(directory / "history")
                taken.append(wall - seconds(record) + first_token_s(record, "coder"))
        finally:
            end(server.process)
    return Figure(
        "`laios run` to the first token, daemon warm", f"{statistics.median(taken[1:]):.2f} s"
    )


def last_record(history: Path) -> Mapping[str, Any]:
    newest = max(history.glob("*.jsonl"))
    found: Mapping[str, Any] = json.loads(newest.read_text("utf-8").splitlines()[-1])
    return found


def engine_words(model: Path) -> str:
    """What of the processor the engine could use, and what its build does use."""
    import xllamacpp

    used = [part.split(" = ")[0].strip() for part in xllamacpp.get_system_info().split("|")]
    build = ", ".join(filter(None, used)).removeprefix("CPU : ")
    return (
        f"xllamacpp {version('xllamacpp')} built with {build}; the processor has "
        f"{', '.join(processor_flags()) or 'no known flags'}; {thread_count(str(model))} threads."
    )


def processor_flags() -> list[str]:
    """Those of `FLAGS` that Linux names."""
    try:
        said = set(Path("/proc/cpuinfo").read_text("utf-8").split())
    except OSError:
        return []
    return [flag for flag in FLAGS if flag in said]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--model", type=Path, required=True, help="A GGUF file.")
    options.add_argument("--rounds", type=int, default=1, help="Times that each prompt is asked.")
    arguments = options.parse_args()
    model, rounds = arguments.model.expanduser().absolute(), arguments.rounds
    print(f"{model.name}, {rounds} rounds. {circumstances()} {engine_words(model)}\n\n{HEAD}")
    began = time.monotonic()
    asyncio.run(print_figures(model, rounds))
    print(f"\n{(time.monotonic() - began) / 60:.0f} minutes.")


async def print_figures(model: Path, rounds: int) -> None:
    """A row at a time, so that what was measured is there if the rest never is."""
    async for figure in figures(model, rounds):
        print(row(figure), flush=True)


if __name__ == "__main__":
    main()
