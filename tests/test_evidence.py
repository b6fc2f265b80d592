"""Facts that need no model."""

import pytest

from pipeline.analysis.draft import read_draft
from pipeline.analysis.evidence import language_of, named_language


def fault(reply, request="add two numbers", **options):
    return read_draft("coder", reply, request, **options).fault


def test_good_code_has_no_fault():
    """Nothing is found where nothing is wrong."""
    assert fault("def add(a, b):\n    return a + b") is None


@pytest.mark.parametrize("reply", ["", " \n\t", "<think>only thinking</think>", "<think>for ever"])
def test_an_empty_draft_is_evidence(reply):
    """Blank, or nothing but thinking."""
    assert fault(reply) == "evidence: the coder's answer is empty"


def test_a_cut_off_draft_is_evidence_whatever_its_language():
    """The token limit ended it."""
    assert fault("SELECT", truncated=True) == "evidence: cut off by the token limit"


@pytest.mark.parametrize(
    ("reply", "line"),
    [
        ("def add(a, b):\n    x = 1\n    return a +", 3),
        ("import os\nprint(", 2),
        ("```python\nreturn 1\n```", 1),
        ("# a comment\n\nclass A:\n  def f(self):\n pass", 5),
    ],
)
def test_a_syntax_error_names_its_line(reply, line):
    """Python is recognised by its fence or its opening."""
    assert fault(reply) == f"evidence: syntax error at line {line}"


@pytest.mark.parametrize(
    "reply",
    [
        "import x from 'y';",
        "import java.util.*;\nclass A {}",
        "class Foo {\n  int x;\n}",
        "```js\nfunction f( {\n```",
        "from t select",
        "just prose, no code",
    ],
)
def test_other_languages_are_not_checked_as_python(reply):
    """An opening that only looks like Python must not cost a review."""
    assert fault(reply) is None


def test_the_request_s_language_decides_when_no_fence_does():
    """`in JavaScript` means that nothing is checked; `in Python` means that it is."""
    assert fault("def f(", request="write f in JavaScript") is None
    assert fault("x = = 1", request="write it in Python") == "evidence: syntax error at line 1"
    assert fault("def f(", language="ruby") is None


@pytest.mark.parametrize(
    ("request_text", "language"),
    [
        ("sort a list in Python", "python"),
        ("a Python script that lists files", "python"),
        ("write it in C++", "cpp"),
        ("a C program", "c"),
        ("rewrite this with Go", "go"),
        ("a TypeScript function", "typescript"),
        ("how to go home in c-minor", None),
        ("pythonic style please", None),
        ("in Java", "java"),
        ("in javascript", "javascript"),
        ("a node script", "javascript"),
        ("a Python function, written in Python", "python"),
        ("Rewrite this Python function in JavaScript", None),
        ("convert this Python code to Go", None),
        ("a Dockerfile for a Python app", None),
        ("a Makefile", "makefile"),
        ("an HTML page that shows Python code", None),
    ],
)
def test_a_request_names_its_language_in_usual_ways(request_text, language):
    """Words that are also plain English count only where a language is meant."""
    assert named_language(request_text) == language


@pytest.mark.parametrize(
    ("request_text", "reply"),
    [
        ("Rewrite this Python function in JavaScript", "function add(a, b) { return a + b; }"),
        ("Write a Dockerfile for a Python app", "FROM python:3.12\nCOPY . /app\n"),
        ("A GitHub workflow that tests a Python module", "on: [push]\njobs:\n  test: {}\n"),
    ],
)
def test_a_language_beside_the_one_asked_for_finds_no_fault(request_text, reply):
    """What is converted from Python, or made for it, is not read as Python."""
    assert fault(reply, request=request_text) is None


@pytest.mark.parametrize("label", ["plaintext", "code", "text"])
def test_a_label_that_names_no_language_does_not_hide_it(label):
    """A small model's habit: what the request or the code says, counts, and it is checked."""
    assert language_of("x", label, "write it in Python") == "python"
    assert language_of("def f():\n    pass", label, "") == "python"
    assert language_of("Dear all,", label, "a letter") == label


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("import React, { useState } from 'react';\nfunction App() { return <p/> }", "javascript"),
        ("<!DOCTYPE html>\n<html></html>", "html"),
        ("# two services\nversion: '3.8'\nservices:\n  web:\n    image: nginx", "yaml"),
        ("FROM python:3.12\nCOPY . /app", "dockerfile"),
        ("SELECT name FROM users WHERE id = 1;", "sql"),
        ("def f(:\n    pass", "python"),
        ("try:\n    import x\nexcept", "python"),
        ("x: int = 3\ndef f(:", "python"),
        ("from x import (", "python"),
        ("name: str\n", "python"),
    ],
)
def test_a_label_that_the_text_contradicts_is_not_believed(text, language):
    """Small models label anything `python`: what opens as another language and is no Python is
    not called a syntax error; what is broken Python still is."""
    assert language_of(text, "python", "") == language


def test_a_shebang_tells_the_language():
    """The first line of a script is a label."""
    assert language_of("#!/usr/bin/env python3\nx", None, "") == "python"
    assert language_of("#!/bin/bash\nx", None, "") == "bash"


@pytest.mark.parametrize(
    "code",
    [
        '"""Sums."""\n\n\ndef f(a):\n    return a\n',
        '"""Sums."""\ndef f(',
        "MOST = 7\n\n\ndef f(a):\n    return a % MOST\n",
        "for n in range(3):\n    print(n)\n",
    ],
)
def test_python_is_known_whatever_it_opens_with(code):
    """A docstring, a constant, a loop: code without a fence in answer to a request that names no
    language is checked as well."""
    assert language_of(code, None, "add the numbers") == "python"
    assert language_of("print(1)", None, "add the numbers") is None  # Lua says it so, too


def test_hostile_code_does_not_break_the_check():
    """Deep nesting, null bytes and surrogates end as a finding, and nothing is executed."""
    for code in (
        "def f(): " + "(" * 10_000,
        "import os\x00",
        "x = '\ud800'\ndef f(:",
        "-" * 60_000 + "1",
    ):
        assert fault(code, language="python").startswith("evidence: syntax error")
