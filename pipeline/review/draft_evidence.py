"""Examine a draft without a model: does every name in it mean something, does it import, does it
run to its end, do the request's examples hold."""

import asyncio
import re
from collections.abc import Iterator
from dataclasses import replace
from weakref import WeakKeyDictionary

from pipeline.analysis.asked_language import wanted_title
from pipeline.analysis.code_equality import is_bare
from pipeline.analysis.draft import Draft, DraftSource
from pipeline.analysis.evidence import Finding, is_notebook
from pipeline.analysis.grammar import syntax_error
from pipeline.analysis.last_lines import without_last_lines
from pipeline.analysis.questions import asks_for_code, wants_no_code
from pipeline.analysis.requested_methods import lacking_methods
from pipeline.analysis.shown_classes import shown_classes, with_shown_classes
from pipeline.analysis.spelt_names import has_name
from pipeline.analysis.test_definitions import has_tests
from pipeline.analysis.unchanged_code import changes_code, stands_in
from pipeline.analysis.undefined_names import (
    gone_names,
    not_defined,
    uncalled_names,
    undefined_names,
    words_in,
)
from pipeline.errors import SandboxUnavailable
from pipeline.review.agreement import AS_PROGRAM
from pipeline.review.asserted_lines import with_compiled_examples
from pipeline.review.called_examples import HOLD
from pipeline.review.compile_evidence import examine_compiled
from pipeline.review.described_inputs import fall_over_input
from pipeline.review.example_lines import with_example_lines
from pipeline.review.kept_arguments import with_kept_arguments
from pipeline.review.kept_results import held_against_original
from pipeline.review.linked_examples import as_other_lists, with_linked
from pipeline.review.lost_definitions import lost_names
from pipeline.review.open_examples import closed, lacks_given, still_reported, without_reported
from pipeline.review.other_functions import of_any_function
from pipeline.review.own_tests import with_own_tests
from pipeline.review.printed_results import with_printed_result
from pipeline.review.query_evidence import examine_query
from pipeline.review.script_evidence import is_javascript_fault, script_error
from pipeline.run import Run
from pipeline.sandbox import ANY_VALUE, INTERPRETERS, Arguments, Case, CaseResult, compiler_of
from pipeline.task import Task
from pipeline.testcases.case_runner import CaseRunner, can_run, require_sandbox
from pipeline.testcases.examples.asked_examples import asked_of
from pipeline.testcases.examples.example_search import find_examples
from pipeline.testcases.examples.kept_inputs import keeps_input
from pipeline.testcases.suite import Suite
from pipeline.testcases.surroundings import classes_of, is_of_surroundings
from pipeline.testcases.tested_draft import TestedDraft

SHOWN_NAMES = 5
_BARE = ("python", "javascript", "bash")  # whose comments are known for certain
UNCHANGED = "unchanged"  # the kind of the request's own code
LANGUAGE = "language"  # of Python where something else is asked for
LOST = "lost"  # of a part of the last answer
_OF_PATTERN = re.compile(r"(?:error|PatternError): .* at position \d")
_IMPORT = Case(Arguments(), ANY_VALUE, "__dir__", name="import")  # gives the module's names
_SANDBOXED: WeakKeyDictionary[Run, bool] = WeakKeyDictionary()
_GUARD = re.compile(r"^if\s+__name__\s*==", re.MULTILINE)
_MOST_READ = 20_000  # characters of a request
# What it works on has a name outside of it.
_WANTS_A_LINE = re.compile(
    r"\b(?:one[- ]?liners?|snippet|(?<!regular )expression|comprehension|line that"
    r"|(?:one|single) line)\b",
    re.IGNORECASE,
)
_LACKS_NAME = re.compile(r"^NameError: name '(\w+)' is not defined")
_OF_NOTEBOOK = re.compile(r"^SyntaxError: '(?:await|async \w+)' outside")  # where it may stand
_OF_TABLES = re.compile(r"\bimport (?:numpy|pandas)\b")
_OF_FUNCTION = re.compile("it gave|not done|used up")  # an error may be for want of other lines
_RAISED = re.compile(r"status \d+: ([A-Za-z_]\w*)(?=:|$)")
_NO_VENV = "; SANDBOX_VENV can name a virtual environment that has it"


async def examine(run: Run, task: Task, draft: Draft, source: DraftSource) -> Draft:
    """The draft with the facts against it. What is already known to be wrong with it is enough."""
    if draft.fault:
        return draft
    undone = await asyncio.to_thread(_undone, run, task, draft, source)
    if undone and run.is_general("coder"):  # the starter says in comments what it cannot do
        return replace(draft, findings=(undone,))
    if not draft.language:
        return draft
    unknown = await asyncio.to_thread(lambda: tuple(_of_names(task, draft, source)))
    ran = await run_evidence(run, task, draft, source)
    may_have_code = task.talk or "\n" in task.prompt
    if may_have_code and not (unknown or ran.fault):
        ran = await held_against_original(run, task, ran, source)
    return replace(ran, findings=unknown + ran.findings)


def _undone(run: Run, task: Task, draft: Draft, source: DraftSource) -> Finding | None:
    """Comments in place of code, another language than is asked for, a part of what it was to be
    added to, or the code that was to be changed as it was."""
    if asks_for_code(task.prompt) and _has_comments_alone(draft):
        return Finding(source, "note", "it contains only comments")
    title = "" if task.language else wanted_title(task.prompt, draft.text, draft.language)
    if title:
        return Finding(source, LANGUAGE, f"it is Python, but {title} was asked for")
    lost = task.talk and lost_names(task.prompt, task.talk, draft.text, draft.language)
    if lost:
        return Finding(source, LOST, f"it no longer defines {', '.join(lost[:SHOWN_NAMES])}")
    if wants_no_code(task.prompt) or not changes_code(task.prompt):
        return None
    if stands_in(draft.text, task.prompt):
        return Finding(source, UNCHANGED, "it is the request's code, unchanged")
    if stands_in(draft.text, task.context and (task.previous_output or run.request.last_answer)):
        return Finding(source, UNCHANGED, "it is the last answer's code, unchanged")
    return None


def _has_comments_alone(draft: Draft) -> bool:
    """Nothing tells in what language they stand, where no fence says so. A note says why there is
    no more."""
    language = draft.language or "python"
    return (
        language in _BARE and "REVIEWER_NOTE:" not in draft.text and is_bare(language, draft.text)
    )


def _of_names(task: Task, draft: Draft, source: DraftSource) -> Iterator[Finding]:
    """Names that nothing defines. What the request or earlier work names may be defined there, but
    for methods of a class that it wants (`__add__`)."""
    shown = shown_classes(draft.text, task.prompt) if draft.language == "python" else ""
    undefined = undefined_names(f"{shown}{draft.text}") if draft.language == "python" else ()
    known = _known_elsewhere(task, draft.text) if undefined else ()
    unknown = [name for name in undefined if name not in known]
    gone = gone_names(draft.text) if unknown else ()
    for name in (each for each in unknown if each in gone):
        yield Finding(source, "names", f"the name {name} no longer exists after its except block")
    if lacking := [name for name in unknown if name not in gone]:
        yield Finding(source, "names", not_defined(lacking))
    wants_class = draft.language == "python" and asks_for_code(task.prompt)
    if lacking := lacking_methods(task.prompt, draft.text) if wants_class else []:
        names = ", ".join(lacking[:SHOWN_NAMES])
        yield Finding(source, "names", f"it does not define {names}")


def _known_elsewhere(task: Task, code: str) -> set[str]:
    """The words of the request and of earlier work; and what a line of code works on, where no
    more is asked for."""
    known = words_in(f"{task.said}\n{task.context}")
    wants_line = _WANTS_A_LINE.search(task.prompt[:_MOST_READ])
    return known | (uncalled_names(code) if wants_line else set())


async def run_evidence(run: Run, task: Task, draft: Draft, source: DraftSource) -> Draft:
    """The draft with what came of running it; as it is, where nothing may be run. A sandbox that
    fails costs no draft: that one is not run, nor is what follows."""
    language = draft.language or ""
    is_run = language == "sql" or language in INTERPRETERS or compiler_of(language)
    if not is_run or not await may_run(run):
        return draft
    ran = draft
    try:
        ran = await _ran(run, task, draft, source)
        if await asyncio.to_thread(keeps_input, task.prompt):
            return await with_kept_arguments(run, task, ran, source)
    except SandboxUnavailable as error:
        run_no_more(run)
        return replace(draft, unrun=error.message) if ran is draft else ran
    return ran


async def _ran(run: Run, task: Task, draft: Draft, source: DraftSource) -> Draft:
    """The draft with what came of running it, as its language is run."""
    language = draft.language or ""
    if language == "sql":
        return await examine_query(run, task, draft, source)
    if compiler_of(language):
        draft = await examine_compiled(run, task, draft, source)
        return draft if draft.fault or draft.unrun else await _tried(run, task, draft, source)
    if language == "python" and await asyncio.to_thread(is_notebook, draft.text):
        return draft
    if language == "bash" and (error := await script_error(run, draft.text)):
        return replace(draft, findings=(Finding(source, "syntax", error),))
    tried = await _tried(run, task, draft, source)
    has_tables = language == "python" and _OF_TABLES.search(tried.text)
    return await with_printed_result(run, task.prompt, tried) if has_tables else tried


async def _tried(run: Run, task: Task, draft: Draft, source: DraftSource) -> Draft:
    """The draft with what came of the request's examples and of the draft's own tests."""
    language = draft.language or ""
    examples = await asyncio.to_thread(find_examples, task.prompt)
    suite = await asyncio.to_thread(asked_of, draft, examples, task.prompt)
    if language == "python" and suite.linked:
        suite = await asyncio.to_thread(with_linked, draft, suite, task.prompt)
    is_of_nodes = language == "typescript" and suite.linked and not suite.cases
    if (compiler_of(language) or is_of_nodes) and not suite.program:
        return await with_compiled_examples(run, task, draft, source, suite)
    if suite.cases:
        suite = await without_reported(run, task, suite)
    if not can_run(language, programs=suite.program):
        return draft
    if suite.reported and language == "python" and not wants_no_code(task.prompt):
        still = await still_reported(run, task, suite, draft.text)
        if still:
            return replace(draft, findings=tuple(Finding(source, "example", s) for s in still))
    if language in ("javascript", "typescript"):
        draft = await with_example_lines(run, task, draft, source, suite)
    has_own = language == "python" and await asyncio.to_thread(has_tests, language, draft.text)
    if has_own:
        draft = await with_own_tests(run, task.prompt, draft, source)
    return draft if draft.fault else await _with_results(run, task, draft, source, suite)


async def _with_results(
    run: Run, task: Task, draft: Draft, source: DraftSource, suite: Suite
) -> Draft:
    """The draft with what came of importing it, of its own last lines and of the examples."""
    language = draft.language or ""
    runner = CaseRunner(run, suite, language)
    suite, cases = runner.suite, _cases(draft, runner.suite)
    if not cases:
        return draft
    whole = draft
    if language == "python":
        text = await asyncio.to_thread(with_shown_classes, draft.text, task.prompt)
        whole = replace(draft, text=text)
    tried = await runner.attempt(TestedDraft(whole, source), label="evidence", cases=cases)
    imported = tried.ran.get(_IMPORT.name)
    if imported is not None and imported.came in ("timeout", "cpu") and suite.cases:
        endless = await _of_functions_alone(run, task, draft, source, suite)
        if endless.findings:
            return endless
    if imported is not None and await asyncio.to_thread(_says_nothing, imported, task, draft):
        lacks = "ModuleNotFoundError" in imported.raised and not run.settings.SANDBOX_VENV
        return replace(draft, unrun=f"{imported.error}{_NO_VENV if lacks else ''}")
    unrun = ""
    failing = tried.findings(suite)
    if failing and language == "python" and not suite.function:
        results = await of_any_function(run, whole.text, tried.results(suite))
        tried = replace(tried, ran={**tried.ran, **{each.case.name: each for each in results}})
        failing = tried.findings(suite)
    if failing and language == "python":
        results = await as_other_lists(run, whole, suite, tried.results(suite), task.prompt)
        tried = replace(tried, ran={**tried.ran, **{each.case.name: each for each in results}})
        failing = tried.findings(suite)
    if failing:
        suite, unrun = await asyncio.to_thread(closed, suite, tried.ran, task, draft.text, language)
        failing = tried.findings(suite)
    of_import = _of_import(draft, source, suite, imported, task.prompt)
    findings = (*of_import, *_of_main(tried, source, task), *failing)
    facts = tried.facts(suite) if suite.cases else draft.facts
    hold = not (failing or unrun) and any(not case.is_of_nothing for case in suite.cases)
    fall = await fall_over_input(run, task, draft) if hold and suite.program else None
    if fall is not None:
        hold = False  # another draft is compared with it
        findings += (Finding(source, "input", fall),) if fall else ()
    ran = replace(draft, findings=findings, facts=facts, unrun=unrun)
    return replace(ran, decided=HOLD) if hold else ran


async def _of_functions_alone(
    run: Run, task: Task, draft: Draft, source: DraftSource, suite: Suite
) -> Draft:
    """The draft, whose last lines have no end, with the examples that its functions fail: what goes
    on for ever may be a server, or a trial of what is wrong."""
    rest = await asyncio.to_thread(without_last_lines, draft.language or "", draft.text)
    if not rest:
        return draft
    tried = await _with_results(run, task, replace(draft, text=rest), source, suite)
    failing = (each for each in tried.findings if each.kind == "example")
    told = tuple(each for each in failing if _OF_FUNCTION.match(each.came))
    return replace(draft, findings=told, facts=tried.facts)


async def may_run(run: Run) -> bool:
    """Whether code can be run safely here and the settings allow it. It takes a process to find
    out, so once in a run."""
    if run.settings.EVIDENCE_RUN == "off":
        return False
    if run not in _SANDBOXED:
        try:
            await require_sandbox(run.settings)
            _SANDBOXED[run] = True
        except SandboxUnavailable:
            _SANDBOXED[run] = False
    return _SANDBOXED[run]


def run_no_more(run: Run) -> None:
    """Has `may_run` say no from now on: the sandbox has failed, which may take seconds."""
    _SANDBOXED[run] = False


def _cases(draft: Draft, suite: Suite) -> tuple[Case, ...]:
    """A program that is tested by its input is run with that; anything else is imported, run to its
    end where it says what to do then, and called as the examples say."""
    if suite.program or draft.language == "bash":
        return suite.cases
    own_end = (AS_PROGRAM,) if draft.language == "python" and _GUARD.search(draft.text) else ()
    return (_IMPORT, *own_end, *suite.cases)


def _says_nothing(imported: CaseResult, task: Task, draft: Draft) -> bool:
    """An import that never ends or misses what the sandbox does not have is no fault of a draft."""
    if _lacks_known(imported, task, draft):
        return True
    if imported.came != "unusable":
        return imported.came != "returned"
    if draft.language == "typescript" and syntax_error("typescript", draft.text):
        return True  # what its types were is not known for certain
    if draft.language in ("javascript", "typescript"):
        is_fault = is_javascript_fault(imported, draft.text)
        return not is_fault or lacks_given(imported.error, task, draft.text)
    if _OF_NOTEBOOK.match(imported.error):
        return True
    if not classes_of(imported.raised[0]) and not _OF_PATTERN.match(imported.error):
        return True  # of a package or its own: what there is to open, to ask, to show
    return is_of_surroundings(set(imported.raised), imported.error, draft.text)


def _lacks_known(imported: CaseResult, task: Task, draft: Draft) -> bool:
    """Whether it lacks a name that may be defined elsewhere."""
    lacks = _LACKS_NAME.search(imported.error)
    return lacks is not None and lacks[1] in _known_elsewhere(task, draft.text)


def _of_import(
    draft: Draft, source: DraftSource, suite: Suite, imported: CaseResult | None, request: str
) -> Iterator[Finding]:
    if imported is None:
        return
    if imported.came == "unusable":
        yield Finding(source, "import", f"it does not import: {imported.error}")
    elif suite.function and not has_name(draft.text, suite.function, request):
        yield Finding(source, "import", f"it does not define {suite.function}")


def _of_main(tried: TestedDraft, source: DraftSource, task: Task) -> Iterator[Finding]:
    """A program that crashes on its own last lines. An exception that is not Python's own, or that
    the surroundings of a sandbox can cause, says nothing, nor does the lack of what is given."""
    ran = tried.ran.get(AS_PROGRAM.name)
    raised = _RAISED.match(ran.error) if ran and ran.came == "died" else None
    if ran is None or raised is None:
        return
    kinds = classes_of(raised[1])
    error, text = ran.error.partition(": ")[2], tried.draft.text
    is_fault = "Exception" in kinds and not is_of_surroundings(kinds, error, text)
    if is_fault and not lacks_given(error, task, text):
        yield Finding(source, "crash", f"it crashes when it is run: {error}")
