"""Facts that need no model."""

import pytest

from pipeline.analysis.draft import read_draft
from pipeline.analysis.evidence import (
    examine,
    is_about_python,
    is_notebook,
    language_of,
    named_language,
)
from pipeline.review.coder import write_prompt
from pipeline.task import Task


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
        ("a docker-compose file", "yaml"),
        ("a README.md for it", "markdown"),
        ("a GitHub Actions workflow in YAML", "yaml"),
        ("an HTML page that shows Python code", None),
        ("eine JavaScript-Funktion, die sortiert", "javascript"),
        ("eine Bash-Zeile, die zählt", "bash"),
        ("ein C-Programm", "c"),
        ("écris ça en javascript", "javascript"),
        ("une fonction Go qui trie", "go"),
        ("un script de Bash", "bash"),
        ("una función en Rust", "rust"),
        ("функция на Go", "go"),
        ("用Python写一个函数", "python"),
        ("Goで関数を書いて", "go"),
        ("the class R and a page of it", None),
        ("with the MIT license", None),
    ],
)
def test_a_request_names_its_language_in_usual_ways(request_text, language):
    """Words that are also plain English count only where a language is meant."""
    assert named_language(request_text) == language


@pytest.mark.parametrize(
    ("request_text", "about"),
    [
        ("Write a Python function add(a, b).", True),
        ("Complete this function.\n\ndef add(a: int) -> int:\n", True),
        ("It has to pass\nassert add(1, 2) == 3", True),
        (">>> add(1, 2)\n3", True),
        ("convert this Python to Go:\ndef add(a, b): pass", False),
        ("a Bash script that runs main.py\n\ndef add(a, b):\n", False),
        ("the style sheet of a page", False),
        ("write add(a, b)", False),
        ("", False),
    ],
)
def test_what_is_about_python_alone_has_no_word_on_other_languages(request_text, about):
    """They cost a small model right drafts, and where nothing else is meant they say nothing."""
    assert is_about_python(request_text) is about
    [rules, *_] = write_prompt(Task(request_text))
    assert ("Dockerfile" in rules["content"]) is not about


@pytest.mark.parametrize(
    ("request_text", "reply"),
    [
        ("Rewrite this Python function in JavaScript", "function add(a, b) { return a + b; }"),
        ("Write a Dockerfile for a Python app", "FROM python:3.12\nCOPY . /app\n"),
        ("A GitHub workflow that tests a Python module", "on: [push]\njobs:\n  test: {}\n"),
        ("example of a .gitignore for python", "```python\n# caches\n__pycache__/\n*.pyc\n```"),
        ("requirements.txt for a Python app", "```python\nflask\nrequests==2.0\n```"),
        ("a systemd unit for a Python script", "```python\n[Unit]\nDescription=An app\n```"),
        ("a systemd unit", "```bash\n# of ours\n\n[Service]\nExecStart=/usr/bin/app (a)\n```"),
    ],
)
def test_a_language_beside_the_one_asked_for_finds_no_fault(request_text, reply):
    """What is converted from Python, or made for it, is not read as Python."""
    assert fault(reply, request=request_text) is None


@pytest.mark.parametrize(
    ("label", "language"),
    [
        *(("docker", "dockerfile"), ("make", "makefile"), ("md", "markdown"), ("patch", "diff")),
        *(("postgresql", "sql"), ("MySQL", "sql"), ("pwsh", "powershell"), ("ps1", "powershell")),
    ],
)
def test_a_label_by_another_name_is_the_same_language(label, language):
    """What it is called decides its comments, its colours and what a filter finds."""
    assert read_draft("coder", f"```{label}\nx y\n```", "").language == language


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
        ("[Unit]\nDescription=An app\n\n[Service]\nUser=app", "ini"),
        ("[x]\ndef f(:", "python"),
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


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("go", 'package main\n\nfunc main() {\n\tprintln("hi")\n}\n'),
        ("rust", "fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n"),
        ("c", "#include <stdio.h>\n\nint main(void) { return 0; }\n"),
        ("java", "public class A {\n}\n"),
        ("php", "<?php\nfunction add($a, $b) { return $a + $b; }\n"),
        ("ruby", "def add(a, b)\n  a + b\nend\n"),
        ("swift", "import Foundation\nlet a = [1].map { $0 + 1 }\n"),
        ("typescript", "interface A { x: number }\n"),
        ("powershell", "function Add-Two($a) {\n    return $a + 2\n}\n"),
        ("sql", "-- all of them\nSELECT * FROM users;\n"),
        ("makefile", "all: main\n\ncc:\n\techo $(CC)\n"),
        ("nginx", "server {\n    listen 80;\n}\n"),
    ],
)
def test_code_in_the_language_asked_for_is_no_broken_python(language, text):
    """A small model labels it `python` nevertheless: no syntax error of Python's is found in it.
    What opens as Python does is Python, also beside a file that the request names."""
    words = {"makefile": "a Makefile", "nginx": "an nginx config"}
    request = words.get(language, f"a {language} program")
    draft = read_draft("coder", f"```python\n{text}```", request)
    assert (draft.language, draft.fault) == (language, None)
    assert language_of("import os\nprint(", "python", request) in ("python", language)
    assert (
        language_of("import os\nprint(", "python", "a script that makes a Dockerfile") == "python"
    )


@pytest.mark.parametrize(
    ("text", "label", "request_text", "language"),
    [
        ("function f\n  echo hi\nend\n", "bash", "", "fish"),
        ("set -x PATH ~/bin $PATH\n", "bash", "a fish script", "fish"),
        ("f() {\n  cat <<E\nfor\nend\nE\n}\n", "bash", "", "bash"),
        ('BEGIN { FS = "," }\n{ n += $1 }\n', "bash", "", "awk"),
        ("{ n += $1 }\nEND { print n }\n", "bash", "with awk", "awk"),
        ("awk '{ n += $1 } END { print n }' f\n", "bash", "with awk", "bash"),
        ("cat f | awk '{ print }'\n", None, "with awk", "bash"),
        ("perl -ne 'print'\n", "perl", "in Perl", "bash"),
        ("python -c 'print(1)'\n", "python", "in Python", "bash"),
        ("#!/usr/bin/env python3\nprint(1)\n", "bash", "", "python"),
        ("#!/usr/bin/awk -f\n{ print }\n", None, "", "awk"),
    ],
)
def test_what_a_shell_s_label_stands_on_is_told_by_its_text(text, label, request_text, language):
    """No Bash is found in fish or awk, and no Perl in the command that starts it."""
    assert language_of(text, label, request_text) == language


def test_typescript_with_the_label_of_javascript_is_not_run_as_such():
    """Where the request asks for TypeScript."""
    text = "interface A { x: number }"
    assert language_of(text, "javascript", "an interface in TypeScript") == "typescript"
    assert language_of(text, "javascript", "an interface") == "javascript"


@pytest.mark.parametrize("label", [None, "python"])
@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("json", '{\n  "name": "x",\n  "private": true\n}\n'),
        ("json", '[{"id": 1}]'),
        ("toml", '[project]\nname = "x"\n'),
    ],
)
def test_data_that_is_python_as_well_is_data(label, language, text):
    """It is not run, and names in it are no names of Python's, unless Python is asked for."""
    assert language_of(text, label, "write a project file") == language
    assert language_of(text, label, "write it in Python") == "python"


def test_python_that_makes_another_language_is_python():
    """Without a fence as well: what the request names besides is what the code writes or reads."""
    code = "def convert(text):\n    return text\n"
    for request in (
        "convert Markdown to HTML",
        "a function that turns rows into SQL",
        "a Makefile",
    ):
        assert language_of(code, None, request) == "python"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("html", "<!DOCTYPE html>\n<html></html>\n"),
        ("dockerfile", "# syntax=docker/dockerfile:1\nFROM python:3.12\n"),
        ("sql", "-- all\nSELECT 1;\n"),
        ("diff", "--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a = 1\n+a = 2\n"),
    ],
)
def test_what_opens_as_one_language_alone_needs_no_label(language, text):
    """The first lines name the language, where neither a fence nor the request does."""
    assert language_of(text, None, "write it") == language


def test_a_document_without_a_fence_keeps_its_own_blocks():
    """A README comes back whole where one is asked for; what comes in a fence is what is in it."""
    document = "# Sums\n\nIt adds.\n\n## Use\n\n```python\nimport sums\n```\n\n## License\n\nMIT\n"
    for reply in (document, f"<think>hm</think>\n{document}", f"```markdown\n{document}```\n"):
        draft = read_draft("coder", reply, "Write a README for sums")
        assert (draft.text, draft.language) == (document, "markdown")
    reply = f"# README\n\n## Text\n\n```markdown\n{document}```\n"
    assert read_draft("coder", reply, "Write a README for sums").text == document
    for request in ("Write a Python function that reads a README", "import the sums"):
        assert read_draft("coder", document, request).text == "import sums\n"


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


@pytest.mark.parametrize(
    ("code", "is_fault"),
    [
        ("%matplotlib inline\nimport math\n", False),
        ("!pip install x\nimport os\nfor i in x:\n    %time f()\n", False),
        ("%matplotlib inline\nx = (\n", True),
        ("x = 1\n% 2\n", True),
        ('T = """\n%s\n?help\n"""\nx = 1\n', False),
    ],
)
def test_lines_of_a_notebook_are_no_fault(code, is_fault):
    """Python that runs nowhere else; what is wrong besides is. A text that looks so is Python."""
    assert is_notebook(code) is ("import" in code)
    assert bool(examine("coder", code, "python", truncated=False)) is is_fault


@pytest.mark.parametrize(
    ("request_", "code", "language"),
    [
        ("list all python files bigger than 1MB", "find . -name '*.py' -size +1M", None),
        ("run a python script with cron", "*/5 * * * * /usr/bin/python3 /home/a.py", None),
        ("regex that matches python function definitions", r"^\s*def\s+(\w+)\s*\(", None),
        ("SQL schema for storing python scripts", "CREATE TABLE s (id INTEGER);", "sql"),
        ("a python script that adds", "def add(a, b:\n    return 1", "python"),
        ("a python function that adds", "x = [1,\n", None),
        ("add them in python", "x = [1,\n", "python"),
        ("write a Node class for a tree", "class Node:\n    pass\n", "python"),
    ],
)
def test_what_is_about_python_need_not_be_written_in_it(request_, code, language):
    """A text that does not parse and opens as Python never does is none, unless it is to be in it;
    a node of a tree is no Node.js."""
    assert language_of(code, None, request_) == language
