"""Code from a model: ask → read → where that is no code, ask again and say why."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from pipeline.analysis.draft import Draft
from pipeline.errors import EmptyAnswer
from pipeline.model_answer import Answer
from pipeline.model_request import ModelRequest
from pipeline.run import Run


async def ask_draft(run: Run, question: ModelRequest, read: Callable[..., Draft]) -> Draft:
    """The code of one answer with the facts against it, as `read(reply, truncated=…)` finds them.
    An empty or cut-off answer is a draft with that finding; what the backend did wrong is raised
    (ModelError, ContextTooLong)."""
    try:
        answer = await run.ask(question)
    except EmptyAnswer:
        return read("", truncated=False)
    return _read_answer(answer, read)


async def ask_drafts(
    run: Run, question: ModelRequest, read: Callable[..., Draft], n: int
) -> list[Draft]:
    """`n` drafts for one prompt, written side by side; as `ask_draft`, see `Run.ask_several`."""
    return [_read_answer(answer, read) for answer in await run.ask_several(question, n)]


def _read_answer(answer: Answer, read: Callable[..., Draft]) -> Draft:
    draft = read(answer.text, truncated=answer.truncated)
    answer.used_as(draft.text)
    note_put_in(answer, draft)
    return draft


def note_put_in(answer: Answer, draft: Draft) -> None:
    """The record says what a rule put into the model's code."""
    if draft.put_in:
        answer.step.note = f"missing imports put in: {'; '.join(draft.put_in)}"


async def ask_code(
    run: Run,
    question: ModelRequest,
    read: Callable[[str], str],
    *,
    retries: int,
    cut_off: str = "It was cut off.",
) -> str:
    """The code of the first answer that holds some and was not cut off; "" where none does. The
    question's writer is given what was wrong as `complaint`, in the words `cut_off` for an answer
    that was. Raises ModelError and ContextTooLong."""
    asked = question
    for round in range(1, retries + 2):
        try:
            answer = await run.ask(replace(asked, round=round))
        except EmptyAnswer:
            complaint = "It was empty."
        else:
            code = read(answer.text)
            answer.used_as(code)
            if code and not answer.truncated:
                return code
            complaint = cut_off if code else "There was no code in it."
            answer.step.error = {"code": "unreadable", "message": complaint}
        asked = replace(question, write=partial(question.write, complaint=complaint))
    return ""
