"""The reviewer: request, draft and what is wrong with it → better code."""

from pipeline.analysis.draft import Draft, read_draft
from pipeline.code_output import note_put_in
from pipeline.errors import ModelFailed
from pipeline.model import Message
from pipeline.model_request import ModelRequest
from pipeline.prompts import EARLIER_WORK, messages, sections, with_preferences
from pipeline.run import Run
from pipeline.task import Task

INSTRUCTIONS = """\
You are the reviewer of an automated pipeline. Your answer is saved to a file and run as it is.
Correct logic errors, then safety, then structure. Keep the author's intent, names and language; \
change nothing that is right.
Return ONLY the complete final code: no commentary, no Markdown fences, no diff.
If it cannot be put right because something is not known, put one comment line at the top that \
says what is missing: `# REVIEWER_NOTE: ...`, or the same in the language's own comment syntax."""


def write_prompt(task: Task, draft: str, reason: str) -> list[Message]:
    """The general prompt. `task.prompt` is "" when nothing but the code is known."""
    parts = [
        (EARLIER_WORK, task.context),
        ("User request", task.request),
        ("Draft", draft or ("(the draft is empty)" if task.prompt else "")),
        ("What was found wrong with the draft", reason),
    ]
    rules = with_preferences(INSTRUCTIONS, task.preferences)
    return messages(rules, f"{sections(parts)}\n\nThe complete final code:")


async def run_reviewer(run: Run, task: Task, draft: str, reason: str) -> Draft:
    """Reviews a draft. Raises ModelError or ContextTooLong; ModelFailed also for a review that is
    empty or was cut off, which is of no use to anybody."""
    answer = await run.ask(
        ModelRequest("reviewer", write_prompt, {"task": task, "draft": draft, "reason": reason})
    )
    review = read_draft(
        "reviewer",
        answer.text,
        task.prompt or draft,
        task.language,
        truncated=answer.truncated,
        complete=bool(task.prompt),
    )
    answer.used_as(review.text)
    note_put_in(answer, review)
    run.keep(reviewer_output=review.text)
    if not review.whole:
        raise ModelFailed(f"The reviewer's answer cannot be used: {review.fault}.")
    return review
