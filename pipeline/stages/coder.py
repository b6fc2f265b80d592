"""The coder: request → draft."""

from pipeline.draft import Draft, read_draft
from pipeline.errors import EmptyAnswer
from pipeline.models.base import Message
from pipeline.question import Question
from pipeline.run import Run
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
    system = INSTRUCTIONS
    if task.preferences:
        system += (
            f"\n\nThe user's preferences, as far as they fit the rules above:\n{task.preferences}"
        )
    request = task.request
    if task.context:
        request = (
            f"Earlier work that the request may refer to:\n\n{task.context}\n"
            f"User request:\n{task.request}"
        )
    return [{"role": "system", "content": system}, {"role": "user", "content": request}]


async def run_coder(
    run: Run, task: Task, max_tokens: int | None = None, temperature: float | None = None
) -> Draft:
    """Drafts the code. An empty or cut-off answer is a draft with that finding; what the backend
    did wrong is raised (ModelError, ContextTooLong)."""
    try:
        answer = await run.ask(
            Question(
                "coder",
                write_prompt,
                {"task": task},
                max_tokens=max_tokens,
                temperature=temperature,
            )
        )
    except EmptyAnswer:
        draft = read_draft("coder", "", task.prompt)
    else:
        draft = read_draft(
            "coder", answer.text, task.prompt, task.language, truncated=answer.truncated
        )
        answer.used_as(draft.text)
    run.note(coder_output=draft.text)
    run.add_evidence(draft.findings)
    return draft
