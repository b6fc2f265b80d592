"""The coder: request → draft."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from pipeline.analysis.draft import Draft, read_draft
from pipeline.code_output import ask_draft, ask_drafts
from pipeline.model import Message
from pipeline.model_request import ModelRequest
from pipeline.review.conversation import write_conversation
from pipeline.run import Run
from pipeline.sampling import GREEDY, VARIED
from pipeline.task import Task


def write_prompt(task: Task, plan: str = "") -> list[Message]:
    """The general prompt, with which those of judge and reviewer begin. `plan`: the way to take."""
    messages = write_conversation(task)
    if plan:
        messages[-1]["content"] += f"\n\nDo it this way: {plan}"
    return messages


async def run_coder(
    run: Run,
    task: Task,
    max_tokens: int | None = None,
    temperature: float | None = None,
    *,
    complete: bool = False,
) -> Draft:
    """Drafts the code, greedily unless a temperature is given. An empty or cut-off answer is a
    draft with that finding; what the backend did wrong is raised (ModelError, ContextTooLong).
    `complete`: missing imports of the standard library are put in."""
    question = ModelRequest(
        "coder",
        write_prompt,
        {"task": task},
        max_tokens=max_tokens,
        temperature=GREEDY if temperature is None else temperature,
    )
    draft = await ask_draft(run, question, _reader(task, complete))
    run.keep(coder_output=draft.text)
    return draft


async def redraw(
    run: Run, task: Task, first: int, n: int, plan: str = "", turn: int = 0
) -> list[Draft]:
    """`n` further drafts, varied, the `first` of them having that number; side by side where `n` is
    more than one. `plan`: the way to take. `turn`: which of the coder's models writes it."""
    question = ModelRequest(
        "coder",
        partial(write_prompt, plan=plan) if plan else write_prompt,
        {"task": task},
        label="draft",
        round=first,
        temperature=VARIED,
        turn=turn,
    )
    read = _reader(task, complete=True)
    if n > 1:
        return await ask_drafts(run, question, read, n)
    return [await ask_draft(run, replace(question, label=f"draft {first}"), read)]


def _reader(task: Task, complete: bool) -> Callable[..., Draft]:
    return partial(
        read_draft, "coder", request=task.prompt, language=task.language, complete=complete
    )
