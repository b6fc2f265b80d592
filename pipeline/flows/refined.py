"""Existing code changed as far as is asked and no further (seed 003)."""

from dataclasses import replace

from pipeline.code import extract_code, is_python
from pipeline.codework.findings import reads_as_prose
from pipeline.errors import BadRequest, ModelFailed
from pipeline.evidence import language_of
from pipeline.flows.planned import Final, conclude
from pipeline.modes import mode
from pipeline.queries.changes import modified, refined
from pipeline.queries.checks import Checks
from pipeline.queries.difference import unified
from pipeline.queries.generation import DocumentationChunk
from pipeline.queries.given_code import split_code
from pipeline.queries.needs import needs_general_models
from pipeline.queries.original import Original
from pipeline.queries.refinement import ModificationDecompositionOutput
from pipeline.queries.repair import Repair
from pipeline.queries.schema import Citation, Confidence
from pipeline.queries.shelf import DOCUMENTATION_TOKENS, Shelf
from pipeline.queries.task import REFINE, QueryTask, query_of
from pipeline.run import Run
from pipeline.stages.modifier import Note, describe_changes, plan_changes, write_changes
from pipeline.task import Result, Task
from pipeline.tokens import estimate

INSTRUCTION_TOKENS = 1024
UNKNOWN_LANGUAGE = "text"


@mode(
    "code_refined",
    words=("refine",),
    help="Given code changed as far as is asked: planned, checked, with the difference.",
    takes_history=True,
    timeout_factor=3.0,
    roles=("planner", "coder", "reviewer", "judge", "explainer"),
)
@needs_general_models
async def code_refined(run: Run, task: Task) -> Result:
    """Raises BadRequest where there is no code, or no word on what to change."""
    query = with_code(run, query_of(task))
    language = _language(query)
    run.plan_window(query, DOCUMENTATION_TOKENS)
    shelf = await Shelf.of(run)
    plan = await plan_changes(run, query)
    run.note(artefact={"type": REFINE, "decomposition": plan.to_dict()})
    steps = [step.model_dump(include={"step_number", "description"}) for step in plan.get_steps()]
    run.emit("plan", steps=steps)
    chunks = await _looked_up(run, shelf, query, plan)
    before = await Checks(run, shelf, language).look(query.code)
    known = frozenset(error.brief for error in before.errors)
    original = Original(language, query.code, query.prompt, plan, known)
    checks = Checks(run, shelf, language, original)
    repair = Repair(run, shelf, checks, query.prompt)
    _emit(run, plan, "started")
    code = await write_changes(run, query, plan, chunks, language)
    _emit(run, plan, "done" if code else "failed")
    if not code:
        raise ModelFailed(
            "The coder's answer holds no changed code. What there is stands in the history; ask "
            "for less at once, or use another model."
        )
    final = await conclude(run, query, repair, await repair.put_right(await checks.look(code)))
    diff = unified(query.code, final.checked.code)
    note = await describe_changes(run, query, plan, chunks, diff) if diff else None
    change = modified(original, final.checked.code, note, final.checked.losses)
    citations = _citations(shelf, chunks, note)
    result = refined(query, change, citations, _confidence(final, note))
    found = (*final.checked.errors, *final.checked.remarks)
    artefact = {
        "type": REFINE,
        "result": result.to_dict(),
        "decomposition": plan.to_dict(),
        "modification": change.to_dict(),
        "documentation": shelf.as_json(),
        "findings": [each.to_dict() for each in found],
        "lost": list(final.checked.losses),
        "fixes": [each.as_json() for each in repair.fixes],
        "dropped_citations": shelf.dropped,
        "trial": final.checked.trial,
        "notes": [*shelf.notes, *final.remarks],
    }
    return Result(final.checked.code, language, artefact=artefact)


def _emit(run: Run, plan: ModificationDecompositionOutput, state: str) -> None:
    """The steps are made together, in one call."""
    for step in plan.get_steps():
        run.emit("plan_step", step_number=step.step_number, state=state)


def with_code(run: Run, query: QueryTask) -> QueryTask:
    """The query with its code: its own, else the prompt's, else what the last run or the last
    answer of the conversation gave. Raises BadRequest."""
    if query.code.strip():
        return query
    given = split_code(query.prompt)
    if given.code and not given.request:
        raise BadRequest("Say what is to be changed in the code.")
    if given.code:
        return replace(query, prompt=given.request, code=given.code, language=given.language)
    answers = [turn.text for turn in run.request.conversation if turn.role == "assistant"]
    last = extract_code(run.last_output or (answers or [""])[-1])
    if not last.text.strip() or reads_as_prose(last.text):
        raise BadRequest(
            "There is no code to refine. Put it into the prompt as a fenced block, or begin with "
            "///ctx ///refine to change what the last run gave."
        )
    return replace(query, code=last.text, language=query.language or last.language)


def _language(query: QueryTask) -> str:
    spoken = query.language or language_of(query.code, None, "")
    return spoken or ("python" if is_python(query.code) else UNKNOWN_LANGUAGE)


async def _looked_up(
    run: Run, shelf: Shelf, query: QueryTask, plan: ModificationDecompositionOutput
) -> list[DocumentationChunk]:
    """Documentation for the steps that need some, each with its share."""
    steps = [step for step in plan.get_steps() if step.requires_retrieval]
    if not steps:
        return []
    left = await run.room("coder") - estimate(query.material) - INSTRUCTION_TOKENS
    share = max(0, min(DOCUMENTATION_TOKENS, left)) // len(steps)
    found: dict[int, DocumentationChunk] = {}
    for step in steps:
        label = f"step {step.step_number} of {len(plan.modification_steps)}"
        words = " ".join([step.description, *(step.targets or ())])
        for chunk in await shelf.offer(words, label, budget=share):
            found.setdefault(chunk.index, chunk)
    return list(found.values())


def _citations(shelf: Shelf, chunks: list[DocumentationChunk], note: Note | None) -> list[Citation]:
    reasons = {each.number: each.reason for each in (note.sources if note else ())}
    return [shelf.citation(number, reasons[number]) for number in shelf.cite(reasons, chunks)]


def _confidence(final: Final, note: Note | None) -> Confidence:
    """The model's own word, no higher than the facts allow."""
    if final.checked.errors or final.checked.losses:
        return "low"
    said: Confidence = note.confidence if note else "medium"
    return "medium" if said == "high" and final.checked.remarks else said
