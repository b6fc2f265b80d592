"""The named places of the default flow, where stages hook in, a file each.

| place | a stage is given | and gives |
|---|---|---|
| `before_coder` | the task | the task that the coder gets |
| `after_draft` | a text, the coder's or the reviewer's | the text, with facts that it has found |
| `after_verdict` | the draft, and the judge's verdict or None | what speaks against the draft |
| `after_review` | the draft, its review, what the reviewer was told | the review, or a better one |

Stages of one place run in the order in which they were entered, that of `pipeline/capabilities.py`,
those of installed packages last. A stage that fails costs nobody the answer: the run goes on
without it, and a step of its record says so.
"""

import logging
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from pipeline.analysis.draft import Draft, DraftSource
from pipeline.analysis.evidence import Finding
from pipeline.review.verdict import Verdict
from pipeline.run import Run
from pipeline.task import Task

log = logging.getLogger("laios.stages")

STEP = "stage"  # the step's name for a stage that failed
S = TypeVar("S", bound=Callable[..., Awaitable[Any]])
T = TypeVar("T")
IsOn = Callable[[Run], bool]

BeforeCoder = Callable[[Run, Task], Awaitable[Task]]
AfterDraft = Callable[[Run, Task, Draft, DraftSource], Awaitable[Draft]]
AfterVerdict = Callable[[Run, Task, Draft, Verdict | None], Awaitable[Iterable[Finding]]]
AfterReview = Callable[[Run, Task, Draft, Draft, str], Awaitable[Draft]]


@dataclass(frozen=True, slots=True)
class Stage(Generic[S]):
    """`is_on`: whether it takes part in this run."""

    name: str
    is_on: IsOn
    call: S


class Place(Generic[S]):
    """`@after_draft("licence")` enters a coroutine function as a stage of that place, `on=` says
    for which runs (all). Raises ValueError for a name that the place has already."""

    def __init__(self) -> None:
        self.stages: list[Stage[S]] = []

    def __call__(self, name: str, *, on: IsOn = lambda run: True) -> Callable[[S], S]:
        def register(call: S) -> S:
            if name in [stage.name for stage in self.stages]:
                raise ValueError(f"a stage {name!r} hooks in here already")
            self.stages.append(Stage(name, on, call))
            return call

        return register

    async def tried(self, run: Run, stage: Stage[S], *given: Any, otherwise: T) -> T:
        """What the stage gives; `otherwise` where it is off, fails or gives nothing."""
        try:
            made = await stage.call(run, *given) if stage.is_on(run) else None
            return otherwise if made is None else made
        except Exception as error:
            log.warning("stage %s failed and was left out: %s", stage.name, type(error).__name__)
            with suppress(Exception), run.step(STEP, stage.name):
                raise
            return otherwise


before_coder: Place[BeforeCoder] = Place()
after_draft: Place[AfterDraft] = Place()
after_verdict: Place[AfterVerdict] = Place()
after_review: Place[AfterReview] = Place()
PLACES = (before_coder, after_draft, after_verdict, after_review)


async def prepare(run: Run, task: Task) -> Task:
    """The task after all stages before the coder."""
    for stage in before_coder.stages:
        task = await before_coder.tried(run, stage, task, otherwise=task)
    return task


async def add_facts(run: Run, task: Task, draft: Draft, source: DraftSource) -> Draft:
    """The text with what the stages after the draft know of it."""
    for stage in after_draft.stages:
        draft = await after_draft.tried(run, stage, task, draft, source, otherwise=draft)
    return draft


async def second_opinions(run: Run, task: Task, draft: Draft, verdict: Verdict | None) -> Draft:
    """The draft with what the stages after the verdict hold against it; nobody is asked of one that
    does not even run."""
    for stage in after_verdict.stages if draft.runs else ():
        found = await after_verdict.tried(run, stage, task, draft, verdict, otherwise=())
        draft = replace(draft, findings=(*draft.findings, *found))
    return draft


async def better_review(run: Run, task: Task, draft: Draft, review: Draft, told: str) -> Draft:
    """The review after all stages that follow it. `told`: what the reviewer was told is wrong."""
    for stage in after_review.stages:
        review = await after_review.tried(run, stage, task, draft, review, told, otherwise=review)
    return review
