"""The writer of one step of a plan: its code, and a summary of it in a call of its own."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from laios.types.decomposition import DecompositionOutput, DecompositionStep
from laios.types.final_result import StepResult
from laios.types.generation import DocumentationChunk
from pipeline.code_output import ask_code
from pipeline.errors import Unreadable
from pipeline.model import Message
from pipeline.model_request import ModelRequest
from pipeline.prompts import EARLIER_WORK, conversation, sections, with_preferences
from pipeline.rag.instructions import as_data
from pipeline.rag.query_task import QueryTask
from pipeline.rag.reply_reading import documentation_parts
from pipeline.reply_schema import INTEGER, listed, table, text
from pipeline.run import Run
from pipeline.strict_json import list_of, read_object, text_of
from pipeline.structured_output import ask_structured

SUMMARY_TOKENS = 512
MAX_UNDERSTANDING = 400

SUMMARY_SCHEMA = table(understanding=text(MAX_UNDERSTANDING), citations=listed(INTEGER, 8))

SUMMARY = """\
NOTE. Now describe that code for somebody who reads the program. Do not write code.
Answer with one JSON object and nothing else:
{"understanding": "<one sentence: what the code does>", "citations": [<the numbers of the \
documentation that it rests on>, ...]}"""


@dataclass(frozen=True, slots=True)
class StepBrief:
    """What the writer of a step is told: `before` are the steps that were written already, `chunks`
    the documentation of this one."""

    task: QueryTask
    plan: DecompositionOutput
    step: DecompositionStep
    before: tuple[StepResult, ...]
    instructions: str
    chunks: Sequence[DocumentationChunk] = ()


@dataclass(frozen=True, slots=True)
class StepSummary:
    understanding: str
    citations: tuple[int, ...]


def write_prompt(brief: StepBrief, *later: str, complaint: str = "") -> list[Message]:
    """What is the same in all steps stands first, and their code grows at its end: a backend reads
    of each step what is new. `later`: see `conversation`."""
    task, plan, step = brief.task, brief.plan, brief.step
    steps = "\n".join(f"{each.step_number}. {each.description}" for each in plan.steps)
    whole = [
        (EARLIER_WORK, task.context),
        ("The user's request", replace(task, data_files=()).request),
        ("What is understood of it", plan.understanding),
        ("The plan", steps),
        ("The code of the previous steps", program_of(brief)),
    ]
    parts = [
        sections(whole),
        as_data([("DATA FILES", task.files), *documentation_parts(brief.chunks)]),
        sections([("What was wrong with the last answer", complaint)]),
        f"The code of step {step.step_number} ({step.description}; {step.focus}):",
    ]
    rules = with_preferences(brief.instructions, task.preferences)
    return conversation(rules, "\n\n".join(filter(None, parts)), *later)


def program_of(brief: StepBrief) -> str:
    """The previous steps as the model is shown them."""
    return "\n\n".join("\n".join([*each.imports, each.code]).strip("\n") for each in brief.before)


async def write_step(run: Run, brief: StepBrief, read: Callable[[str], str], label: str) -> str:
    """The step's code, as `read` finds it. An answer that holds none is asked for once more; ""
    when there is none then either. Raises ModelError and ContextTooLong."""
    question = ModelRequest("coder", write_prompt, {"brief": brief}, label=label, general=True)
    return await ask_code(
        run,
        question,
        read,
        retries=1,
        cut_off="It was too long and was cut off.",
    )


def write_summary_prompt(brief: StepBrief, code: str) -> list[Message]:
    """A later turn of the talk in which the code was written."""
    return write_prompt(brief, code, f"{SUMMARY}\nThe note as JSON:")


async def describe_step(run: Run, brief: StepBrief, code: str, label: str) -> StepSummary | None:
    """What the step's code does and rests on; None where no model can say it. Never raises for what
    a model can do wrong."""
    question = ModelRequest(
        "explainer",
        write_summary_prompt,
        {"brief": brief, "code": code},
        label=label,
        max_tokens=SUMMARY_TOKENS,
        schema=SUMMARY_SCHEMA,
    )
    return (await ask_structured(run, question, read_summary)).value


def read_summary(reply: str) -> StepSummary:
    """Raises Unreadable."""
    value = read_object(reply)
    understanding = text_of(value, "understanding").strip()[:MAX_UNDERSTANDING]
    if not understanding:
        raise Unreadable("understanding is empty")
    numbers = list_of(value, "citations")
    if not all(type(number) is int for number in numbers):
        raise Unreadable("citations are not whole numbers")
    return StepSummary(understanding, tuple(numbers))
