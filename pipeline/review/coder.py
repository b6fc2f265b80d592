"""The coder: request → draft."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from pipeline.analysis.draft import Draft, read_draft
from pipeline.code_output import ask_draft, ask_drafts
from pipeline.model import Message
from pipeline.model_request import ModelRequest
from pipeline.prompts import EARLIER_WORK, messages, with_preferences
from pipeline.run import Run
from pipeline.sampling import GREEDY, VARIED
from pipeline.task import Task

INSTRUCTIONS = """\
You are the coder of an automated pipeline. Your answer is saved to a file and run as it is.
Output ONLY runnable code: no explanations, no greeting, no Markdown fences.
Write complete code: every import and every definition that it needs, no placeholders.
Do what the request asks and nothing beyond it. If it names a function, class, file or language, \
use exactly that; if it names no language, write Python.
Say what has to be said to the reader in short comments inside the code."""


def write_prompt(task: Task) -> list[Message]:
    """The general prompt; earlier work goes before the request."""
    request = task.request
    if task.context:
        request = f"{EARLIER_WORK}:\n\n{task.context}\nUser request:\n{request}"
    return messages(with_preferences(INSTRUCTIONS, task.preferences), request)


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


async def redraw(run: Run, task: Task, first: int, n: int) -> list[Draft]:
    """`n` further drafts, varied, the `first` of them having that number; side by side where `n` is
    more than one."""
    question = ModelRequest(
        "coder",
        write_prompt,
        {"task": task},
        label="draft",
        round=first,
        temperature=VARIED,
    )
    read = _reader(task, complete=True)
    if n > 1:
        return await ask_drafts(run, question, read, n)
    return [await ask_draft(run, replace(question, label=f"draft {first}"), read)]


def _reader(task: Task, complete: bool) -> Callable[..., Draft]:
    return partial(
        read_draft, "coder", request=task.prompt, language=task.language, complete=complete
    )
