"""The draft stage: a greedy first draft, drawn again while it fails evidence (DESIGN A5).

Drawing again is cheap (the prompt is in the backend's cache) and independent of the first try: a
small model that is shown its own mistake repeats it, one that starts afresh often does not.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.analysis.draft import Draft
from pipeline.errors import ContextTooLong, ModelError
from pipeline.review.coder import run_coder
from pipeline.review.draft_evidence import examine
from pipeline.run import Run
from pipeline.sampling import GREEDY, VARIED
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
    drawn = [await _draw(run, task, 1)]
    while drawn[-1].draft.fault and _affordable(run, drawn):
        number = len(drawn) + 1
        run.emit("draft", number=number, of=run.settings.MAX_DRAFTS, why=drawn[-1].draft.fault)
        try:
            drawn.append(await _draw(run, task, number, drawn))
        except (ModelError, ContextTooLong):
            break
    best = max(drawn, key=lambda each: each.rank)  # the earliest of equals
    run.keep(coder_output=best.draft.text)
    if len(drawn) > 1:
        run.keep(artefact={**(run.facts.artefact or {}), **_artefact(drawn, best)})
    run.add_evidence(best.draft.findings)
    return best.draft


async def _draw(run: Run, task: Task, number: int, before: Sequence[Drawn] = ()) -> Drawn:
    """A draft with what is known of it. The same program is not run twice."""
    again = bool(before) or run.repeated
    temperature = VARIED if again else run.request.temperature or GREEDY
    loop = asyncio.get_running_loop()
    began, steps = loop.time(), len(run.steps)
    draft = await run_coder(run, task, temperature=temperature, round=number, complete=True)
    known = next((each.draft for each in before if each.draft.text == draft.text), None)
    draft = known or await examine(run, task, draft, "coder")
    tokens = sum(step.output_tokens or 0 for step in run.steps[steps:])
    return Drawn(draft, temperature, loop.time() - began, tokens)


def _affordable(run: Run, drawn: Sequence[Drawn]) -> bool:
    """Whether another draft may be drawn: judge and reviewer need time as well."""
    if len(drawn) >= run.settings.MAX_DRAFTS:
        return False
    left = run.deadline - asyncio.get_running_loop().time()
    tokens = sum(each.tokens for each in drawn) + max(each.tokens for each in drawn)
    return max(each.seconds for each in drawn) * 3 < left and (
        tokens <= run.settings.MAX_OUTPUT_TOKENS
    )


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
