"""The drafts of a run: drawn, examined, compared, and the best of them."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from functools import partial
from time import monotonic
from typing import Any

from pipeline.analysis.asked_language import language_asked_for, wanted_title
from pipeline.analysis.draft import Draft, Examine
from pipeline.review import draft_evidence
from pipeline.review.agreement import Agreement
from pipeline.review.coder import Read, first_temperature, redraw, run_coder
from pipeline.review.draft_beginning import beginning_of
from pipeline.review.draft_comparison import Comparison
from pipeline.review.draft_evidence import may_run
from pipeline.review.held_examples import HeldExamples
from pipeline.review.query_runs import in_sql
from pipeline.run import Run
from pipeline.sampling import VARIED, for_model
from pipeline.sandbox import can_build, can_run_shell
from pipeline.step import Step
from pipeline.task import Task
from pipeline.testcases.case_runner import can_run
from pipeline.testcases.entry_point import entry_of
from pipeline.testcases.examples.example_search import MAY_BE_READ, find_examples
from pipeline.testcases.program_runs import is_for_want_of_input
from pipeline.tokens import estimate

_IN_ANOTHER_WAY = (
    "That code is wrong, so do not give it back as it is: write it anew from its description, in "
    "another way."
)
Enough = Callable[[], Awaitable[bool]]
_SHORT, _TIMES_LONGER = 768, 2  # tokens that any further draft may have; of the longest that runs
_CHEAPER = 120  # tokens of a draft, by estimate, that take less time than tests do


@dataclass(frozen=True, slots=True)
class Drawn:
    """A draft that was examined. `number`: of its step, from 1. `seconds` and `tokens` are what it
    cost, `plan` is the way that it was asked to take, "" for none."""

    number: int
    draft: Draft
    temperature: float
    seconds: float
    tokens: int
    plan: str = ""

    @property
    def rank(self) -> tuple[bool, bool, int]:
        """Larger is better: it can be handed out, it runs, few findings."""
        return self.draft.whole, self.draft.runs, -len(self.draft.findings)

    def as_json(self) -> dict[str, Any]:
        """The draft as the record keeps it."""
        return {
            "number": self.number,
            "code": self.draft.text,
            "temperature": self.temperature,
            "findings": [finding.detail for finding in self.draft.findings],
            **({"plan": self.plan} if self.plan else {}),
        }


def is_long(draft: Draft, begun: str) -> bool:
    """Whether tests cost less than a further draft that begins with `begun`, as this one does."""
    return estimate(draft.text) - estimate(begun) >= _CHEAPER


class Drawing:
    """The drafts of one request, `most` of them. The first is greedy unless the caller sent a
    temperature, the others are varied. `in_turn`: where the settings name several coders, each
    writes some of them. `wanted`: what else is asked for. `examine` looks at each draft, by default
    for the evidence of the default mode; `read` as for the coder."""

    def __init__(
        self,
        run: Run,
        task: Task,
        most: int,
        *,
        in_turn: bool = False,
        wanted: str = "",
        examine: Examine | None = None,
        read: Read | None = None,
    ) -> None:
        self._run, self._task, self.most = run, task, most
        self._wanted, self._read = wanted, read
        self._examine = examine or partial(draft_evidence.examine, run, task)
        self._in_turn = in_turn and len(run.settings.CODER_MODEL_NAME) > 1
        self._comparison = Comparison(run, task)
        self._examples: HeldExamples | None = None
        self._begun = 1  # of the drafts; those that were not needed are not among the drawn
        self.drawn: list[Drawn] = []

    @property
    def best_place(self) -> int:
        """By examples that a model read, then as the drafts agree, then by evidence; of equals the
        earliest."""
        agreement = self._comparison.agreement
        if self._examples and (sound := self.sound):
            most = self._examples.most_of({n: self.drawn[n].draft.text for n in sound})
            chosen = agreement.chosen if agreement else None
            return max(most, key=lambda n: (n == chosen, self._comparison.alike(n)))
        if agreement:
            return agreement.chosen
        return max(range(len(self.drawn)), key=lambda n: self.drawn[n].rank)

    @property
    def best(self) -> Draft:
        return self.drawn[self.best_place].draft

    @property
    def alike(self) -> int:
        """How many drafts do what the best one does, itself included; 0 where that is unknown."""
        return self._comparison.alike(self.best_place)

    @property
    def sound(self) -> list[int]:
        """The places, from 0, of those that no evidence speaks against."""
        return [n for n, each in enumerate(self.drawn) if not each.draft.fault]

    async def draw_first(self) -> None:
        """Raises what the backend raised."""
        temperature = first_temperature(self._run)
        began, steps = monotonic(), len(self._run.steps)
        draft = await run_coder(
            self._run,
            self._task,
            temperature=temperature,
            wanted=self._wanted,
            complete=True,
            read=self._read,
        )
        await asyncio.to_thread(find_examples, self._task.prompt)  # which is known from then on
        draft = await self._examine(draft, "coder")
        tokens = _tokens(self._run.steps[steps:])
        sent = self._sent(temperature)
        self.drawn.append(Drawn(1, draft, sent, monotonic() - began, tokens))

    def _sent(self, temperature: float) -> float:
        return for_model(temperature, self._run.model_name("coder"))

    async def draw_until_sound(self) -> None:
        """Others, until no evidence speaks against one. Raises what the backend raised."""

        async def one_is_sound() -> bool:
            return bool(self.sound)

        while not self.sound and (n := await self.affordable()):
            why = self.drawn[-1].draft.fault or ""
            await self.draw_more(n, why, enough=one_is_sound)

    async def draw_more(self, n: int, why: str, plan: str = "", *, enough: Enough) -> bool:
        """`n` varied ones, side by side where the model writes several at a time, until those that
        there are, are `enough`: that is asked after each, ends the others and is returned. The same
        program is not run twice. Raises what the backend raised."""
        first, began, steps = self._begun + 1, monotonic(), len(self._run.steps)
        of = self.most + self._begun - len(self.drawn)  # those that were not needed do not count
        self._begun += n
        self._run.emit("draft", number=first, n=n, of=of, why=why)
        wanted = f"Do it this way: {plan}" if plan else self._wanted
        wanted = wanted or await asyncio.to_thread(self._of_the_last)
        drafts = redraw(
            self._run,
            self._task,
            first,
            n,
            wanted,
            turn=first - 1 if self._in_turn else 0,
            max_tokens=self._longest_further(),
            begun="" if plan else await asyncio.to_thread(self._beginning),
            read=self._read,
        )
        async with aclosing(drafts):
            async for number, draft in drafts:
                known = next((e.draft for e in self.drawn if e.draft.text == draft.text), None)
                examined = known or await self._examine(draft, "coder")
                tokens = _tokens(each for each in self._run.steps[steps:] if each.round == number)
                took_s = monotonic() - began
                sent = self._sent(VARIED)
                self.drawn.append(Drawn(number, examined, sent, took_s, tokens, plan))
                if await enough():
                    return True
        return False

    def _of_the_last(self) -> str:
        """What is asked for besides, after a draft that is the request's own code, Python out of
        habit, or a part of the last answer: small models write that again and again
        (docs/studies/drafts.md). SQL is told its tables each time (docs/studies/sql.md)."""
        last = self.drawn[-1].draft
        if "sql" in (last.language, language_asked_for(self._task.prompt)):
            return in_sql(self._task)
        kinds = {each.kind: each.detail for each in last.findings}
        if draft_evidence.LOST in kinds:
            return f"Write the whole code again: {kinds[draft_evidence.LOST]}."
        if draft_evidence.LANGUAGE in kinds:
            return f"Write it in {wanted_title(self._task.prompt, last.text, last.language)}."
        return _IN_ANOTHER_WAY if draft_evidence.UNCHANGED in kinds else ""

    def _beginning(self) -> str:
        """How a further draft begins: as the first that runs, where one model writes all."""
        if self._in_turn or not self.sound:
            return ""
        draft = self.drawn[self.sound[0]].draft
        function = entry_of(draft.text, find_examples(self._task.prompt).function)
        return beginning_of(draft, self._task.prompt, function)

    def _longest_further(self) -> int | None:
        """Tokens for a further draft: one that is far longer than those that run, or came to their
        end where none runs, has lost its way. None where there are none, where another model writes
        it, where tokens are not counted, and for a model that says more than its draft: how long
        one thinks is not seen there."""
        whole = [each for each in self.drawn if each.draft.whole]
        running = [each for each in whole if each.draft.runs] or whole
        longest = max((estimate(each.draft.text) for each in running), default=0)
        says_more = any(each.tokens > _TIMES_LONGER * longest + _SHORT for each in running)
        if self._in_turn or says_more or not any(each.tokens for each in running):
            return None
        return min(max(_SHORT, _TIMES_LONGER * longest), self._run.settings.MAX_OUTPUT_TOKENS)

    @property
    def left(self) -> int:
        """How many of those that were wanted are still to be drawn."""
        return self.most - len(self.drawn)

    async def affordable(self) -> int:
        """How many more may be drawn now, as many as the model writes at a time: all drafts
        together have the tokens of one longest answer."""
        if not self._in_time:
            return 0
        spent = sum(each.tokens for each in self.drawn)
        longest = max(each.tokens for each in self.drawn)
        paid = (self._run.settings.MAX_OUTPUT_TOKENS - spent) // max(1, longest)
        most = max(0, min(self.left, paid))
        if self._in_turn or most < 2:
            return min(most, 1)
        return min(most, await self._run.answers_at_once("coder"))

    @property
    def _in_time(self) -> bool:
        """Whether there is time for one more: judge and reviewer need some as well."""
        return max(each.seconds for each in self.drawn) * 3 < self._run.left_s

    async def may_compare(self) -> bool:
        """Whether what the drafts do can be compared: Python, SQL, Bash, functions of JavaScript
        and what can be compiled, where they may run and the coder can write it in several ways."""
        best, suite = self.best, find_examples(self._task.prompt)
        is_script = best.language == "javascript" and can_run(best.language, programs=False)
        is_script = is_script or (best.language == "bash" and can_run_shell())
        is_known = best.language in ("python", "sql") or is_script
        is_known = is_known or can_build(best.language or "")
        lacks = best.unrun and not is_for_want_of_input(best.unrun, best.text, self._task.prompt)
        runs = is_known and not (best.fault or lacks or suite.program)
        return runs and self._run.is_general("coder") and await may_run(self._run)

    async def is_alone(self) -> bool:
        """Whether one is sound, and no other could say anything of it: what it does cannot be
        compared. Raises SandboxUnavailable."""
        if len(self.sound) != 1:
            return False
        return not (await self.may_compare() and await self._comparison.may_be_with(self.best))

    async def weigh(self) -> Agreement | None:
        """Of the first sound draft, see `Comparison.weigh`; None where another one, which begins as
        it does, costs less than tests."""
        first = self.sound[0]
        draft = self.drawn[first].draft
        begun = await asyncio.to_thread(self._beginning)
        if not (is_long(draft, begun) and self._in_time):
            return None
        return await self._comparison.weigh(first, draft)

    async def compare(self) -> Agreement | None:
        """Of the sound drafts in the language of the first, see `Comparison.of`."""
        language = self.drawn[self.sound[0]].draft.language
        sound = {n: self.drawn[n].draft for n in self.sound}
        sound = {
            n: each
            for n, each in sound.items()
            if each.language == language and not (language == "sql" and each.unrun)
        }
        return await self._comparison.of(sound, in_time=self._in_time)

    async def hold(self, examples: HeldExamples) -> bool:
        """Whether one of the sound drafts holds all of these, which choose from now on: the first
        that does is the best. Raises SandboxUnavailable."""
        self._examples = examples
        return any([await examples.are_held_by(self.drawn[n].draft.text) for n in self.sound])

    def prefer(self, number: int) -> Agreement:
        """Puts the class of this draft before those that are worth as much."""
        return self._comparison.prefer(number)

    def conclude(self, why: str) -> Draft:
        """The best one; the record has all of them, and why this one won, which of the request's
        examples could not be read, and why it was not run."""
        best = self.best_place
        self._run.keep(coder_output=self.drawn[best].draft.text)
        examples = self._examples and self._examples.were_run_with(self.best.text)
        was_chosen = len(self.drawn) > 1 or self._comparison.agreement or examples
        made = self.as_json(why) if was_chosen else {}
        notes = [*find_examples(self._task.prompt).warnings]
        if self.best.was_held:
            notes = [each for each in notes if each not in MAY_BE_READ]
        notes += [self.best.unread] if self.best.unread else []
        notes += [f"not run here: {self.best.unrun}"] if self.best.unrun else []
        if notes:
            made["notes"] = notes
        if made:
            self._run.keep(artefact={**(self._run.facts.artefact or {}), **made})
        self._run.add_evidence(self.drawn[best].draft.findings)
        return replace(self.drawn[best].draft, best_of=len(self.drawn))

    def as_json(
        self, why: str, later: Sequence[Drawn] = (), answer: str | None = None
    ) -> dict[str, Any]:
        """What an artefact says of all drafts. `why` the best one won, or of those that were drawn
        elsewhere, `later`, the one whose text is the `answer`."""
        every = [*self.drawn, *later]
        numbers, texts = [each.number for each in every], [each.draft.text for each in every]
        best = texts.index(answer) if answer in texts else self.best_place
        made = {
            "drafts": [
                each.as_json() | {"chosen": n == best} | self._alike(n)
                for n, each in enumerate(every)
            ],
            "chosen_because": why,
            **self._comparison.as_json(best, numbers),
        }
        if self._examples and self._examples.were_run_with(texts[best]):
            made["read_examples"] = self._examples.as_json(texts, numbers)
        return made

    def _alike(self, number: int) -> dict[str, int]:
        alike = self._comparison.alike(number)
        return {"alike": alike} if alike else {}


def _tokens(steps: Iterable[Step]) -> int:
    return sum(step.output_tokens or 0 for step in steps)
