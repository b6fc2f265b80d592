"""The draft stage: a greedy first draft, drawn again while it fails evidence.

Drawing again is cheap (the prompt is in the backend's cache) and independent of the first try: a
small model that is shown its own mistake repeats it, one that starts afresh often does not. Where
no rule reads examples in the request, a model may. Where it has none, either a second draft takes
their place, as two that do the same are mostly both right, or tests that the model writes, as a
draft that holds all of them is mostly right too: what costs less comes first. Where drafts differ,
the first that holds most tests is the best guess, then what two of three do.
"""

import asyncio
from contextlib import suppress
from dataclasses import dataclass, replace

from pipeline.analysis.draft import Draft
from pipeline.errors import ContextTooLong, ModelError, SandboxUnavailable
from pipeline.review.agreement import Agreement
from pipeline.review.drawing import Drawing
from pipeline.review.example_reader import read_examples
from pipeline.review.held_examples import AT_MOST, HOLD, MOSTLY, UNHELD, HeldExamples
from pipeline.run import Run
from pipeline.task import Task
from pipeline.testcases.entry_point import defined, entry_of
from pipeline.testcases.examples.example_search import find_examples
from pipeline.testcases.examples.grounded_examples import may_have_examples

SOUND = "there is no evidence against it"
LEAST = "it has the least evidence against it"
_DIFFERENT = "{call} {here}; in other drafts it {elsewhere}."
# From the first that runs on. What three do not settle is mostly beyond the model: two more cost
# a fifth to a quarter of a first draft, and are hardly ever right (docs/studies/model_tests.md).
COMPARED = 3
COMPARED_AT_A_TIME = 2  # where that is cheap: mostly the first one agrees, and ends the other


async def draft_until_evidence(run: Run, task: Task) -> Draft:
    """The first draft that no evidence speaks against, within MAX_DRAFTS, the run's time and the
    tokens of one longest answer; where none is had, the one with the least against it; where
    nothing but opinion is left to decide, the one that others agree with.

    Raises what the backend raised for the first draft; a later one that fails ends the drawing.
    """
    drawing = Drawing(run, task, run.settings.MAX_DRAFTS)
    await drawing.draw_first()
    found = None
    with suppress(ModelError, ContextTooLong):
        await drawing.draw_until_sound()
        found = await settle(run, task, drawing)
    draft = drawing.conclude(str(found) if found else SOUND if drawing.sound else LEAST)
    return found.said_of(draft) if found else draft


@dataclass(frozen=True, slots=True)
class Settled:
    """What is said of the drafts where evidence is silent. `best`: the place of the best one.
    `examples`: those that a model read in the request and that were run with it; `is_held`: it
    holds all of them, `mostly_held`: more than half."""

    best: int
    agreement: Agreement | None
    examples: HeldExamples | None
    is_held: bool
    mostly_held: bool

    def __str__(self) -> str:
        if self.is_held:
            return HOLD
        if self.agreement and self.best in self.agreement.best:
            return str(self.agreement)
        if not self.agreement:
            return UNHELD
        return MOSTLY if self.mostly_held else AT_MOST

    def said_of(self, draft: Draft) -> Draft:
        """The best draft with it."""
        if self.agreement:
            draft = with_agreement(draft, self.agreement, self.best)
        return self.examples.said_of(draft) if self.examples else draft


async def settle(run: Run, task: Task, drawing: Drawing, *, reads: bool = True) -> Settled | None:
    """What can be said where evidence is silent: of examples in other words (`reads`: not of what
    is to be repaired, which may be told as it is), else of other drafts and a model's tests.
    Raises what the backend raised."""
    examples, is_held, agreement = None, False, None
    with suppress(ModelError, ContextTooLong, SandboxUnavailable):
        examples = await read_in_request(run, task, drawing) if reads else None
        is_held = await _draw_until_held(drawing, examples) if examples else False
    if not is_held:
        with suppress(SandboxUnavailable):
            agreement = await agreement_on(run, drawing)
    return settled(drawing, agreement, examples)


def settled(
    drawing: Drawing, agreement: Agreement | None, examples: HeldExamples | None
) -> Settled | None:
    """What they say of the best draft; None where there are none, or it was not run with them."""
    text = drawing.best.text
    known = examples if examples and examples.were_run_with(text) else None
    if not (agreement or known):
        return None
    is_held = bool(known and known.hold_for(text))
    mostly_held = bool(known and known.mostly_hold_for(text))
    return Settled(drawing.best_place, agreement, known, is_held, mostly_held)


async def read_in_request(run: Run, task: Task, drawing: Drawing) -> HeldExamples | None:
    """The examples that a model reads in the request, where rules read none. Raises what the
    backend raised."""
    if not await _is_open(run, drawing):
        return None
    if not await asyncio.to_thread(may_have_examples, task.prompt):
        return None
    program = drawing.best.text
    function = entry_of(program, find_examples(task.prompt).function)
    if function not in defined(program):
        return None
    suite = await read_examples(run, task, program, function)
    tells = any(not case.is_of_nothing for case in suite.cases)
    return HeldExamples(run, task, suite) if tells else None


async def _draw_until_held(drawing: Drawing, examples: HeldExamples) -> bool:
    """Whether a draft holds all of them: others are drawn until one does, or MAX_DRAFTS are.
    Raises what the backend raised."""

    async def one_holds() -> bool:
        return await drawing.hold(examples)

    held = await one_holds()
    while not held and (n := await drawing.affordable()):
        held = await drawing.draw_more(n, "an example in the request fails", enough=one_holds)
    return held


async def agreement_on(run: Run, drawing: Drawing) -> Agreement | None:
    """Where evidence is silent, what a model's tests and other drafts say: a long draft is weighed
    by tests that the model writes. Where it does not hold all of them, and where it is short,
    another one is drawn, two where they are written side by side; where they differ others, until
    one holds most tests, or most of all that may be had agree. None where nothing can be said, as
    of what reads files. Raises SandboxUnavailable where nothing can be said for want of it."""
    if not await _is_open(run, drawing):
        return None
    if await drawing.is_alone():
        return None
    failed = drawing.sound[0]
    drawing.most = min(drawing.most, failed + COMPARED)

    def is_settled(found: Agreement | None) -> bool:
        if found is None:
            return False
        most = drawing.most - failed
        return (
            found.lacks_surroundings
            or found.convinces
            or found.decides_of(most)
            or found.holds_tests
        )

    async def is_enough() -> bool:
        return is_settled(await drawing.compare())

    several = len(drawing.sound) > 1
    agreement = await (drawing.compare() if several else drawing.weigh())
    with suppress(ModelError, ContextTooLong, SandboxUnavailable):
        while not is_settled(agreement) and (n := await drawing.affordable()):
            n = min(n, COMPARED_AT_A_TIME)
            await drawing.draw_more(n, "to compare", enough=is_enough)
            if not (compared := await drawing.compare()):
                break
            agreement = compared
    return None if agreement and agreement.lacks_surroundings else agreement


async def _is_open(run: Run, drawing: Drawing) -> bool:
    """Whether nothing but opinion is left to decide, and there are others to compare or may be."""
    if run.settings.COMPARE_DRAFTS != "auto" or drawing.best.decided:
        return False
    others = len(drawing.sound) > 1 or await drawing.affordable()
    return bool(others) and await drawing.may_compare()


def with_agreement(draft: Draft, agreement: Agreement, place: int) -> Draft:
    """The draft in this place with what the others say of it."""
    convinces = agreement.convinces and place in agreement.best
    decided = draft.decided or (str(agreement) if convinces else "")
    in_sessions = any(case.session for case in agreement.calls)
    facts = [draft.facts, f"{agreement}."]
    if not decided:
        facts += [_DIFFERENT.format(**each) for each in agreement.seen_from(place)]
    return replace(
        draft,
        decided=decided,
        of_sessions=not draft.decided and convinces and in_sessions,
        undecided="" if decided else str(agreement),
        facts="\n".join(filter(None, facts)),
    )
