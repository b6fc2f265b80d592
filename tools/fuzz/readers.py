"""The readers of untrusted text: by what name each goes, and how it is called with a text.

The text is a model's reply, a caller's prompt or field, a file, or what a program printed. What a
reader documents that it raises counts as read; whatever else it raises is a fault.
"""

import io
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from typing import cast

import pipeline.capabilities  # noqa: F401  (fills the table of modes)
from dashboard import diff, filters, highlight
from dashboard.display_text import SHOWN_CHARS, reveal_html
from dashboard.exports import markdown
from dashboard.project_tabs import is_project, project_files
from history import record
from history.replay_pairs import Pair
from history.replay_pairs import compare as compare_pairs
from laios.git_patch import BadPatch, read_patch
from laios.types.final_result import FinalCode, StepResult
from laios.types.refinement import ModificationDecompositionOutput
from laios.types.validation import ValidationError
from pipeline.analysis import code_equality, ecmascript, fences, grammar, similarity
from pipeline.analysis.asked_language import language_asked_for
from pipeline.analysis.code_document import Code, is_code_document
from pipeline.analysis.code_equality import is_bare
from pipeline.analysis.code_extraction import extract_code
from pipeline.analysis.compilable import compilable, is_whole
from pipeline.analysis.compile_errors import compile_errors
from pipeline.analysis.compile_surroundings import (
    has_own_code,
    is_for_another_compiler,
    is_for_others,
    is_meant,
    names_as_code,
    wants_several,
)
from pipeline.analysis.compiler_repairs import repaired
from pipeline.analysis.definitions import changed_names, public_names
from pipeline.analysis.draft import Draft, read_draft
from pipeline.analysis.emptied_functions import emptied
from pipeline.analysis.evidence import is_notebook
from pipeline.analysis.failing_assertions import without_failing
from pipeline.analysis.input_prompts import without_prompts
from pipeline.analysis.json_wrapped import out_of_json
from pipeline.analysis.languages import normal_language
from pipeline.analysis.missing_imports import with_missing_imports
from pipeline.analysis.prose import reads_as_prose
from pipeline.analysis.python_syntax import Function, top_level
from pipeline.analysis.questions import asks_for_words, wants_no_code, words_beside
from pipeline.analysis.renaming import with_name
from pipeline.analysis.requested_blocks import with_requested
from pipeline.analysis.requested_methods import lacking_methods
from pipeline.analysis.script_lines import stated_sessions
from pipeline.analysis.shell_session import commands
from pipeline.analysis.shown_classes import with_shown_classes
from pipeline.analysis.shown_types import with_shown_types
from pipeline.analysis.sql import is_procedural, sql_error, stands_alone
from pipeline.analysis.standard_library_imports import (
    with_library_imports,
    without_unused_imports,
)
from pipeline.analysis.statements import statements
from pipeline.analysis.syntax_process import Unread
from pipeline.analysis.test_definitions import has_tests
from pipeline.analysis.type_erasure import NotErasable, without_types
from pipeline.analysis.undefined_names import undefined_names
from pipeline.analysis.unified_diff import unified
from pipeline.analysis.unwanted_comments import wants_no_comments, without_comments
from pipeline.codegen.code_facts import read_code as read_code_reply
from pipeline.codegen.code_task import CodeTask
from pipeline.codegen.contract import read_code_request
from pipeline.codegen.triage import read_triage
from pipeline.errors import LaiosError, Unreadable
from pipeline.exchange import Exchange
from pipeline.given_code import split_code
from pipeline.history_context import of_conversation
from pipeline.model_call import TOO_LONG, brief
from pipeline.models import litellm, starter
from pipeline.modes import extract_mode_and_prompt
from pipeline.projects import consistency
from pipeline.projects.entry_points import has_default, shown_commands
from pipeline.projects.fault import Fault
from pipeline.projects.file_content import file_text
from pipeline.projects.file_tree import drawn_files
from pipeline.projects.manifest import Manifest, PlannedFile, read_manifest
from pipeline.projects.own_imports import own_imports, with_own_imports
from pipeline.projects.package_file import package_text
from pipeline.projects.plan_completion import PACKAGE, named_plan
from pipeline.projects.project import Project
from pipeline.projects.reply_end import whole_tests
from pipeline.projects.signatures import signature
from pipeline.projects.skipped_tests import with_skipped
from pipeline.prompts import marked
from pipeline.rag.assembly import Assembly
from pipeline.rag.citations import renumber, without_invented_links
from pipeline.rag.classifier import kind_by_words
from pipeline.rag.data_kinds import read_by
from pipeline.rag.edit_scope import lines_beyond
from pipeline.rag.final_steps import steps_of_final
from pipeline.rag.library_symbols import data_files_in, library_symbols, vtk_classes
from pipeline.rag.modifier import read_summary
from pipeline.rag.preservation import Preservation
from pipeline.rag.program_checks import error_of_syntax, names_undefined
from pipeline.rag.program_runner import foreign_packages, read_outcome
from pipeline.rag.reply_reading import read_changed
from pipeline.rag.usage_example import example_in, program_of
from pipeline.repetition import before_definitions, before_repetition
from pipeline.request import Turn
from pipeline.review import draft_evidence
from pipeline.review.draft_beginning import beginning_of
from pipeline.review.edit_intent import excused_crashes, may_raise, wants_another
from pipeline.review.kept_results import original_of
from pipeline.review.last_definitions import completed
from pipeline.review.lost_definitions import lost_names
from pipeline.review.query_runs import AskedQuery
from pipeline.review.tester import read_tests
from pipeline.review.verdict import read_verdict
from pipeline.run_limits import RunLimits
from pipeline.sandbox import ANY_VALUE, Arguments, Case, CaseResult, Outcome
from pipeline.sandbox.compilers import COMPILERS
from pipeline.sandbox.test_files import read_report
from pipeline.sandbox.value_comparison import same_text
from pipeline.sandbox.venv_packages import packages_in
from pipeline.security import bandit_scan
from pipeline.security.security_reviewer import read_opinion
from pipeline.task import Task
from pipeline.testcases.array_sessions import sessions_with_arrays
from pipeline.testcases.async_sessions import sessions_with_coroutines
from pipeline.testcases.bash_tests import files_of, read_bash
from pipeline.testcases.chance import depends_on_chance
from pipeline.testcases.examples.bug_reports import tells_only_what_is_wrong
from pipeline.testcases.examples.example_search import FINDERS, MAX_PROMPT, find_examples
from pipeline.testcases.examples.kept_inputs import keeps_input
from pipeline.testcases.examples.shown_databases import shown_databases
from pipeline.testcases.examples.table_results import examples_of_tables
from pipeline.testcases.file_sessions import sessions_with_files
from pipeline.testcases.function_sessions import sessions_of_function
from pipeline.testcases.inputs.described_input import inputs_described
from pipeline.testcases.inputs.input_match import matches
from pipeline.testcases.linked_values import read_shown
from pipeline.testcases.literals import read_arguments, read_literal
from pipeline.testcases.manager_sessions import sessions_with_manager
from pipeline.testcases.node_examples import examples_of_nodes
from pipeline.testcases.node_sessions import nodes_taken, sessions_with_nodes
from pipeline.testcases.object_sessions import class_asked_for
from pipeline.testcases.parameter_kinds import likely_kinds
from pipeline.testcases.printed_frames import without_layout
from pipeline.testcases.printed_values import printed_values
from pipeline.testcases.program_mutants import mutants
from pipeline.testcases.program_runs import sample_runs
from pipeline.testcases.run_outputs import said_in_runs
from pipeline.testcases.sample_calls import calls_by_annotation, read_calls
from pipeline.testcases.sample_files import sample_files
from pipeline.testcases.script_samples import script_calls
from pipeline.testcases.script_tests import one_file
from pipeline.testcases.seed_constants import seeds_of
from pipeline.testcases.shell_arguments import taken_by_script
from pipeline.testcases.shell_cases import shell_runs
from pipeline.testcases.shell_needs import is_elsewhere, with_usual_names
from pipeline.testcases.shell_outcomes import outcomes_of_shell
from pipeline.testcases.signature_fit import stub_of
from pipeline.testcases.tap import read_tap
from pipeline.testcases.typed_calls import calls_of_compiled
from pipeline.testcases.typed_sessions import sessions_of_compiled, type_of
from pipeline.validation_messages import nearest, read_as
from retrieval.search_words import SearchTerms, spread
from retrieval.sketched_names import names_in
from server.api.judge_request import read_judge_request
from server.api.prompt_request import read_request
from server.api.query_request import read_query
from server.api.run_rating import read_rating
from server.api.sandbox_run import read_program
from server.batch.answer_journal import read_answer
from server.batch.batch_request import read_row
from server.batch.requests_file import RequestsError, read_cells, read_csv, read_line
from server.http.request_body import read_object as read_body
from server.mcp import resource_address as address
from server.mcp.tool_input import HistoryFilter
from server.protocols.anthropic_request import read_chat as read_messages_request
from server.protocols.auxiliary_requests import row_of
from server.protocols.chat_request import Chat, read_messages
from server.protocols.generate_context import MARK, turns_of
from server.tracing.run_trace import parent_of
from tools.fuzz.agent_readers import AGENT_READERS, of_tools

Reader = Callable[[str], object]

KNOWN = "https://example.org/a " * 4000  # what an answer may link to
_KEPT = 64 * 1024  # characters of what a program prints (SANDBOX_OUTPUT_BYTES)
_NOW = datetime(2026, 1, 1, tzinfo=UTC)
_ERROR = ValidationError(type="NameError", message="name 'x' is not defined", line=3, context="")
_TAKES_ONE = "def f(df): return df"
_NODES = """\
class A:
    def __init__(self, v, next):
        self.v = v
        self.next = next
"""
_PLAN = ModificationDecompositionOutput.from_dict(
    {
        "understanding": "rename x",
        "modification_steps": [
            {"step_number": 1, "description": "rename x to y", "requires_retrieval": False}
        ],
        "preserved_elements": ["all functions", "all variables"],
    }
)


def _written(request: str) -> object:
    return [
        matches(form, form.written(str(seed)) or "")
        for form in inputs_described(request)
        for seed in range(9)
    ]


def _databases(query: str, request: str) -> object:
    asked = AskedQuery.of(query, request)
    return asked and asked.databases(60)


def _quietly(read: Reader, *raised: type[Exception]) -> Reader:
    def quiet(text: str) -> object:
        with suppress(*raised):
            return read(text)
        return None

    return quiet


def _tries_with_objects(language: str, text: str) -> object:
    kind = type_of(language, text, "", text)
    return sessions_of_compiled(language, kind, text, text, 3) if kind else None


def _in_batch(text: str) -> object:
    return read_row(read_line(text.encode()))


def _as_table(text: str) -> object:
    with suppress(RequestsError):
        for _, read in read_csv(io.StringIO(text), "a.csv"):
            with suppress(LaiosError):
                read()
    return read_cells({"prompt": text, "sandbox": text})


def _against_itself(compare: Callable[[str, str], object]) -> Reader:
    """A reader of two texts: the second has the lines of the first in another order."""
    return lambda text: compare(text, "\n".join(reversed(text.split("\n"))))


def _in_project(path: str) -> Reader:
    plan = PlannedFile(path, "source", "", "", "", exports=("run",))

    def read(text: str) -> object:
        project = Project(Manifest("", "", (plan,)), {path: file_text(text, path)})
        return consistency.check(project), signature(text, path)

    return read


def _changed(language: str) -> Callable[[str, str], object]:
    def compare(before: str, after: str) -> object:
        original = Preservation(language, before, "rename x to y", _PLAN)
        return original.losses(after), original.remarks(after, [_ERROR])

    return compare


def _replayed(old: str, new: str) -> object:
    records = (
        {"id": text, "final_output": text, "mode": text, "language": "json"} for text in (old, new)
    )
    pair = Pair(*(cast(record.Record, each) for each in records))
    return compare_pairs([pair]).as_json(), pair.as_json()


def _assembled(text: str) -> object:
    program = Assembly("python")
    half = len(text) // 2
    for part in (text[:half], text[half:], text):
        program.add(part)
    return program.final


def _chat(text: str) -> object:
    talk = read_messages([{"role": "user", "content": [{"type": "text", "text": text}]}])
    return row_of(Chat(None, talk.prompt), {})


def _calls(text: str) -> object:
    programs = (f"def f(x: {kind}[{text}]): pass" for kind in ("tuple", "union"))
    return [calls_by_annotation([each], "f", 20) for each in programs]


def _final(text: str) -> object:
    step = StepResult(
        step_number=1,
        description="",
        understanding="",
        imports=[],
        code=text,
        citations=[],
        chunks_used=[],
    )
    own = step.model_copy(update={"imports": text.split("\n")[:5000]})
    return steps_of_final([step, own], FinalCode(imports=text, body=text, complete=text))


def _request_of_code(text: str) -> object:
    value = {"request_type": text, "language": text, "instruction": text, "code": text, text: 1}
    return read_code_request({**value, "constraints": [text]})


def _own_imports(text: str) -> object:
    texts = {"a.py": text, "b.py": "def name(): pass\n", "c.py": text}
    return with_own_imports(texts, own_imports(texts))


def _started(text: str) -> object:
    paths = "a.py", text[:80]
    return [(shown_commands(path, text), has_default(path, text)) for path in paths]


def _skipped(text: str) -> object:
    plan = Manifest("t", "p", (PlannedFile("test_a.py", "test", "d", "s", "c"),))
    fault = Fault("a.py", "test", text, test="test_a.py", case=f"test_a.A.{text}")
    return with_skipped(Project(plan, {"test_a.py": text}), [fault])


def _package(text: str) -> object:
    plan = PlannedFile("a/__init__.py", "source", PACKAGE, "s", "c", ("a/b.py",))
    return package_text(plan, {"a/b.py": text})


def _project(text: str) -> object:
    files, faults = [{"path": text, "error": text}], [{"path": text, "detail": text}]
    made = {"kind": "project", "files": files, "faults": faults}
    record = {"artefact": made, "final_output": text}
    return project_files(record, text) if is_project(record) else None


def _run_page(text: str) -> object:
    return "\n".join(markdown({"id": "1", "original_prompt": text, "final_output": text}))


def _code_reply(language: str) -> Reader:
    task = CodeTask("refactor", language=language, request_type="refactor", code="def f(): pass")
    return lambda text: read_code_reply("coder", task, text)


READERS: dict[str, Reader] = {
    # what callers send
    "a body of POST /prompt": _quietly(
        lambda text: read_request({"prompt": text, "mode": text, text: 1}, ""), LaiosError
    ),
    "limits of a run": _quietly(
        lambda text: RunLimits.read({"sandbox": {text: 1}, "min_confidence": text}), LaiosError
    ),
    "a body of JSON": _quietly(lambda text: read_body(text.encode()), LaiosError),
    "a request of /code": _quietly(_request_of_code, LaiosError),
    "a query of /query": _quietly(
        lambda text: read_query({"query": text, "type": text, "code": text, text: 1}), LaiosError
    ),
    "a program that is changed": mutants,
    "a script that is changed": lambda text: (emptied("javascript", text), emptied("bash", text)),
    "a script that is called": lambda text: (
        script_calls("javascript", text, 6, 12),
        script_calls("bash", text, 6, 12),
    ),
    "a script that is compared": lambda text: (
        is_elsewhere(text),
        with_usual_names(text, text),
        shell_runs(taken_by_script(text, text), text, text, 8),
        shell_runs(taken_by_script(f"f() {{\n{text}\n}}", text, "f"), text, text, 8, "f"),
    ),
    "what a script printed": lambda text: outcomes_of_shell(
        [
            CaseResult(
                Case(Arguments(), ANY_VALUE, stdin=text, words=(text,), files=((text, text),)),
                "printed",
                text,
                wrote={text: text, "a": None},
            )
        ],
        text,
        text,
    ),
    "tests in JavaScript": lambda text: one_file(text, text, "mark"),
    "a code without tests": lambda text: has_tests("python", text) or has_tests("go", text),
    "a code that is a note": lambda text: is_bare("python", text) or is_bare("go", text),
    "data that code reads": lambda text: read_by(text, ()),
    "code for /judge": _quietly(
        lambda text: read_judge_request({"request": text, "code": text, "language": text}),
        LaiosError,
    ),
    "a program of /sandbox/run": _quietly(
        lambda text: read_program({"code": "x", "language": text, "stdin": text}), LaiosError
    ),
    "a rating": _quietly(
        lambda text: read_rating("id", {"rating": "up", "note": text}), LaiosError
    ),
    "two answers to one request": _against_itself(_replayed),
    "what a tool takes": _quietly(
        lambda text: read_as(HistoryFilter, {"words": text, "mode": text, text: 1}),
        LaiosError,
    ),
    "a resource's address": lambda text: (address.parse(text), address.chunk_address(text)),
    "the tags of a prompt": _quietly(extract_mode_and_prompt, LaiosError),
    "a message of a chat": _quietly(_chat, LaiosError),
    **AGENT_READERS,
    "a conversation with tools": _quietly(of_tools, LaiosError),
    "a message for Anthropic": _quietly(
        lambda text: read_messages_request({"messages": [{"role": "user", "content": text}]}),
        LaiosError,
    ),
    "a conversation": lambda text: of_conversation(
        [Turn("user", text), Turn("assistant", text)], 8192
    ),
    "a context that a caller sends back": _quietly(
        lambda text: turns_of([*MARK, *text.encode("utf-8", "replace")]), LaiosError
    ),
    "the code in a prompt": split_code,
    "the language that is asked for": language_asked_for,
    "whether words are asked for": asks_for_words,
    "whether a follow-up wants no code": wants_no_code,
    "what a follow-up has lost": lambda text: lost_names(
        text, (Exchange(text, text),), text, "python"
    ),
    "what a draft lacks of the last answer": lambda text: completed(
        Draft(text[len(text) // 2 :], "python", ()), "go on", (Exchange("python", text),)
    ),
    "a bug report": tells_only_what_is_wrong,
    "what a wish may break": lambda text: (
        wants_another(text[:1000]),
        may_raise(text),
        excused_crashes(text),
    ),
    "what a request keeps": lambda text: (
        original_of(Task(text)),
        original_of(Task("make it faster", exchanges=(Exchange(text, text),))),
    ),
    "the words beside a reply's code": words_beside,
    "the blocks beside it that are asked for": lambda text: (
        with_requested("x", "python", text, [Code(text, "json", text)]),
        with_requested("x", "python", "with a.json and a cron job", [Code(text, None, text)] * 9),
    ),
    "the class that is asked for": lambda text: class_asked_for(
        text, "".join(f"class A{n}: ...\n" for n in range(200)), "f"
    ),
    "methods that a class is said to have": lambda text: lacking_methods(
        f"class A with {text} class B has f({text}", "class A: ..."
    ),
    "sessions with functions": lambda text: (
        sessions_of_function(f"def f(g, {text}):\n    return g({text})", "f", text, 20),
        sessions_of_function(
            f"def f(g):\n    def h(*a):\n        return g(*a)\n    return h\n{text}", "f", text, 20
        ),
    ),
    "sessions with context managers": lambda text: sessions_with_manager(
        f"class a:\n    def __init__(self, {text}): ...\n    def __enter__(self): ...\n"
        f"    def __exit__(self, *given): {text}\n",
        "a",
        text,
        20,
        "int",
    ),
    "sessions with files": lambda text: (
        sessions_with_files(f"def f(path, {text}):\n    open(path)", "f", text, 20),
        sessions_with_files(f"def f(folder, column):\n    open({text}", "f", text, 20),
        sample_files(f"csv columns {text}", f"row['{text}']"),
    ),
    "sessions with arrays and tables": lambda text: (
        sessions_with_arrays(
            f"import pandas as pd\ndef f(df, arr): return df['{text}'], arr.T",
            "f",
            f"DataFrame df with columns {text}",
            2,
            "items, texts",
        ),
        sessions_with_arrays(
            f"def f(a, {text}): return a @ {text}", "f", f"numpy array a {text}", 2, "rows, dates"
        ),
    ),
    "tables that a request shows": lambda text: [
        *examples_of_tables(
            f"I have\n\n  a  b\n0 {text}\n\nI want:\n\n  a  b\n0 1  2\n\n{text}"[:MAX_PROMPT],
            _TAKES_ONE,
            cast(Function, top_level(_TAKES_ONE)[0]),
        )
    ],
    "databases that a request shows": lambda text: shown_databases(
        f"t:\n\n a | b\n---+---\n 1 | {text}\n\nI want\n\n c\n---\n 1\n(1 row)\n{text}", {"t": ()}
    ),
    "printed tables": lambda text: without_layout(f"{text}\n a  b\n0  {text}"),
    "packages that are imported": lambda text: packages_in(f"import {text}\n{text}"),
    "SQL: syntax": _quietly(
        lambda text: (stands_alone(text), is_procedural(text), sql_error(text, "")), Unread
    ),
    "SQL: databases": _quietly(
        lambda text: (
            _databases(f"SELECT a FROM t WHERE b = '{text}'", f"t(a, b {text}) {text}"),
            _databases(text, "a table t with columns a and b"),
            _databases("SELECT a FROM t", f"CREATE TABLE t (a INT, {text}); {text}"),
        ),
        Unread,
    ),
    "compiled code: whole files": _quietly(
        lambda text: [(compilable(name, text), is_whole(name, text)) for name in COMPILERS], Unread
    ),
    "compiled code: types that a request shows": lambda text: [
        (
            with_shown_types(name, f"A {text}", text),
            with_shown_types(name, text[:30_000], f"struct A {{ {text}\ntype A struct {{ {text}"),
        )
        for name in COMPILERS
    ],
    "classes that a request shows": lambda text: (
        with_shown_classes(f"import a\n{text}\nclass Solution: b = ListNode", text),
        with_shown_classes("print(A)", f"# class A:\n#     {text}\nclass A:\n    x = 1\n{text}"),
    ),
    "examples of nodes": lambda text: (
        [
            examples_of_nodes(program, taken, [Case(Arguments(([1, None, 2],)), [1])], text)
            for program in (f"{text}\n{_NODES}", f"{_NODES}def f(head: A, {text}): return head")
            if (taken := nodes_taken(program, "f"))
        ],
        read_shown(text),
        read_shown(f"1({text}, 2)"),
    ),
    "compiled code: surroundings": lambda text: (
        has_own_code(text),
        is_for_another_compiler(text, text),
        is_for_others(text, text),
        is_meant(text, 9),
        names_as_code(text),
        wants_several(text),
    ),
    "compiled code: what compilers say": lambda text: [
        (
            compile_errors(name, f"program.c:1:1: error: {text}\n{text}"),
            repaired(name, text[:30_000], f"{text} ‘{text}’ is not a member of ‘std’"),
        )
        for name in COMPILERS
    ],
    "sessions with coroutines": lambda text: sessions_with_coroutines(
        f"async def f(coros, {text}):\n    {text}", "f", 20
    ),
    "what runs printed": lambda text: said_in_runs(
        [text, f"{text}a"], f"print('''{text}''')", f"{text} `{text}`"
    ),
    "runs of a program": lambda text: (
        sample_runs(f"input()\nsys.argv[1] == {text}", f"`a.py {text}` `{text}`", 160),
        sample_runs(f"{text}\nopen(input())\nsys.argv", text, 160),
    ),
    "input that is described": lambda text: (
        _written(text),
        _written(f"Input: the first line has {text}, then n lines with {text}"),
        _written(f"```\n{text}\n```\nreads {text} from stdin"),
    ),
    "words that ask for input": lambda text: [
        without_prompts(code, language, text)
        for language in ("python", "c", "cpp", "java", "go", "rust")
        for code in (text, f'printf("Enter {text}"); scanf("%d");\ninput("{text}")')
    ],
    "sessions with nodes": lambda text: sessions_with_nodes(
        f"{_NODES}def f(head, {text}):\n    return head",
        "f",
        text,
        20,
    ),
    "a function's head": lambda text: stub_of(f"def f({text}", "f"),
    "the examples in a prompt": find_examples,
    **{
        f"examples: {each.__name__.rpartition('.')[2]}": lambda text, each=each: each.find(  # type: ignore[misc]
            text[:MAX_PROMPT]
        )
        for each in FINDERS
    },
    "calls by annotation": lambda text: calls_by_annotation(
        [f"def f(x: tuple[{text}]): pass", f"def f(x: list[list[{text}]], y: {text}): pass"],
        "f",
        20,
    ),
    "how drafts begin": lambda text: beginning_of(
        Draft(f"def f():\n    {text!r}\n    {text}", "python", (), as_said=text), text, "f"
    ),
    "constants of a program": lambda text: seeds_of(text, (text, f"x = f'{text}', {text}")),
    "kinds of arguments": lambda text: [
        *likely_kinds(text, "f", text, 24),
        *likely_kinds(f"def f({text[:200]}): pass", "f", text, 24),
    ],
    "a word like one that is known": lambda text: nearest(text, ("prompt", "mode")),
    "a literal": _quietly(read_literal, ValueError),
    "arguments": _quietly(read_arguments, ValueError),
    "a prompt for the starter": lambda text: starter.write_coder(Task(text)),
    "a prompt between marks": lambda text: marked([("TEXT", text)]),
    "programs that a request shows": _started,
    "tests that are skipped": _skipped,
    "tests that are cut off": whole_tests,
    "a program of chance": lambda text: (
        depends_on_chance(text),
        depends_on_chance(text, "bash"),
    ),
    "an answer as it comes": lambda text: (before_repetition([text]), before_definitions([text])),
    "what a program printed": lambda text: (printed_values(text, "A 1"), printed_values("1", text)),
    "words of a request": similarity.words_of,
    "words of a search": SearchTerms.of,
    "words of a document": spread,
    "names of a sketch": names_in,
    "kind of a question": kind_by_words,
    "example of an answer": lambda text: program_of(example_in(text)),
    "a filter of the dashboard": _quietly(
        lambda text: filters.parse(text, _NOW), filters.FilterError
    ),
    "a caller's trace": lambda text: parent_of({"traceparent": text, "tracestate": text}),
    "a project on record": _project,
    # what models answer
    "the code in a reply": extract_code,
    "a document of code": is_code_document,
    "a session with a shell": commands,
    "a draft": lambda text: read_draft("coder", text, text, complete=True),
    "fenced blocks": lambda text: [*fences.fences(text)],
    "a fence's label": normal_language,
    "calls in an answer": lambda text: read_calls(text, "f"),
    "steps of a final program": _final,
    "a verdict": _quietly(read_verdict, Unreadable),
    "a triage": _quietly(read_triage, Unreadable),
    "a tester's answer": read_tests,
    "a security reviewer's answer": _quietly(partial(read_opinion, n=3), Unreadable),
    "the plan of a project": _quietly(read_manifest, Unreadable),
    "the files that a request names": lambda text: named_plan(f"main.py and core.py {text}", "R"),
    "a tree that a request draws": drawn_files,
    "a file in JSON": lambda text: (out_of_json(text), out_of_json(text, "a.py")),
    "the __init__.py of a package": _package,
    "a summary of a change": _quietly(lambda text: read_summary(text, {1}), Unreadable),
    "changed code": lambda text: read_changed(text, "python", "x = 1\n```\n"),
    "marks of citations": lambda text: renumber(text, {1, 2, 3}),
    "links of an answer": lambda text: without_invented_links(text, f"{KNOWN}{text[:100]}"),
    "prose": reads_as_prose,
    "names of libraries": lambda text: vtk_classes(library_symbols(text)),
    "data files": lambda text: data_files_in(text, text),
    "a program in steps": _assembled,
    "what a backend says": lambda text: (
        TOO_LONG.search(text),
        brief(text),
        litellm._words(ValueError(text)),
    ),
    # code
    "Python: names": undefined_names,
    "Python: missing imports": with_missing_imports,
    "other languages: missing imports": lambda text: [
        with_library_imports(text, language) for language in ("c", "go", "java", "rust")
    ],
    "Go: unused imports": lambda text: without_unused_imports(text, "go"),
    "Python: failing assertions": lambda text: without_failing(
        text, {(1, 0): text, (2, 0): "", (3, 1): text}
    ),
    "Python: no comments": without_comments,
    "Python: another name": lambda text: with_name(text, "a", "b"),
    "Python: a notebook": is_notebook,
    "a request for no comments": wants_no_comments,
    "names that a request knows": lambda text: list(
        draft_evidence._of_names(Task(text), Draft(text, "python", ()), "coder")
    ),
    "Python: errors": lambda text: (error_of_syntax("python", text), names_undefined(text)),
    "Python: imports": foreign_packages,
    **{
        f"{language}: syntax": lambda text, language=language: (  # type: ignore[misc]
            grammar.syntax_error(language, text),
            public_names(language, text),
            changed_names(language, text, ""),
            statements(language, text),
        )
        for language in sorted(grammar._GRAMMARS)
    },
    "functions of compiled languages": lambda text: [
        calls_of_compiled(language, text, "f", text, 3) for language in (*COMPILERS, "typescript")
    ],
    "types of compiled languages": lambda text: [
        _tries_with_objects(language, text) for language in (*COMPILERS, "typescript")
    ],
    "JavaScript's lines with values": stated_sessions,
    "that the input is kept": lambda text: (
        keeps_input(text),
        keeps_input(f"f({text}) must not change the {text}, the list that {text} must not be"),
        keeps_input(f"ohne die {text}, sans modifier la {text}, the list of {text} in place"),
    ),
    "TypeScript: without types": _quietly(without_types, NotErasable, Unread),
    "JavaScript: outline": _quietly(lambda text: ecmascript.outline(text, "a.js"), Unread),
    "forgotten imports of a project": _own_imports,
    "Python: a file of a project": _in_project("a.py"),
    "TypeScript: a file of a project": _in_project("a.ts"),
    "JSON: a file of a project": _in_project("package.json"),
    "TOML: a file of a project": _in_project("pyproject.toml"),
    "Markdown: a file of a project": _in_project("a.md"),
    "requirements of a project": _in_project("requirements.txt"),
    "Python of /code": _code_reply("python"),
    "Rust of /code": _code_reply("rust"),
    # two versions
    "equal code: Python": _against_itself(partial(code_equality.same_code, "python")),
    "equal code: Go": _against_itself(partial(code_equality.same_code, "go")),
    "unified diff": _against_itself(unified),
    "changes nobody planned": _against_itself(_changed("python")),
    "changes nobody planned: Rust": _against_itself(_changed("rust")),
    "changes beyond errors": _against_itself(lambda a, b: lines_beyond(a, b, [_ERROR])),
    "diff on a page": _against_itself(lambda a, b: diff.diff(a, b, "python")),
    # what programs print
    "an outcome": lambda text: read_outcome(Outcome(1, "exited", "", text, b"", 0.0, None), text),
    "a report of tests": lambda text: read_report(text.encode(), {"a"}),
    "a report of Node": lambda text: read_tap(text[:_KEPT], "a.js"),
    "tests in Bash": lambda text: files_of(text, text, "m"),
    "a report of Bash": lambda text: read_bash(
        Outcome(1, "exited", text, text, b"", 0.0, None), "m", text
    ),
    "a report of bandit": lambda text: bandit_scan.read_report(text.encode()),
    "what a program prints": _against_itself(same_text),
    # files
    "a patch": _quietly(read_patch, BadPatch),
    "a line of a batch": _quietly(_in_batch, LaiosError),
    "a table of a batch": _quietly(_as_table, LaiosError),
    "an answer of a batch": lambda text: read_answer(text.encode()),
    "a line of the history": lambda text: record.decode(text.encode()),
    "a record as a page": _run_page,
    "a text on a page": lambda text: reveal_html(text[:SHOWN_CHARS]),
    "the looks of a text": lambda text: highlight.language_of(text, text),
    **{
        f"highlighted: {language}": lambda text, language=language: highlight.lines(  # type: ignore[misc]
            text[:SHOWN_CHARS], language
        )
        for language in sorted(set(highlight._LEXERS.values()))
    },
}
"""By what is read. Whatever a reader takes besides the text is as laios itself would give it."""
