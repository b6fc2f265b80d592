"""Code from a model: ask → read → where that is no code, ask again and say why.

Replies are read beside the event loop: a hostile one takes its time, and one in most languages
waits for the process that parses it.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import replace
from functools import partial

from pipeline.analysis.draft import Draft
from pipeline.errors import EmptyAnswer
from pipeline.model_answer import Answer
from pipeline.model_request import ModelRequest
from pipeline.run import Run

CUT_OFF = "It was cut off."


async def ask_draft(run: Run, question: ModelRequest, read: Callable[..., Draft]) -> Draft:
    """The code of one answer with the facts against it, as `read(reply, truncated=…)` finds them.
    An empty or cut-off answer is a draft with that finding; what the backend did wrong is raised
    (ModelError, ContextTooLong)."""
    try:
        answer = await run.ask(question)
    except EmptyAnswer:
        return await asyncio.to_thread(read, "", truncated=False)
    return await draft_of(answer, read)


async def ask_drafts(
    run: Run, question: ModelRequest, read: Callable[..., Draft], n: int
) -> AsyncGenerator[tuple[int, Draft]]:
    """`n` drafts for one prompt, written side by side, each with its round as soon as it is there;
    as `ask_draft`, see `Run.ask_several`."""
    async with aclosing(run.ask_several(question, n)) as answers:
        async for answer in answers:
            yield answer.step.round, await draft_of(answer, read)


async def draft_of(answer: Answer, read: Callable[..., Draft]) -> Draft:
    """The code of an answer; the record says what a rule put into it."""
    draft = await asyncio.to_thread(read, answer.text, truncated=answer.truncated)
    answer.used_as(draft.text, draft.put_in, draft.mended)
    return draft


async def ask_code(
    run: Run,
    question: ModelRequest,
    read: Callable[[str], str],
    *,
    retries: int = 0,
    cut_off: str = CUT_OFF,
) -> str:
    """The code of the first answer that holds some and was not cut off; "" where none does. With
    `retries` the question's writer is given what was wrong as `complaint`, in the words `cut_off`
    for an answer that was. Raises ModelError and ContextTooLong."""
    asked = question
    for round in range(question.round, question.round + retries + 1):
        try:
            code, complaint = await ask_code_once(run, replace(asked, round=round), read, cut_off)
        except EmptyAnswer:
            code, complaint = "", "It was empty."
        if code:
            return code
        asked = replace(question, write=partial(question.write, complaint=complaint))
    return ""


async def ask_code_once(
    run: Run, question: ModelRequest, read: Callable[[str], str], cut_off: str = CUT_OFF
) -> tuple[str, str]:
    """The code of one answer; or "" and why it cannot be used, which its step says too, with the
    reply. Raises ModelError (EmptyAnswer for one without any text) and ContextTooLong."""
    answer = await run.ask(question)
    code = await asyncio.to_thread(read, answer.text)
    if code and not answer.truncated:
        answer.used_as(code)
        return code, ""
    fault = cut_off if code else "There was no code in it."
    answer.unusable(fault)
    return "", fault
