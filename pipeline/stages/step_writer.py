"""The writer of one step of a plan: raw code, and a small note on it in a call of its own."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from pipeline.errors import EmptyAnswer, Unreadable
from pipeline.models.base import Message
from pipeline.queries.generation import DocumentationChunk, GenerationInput
from pipeline.queries.instructions import DATA, told
from pipeline.queries.json_schema import INTEGER, listed, table, text
from pipeline.queries.reading import documentation_parts, glances, read_code
from pipeline.queries.task import QueryTask
from pipeline.question import Question
from pipeline.run import Run
from pipeline.stages.judge import marked
from pipeline.strict_json import list_of, read_object, text_of
from pipeline.structured import ask_structured

NOTE_TOKENS = 512
MAX_UNDERSTANDING = 400

NOTE_SCHEMA = table(understanding=text(MAX_UNDERSTANDING), citations=listed(INTEGER, 8))

NOTE = """\
You describe code that another model wrote for one step of a plan. You do not write code.
Answer with one JSON object and nothing else:
{"understanding": "<one sentence: what the code does>", "citations": [<the numbers of the \
documentation that it rests on>, ...]}"""


@dataclass(frozen=True, slots=True)
class Note:
    understanding: str
    citations: tuple[int, ...]


def write_prompt(given: GenerationInput, task: QueryTask, complaint: str) -> list[Message]:
    files = [("DATA FILES", task.files)] if task.data_files else []
    mark, material = marked([*files, *documentation_parts(given.documentation)])
    plan, step = given.overall_plan, given.current_step
    steps = "\n".join(
        f"{each.step_number}. [{each.status}] {each.description}" for each in plan.steps
    )
    parts = [
        ("Earlier work that the request may refer to", task.context),
        ("The user's request", replace(task, data_files=()).request),
        ("What is understood of it", given.overall_understanding),
        (f"The plan, of which step {plan.current_step_number} is to be written", steps),
        ("The code of the previous steps", program_of(given)),
        ("What was wrong with the last answer", complaint),
    ]
    system = told(given.instructions)
    if task.preferences:
        system += (
            f"\nThe user's preferences, as far as they fit the rules above:\n{task.preferences}"
        )
    body = "\n\n".join(f"{title}:\n{said}" for title, said in parts if said)
    if material:
        system += f"\n{DATA.format(mark=mark)}"
        body += f"\n\n{material}"
    ask = f"The code of step {step.step_number} ({step.description}; {step.focus}):"
    return [
        {"role": "system", "content": system},
        {"role": "user", "content": f"{body}\n\n{ask}"},
    ]


def program_of(given: GenerationInput) -> str:
    """The previous steps as the model is shown them."""
    return "\n\n".join(
        "\n".join([*each.imports, each.code]).strip("\n") for each in given.previous_steps
    )


async def write_step(
    run: Run, given: GenerationInput, task: QueryTask, language: str, label: str
) -> str:
    """The step's code. An answer that holds none is asked for once more; "" when there is none
    then either. Raises ModelError and ContextTooLong."""
    complaint = ""
    for round in (1, 2):
        question = Question(
            "coder",
            partial(write_prompt, task=task, complaint=complaint),
            {"given": given},
            label=label,
            round=round,
            general=True,
        )
        try:
            answer = await run.ask(question)
        except EmptyAnswer:
            complaint = "It was empty."
            continue
        code = read_code(answer.text, language)
        answer.used_as(code)
        if code and not answer.truncated:
            return code
        complaint = "It was too long and was cut off." if code else "There was no code in it."
        answer.step.error = {"code": "unreadable", "message": complaint}
    return ""


def write_note_prompt(
    code: str, description: str, chunks: Sequence[DocumentationChunk]
) -> list[Message]:
    mark, material = marked(
        [("STEP", description), ("CODE", code), *documentation_parts(glances(chunks))]
    )
    return [
        {"role": "system", "content": f"{NOTE}\n{DATA.format(mark=mark)}"},
        {"role": "user", "content": f"{material}\n\nThe note as JSON:"},
    ]


async def describe_step(
    run: Run, code: str, description: str, chunks: Sequence[DocumentationChunk], label: str
) -> Note | None:
    """What the code does and rests on; None where no model can say it. Never raises for what a
    model can do wrong."""
    question = Question(
        "explainer",
        write_note_prompt,
        {"code": code, "description": description, "chunks": chunks},
        label=label,
        max_tokens=NOTE_TOKENS,
        schema=NOTE_SCHEMA,
    )
    return (await ask_structured(run, question, read_note)).value


def read_note(reply: str) -> Note:
    """Raises Unreadable."""
    value = read_object(reply)
    understanding = text_of(value, "understanding").strip()[:MAX_UNDERSTANDING]
    if not understanding:
        raise Unreadable("understanding is empty")
    return Note(understanding, read_numbers(value))


def read_numbers(value: dict[str, object]) -> tuple[int, ...]:
    """The citations of a note. Raises Unreadable for what are no whole numbers."""
    numbers = list_of(value, "citations")
    if not all(type(number) is int for number in numbers):
        raise Unreadable("citations are not whole numbers")
    return tuple(numbers)
