"""A verdict in one word: yes or no, weighed by the probabilities that the judge gives them.

A small judge's scores say nothing (AUROC 0.50 of 208 drafts, docs/studies.md) and cost some sixty
tokens; the probability of its yes costs one and says more.
"""

from collections.abc import Iterable, Mapping
from functools import partial
from math import exp
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
LEAST_SCORE_OF_YES = 8  # the usual ESCALATION_CONFIDENCE_THRESHOLD


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
        verdict = verdict_of(probability_of_yes(answer.logprobs), answer.text)
    except Unreadable as error:
        answer.unusable(str(error))
        return None
    answer.step.finish_reason = "stop"  # more than the word was not wanted
    return verdict


def write_question(
    task: Task, draft: str, facts: str = "", as_said: str = "", apart: bool = False
) -> list[Message]:
    """As `judge.write_prompt`."""
    return write_judge_turn(task, draft, YES_NO, facts, "Yes or no:", as_said, apart)


def probability_of_yes(logprobs: Iterable[Mapping[str, Any]]) -> float:
    """Of the first token, in OpenAI's form: the share of yes in what yes and no have together.
    Raises Unreadable where it has neither."""
    first = next(iter(logprobs), {})
    share = {"yes": 0.0, "no": 0.0}
    for each in first.get("top_logprobs") or ():
        word = each["token"].strip().lower()
        if word in share:
            share[word] += exp(each["logprob"])
    if not any(share.values()):
        raise Unreadable("neither yes nor no is among the likely words")
    return share["yes"] / sum(share.values())


def verdict_of(yes: float, said: str) -> Verdict:
    """In the verdict's form: a yes has a confidence of 8 to 10, a no of 1 to 7, and the conflict is
    what is left."""
    if yes >= 0.5:
        confidence = min(HIGHEST, LEAST_SCORE_OF_YES + int((2 * yes - 1) * 3))
    else:
        confidence = LOWEST + int(2 * yes * (LEAST_SCORE_OF_YES - LOWEST))
    word = "yes" if yes >= 0.5 else "no"
    summary = f"Asked whether it does what the request asks: {word} (yes with {yes:.2f})"
    conflict = HIGHEST + LOWEST - confidence
    return Verdict(confidence, conflict, summary, said, p_correct=round(yes, 4))
