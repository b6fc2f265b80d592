"""Syntax of hostile texts, within a time that the event loop has."""

import gc
import os
import threading
import time

import pytest

from pipeline.analysis import ecmascript, syntax_process
from pipeline.analysis.code_equality import same_code
from pipeline.analysis.definitions import public_names
from pipeline.analysis.grammar import GIVEN_UP, syntax_error
from pipeline.analysis.python_syntax import is_python, parse, read_literal, syntax_fault
from pipeline.analysis.statements import statements
from pipeline.analysis.syntax_process import Unread
from pipeline.projects import file_content
from pipeline.projects.ecmascript_checks import ScriptProject
from pipeline.projects.signatures import signature
from pipeline.rag.program_checks import error_of_syntax

CODE = "def f(a):\n    return [a + 1, {a: f(a)}]\n" * 20
COMMENTS = ("/*" * 99 + "\n") * 40  # tree-sitter's Python: seconds between two looks at the clock


@pytest.mark.timeout(30)
@pytest.mark.parametrize("language", ["c", "python", "swift"])
def test_text_that_a_grammar_recovers_from_slowly_costs_the_caller_nothing(language):
    """2,000 characters took half a second for each of the three questions."""
    began = time.process_time()
    for text in ("<!--" * 500, "|-" * 1000, COMMENTS):
        syntax_error(language, text)
        public_names(language, text)
        statements(language, text)
    assert time.process_time() - began < 0.5


def test_text_that_cannot_be_read_in_time_has_not_passed():
    """It is a fault of a draft, of a program and of a file; two such texts are equal where their
    words are, and nothing is known of what they define."""
    assert syntax_error("python", COMMENTS) == GIVEN_UP
    error = error_of_syntax("java", "a<b<" * 5_000)
    assert error and (error.type, error.line) == ("SyntaxError", 1)
    assert public_names("python", COMMENTS) == set()
    assert statements("java", "a<b<" * 5_000) is None
    assert same_code("python", COMMENTS, COMMENTS) and not same_code("python", COMMENTS, "/*")


def test_a_file_of_a_script_that_cannot_be_read_in_time_has_not_passed(monkeypatch):
    """It has a fault, no outline, and no part in the checks of what imports what."""
    monkeypatch.setattr(syntax_process._PROCESS, "ask", lambda question, deadline_s: None)
    text = "export function f() {} // read in no time\n"
    with pytest.raises(Unread):
        ecmascript.first_error(text, "a.ts")
    assert file_content.syntax_error(text, "a.ts") == GIVEN_UP
    assert file_content.file_text(f"```\n{text}```\nSo.\n", "a.ts") == text
    assert signature(text, "a.ts") == text.rstrip("\n")
    assert ScriptProject({"a.ts": text}).modules == {}


def test_after_such_a_text_the_next_one_is_read():
    """Also where somebody else has ended the process."""
    assert syntax_error("python", COMMENTS + "1") == GIVEN_UP
    assert syntax_error("go", "package main\n") is None
    os.kill(syntax_process._PROCESS._process.pid, 9)
    syntax_process._PROCESS._process.wait()
    assert syntax_error("go", "package other\n") == GIVEN_UP
    assert syntax_error("go", "package third\n") is None


def test_a_long_text_without_errors_is_read_in_time():
    """All 1,300 functions of it are found."""
    code = "".join(f"function f{n}(a, b) {{ return a + b * {n}; }}\n" for n in range(1300))
    assert len(public_names("javascript", code)) == 1300


@pytest.mark.timeout(30)
def test_functions_nested_without_end_are_not_compiled():
    """Python's compiler took 1.3 s for 3,000 lambdas in each other; side by side they are code."""
    began = time.process_time()
    assert "lambdas" in str(syntax_fault("lambda:" * 3000 + "x"))
    assert time.process_time() - began < 0.5
    assert is_python("f = lambda: 1\n" * 500)


def test_thousands_of_functions_side_by_side_are_parsed_and_not_compiled():
    """The compiler takes a second for 7,000 lambdas, in which no other thread runs: what the
    grammar says has to do, and what the compiler alone would find is not found."""
    assert "outside function" in str(syntax_fault("f = lambda: 1\nreturn\n").message)
    assert syntax_fault("f = lambda: 1\n" * 1001 + "return\n") is None
    assert syntax_fault("f = lambda: 1\n" * 1001 + "x = (\n") is not None


@pytest.mark.parametrize(
    "text", ["{[1]: 2}", "f(1)", "[1", "-" * 5000 + "1", "[" * 300, "9" * 5000]
)
def test_a_text_that_is_no_literal_is_a_value_error(text):
    """Whatever Python's own reader raises for it."""
    assert read_literal(" [1, 'a']") == [1, "a"]
    with pytest.raises(ValueError, match="not a Python"):
        read_literal(text)


def test_threads_may_parse_at_once():
    """CPython before 3.13 raises SystemError where a tree is made while another thread makes one,
    which the collector of garbage lets happen."""
    trees, all_there = [], threading.Barrier(8)

    def parse_often():
        all_there.wait()
        trees.extend(parse(CODE) for _ in range(30))

    def give_way(*_):
        time.sleep(0)

    before = gc.get_threshold()
    gc.set_threshold(20)
    gc.callbacks.append(give_way)
    threads = [threading.Thread(target=parse_often) for _ in range(8)]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        gc.callbacks.remove(give_way)
        gc.set_threshold(*before)
    assert len(trees) == 8 * 30 and None not in trees
