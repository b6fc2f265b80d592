"""What the pipeline costs on the embedded engine, beside llama.cpp's own server on the same file:
`python -m tools.bench.engine --model FILE.gguf [--rounds N]`.

Both sides in one process each, taking turns, on the same prompts. The bare side is the server that
the engine is built on, asked once with the prompt of the coder. Nothing else should run meanwhile.
"""

import argparse
import asyncio
import json
import statistics
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

import pipeline.capabilities  # noqa: F401  (fills MODES)
from config import Settings, load_settings
from pipeline.model import Call
from pipeline.models.llama_cpp import start_server, thread_count
from pipeline.models.local import Engine, LocalModel
from pipeline.review.coder import write_prompt
from pipeline.review.reviewer import write_prompt as write_review_prompt
from pipeline.roles import ROLES, setting_of
from pipeline.task import Task
from server.benchmark.measurement import Bench
from tools.bench.figures import Figure, at_least, at_most, circumstances, table
from tools.bench.processes import LAIOS, end, environment, start, wait_ready, work_directory

WINDOW = 8192
SHORT = 128  # tokens that every draft of the class below has
PROMPTS = (
    "Write a Python function merge(intervals) that merges overlapping [start, end] intervals.",
    "Write a Python function roman(n) that writes a whole number from 1 to 3999 in Roman numerals.",
    "Write a Python function is_balanced(text) that says whether (), [] and {} are balanced.",
    "Write a Python function rle(text) that encodes runs: 'aaab' becomes 'a3b1'.",
)
DRAFT = '''\
import re
from collections import Counter


class TextStats:
    """Counts words, lines and characters of a text."""

    def __init__(self, text):
        self.text = text
        self.words = re.findall(r"[A-Za-z']+", text)

    def word_count(self):
        return len(self.words)

    def line_count(self):
        return len(self.text.split("\\n"))

    def longest_word(self):
        longest = ""
        for word in self.words:
            if len(word) > len(longest):
                longest = word
        return longest

    def most_common(self, n):
        counts = Counter(word.lower() for word in self.words)
        return counts.most_common(n)

    def average_length(self):
        total = 0
        for word in self.words:
            total += len(word)
        return total / len(self.words)
'''
ASKED = "Write a Python class TextStats: word_count, line_count, longest_word, most_common, \
average_length."
WRONG = "average_length divides by zero for an empty text; line_count counts a line in no text"


@dataclass(frozen=True, slots=True)
class Spoken:
    """One call: tokens read anew and written, and the seconds of both."""

    read: int
    read_s: float
    written: int
    written_s: float
    text: str = ""

    @property
    def seconds(self) -> float:
        return self.read_s + self.written_s


class Bare:
    """llama.cpp's server as the engine starts it, and nothing around it."""

    def __init__(self, model: Path, *, lookup: bool = True) -> None:
        threads = thread_count(str(model))
        self._server = start_server(str(model), WINDOW, threads, lookup=lookup)

    def ask(self, messages: Sequence[Any], slot: int = 0) -> Spoken:
        body = {"messages": messages, "temperature": 0.0, "max_tokens": 1024, "id_slot": slot}
        reply = self._server.handle_chat_completions(body)
        found = json.loads(reply) if isinstance(reply, str) else reply
        times = found["timings"]
        return Spoken(
            times["prompt_n"],
            times["prompt_ms"] / 1000,
            times["predicted_n"],
            times["predicted_ms"] / 1000,
            found["choices"][0]["message"]["content"],
        )


def first_token_s(record: Mapping[str, Any], stage: str) -> float:
    step = next(each for each in record["steps"] if each["stage"] == stage)
    return float(step["first_token_ms"]) / 1000


def seconds(record: Mapping[str, Any]) -> float:
    return float(record["duration_ms"]) / 1000


def cached_share(records: Sequence[Mapping[str, Any]], stage: str) -> float:
    """Of the prompt tokens of a stage, those that came from the cache."""
    steps = [s for record in records for s in record["steps"] if s["stage"] == stage]
    read: int = sum(step["prompt_tokens"] for step in steps)
    cached: int = sum(step["cached_tokens"] or 0 for step in steps)
    return cached / max(1, read)


def settings_for(model: Path, **changes: Any) -> Settings:
    """One model for all roles; what is drawn or compared beyond one draft is measured apart."""
    names = {setting_of(role): (f"local/{model}",) for role in ROLES}
    alone = {"MAX_DRAFTS": 1, "COMPARE_DRAFTS": "off", "JUDGE_WHEN": "always"}
    return load_settings(**names, **alone | changes)


async def pipeline_figures(model: Path, bare: Bare, rounds: int) -> list[Figure]:
    """Runs of one model, each kind on each prompt in turn. The review is judged by nobody here, so
    that an escalated run is three calls."""
    accepting = settings_for(
        model, ESCALATION_CONFIDENCE_THRESHOLD=1, ESCALATION_CONFLICT_THRESHOLD=10
    )
    escalating = settings_for(
        model,
        ESCALATION_CONFIDENCE_THRESHOLD=10,
        ESCALATION_CONFLICT_THRESHOLD=1,
        JUDGE_REVIEW=False,
    )
    spoken, raw, accepted, escalated = [], [], [], []
    async with Bench(accepting) as first, Bench(escalating) as second:
        await first.run("Write a function that adds two numbers.", "code_raw")
        await second.run("Write a function that adds two numbers.", "code_raw")
        for _ in range(rounds):
            for prompt in PROMPTS:
                spoken.append(bare.ask(write_prompt(Task(prompt))))
                raw.append(await first.run(prompt, "code_raw"))
                accepted.append(await first.run(prompt, "code_reviewed"))
                escalated.append(await second.run(prompt, "code_reviewed"))
        memory = engine_memory_mb()
    escalated = [record for record in escalated if record["escalated"]]
    per_raw = statistics.mean(map(seconds, raw))
    per_call = statistics.mean(each.seconds for each in spoken)
    return [
        *speeds(spoken),
        Figure("first token of a bare call", f"{mean_first(spoken):.2f} s"),
        Figure("raw run, first token", f"{mean_first_of(raw):.2f} s"),
        at_most(
            "raw run ÷ bare call",
            per_raw / per_call,
            1.1,
            "{:.2f}",
        ),
        at_most(
            "reviewed run, not escalated ÷ raw run",
            statistics.mean(map(seconds, accepted)) / per_raw,
            1.35,
            "{:.2f}",
        ),
        at_most(
            f"escalated ÷ raw run ({len(escalated)} runs)",
            statistics.mean(map(seconds, escalated)) / per_raw if escalated else float("nan"),
            2.2,
            "{:.2f}",
        ),
        at_least("judge's prompt from the cache", cached_share(accepted, "judge"), 0.8, "{:.0%}"),
        at_most("memory beside the model's file", memory, 250, "{:.0f} MB"),
    ]


def speeds(spoken: Sequence[Spoken]) -> list[Figure]:
    read = sum(s.read for s in spoken) / sum(s.read_s for s in spoken)
    written = sum(s.written for s in spoken) / sum(s.written_s for s in spoken)
    return [
        Figure("reads", f"{read:.0f} tokens/s"),
        Figure("writes", f"{written:.0f} tokens/s"),
    ]


def mean_first(spoken: Sequence[Spoken]) -> float:
    return statistics.mean(s.read_s for s in spoken)


def mean_first_of(records: Sequence[Mapping[str, Any]]) -> float:
    return statistics.mean(first_token_s(record, "coder") for record in records)


def engine_memory_mb() -> float:
    """Of the engine's process, without the pages of the model's file, which the system may drop."""
    children = psutil.Process().children(recursive=True)
    engines = [each for each in children if any("engine" in word for word in each.cmdline())]
    status = [Path(f"/proc/{each.pid}/status").read_text() for each in engines]
    anonymous = [line for text in status for line in text.splitlines() if "RssAnon" in line]
    return max((int(line.split()[1]) / 1024 for line in anonymous), default=float("nan"))


async def drafts_figure(model: Path, rounds: int) -> Figure:
    """Four varied drafts of one prompt side by side, by one alone; all of one length, because the
    longest decides. Each prompt is new to the model."""
    engine = Engine(idle_s=600)
    coder = LocalModel(f"local/{model}", engine)
    taken = {1: 0.0, 4: 0.0}
    for number in range(2 * rounds + 1):
        for n in taken:
            messages = write_prompt(Task(f"{ASKED} Also a method number_{number}_{n}."))
            call = Call("coder", messages, WINDOW, SHORT, temperature=0.8)
            began = time.perf_counter()
            async for _ in coder.stream_several(call, n):
                pass
            taken[n] += time.perf_counter() - began if number else 0.0
    await engine.close()
    return at_most(f"four drafts of {SHORT} tokens ÷ one", taken[4] / taken[1], 2.0, "{:.2f}")


def lookup_figures(model: Path, bare: Bare, rounds: int) -> list[Figure]:
    """How fast a review is written that copies most of the draft, and a draft, with lookup by
    without; the greedy texts have to be the same."""
    said = f"```python\n{DRAFT}```"
    review = write_review_prompt(Task(ASKED), DRAFT, WRONG, said)
    without, found = Bare(model, lookup=False), []
    for name, least, messages in (
        ("review that copies most of the draft", 1.5, review),
        ("draft", 0.98, write_prompt(Task(ASKED))),
    ):
        pairs = [(bare.ask(messages, 1), without.ask(messages, 1)) for _ in range(rounds + 1)]
        fast, slow = (
            sum(s.written / s.written_s for s in side) for side in zip(*pairs, strict=True)
        )
        same = "the same text" if pairs[0][0].text == pairs[0][1].text else "another text"
        found.append(at_least(f"{name}, lookup ÷ without ({same})", fast / slow, least, "{:.2f}"))
    return found


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


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--model", type=Path, required=True, help="A GGUF file.")
    options.add_argument("--rounds", type=int, default=1, help="Times that each prompt is asked.")
    arguments = options.parse_args()
    model = arguments.model.expanduser().absolute()
    begun = circumstances()
    bare = Bare(model)
    found = asyncio.run(pipeline_figures(model, bare, arguments.rounds))
    found += lookup_figures(model, bare, arguments.rounds)
    found.append(asyncio.run(drafts_figure(model, arguments.rounds)))
    found.append(warm_run_figure(model))
    print(f"{model.name}. {begun}\n\n{table(found)}")


if __name__ == "__main__":
    main()
