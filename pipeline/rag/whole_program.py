"""All steps of a plan in one answer, for small models: step by step they lose the thread, and write
what is there already once more (docs/quality.md). A comment before each step's part says whose it
is."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from laios.types.decomposition import DecompositionOutput
from laios.types.generation import DocumentationChunk
from laios.types.schema import Instructions
from pipeline.code_output import ask_code
from pipeline.model import Message
from pipeline.model_request import ModelRequest
from pipeline.prompts import EARLIER_WORK, conversation, sections, with_preferences
from pipeline.rag.instructions import as_data, told
from pipeline.rag.query_task import QueryTask
from pipeline.rag.reply_reading import documentation_parts, read_code
from pipeline.run import Run

# In the first column: a comment inside a function is no place to cut.
_STEP = re.compile(r"^(?:#|//) ?step (\d{1,2})\b.*$", re.IGNORECASE | re.MULTILINE)
_WORD = re.compile(r"\w+")


def write_prompt(
    task: QueryTask,
    plan: DecompositionOutput,
    chunks: Sequence[DocumentationChunk],
    instructions: Instructions,
    *later: str,
    complaint: str = "",
) -> list[Message]:
    """`later`: see `conversation`."""
    steps = "\n".join(f"{each.step_number}. {each.description}" for each in plan.steps)
    files = [("DATA FILES", task.files)] if task.data_files else []
    whole = [
        (EARLIER_WORK, task.context),
        ("The plan, an outline; where it says something else, the request holds", steps),
        ("The user's request", replace(task, data_files=()).request),
        ("What was wrong with the last answer", complaint),
    ]
    parts = [sections(whole), as_data([*files, *documentation_parts(chunks)]), "The whole program:"]
    rules = with_preferences(told(instructions), task.preferences)
    return conversation(rules, "\n\n".join(filter(None, parts)), *later)


async def write_program(
    run: Run,
    task: QueryTask,
    plan: DecompositionOutput,
    chunks: Sequence[DocumentationChunk],
    instructions: Instructions,
    language: str,
) -> str:
    """The program. An answer that holds none, or was cut off, is asked for once more; "" where that
    is no better. Raises ModelError and ContextTooLong."""
    question = ModelRequest(
        "coder",
        write_prompt,
        {"task": task, "plan": plan, "chunks": chunks, "instructions": instructions},
        label="program",
        general=True,
    )
    return await ask_code(run, question, partial(read_code, language=language), retries=1)


def code_of_steps(program: str, steps: int) -> list[str]:
    """The program cut before the comments that begin a step: as many parts as there are steps, ""
    for one that has none. What stands before the first is the first one's, and so is all of a
    program without such comments."""
    parts = [""] * steps
    at, owner = 0, 0
    for found in _STEP.finditer(program):
        number = int(found[1])
        if owner < number <= steps:
            parts[max(0, owner - 1)] += program[at : found.start()]
            at, owner = found.start(), number
    parts[max(0, owner - 1)] += program[at:]
    return parts


def named_chunks(code: str, chunks: Iterable[DocumentationChunk]) -> tuple[int, ...]:
    """The numbers of those whose title ends with a name that the code has."""
    words = set(_WORD.findall(code))
    return tuple(each.index for each in chunks if (each.title or "").split(".")[-1] in words)
