"""The coder: request → draft."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import replace
from functools import partial

from pipeline.analysis.draft import Draft, read_draft
from pipeline.code_output import ask_draft, ask_drafts
from pipeline.model import Message
from pipeline.model_request import ModelRequest
from pipeline.review.conversation import write_conversation
from pipeline.review.last_answer import in_its_language
from pipeline.review.last_definitions import completed
from pipeline.run import Run
from pipeline.sampling import GREEDY, VARIED, reasons
from pipeline.small_models import is_small
from pipeline.task import Task

# Tokens of a small model's draft: of 1,300 the longest that had not lost its way has 915.
MOST_OF_SMALL = 3072

Read = Callable[..., Draft]


def write_prompt(task: Task, wanted: str = "") -> list[Message]:
    """The general prompt, with which those of judge and reviewer begin. `wanted`: what else the
    code has to be, said behind the request."""
    return write_conversation(task, wanted=wanted)


def first_temperature(run: Run) -> float:
    """Of a first draft: the caller's, else greedy, and varied where the same was asked before."""
    if run.request.temperature is not None:
        return run.request.temperature
    return VARIED if run.repeated else GREEDY


async def run_coder(
    run: Run,
    task: Task,
    max_tokens: int | None = None,
    temperature: float = GREEDY,
    *,
    stop: tuple[str, ...] = (),
    round: int = 1,
    wanted: str = "",
    complete: bool = False,
    read: Read | None = None,
) -> Draft:
    """Drafts the code, greedily unless a temperature is given. An empty or cut-off answer is a
    draft with that finding; what the backend did wrong is raised (ModelError, ContextTooLong).
    `stop`: as in `Call`. `wanted`: what else is asked for. `complete`: missing imports
    are put in. `read`: for a coder that is read in another way."""
    question = ModelRequest(
        "coder",
        partial(write_prompt, wanted=wanted),
        {"task": task},
        round=round,
        max_tokens=max_tokens or _most_tokens(run),
        temperature=temperature,
        stop=stop,
    )
    draft = await ask_draft(run, question, read or _reader(task, complete))
    run.keep(coder_output=draft.text)
    return draft


async def redraw(
    run: Run,
    task: Task,
    first: int,
    n: int,
    wanted: str = "",
    *,
    turn: int = 0,
    max_tokens: int | None = None,
    begun: str = "",
    read: Read | None = None,
) -> AsyncGenerator[tuple[int, Draft]]:
    """`n` further drafts, varied, the `first` of them having that number; side by side where `n` is
    more than one. Each comes with its number when it is complete; who closes this ends the others.
    `wanted`, `read`: as above. `turn`: which of the coder's models writes it. `begun`: how
    they begin."""
    question = ModelRequest(
        "coder",
        partial(write_prompt, wanted=wanted),
        {"task": task},
        label="draft",
        round=first,
        max_tokens=max_tokens or _most_tokens(run),
        temperature=VARIED,
        turn=turn,
        begun=begun,
    )
    read = read or _reader(task, complete=True)
    if n == 1:
        yield first, await ask_draft(run, replace(question, label=f"draft {first}"), read)
        return
    async with aclosing(ask_drafts(run, question, read, n)) as drafts:
        async for numbered in drafts:
            yield numbered


def _most_tokens(run: Run) -> int | None:
    """Of a draft where nothing else is asked for; None: as many as any answer may have."""
    model = run.model_name("coder")
    if not is_small(model) or reasons(model):
        return None
    return min(MOST_OF_SMALL, run.settings.MAX_OUTPUT_TOKENS)


def _reader(task: Task, complete: bool) -> Read:
    read = partial(
        read_draft,
        "coder",
        request=task.prompt,
        language=task.language,
        complete=complete,
        context=task.context,
    )
    if not (complete and task.talk):
        return read

    def read_on(reply: str, *, truncated: bool = False) -> Draft:
        draft = in_its_language(read(reply, truncated=truncated), task.talk)
        return completed(draft, task.prompt, task.talk)

    return read_on
