"""The coder: request → draft."""

from functools import partial

from pipeline.analysis.draft import Draft, read_draft
from pipeline.code_output import ask_draft
from pipeline.model import Message
from pipeline.model_request import ModelRequest
from pipeline.prompts import EARLIER_WORK, messages, with_preferences
from pipeline.run import Run
from pipeline.sampling import GREEDY
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
    round: int = 1,
    complete: bool = False,
) -> Draft:
    """Drafts the code, greedily unless a temperature is given. An empty or cut-off answer is a
    draft with that finding; what the backend did wrong is raised (ModelError, ContextTooLong).
    `complete`: missing imports of the standard library are put in."""
    question = ModelRequest(
        "coder",
        write_prompt,
        {"task": task},
        label=f"draft {round}" if round > 1 else "",
        round=round,
        max_tokens=max_tokens,
        temperature=GREEDY if temperature is None else temperature,
    )
    read = partial(
        read_draft, "coder", request=task.prompt, language=task.language, complete=complete
    )
    draft = await ask_draft(run, question, read)
    run.keep(coder_output=draft.text)
    return draft
