"""Calls to the engine and to the bare server that it is built on, without runs around them."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp
from pathlib import Path
from typing import Any

from pipeline.analysis.draft import read_draft
from pipeline.model import Call
from pipeline.models.llama_cpp import request, start_server, thread_count
from pipeline.models.local import Engine, LocalModel
from pipeline.review.coder import write_prompt
from pipeline.review.judge import VERDICT_TOKENS
from pipeline.review.judge import write_prompt as write_judge_prompt
from pipeline.review.reviewer import write_prompt as write_review_prompt
from pipeline.review.verdict import VERDICT_SCHEMA
from pipeline.review.yes_no import write_question
from pipeline.task import Task
from tools.bench.engine_prompts import ASKED, DRAFT, LONG_PROMPTS, PROMPTS, WRONG, WRONG_INDEX
from tools.bench.figures import Figure, at_least, at_most

WINDOW = 8192
SHORT = 128  # tokens that every draft of one length has
JUDGED = 300  # those of a draft that is judged; longer ones end there


@dataclass(frozen=True, slots=True)
class Spoken:
    """One call: prompt tokens from the cache and read anew, those written, and the seconds.
    `likely`: of each token that was written, what might have stood there with its probability,
    where the request has `logprobs`."""

    cached: int
    read: int
    read_s: float
    written: int
    written_s: float
    text: str = ""
    likely: tuple[tuple[str, Mapping[str, float]], ...] = ()

    @property
    def seconds(self) -> float:
        return self.read_s + self.written_s


class Bare:
    """llama.cpp's server as the engine starts it, and nothing around it."""

    def __init__(self, model: Path, *, lookup: bool = True) -> None:
        self.threads = thread_count(str(model))
        self._server = start_server(str(model), WINDOW, self.threads, lookup=lookup)

    def ask(self, messages: Sequence[Any], slot: int = 0, **more: Any) -> Spoken:
        """Greedy, and streamed as the engine asks: asked for a whole answer, the server has been
        seen to wait for ever. `more`: of the request."""
        body = {"messages": messages, "temperature": 0.0, "max_tokens": 1024} | more
        said: list[str] = []
        tokens: list[Mapping[str, Any]] = []
        times: dict[str, Any] = {}

        def take(chunk: Mapping[str, Any]) -> bool:
            if error := chunk.get("error"):
                raise RuntimeError(str(error))
            for choice in chunk.get("choices", ()):
                said.append(choice["delta"].get("content") or "")
                tokens.extend((choice.get("logprobs") or {}).get("content", ()))
            times.update(chunk.get("timings") or {})
            return False

        self._server.handle_chat_completions(request(body, slot), take)
        return Spoken(
            times["cache_n"],
            times["prompt_n"],
            times["prompt_ms"] / 1000,
            times["predicted_n"],
            times["predicted_ms"] / 1000,
            "".join(said),
            tuple((each["token"], _likely(each["top_logprobs"])) for each in tokens),
        )


def _likely(alternatives: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """Their probabilities by their texts; several tokens may have one."""
    found: dict[str, float] = {}
    for each in alternatives:
        found[each["token"]] = found.get(each["token"], 0.0) + exp(each["logprob"])
    return found


def judging(messages: Sequence[Any]) -> Mapping[str, Any]:
    """What a judge's request has besides its messages."""
    schema = {"type": "json_schema", "json_schema": {"schema": dict(VERDICT_SCHEMA)}}
    return {"messages": messages, "max_tokens": VERDICT_TOKENS, "response_format": schema}


def first_token_figure(bare: Bare) -> Figure:
    """Of two runs on a slot that has read nothing, the first of which stands for the first run."""
    first, second = (bare.ask(write_prompt(Task(each)), 3, max_tokens=1) for each in PROMPTS[:2])
    share = second.read_s / first.read_s
    return at_most("second run's first token ÷ the first's", share, 0.35, "{:.2f}")


def answering(messages: Sequence[Any]) -> Mapping[str, Any]:
    """What the request of a judge that answers with one word has besides its messages."""
    return {"messages": messages, "max_tokens": 1, "logprobs": True, "top_logprobs": 5}


def judge_figures(model: Path) -> list[Figure]:
    """The judge of drafts of one length, after their coder, by the same as if nothing had been read
    before: on a server of its own, because what one has written once, whatever the slot, lookup
    copies when the same is asked again. Asked for scores, and for a word, as small models are."""
    after, anew = Bare(model), Bare(model)
    scores: tuple[list[Spoken], list[Spoken]] = ([], [])
    words: tuple[list[Spoken], list[Spoken]] = ([], [])
    for prompt in LONG_PROMPTS:
        task = Task(prompt)
        said = after.ask(write_prompt(task), max_tokens=JUDGED).text
        for times, asked in (
            (words, answering(write_question(task, said, as_said=said))),
            (scores, judging(write_judge_prompt(task, said, as_said=said))),
        ):
            times[0].append(after.ask(**asked))
            times[1].append(anew.ask(cache_prompt=False, **asked))
    of_draft = f"of a draft of {JUDGED} tokens ÷ the same read anew"
    return [
        at_most(f"judge, one word, {of_draft}", ratio(*words), 0.4, "{:.2f}"),
        at_most(f"judge, scores, {of_draft}", ratio(*scores), 0.4, "{:.2f}"),
    ]


def ratio(one: Sequence[Spoken], other: Sequence[Spoken]) -> float:
    return sum(each.seconds for each in one) / sum(each.seconds for each in other)


def lookup_figures(model: Path) -> list[Figure]:
    """How fast drafts are written, and reviews that copy most of a draft, with lookup by without.
    Nothing is asked twice: the second answer would be a copy of the first. Two servers of the same
    kind differ by up to 4 % (where their memory lies), so each kind has two that take turns."""
    first, second, third, fourth = (
        Bare(model, lookup=lookup) for lookup in (True, False, False, True)
    )
    pairs = [(first, second), (fourth, third)]

    def ask(number: int, messages: Sequence[Any]) -> tuple[Spoken, Spoken]:
        fast, slow = pairs[number % 2]
        return fast.ask(messages), slow.ask(messages)

    asked = [Task(each) for each in (*PROMPTS, *LONG_PROMPTS)]
    drafts = [ask(number, write_prompt(task)) for number, task in enumerate(asked)]
    programs = [(Task(ASKED), DRAFT, f"```python\n{DRAFT}```", WRONG)]
    for task, (_, draft) in list(zip(asked, drafts, strict=True))[-len(LONG_PROMPTS) :]:
        code = read_draft("coder", draft.text, request=task.prompt, language=None).text
        programs.append((task, code, draft.text, WRONG_INDEX))
    reviews = []
    for number, (task, code, said, wrong) in enumerate(programs, 1):
        reviews.append(ask(number, write_review_prompt(task, code, wrong, said)))
    return [
        _by_lookup("reviews that copy most of the draft", reviews, 1.5),
        _by_lookup("drafts", drafts, 0.98),
    ]


def _by_lookup(name: str, pairs: Sequence[tuple[Spoken, Spoken]], least: float) -> Figure:
    """Tokens in a second; the greedy texts should be the same."""
    with_it, without = (
        sum(each.written for each in side) / sum(each.written_s for each in side)
        for side in zip(*pairs, strict=True)
    )
    same = sum(one.text == other.text for one, other in pairs)
    name = f"{len(pairs)} {name}, lookup ÷ without ({same} the same text)"
    return at_least(name, with_it / without, least, "{:.2f}")


class Drafter:
    """Drafts of one length in the engine. Each prompt is new to the model."""

    def __init__(self, model: Path) -> None:
        self._engine = Engine(idle_s=600)
        self._coder = LocalModel(f"local/{model}", self._engine, model)
        self._asked = 0

    async def seconds(self, n: int = 1) -> float:
        """For one prompt and `n` drafts."""
        self._asked += 1
        messages = write_prompt(Task(f"{ASKED} Also a method number_{self._asked}."))
        began = time.perf_counter()
        call = Call("coder", messages, WINDOW, SHORT, temperature=0.8)
        async for _ in self._coder.stream_several(call, n):
            pass
        return time.perf_counter() - began

    async def close(self) -> None:
        await self._engine.close()


async def side_by_side_figures(model: Path, rounds: int) -> list[Figure]:
    """Four varied drafts of one prompt by one alone, all of one length, because the longest
    decides; and drafts of two prompts at a time, as two runs ask for them, by one after the
    other."""
    drafter = Drafter(model)
    await drafter.seconds(4)  # loads the model
    one, four, two, together = 0.0, 0.0, 0.0, 0.0
    for _ in range(2 * rounds):
        one += await drafter.seconds()
        four += await drafter.seconds(4)
    await asyncio.gather(drafter.seconds(), drafter.seconds())  # two slots have read the rules
    for _ in range(2 * rounds):
        two += await drafter.seconds() + await drafter.seconds()
        began = time.perf_counter()
        await asyncio.gather(drafter.seconds(), drafter.seconds())
        together += time.perf_counter() - began
    await drafter.close()
    runs = f"two runs' drafts of {SHORT} tokens at a time ÷ one after the other"
    return [
        at_most(f"four drafts of {SHORT} tokens ÷ one", four / one, 2.0, "{:.2f}"),
        Figure(runs, f"{together / two:.2f}"),
    ]
