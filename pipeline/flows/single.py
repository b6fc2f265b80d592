"""One stage alone: the coder without judge, or the reviewer over the caller's code."""

from dataclasses import replace

from pipeline.errors import ModelFailed
from pipeline.flows.reviewed import accept, accept_review
from pipeline.modes import mode
from pipeline.run import Run
from pipeline.stages.coder import run_coder
from pipeline.stages.reviewer import run_reviewer
from pipeline.task import Result, Task


@mode(
    "code_raw",
    words=("raw",),
    help="The coder's answer, not judged.",
    takes_history=True,
    verbatim=True,
)
async def code_raw(run: Run, task: Task) -> Result:
    asked = run.request
    draft = await run_coder(run, task, asked.max_tokens, asked.temperature)
    if not draft.whole:
        raise ModelFailed(
            f"The coder's answer cannot be used ({draft.fault}). What there is stands in the "
            "history. Ask for less at once, or raise MAX_OUTPUT_TOKENS."
        )
    return accept(run, draft)


@mode(
    "review_only",
    words=("review-only",),
    help="Review the code that the prompt is.",
    roles=("reviewer",),
)
async def review_only(run: Run, task: Task) -> Result:
    nothing_asked = replace(task, prompt="")
    review = await run_reviewer(run, nothing_asked, draft=task.prompt, reason="")
    return accept_review(run, review)
