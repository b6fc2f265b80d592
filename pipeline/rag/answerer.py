"""The answerer: a question and documentation → an answer as text with `[N]` marks; and what belongs
to it besides, in a call of its own."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from laios.types.generation import DocumentationChunk
from pipeline.analysis.code_extraction import drop_thinking
from pipeline.code_output import ask_code_once
from pipeline.errors import ModelFailed, Unreadable
from pipeline.model import Message
from pipeline.model_answer import Answer
from pipeline.model_request import ModelRequest
from pipeline.prompts import conversation, messages, sections, with_preferences
from pipeline.rag.answer_fields import FORMS, Fields
from pipeline.rag.instructions import as_data
from pipeline.rag.query_task import QueryTask
from pipeline.rag.registration import EXPLAINER
from pipeline.rag.reply_reading import documentation_parts, read_code, read_schema
from pipeline.run import Run
from pipeline.sampling import GREEDY
from pipeline.structured_output import ask_structured

FIELDS_TOKENS = 3072

_KINDS = {
    "api": "Say what to use for it, and what that does, takes and returns. Then show it in one "
    "short fenced code block that does what is asked, complete with its imports.",
    "explanation": "Explain how it works and why, from the general to the particular.",
    "data_to_code": "The code has been written already. Explain what the data is, and how the code "
    "works with it. Do not repeat the code.",
    "code_to_data": "Say which data the code needs: format, content, size. Name a file only if it "
    "is listed as a known data file, and no addresses at all.",
    "enrich": "Explain what the given code does, part by part, and what it is for. Do not repeat "
    "the code, and do not change it.",
}

INSTRUCTIONS = """\
You answer a question for a programmer. Answer in plain prose, precisely and without a greeting.
{kind}"""

CITE = """\
Behind each statement that rests on the documentation stands its number as [N]. Use no number \
that is not there, and say nothing of the library that the documentation contradicts."""
ALONE = "There is no documentation. Use no marks such as [1], and say where you are not sure."

CODER = """\
You write {language} code for a programmer who has data and asks what to do with it. Output ONLY \
code for the most common technique, complete with its imports: no explanations, no Markdown \
fences, no JSON. Open the data by the names that are given. Take names and calls from the \
documentation where it has them."""

FIELDS = """\
FIELDS. Now describe that answer. Add nothing that neither the answer nor the documentation says, \
and write no code.
Answer with one JSON object and nothing else:
{{{says}, "sources": [{{"number": <number of a piece of documentation>, "reason": "<what it is \
cited for>"}}, ...], "confidence": "high" | "medium" | "low"}}
confidence: how far the documentation bears the answer out."""


@dataclass(frozen=True, slots=True)
class Brief:
    """What an answerer is told. `files`: data files that are known, as text."""

    task: QueryTask
    kind: str
    chunks: Sequence[DocumentationChunk]
    code: str = ""
    files: str = ""


def _body(brief: Brief) -> str:
    task = brief.task
    material = as_data(
        [
            *documentation_parts(brief.chunks),
            ("KNOWN DATA FILES", brief.files),
            ("THE USER'S DATA", task.files),
        ],
        task.context,
    )
    asked = sections([("Question", task.prompt), ("The code", brief.code)])
    return "\n\n".join(filter(None, (asked, material)))


def write_prompt(brief: Brief, *later: str) -> list[Message]:
    """`later`: see `conversation`."""
    system = INSTRUCTIONS.format(kind=_KINDS[brief.kind])
    system += f"\n{CITE if brief.chunks else ALONE}"
    rules = with_preferences(system, brief.task.preferences)
    return conversation(rules, f"{_body(brief)}\n\nThe answer:", *later)


async def write_answer(
    run: Run,
    brief: Brief,
    *,
    round: int = 1,
    temperature: float = GREEDY,
    max_tokens: int | None = None,
) -> tuple[str, Answer]:
    """The text without the thinking before it, and the answer that it is of. Raises ModelError and
    ContextTooLong; ModelFailed also for an answer that was cut off."""
    question = ModelRequest(
        EXPLAINER,
        write_prompt,
        {"brief": brief},
        label=brief.kind,
        round=round,
        max_tokens=max_tokens,
        temperature=temperature,
        general=True,
    )
    answer = await run.ask(question)
    text = drop_thinking(answer.text).strip()
    if answer.truncated or not text:
        fault = "It was cut off." if answer.truncated else "There was no text in it."
        answer.unusable(fault)
        raise ModelFailed(
            f"The answer cannot be used. {fault} What there is stands in the history. "
            f"{answer.step.advice}"
        )
    answer.used_as(text)
    return text, answer


def write_code_prompt(brief: Brief, language: str) -> list[Message]:
    rules = with_preferences(CODER.format(language=language), brief.task.preferences)
    return messages(rules, f"{_body(brief)}\n\nThe code:")


async def write_code(run: Run, brief: Brief, language: str) -> str:
    """Code for the user's data. Raises ModelError and ContextTooLong; ModelFailed also where there
    is none in the answer."""
    told = {"brief": brief, "language": language}
    question = ModelRequest("coder", write_code_prompt, told, label=brief.kind, general=True)
    code, fault = await ask_code_once(run, question, partial(read_code, language=language))
    if not code:
        raise ModelFailed(
            f"The coder's answer holds no code that can be used. {fault} What there is stands in "
            "the history; ask for less at once, or use another model."
        )
    return code


def write_fields_prompt(brief: Brief, answer: str) -> list[Message]:
    """A later turn of the talk in which the answer was written."""
    asked = FIELDS.format(says=FORMS[brief.kind].says)
    return write_prompt(brief, answer, f"{asked}\nThe description as JSON:")


async def describe_answer(run: Run, brief: Brief, answer: str) -> Fields | None:
    """The fields of the answer's kind; None where no model can say them. `answer`: as its model
    wrote it, with the documentation's numbers."""
    form = FORMS[brief.kind]
    question = ModelRequest(
        EXPLAINER,
        write_fields_prompt,
        {"brief": brief, "answer": answer},
        label=f"{brief.kind} fields",
        max_tokens=FIELDS_TOKENS,
        schema=form.schema,
    )
    return (await ask_structured(run, question, lambda text: _read(form.fields, text))).value


def _read(fields: type[Fields], text: str) -> Fields:
    """Raises Unreadable."""
    found = read_schema(fields, text)
    if any(source.number < 1 for source in found.sources):
        raise Unreadable("a source has no number")
    return found
