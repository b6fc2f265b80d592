"""A verdict in one word: yes or no, weighed by the probabilities that the judge gives them.

A small judge's scores say nothing (AUROC 0.50 of 208 drafts, docs/studies/judges.md) and cost some
sixty tokens; the probability of its yes costs one and says more.
"""

from collections.abc import Iterable, Mapping
from functools import partial
from math import exp, isfinite
from typing import Any

from pipeline.errors import BadRequest, ContextTooLong, ModelError, Unreadable
from pipeline.model import Message
from pipeline.model_request import ModelRequest
from pipeline.review.conversation import YES_NO, write_judge_turn
from pipeline.review.verdict import HIGHEST, LOWEST, Verdict
from pipeline.run import Run
from pipeline.small_models import is_small
from pipeline.task import Task

ALTERNATIVES = 10  # to the word, among which both yes and no are as a rule
LEAST_TO_PASS = 8  # the usual ESCALATION_CONFIDENCE_THRESHOLD


def is_asked_for_a_word(run: Run, task: Task) -> bool:
    """Whether the judge is asked so: where the settings say it or, by `auto`, where it is a small
    model; it has to tell probabilities, and to have no rules but ours."""
    form = run.settings.JUDGE_FORM
    if form == "scores" or task.rules.judge or task.rubric or not run.scores_tokens("judge"):
        return False
    return form == "yes_no" or is_small(run.model_name("judge"))


async def ask_yes_no(
    run: Run, task: Task, draft: str, *, label: str = "", facts: str = "", as_said: str = ""
) -> Verdict | None:
    """The verdict, or None where none can be had so."""
    question = ModelRequest(
        "judge",
        partial(write_question, facts=facts, as_said=as_said, apart=run.is_apart("judge")),
        {"task": task, "draft": draft},
        label=label,
        max_tokens=1,
        think=False,
        logprobs=ALTERNATIVES,
    )
    try:
        answer = await run.ask(question)
    except (ModelError, ContextTooLong, BadRequest):
        return None
    try:
        yes = probability_of_yes(answer.logprobs)
    except Unreadable as error:
        answer.unusable(str(error))
        return None
    answer.step.finish_reason = "stop"  # more than the word was not wanted
    return verdict_of(yes, run.settings.JUDGE_YES_THRESHOLD, answer.text)


def write_question(
    task: Task, draft: str, facts: str = "", as_said: str = "", apart: bool = False
) -> list[Message]:
    """As `judge.write_prompt`."""
    return write_judge_turn(task, draft, YES_NO, facts, "Yes or no:", as_said, apart)


def probability_of_yes(logprobs: Iterable[Mapping[str, Any]]) -> float:
    """Of the first token, in OpenAI's form: the share of yes in what yes and no have together.
    Raises Unreadable where it has neither, or is not in that form."""
    share = {"yes": 0.0, "no": 0.0}
    try:
        for each in next(iter(logprobs), {}).get("top_logprobs") or ():
            word = each["token"].strip().lower()
            if word in share:
                share[word] += exp(each["logprob"])
    except (KeyError, TypeError, AttributeError, OverflowError):
        raise Unreadable("the probabilities of the word are in no known form") from None
    both = sum(share.values())
    if not (both > 0 and isfinite(both)):
        raise Unreadable("neither yes nor no is among the likely words")
    return share["yes"] / both


def verdict_of(yes: float, least: float, said: str) -> Verdict:
    """In the verdict's form. From the `least` probability of yes on, the confidence is 8 to 10,
    below it 1 to 7; the conflict is what is left."""
    if yes >= least:
        above = (yes - least) / (1 - least) if least < 1 else 1.0
        confidence = LEAST_TO_PASS + round(above * (HIGHEST - LEAST_TO_PASS))
    else:
        confidence = LOWEST + int(yes / least * (LEAST_TO_PASS - LOWEST))
    wanted = f"at least {least:.2f} is wanted"
    summary = f"The judge gives it a probability of {yes:.2f} to be right; {wanted}."
    conflict = HIGHEST + LOWEST - confidence
    return Verdict(confidence, conflict, summary, said, p_correct=round(yes, 4))
