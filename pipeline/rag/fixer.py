"""The fixer: repairs the errors of a program, and sums up the changes in a call of its own."""

from collections.abc import Sequence
from functools import partial

from laios.types.generation import DocumentationChunk
from laios.types.validation import ValidationError, ValidationFix
from pipeline.code_output import ask_code
from pipeline.errors import Unreadable
from pipeline.model import Message
from pipeline.model_request import ModelRequest
from pipeline.prompts import messages, sections
from pipeline.rag.instructions import VALIDATION, as_data
from pipeline.rag.program_checks import Checked
from pipeline.rag.reply_reading import documentation_parts, read_changed
from pipeline.reply_schema import INTEGER, listed, table, text
from pipeline.run import Run
from pipeline.strict_json import list_of, read_object
from pipeline.structured_output import ask_structured

SUMMARY_TOKENS = 768

SUMMARY_SCHEMA = table(
    changes_made=listed(table(error_type=text(60), fix=text(300), line=INTEGER), 20, 1)
)

SUMMARY = """\
You describe how another model put errors in a program right. You do not write code.
Answer with one JSON object and nothing else:
{"changes_made": [{"error_type": "<as it is listed>", "fix": "<one sentence: what was changed>", \
"line": <line in the fixed code>}, ...]}"""


def write_prompt(
    query: str, broken: Checked, chunks: Sequence[DocumentationChunk]
) -> list[Message]:
    parts = [
        ("The user's request", query),
        ("The code", broken.code),
        ("Fix the errors in the generated code. The errors", told_errors(broken.errors)),
    ]
    body = filter(None, [sections(parts), as_data(documentation_parts(chunks))])
    asked = "\n\n".join([*body, "The complete fixed code:"])
    return messages(VALIDATION, asked)


def told_errors(errors: Sequence[ValidationError]) -> str:
    return "\n".join(
        f"- {error}" + (f"\n    {error.context}" if error.context else "") for error in errors
    )


async def write_fix(
    run: Run,
    query: str,
    broken: Checked,
    chunks: Sequence[DocumentationChunk],
    language: str,
    round: int,
) -> str:
    """The fixed code; "" for an answer that holds none, or was cut off. Raises ModelError and
    ContextTooLong."""
    question = ModelRequest(
        "reviewer",
        write_prompt,
        {"query": query, "broken": broken, "chunks": chunks},
        label="fix",
        round=round,
        general=True,
    )
    read = partial(read_changed, language=language, before=broken.code)
    return await ask_code(run, question, read)


def write_summary_prompt(errors: Sequence[ValidationError], diff: str) -> list[Message]:
    material = as_data([("ERRORS", told_errors(errors)), ("CHANGE", diff)])
    return messages(SUMMARY, f"{material}\n\nThe note as JSON:")


async def describe_fix(
    run: Run, errors: Sequence[ValidationError], diff: str, round: int
) -> list[ValidationFix]:
    """What was changed for which error; from the errors themselves where no model can say it."""
    types = {error.type for error in errors}
    question = ModelRequest(
        "explainer",
        write_summary_prompt,
        {"errors": errors, "diff": diff},
        label="fix",
        round=round,
        max_tokens=SUMMARY_TOKENS,
        schema=SUMMARY_SCHEMA,
    )
    answer = await ask_structured(run, question, lambda reply: read_summary(reply, types))
    return answer.value or [
        ValidationFix(error_type=each.type, fix=f"Put right: {each.message}", line=each.line)
        for each in errors
    ]


def read_summary(reply: str, types: set[str]) -> list[ValidationFix]:
    """The changes that are about a listed error; the others are passed over. Raises Unreadable
    where none is."""
    changes: list[ValidationFix] = []
    for item in list_of(read_object(reply), "changes_made"):
        try:
            change = ValidationFix.from_dict(item)
        except TypeError as error:
            raise Unreadable(str(error)) from None
        if change.error_type in types:
            changes.append(change)
    if not changes:
        raise Unreadable("no change is about an error that was listed")
    return changes
