"""The judge: request and code → verdict."""

from functools import partial

from pipeline.errors import LaiosError
from pipeline.model import Message
from pipeline.model_request import ModelRequest
from pipeline.review.conversation import JUDGE, write_judge_turn
from pipeline.review.verdict import VERDICT_SCHEMA, Verdict, read_verdict
from pipeline.review.yes_no import ask_yes_no, is_asked_for_a_word
from pipeline.run import Run
from pipeline.structured_output import ask_structured
from pipeline.task import Task

VERDICT_TOKENS = 512  # the longest verdict that the schema allows, pretty-printed


def write_prompt(
    task: Task, draft: str, facts: str = "", as_said: str = "", apart: bool = False
) -> list[Message]:
    """The general prompt (see `write_judge_turn`)."""
    rules = task.rules.judge or JUDGE
    return write_judge_turn(task, draft, rules, facts, "Your verdict as JSON:", as_said, apart)


async def run_judge(
    run: Run,
    task: Task,
    draft: str,
    *,
    label: str = "",
    round: int = 1,
    facts: str = "",
    as_said: str = "",
    raises: tuple[type[LaiosError], ...] = (),
    general: bool = False,
) -> Verdict:
    """Judges a text. Raises nothing for what a judge can do wrong, but for the kinds in `raises`: a
    verdict that cannot be had has no scores and says why, and escalates. `general`: the text is not
    our coder's, so a model that was made for those alone is not asked."""
    question = ModelRequest(
        "judge",
        partial(write_prompt, facts=facts, as_said=as_said, apart=run.is_apart("judge")),
        {"task": task, "draft": draft},
        label=label,
        round=round,
        max_tokens=VERDICT_TOKENS,
        schema=VERDICT_SCHEMA,
        general=general,
    )
    answer = await ask_structured(run, question, read_verdict)
    if answer.value:
        return answer.value
    if isinstance(answer.fault, raises):
        raise answer.fault
    return Verdict(None, None, None, answer.raw, answer.error)


async def judge_draft(
    run: Run,
    task: Task,
    draft: str,
    facts: str = "",
    as_said: str = "",
    *,
    in_words: bool = False,
) -> Verdict:
    """The verdict that decides whether the draft is reviewed; the record keeps it. `in_words`: its
    sentence is needed, so that a yes or no would not do."""
    ask = run_judge if in_words else _ask_shortest
    verdict = await ask(run, task, draft, facts=facts, as_said=as_said)
    run.keep(judge=verdict.as_json())
    return verdict


async def _ask_shortest(
    run: Run, task: Task, draft: str, *, label: str = "", facts: str = "", as_said: str = ""
) -> Verdict:
    """In a word where that will do (`yes_no.py`) and can be had, else by scores."""
    if is_asked_for_a_word(run, task):
        verdict = await ask_yes_no(run, task, draft, label=label, facts=facts, as_said=as_said)
        if verdict:
            return verdict
    return await run_judge(run, task, draft, label=label, facts=facts, as_said=as_said)


async def rated_lower(
    run: Run, task: Task, review: str, verdict: Verdict | None, facts: str
) -> str | None:
    """Judges the review in the way in which the draft was judged. That it is rated lower, as a
    phrase, or None."""
    in_words = verdict is not None and verdict.p_correct is None
    ask = run_judge if in_words else _ask_shortest
    second = await ask(run, task, review, label="review", facts=facts)
    run.keep(reviewer_judge=second.as_json())
    if not (verdict and second.worse_than(verdict)):
        return None
    return (
        f"the review is rated lower: confidence {second.confidence_score} < "
        f"{verdict.confidence_score}, conflict {second.conflict_score} > {verdict.conflict_score}"
    )
