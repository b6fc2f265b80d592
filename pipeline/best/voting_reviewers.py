"""Voting reviewers: several reviews, of which the machine chooses as it does of drafts
(REVIEWER_VOTES)."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from time import monotonic

from pipeline.analysis.draft import Draft
from pipeline.best.pairwise import preferred
from pipeline.errors import ContextTooLong, ModelError, SandboxUnavailable
from pipeline.review.agreement import Agreement, compare
from pipeline.review.call_writer import find_calls
from pipeline.review.draft_evidence import examine, may_run
from pipeline.review.drafting import LEAST
from pipeline.review.reviewer import run_reviewer
from pipeline.run import Run
from pipeline.small_models import is_small
from pipeline.task import Task
from pipeline.testcases.entry_point import entry_of
from pipeline.testcases.examples.example_search import find_examples


async def vote(run: Run, task: Task, draft: Draft, review: Draft, told: str) -> Draft:
    """The review that evidence speaks least against; of equals one of the largest class; of
    classes of one size the one that the judge prefers; a small judge is not asked."""
    reviews = [review, *await _further_reviews(run, task, draft, told)]
    number, votes, why = await _choose(run, task, reviews)
    chosen = reviews[number]
    rows = [
        {
            "code": each.text,
            "findings": [finding.detail for finding in each.findings],
            "chosen": n == number,
        }
        for n, each in enumerate(reviews)
    ]
    known = run.facts.artefact or {}
    run.keep(artefact={**known, "reviews": rows, "review_chosen_because": why})
    is_decided = votes and votes.decides and votes.tells
    return replace(chosen, decided=chosen.decided or (why if is_decided else ""))


async def _further_reviews(run: Run, task: Task, draft: Draft, told: str) -> list[Draft]:
    """As many as are wanted and there is time for; one that fails has no vote."""
    reviews: list[Draft] = []
    for number in range(2, run.settings.REVIEWER_VOTES + 1):
        began = monotonic()
        try:
            review = await run_reviewer(run, task, draft.text, told, draft.as_said, number)
        except (ModelError, ContextTooLong):
            continue
        reviews.append(await examine(run, task, review, "reviewer"))
        if run.left_s < 2 * (monotonic() - began):
            break
    return reviews


async def _choose(
    run: Run, task: Task, reviews: Sequence[Draft]
) -> tuple[int, Agreement | None, str]:
    """The number of the best one, who agrees with it, and why it is the best."""
    ranks = [(each.runs, -len(each.findings)) for each in reviews]
    best = [n for n, rank in enumerate(ranks) if rank == max(ranks)]
    if len(best) == 1:
        return best[0], None, LEAST if len(reviews) > 1 else "no other review was available"
    equals = [reviews[n] for n in best]
    votes = await _votes(run, task, equals)
    small = is_small(run.model_name("judge"))
    first = votes.tied[0] if small else await preferred(run, task, equals, votes.tied)
    how = f"agree on {len(votes.calls)} calls" if votes.calls else "are the same"
    if votes.decides and not votes.tells:
        how += f", {votes.lacks[votes.largest[0]]}"
    return best[first], votes, f"{len(votes.largest)} of {len(reviews)} reviews {how}"


async def _votes(run: Run, task: Task, reviews: Sequence[Draft]) -> Agreement:
    """What agrees: programs that do the same where that can be seen, else equal texts."""
    examples = find_examples(task.prompt)
    differ = len({each.text for each in reviews}) > 1
    runs = all(each.language == "python" and not each.fault for each in reviews)
    if differ and runs and not examples.program and await may_run(run):
        function = entry_of(reviews[0].text, examples.function)
        with suppress(SandboxUnavailable):
            if calls := await find_calls(run, task, reviews, function):
                return await compare(run, dict(enumerate(reviews)), calls, function)
    return Agreement(tuple(sorted(_same_texts(reviews), key=len, reverse=True)))


def _same_texts(reviews: Sequence[Draft]) -> Iterator[tuple[int, ...]]:
    for text in dict.fromkeys(each.text for each in reviews):
        yield tuple(n for n, each in enumerate(reviews) if each.text == text)
