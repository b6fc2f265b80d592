"""What laios costs on a real Ollama, and Ollama beside the embedded engine on the same file:
`python -m tools.bench.beside_ollama --model FILE.gguf [--ollama PROGRAM] [--rounds N]`.

All sides in one run, taking turns, on the same prompts; each prompt has a number that is new, so
that nothing but the rules at its head comes from a cache. Nothing else should run meanwhile.
"""

import argparse
import asyncio
import json
import os
import shutil
import statistics
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import aiohttp
import psutil

import pipeline.capabilities  # noqa: F401  (fills MODES)
from pipeline.model import Call, Message, Model, Reply
from pipeline.model_call import chat
from pipeline.models.local import Engine, LocalModel
from pipeline.models.ollama import OllamaModel
from pipeline.models.ollama_host import OllamaHost
from pipeline.review.coder import write_prompt
from pipeline.review.judge import write_prompt as write_judge_prompt
from pipeline.review.reviewer import write_prompt as write_review_prompt
from pipeline.roles import ROLES, setting_of
from pipeline.task import Task
from tools.bench.engine_prompts import ASKED, DRAFT, PROMPTS, WRONG
from tools.bench.figures import Figure, circumstances, table
from tools.bench.ollama_server import MODEL, loaded, ollama
from tools.bench.processes import Server, daemon, work_directory
from tools.bench.sides import number

CALLERS = 4
LEAST_TOKENS = 33
LIMIT_S = 600.0
NUMBERS = count(1000)  # as many characters each
Times = tuple[float, float]  # seconds to the first piece, and to the end


def numbered(prompt: str) -> str:
    return f"{prompt} (Request {next(NUMBERS)}.)"


# --- laios and a bare call -------------------------------------------------------------------


async def streamed(http: aiohttp.ClientSession, url: str, body: dict[str, Any]) -> Times | None:
    """None for an answer that laios refuses (a small model's can be empty): it has no times."""
    begun, first = time.perf_counter(), 0.0
    async with http.post(f"{url}/api/chat", json=body) as answer:
        async for line in answer.content:
            frame = json.loads(line)
            if "error" in frame:
                return None
            if frame["message"]["content"] and not first:
                first = time.perf_counter() - begun
    return first, time.perf_counter() - begun


def bare_body(prompt: str, tokens: int, window: int) -> dict[str, Any]:
    """The call that laios makes for it."""
    options = {"num_ctx": window, "num_predict": tokens, "temperature": 0.0}
    said = {"messages": write_prompt(Task(prompt)), "truncate": False, "shift": False}
    return {"model": MODEL, "options": options, "keep_alive": "10m", **said}


def laios_body(prompt: str, tokens: int) -> dict[str, Any]:
    options = {"num_predict": tokens, "temperature": 0.0}
    return {
        "model": "laios:raw",
        "messages": [{"role": "user", "content": prompt}],
        "options": options,
    }


async def overhead_figures(server: Server, laios: Server, rounds: int, tokens: int) -> list[Figure]:
    bare: dict[int, list[Times]] = {1: [], CALLERS: []}
    through: dict[int, list[Times]] = {1: [], CALLERS: []}
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(LIMIT_S)) as http:
        await streamed(http, laios.url, laios_body(numbered(PROMPTS[0]), tokens))
        window = loaded(server)["context_length"]

        def ask_bare(prompt: str) -> Any:
            return streamed(http, server.url, bare_body(numbered(prompt), tokens, window))

        def ask_laios(prompt: str) -> Any:
            return streamed(http, laios.url, laios_body(numbered(prompt), tokens))

        for _ in range(rounds):
            for prompt in PROMPTS:
                for callers in (1, CALLERS):
                    for ask, found in ((ask_bare, bare), (ask_laios, through)):
                        asked = (ask(prompt) for _ in range(callers))
                        found[callers] += filter(None, await asyncio.gather(*asked))
    return [
        row
        for callers, name in ((1, "one caller"), (CALLERS, f"{CALLERS} callers"))
        for row in beyond(name, bare[callers], through[callers])
    ]


def beyond(name: str, bare: Sequence[Times], through: Sequence[Times]) -> list[Figure]:
    """How much later, at the median of all calls."""
    rows = []
    for place, what in enumerate(("first token", "whole answer")):
        ours, theirs = (statistics.median(t[place] for t in side) for side in (through, bare))
        text = f"{(ours - theirs) * 1000:+.0f} ms ({ours:.2f} s, bare {theirs:.2f} s)"
        rows.append(Figure(f"{name}: {what}, what laios adds to a bare call", text))
    return rows


# --- a reviewed run's prompts ----------------------------------------------------------------


def reviewed_prompts(shared: bool) -> list[list[Message]]:
    """Of coder, judge and reviewer, as laios asks larger models; not `shared`: with a word of its
    own at the head of each, so that no call begins as the one before it did."""
    task, said = Task(numbered(ASKED)), f"```python\n{DRAFT}```"
    prompts = [
        write_prompt(task),
        write_judge_prompt(task, DRAFT, as_said=said),
        write_review_prompt(task, DRAFT, WRONG, said),
    ]
    if shared:
        return prompts
    heads = [f"Call {next(NUMBERS)}. {prompt[0]['content']}" for prompt in prompts]
    return [
        [{"role": prompt[0]["role"], "content": head}, *prompt[1:]]
        for head, prompt in zip(heads, prompts, strict=True)
    ]


async def sharing_figures(model: Model, call: Call, rounds: int) -> list[Figure]:
    first: dict[bool, list[list[float]]] = {True: [], False: []}
    for _ in range(rounds):
        for shared, found in first.items():
            replies = [
                await ask(model, replace(call, messages=messages, max_tokens=8))
                for messages in reviewed_prompts(shared)
            ]
            found.append([(reply.first_token_ms or 0.0) / 1000 for reply in replies])
    return [
        Figure(
            f"reviewed run: first tokens of {', '.join(ROLES)}, {name} beginning",
            " + ".join(
                f"{statistics.median(times):.2f}" for times in zip(*first[shared], strict=True)
            )
            + " s",
        )
        for shared, name in ((True, "with the shared"), (False, "without a shared"))
    ]


# --- the engine and Ollama -------------------------------------------------------------------


async def ask(model: Model, call: Call) -> Reply:
    return await chat(model, call, deadline=asyncio.get_running_loop().time() + LIMIT_S)


def fresh(call: Call) -> Call:
    """With a prompt of which nothing is known yet."""
    prompt = write_prompt(Task(ASKED))
    head: Message = {"role": "system", "content": f"{next(NUMBERS)}: {prompt[0]['content']}"}
    return replace(call, messages=[head, *prompt[1:]])


async def side_figures(
    sides: dict[str, tuple[Model, psutil.Process]], call: Call, rounds: int
) -> list[Figure]:
    """Loading, reading, writing and memory, on both sides in turn."""
    replies: dict[str, list[Reply]] = {name: [] for name in sides}
    loads, memory = {}, {}
    for name, (model, process) in sides.items():
        loads[name] = (await ask(model, replace(fresh(call), max_tokens=1))).load_ms
        memory[name] = sum(each.memory_info().rss for each in process.children(recursive=True))
    for _ in range(rounds):
        for name, (model, _) in sides.items():
            replies[name].append(await ask(model, fresh(call)))
    return [
        figure
        for name, said in replies.items()
        for figure in (
            Figure(f"{name}: loads in", f"{(loads[name] or 0.0) / 1000:.2f} s"),
            Figure(f"{name}: reads", f"{statistics.median(map(read_speed, said)):.0f} tokens/s"),
            Figure(f"{name}: writes", f"{statistics.median(map(write_speed, said)):.1f} tokens/s"),
            Figure(
                f"{name}: resident memory, with the file's pages", f"{memory[name] / 1e6:.0f} MB"
            ),
        )
    ]


def read_speed(reply: Reply) -> float:
    seconds = ((reply.first_token_ms or 0.0) - (reply.load_ms or 0.0)) / 1000
    return ((reply.prompt_tokens or 0) - (reply.cached_tokens or 0)) / seconds


def write_speed(reply: Reply) -> float:
    seconds = (reply.duration_ms - (reply.first_token_ms or 0.0)) / 1000
    return ((reply.output_tokens or 1) - 1) / seconds


async def engine_figures(server: Server, file: Path, call: Call, rounds: int) -> list[Figure]:
    engine, host = Engine(LIMIT_S), OllamaHost(server.url)
    model = OllamaModel(f"ollama/{MODEL}", host)
    try:
        await ask(model, replace(fresh(call), max_tokens=1, keep_alive="0"))
        sides: dict[str, tuple[Model, psutil.Process]] = {
            "Ollama": (model, psutil.Process(server.process.pid)),
            "embedded engine": (LocalModel(f"local/{file}", engine, file), Children()),
        }
        found = await side_figures(sides, call, rounds)
        return found + await sharing_figures(model, call, rounds)
    finally:
        await engine.close()
        await host.close()


class Children(psutil.Process):
    """This process, of whose children the engine's alone count."""

    def children(self, recursive: bool = False) -> list[psutil.Process]:
        found = super().children(recursive)
        return [each for each in found if any("engine" in word for word in each.cmdline())]


def figures(program: str, file: Path, rounds: int, tokens: int) -> list[Figure]:
    with ExitStack() as stack:
        place = stack.enter_context(work_directory())
        server = stack.enter_context(ollama(place / "ollama", program, file, CALLERS))
        roles = {setting_of(role): f"ollama/{MODEL}" for role in ROLES}
        laios = stack.enter_context(
            daemon(
                place / "laios",
                OLLAMA_HOST=server.url,
                MAX_CONCURRENT_RUNS=CALLERS,
                MAX_OUTPUT_TOKENS=1024,
                **roles,
            )
        )
        found = asyncio.run(overhead_figures(server, laios, rounds, tokens))
        window = loaded(server)["context_length"]
        call = Call("coder", [], window, tokens, temperature=0.0, keep_alive="10m")
        return found + asyncio.run(engine_figures(server, file, call, rounds))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--model", type=Path, required=True, help="A GGUF file.")
    options.add_argument("--ollama", default=os.environ.get("OLLAMA_BIN") or shutil.which("ollama"))
    options.add_argument("--rounds", type=int, default=3, help="Times that each prompt is asked.")
    options.add_argument("--tokens", type=int, default=64, help="Of each answer, at most.")
    asked = options.parse_args()
    if asked.tokens < LEAST_TOKENS:
        options.error(f"--tokens: at least {LEAST_TOKENS}; fewer make an auxiliary call, no run.")
    if not asked.ollama:
        options.error("There is no ollama on the PATH; name the program with --ollama.")
    begun, file = circumstances(), asked.model.expanduser().absolute()
    print(f"{file.name}, Ollama {number(Path(asked.ollama))}. {begun}\n")
    print(table(figures(asked.ollama, file, asked.rounds, asked.tokens)))


if __name__ == "__main__":
    main()
