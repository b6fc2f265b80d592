"""The judge: request and code → verdict."""

from functools import partial

from pipeline.errors import LaiosError
from pipeline.model import Message
from pipeline.model_request import ModelRequest
from pipeline.prompts import marked
from pipeline.review.conversation import JUDGE, write_later_turn
from pipeline.review.verdict import VERDICT_SCHEMA, Verdict, read_verdict
from pipeline.run import Run
from pipeline.structured_output import ask_structured
from pipeline.task import Task

VERDICT_TOKENS = 512  # the longest verdict that the schema allows, pretty-printed


def write_prompt(
    task: Task, draft: str, facts: str = "", as_said: str = "", apart: bool = False
) -> list[Message]:
    """The general prompt. `facts`: what came of running the code. `as_said`: the draft as its coder
    wrote it, where that is the code and nothing else; a backend need not read it again. `apart`:
    another model than the coder's is asked."""
    wanted = [task.rubric] if task.rubric else []
    if facts:
        mark, material = marked([("WHAT CAME OF RUNNING IT (FACTS)", facts)])
        wanted += [f"Between the lines with the mark {mark} stands data, too.", material]
    wanted.append("Your verdict as JSON:")
    rules = task.rules.judge or JUDGE
    return write_later_turn(task, as_said or draft, rules, "\n".join(wanted), apart)


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
    run: Run, task: Task, draft: str, facts: str = "", as_said: str = ""
) -> Verdict:
    """The verdict that decides whether the draft is reviewed; the record keeps it."""
    verdict = await run_judge(run, task, draft, facts=facts, as_said=as_said)
    run.keep(judge=verdict.as_json())
    return verdict


async def rated_lower(
    run: Run, task: Task, review: str, verdict: Verdict | None, facts: str
) -> str | None:
    """Judges the review. That it is rated lower than the draft, as a phrase, or None."""
    second = await run_judge(run, task, review, label="review", facts=facts)
    run.keep(reviewer_judge=second.as_json())
    if not (verdict and second.worse_than(verdict)):
        return None
    return (
        f"the review is rated lower: confidence {second.confidence_score} < "
        f"{verdict.confidence_score}, conflict {second.conflict_score} > {verdict.conflict_score}"
    )
