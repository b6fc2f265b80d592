"""An answer with its sources: about an API, a concept, from data to code, from code to data; and
given code explained (seed 003)."""

from collections.abc import Sequence
from dataclasses import replace

from pipeline.documentation import KnownFile
from pipeline.evidence import named_language
from pipeline.modes import mode
from pipeline.queries.answering import Parts, build, data_file, usage_example
from pipeline.queries.checks import Checked, Checks, invented
from pipeline.queries.citations import Cited, renumber, without_invented_links
from pipeline.queries.fields import Fields
from pipeline.queries.generation import DocumentationChunk
from pipeline.queries.given_code import split_code
from pipeline.queries.needs import needs_general_models
from pipeline.queries.repair import Repair
from pipeline.queries.schema import Citation, Confidence
from pipeline.queries.shelf import DOCUMENTATION_TOKENS, Shelf
from pipeline.queries.symbols import library_symbols
from pipeline.queries.task import ANSWERS, ENRICH, QueryTask, query_of
from pipeline.queries.wording import ALONE, NOTHING_FOUND, with_sources
from pipeline.run import Run
from pipeline.stages.answerer import Brief, describe_answer, write_answer, write_code
from pipeline.stages.classifier import classify
from pipeline.task import Result, Task
from pipeline.tokens import estimate

TEXT = "text"
INSTRUCTION_TOKENS = 1024


@mode(
    "answer",
    words=("ask",),
    help="An answer about an API, a concept, data or code, with its sources.",
    timeout_factor=3.0,
    formats=(TEXT,),
    roles=("intake", "explainer", "coder", "reviewer"),
)
@needs_general_models
async def answer(run: Run, task: Task) -> Result:
    query = _with_code(query_of(task))
    run.plan_window(query, DOCUMENTATION_TOKENS)
    kind = query.type
    if kind not in (*ANSWERS, ENRICH):
        kind = await classify(run, query, ANSWERS, "explanation")
    shelf = await Shelf.of(run)
    brief = Brief(query, kind, await _looked_up(run, shelf, query, kind), query.code)
    program = await _program(run, shelf, brief) if kind == "data_to_code" else None
    files = await shelf.data_files(_sought(query)) if kind == "code_to_data" else ()
    brief = replace(brief, code=program.code if program else query.code, files=_named(files))
    said = await _said(run, shelf, brief, files)
    fields = await describe_answer(run, _of_cited(brief, said), said.text)
    said, citations = _with_citations(shelf, brief, said, fields)
    if kind == "api":
        program = await _looked_at(shelf, usage_example(said.text))
    confidence = _confidence(brief, fields, citations, program)
    parts = Parts(query, said.text, fields, citations, confidence, brief.code, files)
    artefact = {
        "type": kind,
        "result": build(kind, parts).to_dict(),
        "documentation": shelf.as_json({each: n for n, each in enumerate(said.numbers, 1)}),
        "findings": [each.to_dict() for each in program.errors] if program else [],
        "dropped_citations": shelf.dropped,
        "notes": shelf.notes,
    }
    written = brief.code if kind == "data_to_code" else ""
    shown = with_sources(said.text, written, map(data_file, files), citations)
    return Result(shown, None, TEXT, artefact)


def _with_code(query: QueryTask) -> QueryTask:
    """Code that stands in the prompt is the code in question."""
    if query.code:
        return query
    given = split_code(query.prompt)
    if not (given.code and given.request):
        return query
    return replace(query, prompt=given.request, code=given.code, language=given.language)


def _sought(query: QueryTask) -> str:
    """What documentation is looked up by: the question, and what the code uses."""
    names = [name.rpartition(".")[2] for name in library_symbols(query.code)]
    files = [file.name for file in query.data_files]
    return " ".join([query.prompt, *files, *names])


async def _looked_up(
    run: Run, shelf: Shelf, query: QueryTask, kind: str
) -> list[DocumentationChunk]:
    left = await run.room("explainer") - estimate(query.material) - INSTRUCTION_TOKENS
    return await shelf.offer(_sought(query), kind, budget=max(0, left))


async def _program(run: Run, shelf: Shelf, brief: Brief) -> Checked:
    """Code for the user's data, checked and put right like a plan's."""
    language = brief.task.language or named_language(brief.task.prompt) or "python"
    code = await write_code(run, brief, language)
    checks = Checks(run, shelf, language)
    return await Repair(run, shelf, checks, brief.task.prompt).put_right(await checks.look(code))


async def _looked_at(shelf: Shelf, example: str) -> Checked:
    """A usage example's names, against the documentation; it is too little to be run."""
    return Checked(example, tuple(await invented(shelf, example)))


def _named(files: Sequence[KnownFile]) -> str:
    return "\n".join(f"{each.filename}: {each.description}" for each in files)


async def _said(run: Run, shelf: Shelf, brief: Brief, files: Sequence[KnownFile]) -> Cited:
    """The answer with marks that lead to something, and addresses that stand somewhere."""
    text = await write_answer(run, brief)
    addresses = "\n".join(each.download_url for each in files)
    known = "\n".join((shelf.text, brief.task.material, addresses))
    text, made_up = without_invented_links(text, known)
    if made_up:
        shelf.notes.append(f"{made_up} addresses were left out: no document has them.")
    said = renumber(text, {each.index for each in brief.chunks})
    shelf.dropped += said.dropped
    return said


def _of_cited(brief: Brief, said: Cited) -> Brief:
    """With the chunks that the answer cites, by its numbers; all of them where it cites none."""
    by_number = {each.index: each for each in brief.chunks}
    cited = [
        by_number[number].model_copy(update={"index": n})
        for n, number in enumerate(said.numbers, 1)
    ]
    return replace(brief, chunks=cited or brief.chunks)


def _with_citations(
    shelf: Shelf, brief: Brief, said: Cited, fields: Fields | None
) -> tuple[Cited, list[Citation]]:
    """The answer and the list that its marks lead to. One without any mark gets those that the
    model names besides at its end."""
    reasons = {each.number: each.reason for each in (fields.sources if fields else ())}
    if said.numbers:
        shelf.dropped += sum(not 1 <= number <= len(said.numbers) for number in reasons)
    else:
        numbers = shelf.cite(reasons, brief.chunks)
        reasons = {n: reasons[each] for n, each in enumerate(numbers, 1)}
        marks = "".join(f"[{n}]" for n in reasons)
        said = replace(said, text=f"{said.text} {marks}".rstrip(), numbers=numbers)
    if not brief.chunks:
        why = NOTHING_FOUND if shelf.there else ALONE
        said = replace(said, text=f"{why}\n\n{said.text}")
    return said, [
        shelf.citation(number, reasons.get(n, ""), n) for n, number in enumerate(said.numbers, 1)
    ]


def _confidence(
    brief: Brief, fields: Fields | None, citations: Sequence[Citation], program: Checked | None
) -> Confidence:
    """The model's own word, no higher than the facts allow."""
    if not brief.chunks or (program and program.errors):
        return "low"
    said: Confidence = fields.confidence if fields else "medium"
    return "medium" if said == "high" and not citations else said
