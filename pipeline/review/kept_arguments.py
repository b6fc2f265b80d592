"""Evidence for requests that say that what a function is given must stay as it is: it is called,
and its arguments are looked at before and afterwards. Two drafts that change them alike agree."""

import asyncio
import re
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import Any

from pipeline.analysis.compilable import wholes
from pipeline.analysis.draft import Draft, DraftSource
from pipeline.analysis.evidence import Finding
from pipeline.analysis.shown_classes import before_code, with_shown_classes
from pipeline.analysis.signatures.call_signatures import entry_among, signatures
from pipeline.analysis.signatures.signature import Signature
from pipeline.analysis.syntax_process import Unread
from pipeline.review.agreement import results_of
from pipeline.review.example_lines import sessions_of
from pipeline.review.script_runs import javascript_text, told_by
from pipeline.run import Run
from pipeline.sandbox import Case
from pipeline.sandbox.value_comparison import shown
from pipeline.task import Task
from pipeline.testcases.call_drivers import function_call
from pipeline.testcases.case_runner import can_run
from pipeline.testcases.entry_point import defined, entries_of, entry_of
from pipeline.testcases.examples.asked_examples import asked_of
from pipeline.testcases.examples.example_search import find_examples
from pipeline.testcases.node_sessions import sessions_with_nodes
from pipeline.testcases.parameter_kinds import likely_kinds
from pipeline.testcases.sample_calls import calls_by_annotation, calls_of_kinds
from pipeline.testcases.script_samples import calls_of_javascript
from pipeline.testcases.seed_constants import seeds_of
from pipeline.testcases.suite import Suite
from pipeline.testcases.typed_calls import called_in, calls_of_compiled
from pipeline.testcases.typescript_driver import (
    node_functions,
    plain_argument,
    typescript_arguments,
)
from pipeline.testcases.watched_calls import (
    calls_with_records,
    python_watches,
    script_watches,
    telling,
)

CALLS, MADE = 8, 20  # of examples, as many more, and of how many these are chosen
_GUESSES, _TRIES, _KEPT = 24, 4, 2  # kinds of arguments, calls with each, those that tell most
_LANGUAGES = ("python", "javascript", "typescript")
_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_CALLED = re.compile(r"\b([A-Za-z_$][\w$]{0,60})\(")
_AT_TOP = re.compile(
    r"^(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:function\*?|const|let|var|class)\s+([\w$]+)",
    re.MULTILINE,
)
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_DEFINES = r"\b(?:def|function|const|let|var)\s+{0}\b"

Lines = list[tuple[str, bool]]


async def with_kept_arguments(run: Run, task: Task, draft: Draft, source: DraftSource) -> Draft:
    """The draft with a call in which it changes what it is given, of a request that says that it
    must not (`keeps_input`); as it is where nothing is known of that. Raises SandboxUnavailable."""
    language = draft.language or ""
    if draft.fault or draft.unrun or language not in _LANGUAGES:
        return draft
    if not can_run(language, programs=False):
        return draft
    look = _in_python if language == "python" else _in_script
    change = await look(run, task.prompt, draft)
    if change is None:
        return draft
    call, left = change
    call, left = call.replace("laios_make_", ""), _ADDRESS.sub("", left)
    detail, came = f"it changes its input in {shown(call)}", f"it leaves {shown(left)}"
    finding = Finding(source, "example", detail, came)
    return replace(draft, findings=(*draft.findings, finding), decided="")


def _entry(draft: Draft, request: str, function: str) -> str:
    """What is called; "" where that is no function of the draft or may be a helper, which may well
    change what it is given, or where the request speaks of several and may mean another one."""
    text, language = draft.text, draft.language or ""
    name = function
    if not (name and re.search(rf"\b{re.escape(name)}\b", text)):
        name = entry_of(text, "", language)
    if language == "typescript":
        name = called_in(language, text, name, request)
    is_there = name in defined(text) if language == "python" else name in text
    if not is_there or not _NAME.fullmatch(name):
        return ""
    called = {*_CALLED.findall(request)}
    if name not in {function, *called} and not _is_only(text, language, name):
        return ""
    others = (re.search(_DEFINES.format(re.escape(each)), text) for each in called - {name})
    return "" if any(others) else name


def _is_only(text: str, language: str, name: str) -> bool:
    """Whether it is the only function that may be meant."""
    if language == "python":
        return entries_of(text) == [name]
    return len({*_AT_TOP.findall(text)}) == 1


def _examples(suite: Suite, name: str) -> list[Case]:
    """Those that call it."""
    return [
        case
        for case in suite.cases
        if case.stdin is None and case.function in ("", name, suite.function)
    ]


async def _in_python(run: Run, request: str, draft: Draft) -> tuple[str, str] | None:
    """The first call that changes something, and what it leaves."""
    text, cases = await asyncio.to_thread(_python_cases, request, draft)
    if not cases:
        return None
    with run.step("sandbox", "evidence") as step:
        results = await results_of(run, text, cases, "")
        changes = [(each.case.name, said) for each in results for said in _texts(each.value)]
        step.note = _said(changes)
    return changes[0] if changes else None


def _python_cases(request: str, draft: Draft) -> tuple[str, tuple[Case, ...]]:
    """The program with the classes that it takes for granted, and what is asked of it."""
    suite = asked_of(draft, find_examples(request), request)
    name = "" if suite.program else _entry(draft, request, suite.function)
    if not name:
        return "", ()
    examples = _examples(suite, name)
    called = re.compile(rf"(?<![.\w]){re.escape(name)}\(")
    sessions = [case for case in examples if called.search(case.session)]
    plain = telling([case for case in examples if not case.session])
    shown_first = [*plain, *sessions][:CALLS]
    made = _made_for_python(request, before_code(draft.text, request), name)
    return with_shown_classes(draft.text, request), python_watches([*shown_first, *made], name)


def _made_for_python(request: str, text: str, name: str) -> list[Case]:
    """With linked nodes, or by annotations, else of the likeliest kinds: a call with a wrong one
    raises, or shows the same."""
    if nodes := sessions_with_nodes(text, name, request, CALLS):
        return [*nodes]
    seeds = seeds_of(request, [text], name)
    if made := calls_by_annotation([request, text], name, MADE, seeds):
        return telling(made)[:CALLS]
    records = calls_with_records(request, text, name)
    guesses = likely_kinds(text, name, request, _GUESSES)
    tries = (telling(calls_of_kinds(each.kinds, _TRIES, seeds)) for each in guesses)
    return [*records, *chain.from_iterable(some[:_KEPT] for some in tries)]


def _texts(value: Any) -> Iterator[str]:
    """The program may have put anything in their place."""
    yield from filter(_is_text, value if isinstance(value, list) else ())


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


async def _in_script(run: Run, request: str, draft: Draft) -> tuple[str, str] | None:
    try:
        sessions, name, nodes = await asyncio.to_thread(_script_lines, request, draft)
    except Unread:
        return None
    text = await javascript_text(draft) if sessions else ""
    if not text:
        return None
    mark = secrets.token_hex(8)
    with run.step("sandbox", "evidence") as step:
        told = await told_by(run, f"{text}\n{script_watches(sessions, name, mark, nodes)}", mark)
        lines = [line for each in sessions for line, _ in each]
        changes = [
            (lines[each["n"]], str(each["left"]))
            for each in told
            if each.get("n") in range(len(lines)) and "left" in each
        ]
        step.note = _said(changes)
    return changes[0] if changes else None


def _said(changes: Sequence[object]) -> str:
    return "it changes its input" if changes else "its input stays as it is"


def _script_lines(request: str, draft: Draft) -> tuple[list[Lines], str, str]:
    """What is run, the function's name, and the functions that make its linked nodes. Raises
    Unread."""
    language = draft.language or ""
    suite = asked_of(draft, find_examples(request), request).in_language(language)
    name = "" if suite.program else _entry(draft, request, suite.function)
    if not name:
        return [], "", ""
    sessions = [
        [(line.code, bool(line.stated)) for line in session]
        for session in sessions_of(request)
        if any(f"{name}(" in line.code for line in session)
    ]
    examples = [case for case in _examples(suite, name) if not case.session]
    found = _typed(draft, request, name)
    if language == "typescript":
        made = calls_of_compiled(language, draft.text, name, request, MADE)
    else:
        made = calls_of_javascript(draft.text, name, request, MADE)
    cases = [*telling(examples), *telling([case for case in made if not case.function])]
    calls = ([(f"{name}({given})", True)] for given in _arguments(cases, found))
    nodes = node_functions(found.nodes) if found else ""
    return [*islice(chain(sessions, calls), CALLS)], name, nodes


def _typed(draft: Draft, request: str, name: str) -> Signature | None:
    """TypeScript's head of the function. Raises Unread."""
    if draft.language != "typescript":
        return None
    for whole in wholes("typescript", draft.text, request):
        found = entry_among(signatures("typescript", whole), name, request)
        if found and found.name == name and not found.owner:
            return found
    return None


def _arguments(cases: Sequence[Case], found: Signature | None) -> Iterator[str]:
    """As JavaScript writes them, of those that it can be given."""
    for case in cases:
        try:
            if found:
                texts = typescript_arguments(function_call("typescript", found, case))
            else:
                by_name = dict(case.arguments.kwargs)
                values = [*case.arguments.args, *([by_name] if by_name else [])]
                texts = [plain_argument(each) for each in values]
        except (ValueError, TypeError, AttributeError, KeyError):
            continue
        yield ", ".join(texts)
