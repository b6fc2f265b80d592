"""The modifier: plans a change of given code, writes the changed code, and sums up the change."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from laios.markdown_text import fenced
from laios.types.generation import DocumentationChunk
from laios.types.refinement import ModificationDecompositionOutput
from laios.types.schema import Schema
from pipeline.code_output import ask_code
from pipeline.errors import Unreadable
from pipeline.model import Message
from pipeline.model_request import ModelRequest
from pipeline.prompts import (
    after_earlier_work,
    conversation,
    messages,
    sections,
    with_preferences,
)
from pipeline.rag.answer_fields import CONFIDENCE, Fields
from pipeline.rag.instructions import as_data
from pipeline.rag.query_task import QueryTask
from pipeline.rag.reply_reading import (
    check_steps,
    documentation_parts,
    read_changed,
    read_schema,
)
from pipeline.reply_schema import BOOLEAN, INTEGER, listed, one_of, table, text
from pipeline.review.conversation import coder_rules
from pipeline.run import Run
from pipeline.sampling import VARIED
from pipeline.structured_output import ask_structured, required

MOST_STEPS = 8
PLAN_TOKENS = 2048
SUMMARY_TOKENS = 2048

PLAN_SCHEMA = table(
    understanding=text(400),
    modification_steps=listed(
        table(
            step_number=INTEGER,
            description=text(400),
            requires_retrieval=BOOLEAN,
            targets=listed(text(100), 12),
        ),
        MOST_STEPS,
        1,
    ),
    preserved_elements=listed(text(200), 20),
)

PLAN = f"""\
You plan how given code is to be changed. Another call changes it. You do not write code.
Answer with one JSON object and nothing else:
{{"understanding": "<what the user wants to be changed>", "modification_steps": [
  {{"step_number": 1, "description": "<one change>", "requires_retrieval": true | false, \
"targets": ["<name in the code that the change is about, or a new name>", ...]}}, ...],
 "preserved_elements": ["<name or kind of name that must stay>", ...]}}
One to {MOST_STEPS} steps, numbered from 1, and none that the user does not ask for.
requires_retrieval: whether the library's documentation has to be looked up for it."""

WRITER = """\
You change given code in an automated pipeline. Your answer is saved to a file and run as it is.
Carry out the plan and nothing beyond it. Every line that the plan does not concern stays as it \
is, comments and blank lines too; names, structure and style stay.
Return ONLY the complete changed code: no commentary, no Markdown fences, no diff, no JSON."""

SUMMARY_SCHEMA = table(
    modifications=listed(
        table(
            step_number=INTEGER,
            modification=text(120),
            explanation=text(400),
            variable_affected=text(100),
        ),
        MOST_STEPS,
        1,
    ),
    diff_summary=text(300),
    sources=listed(table(number=INTEGER, reason=text(200)), 8),
    confidence=one_of(CONFIDENCE),
)

SUMMARY = """\
NOTE. Now describe how the code was changed. Do not write code.
Answer with one JSON object and nothing else:
{"modifications": [{"step_number": <a step of the plan>, "modification": "<in three words>", \
"explanation": "<how, and why>", "variable_affected": "<name>"}, ...], "diff_summary": "<one \
sentence>", "sources": [{"number": <number of a piece of documentation>, "reason": "<what it was \
used for>"}, ...], "confidence": "high" | "medium" | "low"}"""


class Described(Schema):
    """One change, without its code: that is taken from the code."""

    step_number: int
    modification: str
    explanation: str
    variable_affected: str = ""


class ChangeSummary(Fields):
    modifications: list[Described]
    diff_summary: str


@dataclass(frozen=True, slots=True)
class ChangeBrief:
    """What the writer of a change is told; without a plan as the default mode's coder."""

    task: QueryTask
    plan: ModificationDecompositionOutput | None
    chunks: Sequence[DocumentationChunk]


def write_plan_prompt(task: QueryTask) -> list[Message]:
    material = as_data([("WISH", task.prompt), ("CODE", task.code)], task.context)
    return messages(PLAN, f"{material}\n\nThe plan as JSON:")


async def plan_changes(run: Run, task: QueryTask) -> ModificationDecompositionOutput:
    """Raises what the backend raised, and ModelFailed for an answer that is no plan the second time
    either."""
    question = ModelRequest(
        "planner",
        write_plan_prompt,
        {"task": task},
        label="changes",
        max_tokens=PLAN_TOKENS,
        schema=PLAN_SCHEMA,
    )
    return required(await ask_structured(run, question, read_plan), "plan of the change")


def read_plan(reply: str) -> ModificationDecompositionOutput:
    """Raises Unreadable."""
    plan = read_schema(ModificationDecompositionOutput, reply)
    steps = [(step.step_number, step.description) for step in plan.modification_steps]
    check_steps(steps, 1, MOST_STEPS)
    return plan


def outline(plan: ModificationDecompositionOutput) -> str:
    steps = [f"{step.step_number}. {step.description}" for step in plan.modification_steps]
    kept = ", ".join(plan.preserved_elements)
    return "\n".join([*steps, f"To be preserved: {kept}" if kept else ""]).strip()


def write_prompt(brief: ChangeBrief, *later: str, complaint: str = "") -> list[Message]:
    """`later`: see `conversation`."""
    task, documentation = brief.task, as_data(documentation_parts(brief.chunks))
    if brief.plan is None:
        wish = f"Change this code so that it does the following: {task.prompt}"
        wrong = sections([("What was wrong with the last answer", complaint)])
        told = [wish, fenced(task.code, task.language), documentation, wrong]
        asked = after_earlier_work(task.context, "\n\n".join(filter(None, told)))
        return conversation(with_preferences(coder_rules(task), task.preferences), asked, *later)
    whole = [
        ("The user's wish", task.prompt),
        ("The plan", outline(brief.plan)),
        ("The code", task.code),
        ("What was wrong with the last answer", complaint),
    ]
    parts = [sections(whole), documentation, "The complete changed code:"]
    rules = with_preferences(WRITER, task.preferences)
    return conversation(rules, "\n\n".join(filter(None, parts)), *later)


def change_request(brief: ChangeBrief) -> ModelRequest:
    return ModelRequest("coder", write_prompt, {"brief": brief}, label="changes", general=True)


async def write_changes(run: Run, brief: ChangeBrief, language: str) -> str:
    """The changed code. An answer without any, or one that was cut off, is asked for once more, and
    code that came back as it was is drawn anew; "" where there is none. Raises ModelError and
    ContextTooLong."""
    question, before = change_request(brief), brief.task.code
    read = partial(read_changed, language=language, before=before)
    code = await ask_code(run, question, read, retries=1)
    if code.strip() != before.strip():
        return code
    return await ask_code(run, drawn_anew(question, 2), read) or code


def drawn_anew(question: ModelRequest, number: int) -> ModelRequest:
    """`number`: of the draft."""
    return replace(question, temperature=VARIED, label="changes, drawn anew", round=number)


def write_summary_prompt(brief: ChangeBrief, code: str, diff: str) -> list[Message]:
    """A later turn of the talk in which `code`, the changed code, was written. `diff`: the change
    as it is now, after what was put right."""
    asked = f"{SUMMARY}\n{as_data([('CHANGE', diff)])}\n\nThe note as JSON:"
    return write_prompt(brief, code, asked)


async def describe_changes(
    run: Run, brief: ChangeBrief, code: str, diff: str
) -> ChangeSummary | None:
    """What was changed and why; None where no model can say it."""
    question = ModelRequest(
        "explainer",
        write_summary_prompt,
        {"brief": brief, "code": code, "diff": diff},
        label="changes",
        max_tokens=SUMMARY_TOKENS,
        schema=SUMMARY_SCHEMA,
    )
    plan = brief.plan
    steps = {step.step_number for step in plan.modification_steps} if plan else None
    return (await ask_structured(run, question, lambda reply: read_summary(reply, steps))).value


def read_summary(reply: str, steps: set[int] | None) -> ChangeSummary:
    """Raises Unreadable, also for a change that is of no step of the plan. Without a plan all are
    of the first."""
    summary = read_schema(ChangeSummary, reply)
    if not summary.modifications:
        raise Unreadable("there are no modifications")
    if steps is None:
        changes = [each.model_copy(update={"step_number": 1}) for each in summary.modifications]
        return summary.model_copy(update={"modifications": changes})
    if not all(each.step_number in steps for each in summary.modifications):
        raise Unreadable("a modification is of no step of the plan")
    return summary
