"""The flows of `///plan`, `///refine` and `///ask`: a program planned and written in steps, given
code changed, a question answered."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from laios.markdown_text import fenced
from laios.types.answers import DataFile
from laios.types.decomposition import DecompositionStep
from laios.types.refinement import ModificationStep
from pipeline.analysis.evidence import language_of, named_language
from pipeline.analysis.unified_diff import unified
from pipeline.errors import ModelFailed
from pipeline.rag.answer_builder import AnswerContent, build
from pipeline.rag.answerer import Brief, describe_answer, write_code
from pipeline.rag.cited_answer import answer_confidence, cited_answer, with_citations, with_sources
from pipeline.rag.classifier import classify, kind_by_words, reads_as_question
from pipeline.rag.code_in_question import (
    UNKNOWN_LANGUAGE,
    code_in_question,
    code_to_refine,
    language_of_code,
)
from pipeline.rag.data_kinds import read_by
from pipeline.rag.documentation_lookup import look_up_changes, look_up_question, search_words
from pipeline.rag.drawn_answer import draw_answer
from pipeline.rag.final_review import Final, conclude
from pipeline.rag.final_steps import steps_of_final
from pipeline.rag.modifier import ChangeBrief, describe_changes, plan_changes, write_changes
from pipeline.rag.outline import as_plan, ask_outline, results_of
from pipeline.rag.plan_summary import plan_artefact, split
from pipeline.rag.planner import decompose
from pipeline.rag.preservation import Preservation
from pipeline.rag.program_checks import Checked, Checks, draft_of
from pipeline.rag.query_task import (
    ANSWERS,
    CODE_TYPE,
    ENRICH,
    REFINE,
    QueryTask,
    kinds_of,
    mode_of,
    query_of,
)
from pipeline.rag.refinement_result import refinement_artefact
from pipeline.rag.registration import CLASSIFIER, TEXT
from pipeline.rag.repair_rounds import RepairRounds
from pipeline.rag.retrieval_context import DOCUMENTATION_TOKENS, RetrievalContext, as_reference
from pipeline.rag.rewriting import plan_of_wish, rewrite
from pipeline.rag.sketch import SKETCHED, write_sketch
from pipeline.rag.step_generation import StepGeneration
from pipeline.review.drafting import draft_until_evidence
from pipeline.review.flow import judge_and_review
from pipeline.review.stages import prepare
from pipeline.run import Run
from pipeline.small_models import is_small
from pipeline.task import Result, Task

# --- ///plan -------------------------------------------------------------------------------------


async def code_planned(run: Run, task: Task) -> Result:
    """A query that wants no program is answered as its kind says."""
    query = query_of(task)
    run.plan_window(query, DOCUMENTATION_TOKENS)
    kind = query.type or await _kind_to_plan(run, query, kinds_of(task))
    if mode_of(kind) is not mode_of(CODE_TYPE):
        return await mode_of(kind).flow(run, replace(query, type=kind))
    retrieval = await RetrievalContext.of(run)
    if is_small(run.model_name("coder")):  # small planners mislead, coders repeat
        return await _outlined(run, query, retrieval)
    plan = await decompose(run, query)
    await retrieval.look_up_only_for(query.prompt, plan.libraries_needed)
    run.keep(artefact={"type": CODE_TYPE, "decomposition": plan.to_dict()})
    planned = "\n".join([plan.understanding, *(each.description for each in plan.steps)])
    named = query.language or named_language(query.prompt) or named_language(planned)
    writing = StepGeneration(run, query, plan, retrieval, named)
    _announce(run, plan.get_steps())
    await writing.write()
    language, assembled = writing.language, writing.assembly.final
    checks = Checks(run, retrieval, language)
    repair = RepairRounds(checks, query.prompt)
    checked = await repair.put_right(await checks.look(assembled.complete))
    final = await conclude(run, query, repair, checked, writing.missing)
    code, steps = assembled, writing.results
    if final.checked.code != assembled.complete:  # repair or review made something else of it
        code = await asyncio.to_thread(split, final.checked.code, language)
        own = await asyncio.to_thread(steps_of_final, steps, code)
        steps = await writing.described_anew(own)
    artefact = plan_artefact(query.prompt, plan, steps, code, repair, final)
    return Result(final.checked.code, language, artefact=artefact)


async def _kind_to_plan(run: Run, query: QueryTask, kinds: Sequence[str]) -> str:
    """A small model takes a task with data for a question ("Parse these log lines … print …" is an
    API, it says): it is asked about what reads as a question, and about given code and data."""
    asks = query.code or query.data_files or reads_as_question(query.prompt)
    if not asks and is_small(run.model_name(CLASSIFIER)):
        return CODE_TYPE
    return await classify(run, query, kinds, CODE_TYPE)


async def _outlined(run: Run, query: QueryTask, retrieval: RetrievalContext) -> Result:
    """The program as the default mode writes it, with what is indexed on the request; then its
    steps."""
    chunks = await look_up_question(retrieval, query, "request")
    asked = query_of(await prepare(run, replace(query, reference=as_reference(chunks))))
    draft = await draft_until_evidence(run, asked)
    written = await judge_and_review(run, asked, draft)
    language = written.language or language_of_code(replace(query, code=written.text))
    as_said = draft.as_said if written.text == draft.text else ""
    said = await ask_outline(run, asked, written.text, as_said)
    plan = await asyncio.to_thread(as_plan, said, query, written.text)
    _announce(run, plan.steps)
    _emit(run, plan.steps, "done")
    steps = await asyncio.to_thread(results_of, said, written.text, chunks, language)
    retrieval.cite((n for step in steps for n in step.citations), chunks)
    checks = Checks(run, retrieval, language)
    checked = await checks.look(written.text)
    author = run.facts.final_source or "coder"
    run.add_evidence(draft_of(author, checked, language).findings_beyond(draft))
    final = Final(checked, [])
    code = await asyncio.to_thread(split, written.text, language)
    repair = RepairRounds(checks, query.prompt)
    artefact = plan_artefact(query.prompt, plan, steps, code, repair, final)
    return replace(written, artefact={**(run.facts.artefact or {}), **artefact})


# --- ///refine -----------------------------------------------------------------------------------


async def code_refined(run: Run, task: Task) -> Result:
    """Raises BadRequest where there is no code, or no word on what to change."""
    query = await asyncio.to_thread(code_to_refine, query_of(task), run.request.last_answer)
    language = await asyncio.to_thread(language_of_code, query)
    query = replace(query, language=None if language == UNKNOWN_LANGUAGE else language)
    run.plan_window(query, DOCUMENTATION_TOKENS)
    retrieval = await RetrievalContext.of(run)
    planned = not is_small(run.model_name("planner"))  # a small one misleads
    plan = await plan_changes(run, query) if planned else plan_of_wish(query.prompt)
    run.keep(artefact={"type": REFINE, "decomposition": plan.to_dict()})
    _announce(run, plan.get_steps())
    chunks = (
        await look_up_changes(retrieval, query, plan)
        if planned
        else await look_up_question(retrieval, query, "request")
    )
    brief = ChangeBrief(query, plan if planned else None, chunks)
    before = await Checks(run, retrieval, language).look(query.code)
    known = frozenset(error.brief for error in before.errors)
    original = Preservation(language, query.code, query.prompt, plan, known, is_planned=planned)
    checks = Checks(run, retrieval, language, original)
    repair = RepairRounds(checks, query.prompt)
    _emit(run, plan.get_steps(), "started")
    if planned:
        checked = await checks.look(await write_changes(run, brief, language))
    else:
        checked = await rewrite(run, brief, checks)
    _emit(run, plan.get_steps(), "done" if checked.code else "failed")
    if not checked.code:
        raise ModelFailed(
            "The coder's answer holds no changed code. What there is stands in the history; ask "
            "for less at once, or use another model."
        )
    written = checked.code
    if planned:  # the fixer is the planner's model
        checked = await repair.put_right(checked)
    final = await conclude(run, query, repair, checked)
    diff = await asyncio.to_thread(unified, query.code, final.checked.code)
    summary = await describe_changes(run, brief, written, diff) if diff else None
    artefact = await asyncio.to_thread(
        refinement_artefact, query, repair, final, original, summary, chunks
    )
    return Result(final.checked.code, language, artefact=artefact)


def _announce(run: Run, steps: Sequence[DecompositionStep | ModificationStep]) -> None:
    run.emit(
        "plan",
        steps=[step.model_dump(include={"step_number", "description"}) for step in steps],
    )


def _emit(run: Run, steps: Sequence[DecompositionStep | ModificationStep], state: str) -> None:
    """The steps are made together, in one call."""
    for step in steps:
        run.emit("plan_step", step_number=step.step_number, state=state)


# --- ///ask --------------------------------------------------------------------------------------


async def answer(run: Run, task: Task) -> Result:
    query = await asyncio.to_thread(code_in_question, query_of(task))
    run.plan_window(query, DOCUMENTATION_TOKENS)
    kind = query.type
    if kind not in (*ANSWERS, ENRICH):
        kind = await _kind_to_answer(run, query)
    retrieval = await RetrievalContext.of(run)
    sketch = await _sketch(run, retrieval, query) if kind in SKETCHED else ""
    chunks = await look_up_question(retrieval, query, kind, sketch)
    brief = Brief(query, kind, chunks, query.code)
    program = await _program(run, retrieval, brief) if kind == "data_to_code" else None
    files: Sequence[DataFile] = ()
    if kind == "code_to_data":
        words = await asyncio.to_thread(search_words, query)
        files = read_by(query.code, await retrieval.data_files(words))
    known = "\n".join(f"{each.filename}: {each.description}" for each in files)
    brief = replace(brief, code=program.code if program else query.code, files=known)
    text, example = await draw_answer(run, retrieval, brief)
    said = await cited_answer(retrieval, brief, files, text)
    fields = await describe_answer(run, brief, text)
    said, citations = await asyncio.to_thread(with_citations, retrieval, brief, said, fields)
    program = program or example
    confidence = answer_confidence(brief, fields, citations, program)
    parts = AnswerContent(query, said.text, fields, citations, confidence, brief.code, files)
    artefact = {
        "type": kind,
        "result": (await asyncio.to_thread(build, kind, parts)).to_dict(),
        "documentation": retrieval.as_json(said.numbers),
        "findings": [each.to_dict() for each in program.errors] if program else [],
        "dropped_citations": retrieval.dropped,
        "notes": retrieval.warnings,
    }
    written = brief.code.strip("\n") if kind == "data_to_code" else ""
    block = fenced(written, _language(query, written)) if written.strip() else ""
    shown = with_sources(said.text, block, files, citations)
    return Result(shown, None, TEXT, artefact)


async def _kind_to_answer(run: Run, query: QueryTask) -> str:
    """A small model takes a question for one with data ("print a table with two columns") or for
    one that wants no code: it is asked where there are code or data."""
    if is_small(run.model_name(CLASSIFIER)) and not (query.code or query.data_files):
        return kind_by_words(query.prompt)
    return await classify(run, query, ANSWERS, "explanation")


async def _sketch(run: Run, retrieval: RetrievalContext, query: QueryTask) -> str:
    """Where the question is about code of an indexed library: how it might be written."""
    modules = [] if query.code else await retrieval.libraries(query.prompt)
    return await write_sketch(run, query, modules) if modules else ""


async def _program(run: Run, retrieval: RetrievalContext, brief: Brief) -> Checked:
    """Code for the user's data, checked and put right like a plan's."""
    language = _language(brief.task)
    code = await write_code(run, brief, language)
    checks = Checks(run, retrieval, _language(brief.task, code))
    return await RepairRounds(checks, brief.task.prompt).put_right(await checks.look(code))


def _language(query: QueryTask, code: str = "") -> str:
    """That which the query names; where it names none Python, unless the code shows another."""
    named = query.language or named_language(query.prompt)
    return named or language_of(code, "python", query.prompt) or "python"
