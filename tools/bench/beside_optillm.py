"""How often laios' modes and optillm's approaches are right, and what they cost, on one model file:
`python -m tools.bench.beside_optillm --model FILE.gguf --problems HumanEval.jsonl
--optillm PROGRAM [--limit N] [--results FILE]`.

Both ask the same llama.cpp server over HTTP, which counts the tokens, and get the same problems;
optillm is sent the messages that `///raw` sends. Answers are executed as `laios bench` does it.
laios goes by litellm here, not by its embedded engine: what differs is then the way of asking
alone, but it cannot write drafts side by side. Before each arm the server's cache is overwritten:
none finds its prompt read by another. Each result is a line of the file: the same command goes on
where it was.

optillm is a program that the user has (`pip install optillm`), in an environment of its own.
"""

import argparse
import asyncio
import json
import os
import shutil
import sys
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import aiohttp

import pipeline.capabilities
from config import Settings, data_dir, load_settings
from history.bench_results import ResultFile, key_of
from history.bench_summary import ArmSummary, latest, summarise
from pipeline.analysis.code_extraction import extract_code
from pipeline.review.coder import write_prompt
from pipeline.roles import ROLES, setting_of
from pipeline.task import Task
from server.benchmark.measurement import ARMS, Bench
from server.benchmark.problems import Problem, chosen, read_problems
from server.benchmark.run_settings import revision, run_settings
from tools.bench.counting_relay import CountingRelay, Spent
from tools.bench.figures import circumstances
from tools.bench.processes import Server, environment, free_port, module, work_directory
from tools.bench.sides import number, started

MODEL = "bench"
APPROACHES = ("bon", "self_consistency", "moa", "plansearch")
SUFFIX = "@optillm"
TOKENS = 2048  # of an answer, at most
LIMIT_S = 3600.0  # of a problem
START_S = 600.0  # it imports half a dozen large libraries
RESULTS = data_dir() / "bench" / "results-optillm.jsonl"
OTHER_BACKENDS = ("OPTILLM_", "CEREBRAS_", "AZURE_", "OPENAI_")


@dataclass(frozen=True, slots=True)
class Sides:
    """The callers of one server, each of which is asked one problem at a time."""

    relay: CountingRelay
    bench: Bench
    optillm: Server

    async def measure(self, problem: Problem, arm: str) -> dict[str, Any]:
        """A row as `laios bench` writes it, with the server's counts. Raises SandboxUnavailable,
        and aiohttp.ClientError where nobody answers."""
        await self.relay.forget()
        before = await self.relay.spent()
        if arm.endswith(SUFFIX):
            row = await self._of_optillm(problem, arm.removesuffix(SUFFIX))
        else:
            row = await self.bench.measure(problem, arm)
        return row | counted((await self.relay.spent()).since(before))

    async def _of_optillm(self, problem: Problem, approach: str) -> dict[str, Any]:
        began = time.perf_counter()
        text, error = await self._answer(problem, approach)
        seconds = time.perf_counter() - began
        passed = await self.bench.passes(problem, extract_code(text).text)
        return {
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
            "mode": approach,
            "source": None,
            "error": error,
            "escalated": False,
            "confidence": None,
            "conflict": None,
            "passed": passed,
            "draft_passed": passed,
            "seconds": round(seconds, 3),
        }

    async def _answer(self, problem: Problem, approach: str) -> tuple[str, str | None]:
        """Its text, or why there is none."""
        body = {
            "model": MODEL,
            "messages": write_prompt(Task(problem.prompt)),
            "max_tokens": TOKENS,
            "optillm_approach": approach,
        }
        url = f"{self.optillm.url}/v1/chat/completions"
        limit = aiohttp.ClientTimeout(LIMIT_S)
        try:
            async with aiohttp.request("POST", url, json=body, timeout=limit) as said:
                text = await said.text()
        except TimeoutError:
            return "", f"no answer within {LIMIT_S:.0f} s"
        except aiohttp.ClientConnectorError:
            raise  # nobody is there, for the next problem neither
        except aiohttp.ClientError as error:
            return "", f"the connection broke ({type(error).__name__})"
        if said.status != 200:
            return "", f"HTTP {said.status}: {text[:200].strip()}"
        try:
            return str(json.loads(text)["choices"][0]["message"]["content"] or ""), None
        except (ValueError, LookupError, TypeError):
            return "", f"no answer in it: {text[:200].strip()}"


def counted(spent: Spent) -> dict[str, int]:
    """As a row of `laios bench` names it."""
    return {
        "calls": spent.calls,
        "prompt_tokens": spent.read + spent.cached,
        "cached_tokens": spent.cached,
        "output_tokens": spent.written,
    }


@asynccontextmanager
async def opened(file: Path, program: str, settings: Settings) -> AsyncIterator[Sides]:
    """The server, the relay before it, and both callers."""
    async with AsyncExitStack() as stack:
        place = stack.enter_context(work_directory())
        server = stack.enter_context(module("tools.bench.llama_server", str(file)))
        relay = await stack.enter_async_context(CountingRelay(server))
        port = free_port()
        command = [program, f"--base-url={relay.url}", f"--port={port}", f"--model={MODEL}"]
        env = optillm_environment(place)
        optillm = stack.enter_context(
            started(place / "optillm", command, port, env, "/health", START_S)
        )
        os.environ["HOSTED_VLLM_API_BASE"] = relay.url
        bench = await stack.enter_async_context(Bench(settings))
        yield Sides(relay, bench, optillm)


def optillm_environment(directory: Path) -> dict[str, str]:
    """Nothing of the user's accounts with other backends, and no proxy on the way to this one."""
    kept = {k: v for k, v in environment(directory).items() if not k.startswith(OTHER_BACKENDS)}
    own = {"HOME": str(directory), "OPENAI_API_KEY": "none", "NO_PROXY": "127.0.0.1"}
    return kept | own | {"HF_HUB_OFFLINE": "1"}


async def measure_all(
    file: ResultFile,
    common: Mapping[str, Any],
    problems: Sequence[Problem],
    arms: Sequence[str],
    sides: Sides,
) -> None:
    """What is not in the file yet."""
    there = {key_of(row) for row in file.results()}
    for problem in problems:
        for arm in arms:
            key = {**common, "problem": problem.id, "arm": arm}
            if key_of(key) not in there:
                row = key | await sides.measure(problem, arm)
                file.append(row)
                told = "right" if row["passed"] else row["error"] or "wrong"
                print(f"{problem.id}, {arm}: {told}, {row['seconds']:.0f} s", file=sys.stderr)


def conditions(file: Path, program: str, settings: Settings) -> dict[str, Any]:
    """What a result is of, beside its problem and its arm."""
    ours = revision(Path(pipeline.__path__[0]))
    return {
        "revision": f"{ours}, optillm {number(Path(program))}",
        "models": dict.fromkeys(ROLES, f"hosted_vllm/{file.name}"),
        "settings": run_settings(settings),
        "seed": None,
    }


def settings_of(**changes: Any) -> Settings:
    names = {setting_of(role): (f"hosted_vllm/{MODEL}",) for role in ROLES}
    return load_settings(**names, MAX_OUTPUT_TOKENS=TOKENS, **changes)


def table(arms: Sequence[ArmSummary]) -> str:
    """In Markdown."""
    rows = [
        "| | right | 95 % | against raw | calls | read | written | seconds | time ÷ raw |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    return "\n".join(rows + [line(each) for each in arms])


def line(each: ArmSummary) -> str:
    against = "" if each.arm == "raw" else f"+{each.gained} −{each.lost}, p {each.p:.2g}"
    cells = (
        each.arm,
        f"{each.right}/{each.of}",
        f"{each.low:.0%}–{each.high:.0%}",
        against,
        f"{each.calls / each.of:.1f}",
        f"{(each.prompt_tokens - each.cached_tokens) / each.of:.0f}",
        f"{each.output_tokens / each.of:.0f}",
        f"{each.seconds / each.of:.1f}",
        f"{each.ratio:.2f}" if each.ratio else "",
    )
    return f"| {' | '.join(cells)} |"


async def measure(options: argparse.Namespace, problems: Sequence[Problem]) -> None:
    settings = settings_of()
    common = conditions(options.model, options.optillm, settings)
    async with opened(options.model, options.optillm, settings) as sides:
        # What the first call imports and loads is not measured.
        await sides.bench.run("Write add(a, b).", ARMS["raw"])
        await measure_all(ResultFile(options.results), common, problems, options.arms, sides)


def arms_of(text: str) -> list[str]:
    """Raises ArgumentTypeError."""
    known = [*ARMS, *(f"{approach}{SUFFIX}" for approach in APPROACHES)]
    found = [word.strip() for word in text.split(",")]
    if unknown := [word for word in found if word not in known]:
        raise argparse.ArgumentTypeError(f"there is no arm {unknown[0]!r}; {', '.join(known)}")
    return found


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--model", type=Path, required=True, help="A GGUF file.")
    options.add_argument(
        "--problems", type=Path, required=True, help="A file in HumanEval's or MBPP's format."
    )
    options.add_argument("--optillm", default=shutil.which("optillm"), help="The program.")
    options.add_argument("--limit", type=int, help="The first N problems.")
    options.add_argument("--results", type=Path, default=RESULTS, help="Where each is a line.")
    every = ",".join([*ARMS, *(f"{approach}{SUFFIX}" for approach in APPROACHES)])
    options.add_argument("--arms", type=arms_of, default=every, help=every)
    asked = options.parse_args()
    if not asked.optillm:
        options.error("There is no optillm on the PATH; name the program with --optillm.")
    asked.model = asked.model.expanduser().absolute()
    begun = circumstances()
    problems = chosen(read_problems(asked.problems.expanduser()), asked.limit, None)
    try:
        asyncio.run(measure(asked, problems))
    except KeyboardInterrupt:
        print("Stopped. The same command goes on.", file=sys.stderr)
    names = {problem.id for problem in problems}
    rows = [row for row in ResultFile(asked.results).results() if row["problem"] in names]
    shown = [each for each in summarise(latest(rows)) if each.models.endswith(asked.model.name)]
    print(f"{asked.model.name}, {len(names)} problems. Calls, tokens (read anew, written) and")
    print(f"seconds are of one problem. {begun}\n\n{table(shown)}")


if __name__ == "__main__":
    main()
