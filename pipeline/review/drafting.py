"""The draft stage: a greedy first draft, drawn again while it fails evidence (DESIGN A5).

Drawing again is cheap (the prompt is in the backend's cache) and independent of the first try: a
small model that is shown its own mistake repeats it, one that starts afresh often does not.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.analysis.draft import Draft
from pipeline.errors import ContextTooLong, ModelError
from pipeline.review.coder import redraw, run_coder
from pipeline.review.draft_evidence import examine
from pipeline.run import Run
from pipeline.sampling import GREEDY, VARIED
from pipeline.step import Step
from pipeline.task import Task


@dataclass(frozen=True, slots=True)
class Drawn:
    """A draft that was examined. `seconds` and `tokens` are what it cost."""

    draft: Draft
    temperature: float
    seconds: float
    tokens: int

    @property
    def rank(self) -> tuple[bool, bool, int]:
        """Larger is better: it can be handed out, it runs, few findings."""
        return self.draft.whole, self.draft.runs, -len(self.draft.findings)


async def draft_until_evidence(run: Run, task: Task) -> Draft:
    """The first draft that no evidence speaks against; where none is had within MAX_DRAFTS, the
    run's time and the tokens of one longest answer, the one with the least against it.

    Raises what the backend raised for the first draft; a later one that fails ends the drawing.
    """
    drawn = [await _draw(run, task)]
    while all(each.draft.fault for each in drawn) and (n := _affordable(run, drawn)):
        number, most = len(drawn) + 1, run.settings.MAX_DRAFTS
        run.emit("draft", number=number, n=n, of=most, why=drawn[-1].draft.fault)
        try:
            drawn += await _redraw(run, task, number, n, drawn)
        except (ModelError, ContextTooLong):
            break
    best = max(drawn, key=lambda each: each.rank)  # the earliest of equals
    run.keep(coder_output=best.draft.text)
    if len(drawn) > 1:
        run.keep(artefact={**(run.facts.artefact or {}), **_artefact(drawn, best)})
    run.add_evidence(best.draft.findings)
    return best.draft


async def _draw(run: Run, task: Task) -> Drawn:
    """The first draft with what is known of it."""
    temperature = VARIED if run.repeated else run.request.temperature or GREEDY
    clock = asyncio.get_running_loop().time
    began, steps = clock(), len(run.steps)
    draft = await run_coder(run, task, temperature=temperature, complete=True)
    draft = await examine(run, task, draft, "coder")
    return Drawn(draft, temperature, clock() - began, _tokens(run.steps[steps:]))


async def _redraw(
    run: Run, task: Task, first: int, n: int, before: Sequence[Drawn]
) -> Sequence[Drawn]:
    """`n` more. The same program is not run twice."""
    clock = asyncio.get_running_loop().time
    began, steps = clock(), len(run.steps)
    drafts = await redraw(run, task, first, n)
    tokens = _tokens(run.steps[steps:]) // n
    drawn = list(before)
    for draft in drafts:
        known = next((each.draft for each in drawn if each.draft.text == draft.text), None)
        examined = known or await examine(run, task, draft, "coder")
        drawn.append(Drawn(examined, VARIED, clock() - began, tokens))
    return drawn[len(before) :]


def _tokens(steps: Iterable[Step]) -> int:
    return sum(step.output_tokens or 0 for step in steps)


def _affordable(run: Run, drawn: Sequence[Drawn]) -> int:
    """How many more drafts may be drawn now, as many as the model writes at a time: judge and
    reviewer need time as well."""
    left = run.deadline - asyncio.get_running_loop().time()
    if max(each.seconds for each in drawn) * 3 >= left:
        return 0
    spent, longest = sum(each.tokens for each in drawn), max(each.tokens for each in drawn)
    paid = (run.settings.MAX_OUTPUT_TOKENS - spent) // max(1, longest)
    return max(0, min(run.answers_at_once("coder"), run.settings.MAX_DRAFTS - len(drawn), paid))


def _artefact(drawn: Sequence[Drawn], best: Drawn) -> dict[str, Any]:
    """What the record keeps of drafts that were drawn again: all of them, and why this one won."""
    passed = not best.draft.fault
    return {
        "drafts": [
            {
                "code": each.draft.text,
                "temperature": each.temperature,
                "findings": [finding.detail for finding in each.draft.findings],
                "chosen": each is best,
            }
            for each in drawn
        ],
        "chosen_because": (
            "no evidence speaks against it" if passed else "the least evidence speaks against it"
        ),
    }
