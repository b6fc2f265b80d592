"""The reviewer: request, draft and what is wrong with it → better code."""

from functools import partial

from pipeline.analysis.draft import Draft, read_draft
from pipeline.code_output import draft_of
from pipeline.errors import ModelFailed
from pipeline.model import Message
from pipeline.model_request import ModelRequest
from pipeline.review.conversation import (
    IS_ANYTHING_WRONG,
    REVIEWER,
    SMALL_REVIEWER,
    THERE_IS_A_BUG,
    write_conversation,
    write_later_turn,
)
from pipeline.run import Run
from pipeline.sampling import GREEDY, VARIED
from pipeline.small_models import is_small
from pipeline.task import Task

EMPTY = "(the draft is empty)"
AS_IT_IS = "unchanged"  # the word that IS_ANYTHING_WRONG offers


def write_prompt(
    task: Task,
    draft: str,
    reason: str,
    as_said: str = "",
    apart: bool = False,
    small: bool = False,
) -> list[Message]:
    """The general prompt. `task.prompt` is "" when nothing but the code is known; `as_said` and
    `apart` as for the judge; `small`: a small model is asked."""
    said, own = as_said or draft or EMPTY, task.rules.reviewer
    if small and draft and not (own or reason):
        asked = IS_ANYTHING_WRONG if task.prompt else THERE_IS_A_BUG
        return write_conversation(task, said, asked)
    wrong = f"\nWhat was found wrong with the last answer:\n{reason}\n" if reason else ""
    rules = own or (SMALL_REVIEWER if small else REVIEWER)
    wanted = f"{wrong}\nThe complete final code:"
    return write_later_turn(task, said, rules, wanted, apart)


async def run_reviewer(
    run: Run,
    task: Task,
    draft: str,
    reason: str,
    as_said: str = "",
    number: int = 1,
    *,
    general: bool = False,
) -> Draft:
    """Reviews a draft. `number`: of several reviews; the first is greedy, the others are varied,
    and where the settings name several reviewers, each has its turn. `general`: the draft is not
    our coder's, so a model that was made for those alone is not asked. Raises ModelError or
    ContextTooLong; ModelFailed also for a review that is empty or was cut off, which is of no use
    to anybody."""
    answer = await run.ask(
        ModelRequest(
            "reviewer",
            partial(
                write_prompt,
                as_said=as_said,
                apart=run.is_apart("reviewer"),
                small=is_small(run.model_name("reviewer")),
            ),
            {"task": task, "draft": draft, "reason": reason},
            label=f"vote {number}" if number > 1 else "",
            round=number,
            temperature=VARIED if number > 1 else GREEDY,
            turn=number - 1,
            general=general,
        )
    )
    review = await draft_of(answer, partial(read_review, task, draft))
    run.keep(reviewer_output=review.text)
    if not review.whole:
        raise ModelFailed(f"The reviewer's answer cannot be used: {review.fault}.")
    return review


def read_review(task: Task, draft: str, reply: str, *, truncated: bool = False) -> Draft:
    """The code of a reply to `write_prompt`; the word for the draft is the draft."""
    read = partial(
        read_draft,
        "reviewer",
        request=task.prompt or draft,
        language=task.language,
        truncated=truncated,
        complete=bool(task.prompt),
    )
    review = read(reply)
    is_word = review.text.strip("`*#. \n").lower() == AS_IT_IS
    return read(draft) if is_word else review
