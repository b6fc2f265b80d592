"""Examples of programs that read standard input, in the forms in which people write them."""

import pytest

from pipeline.testcases.examples.example_search import find_examples

SUM = "Write a program that reads two numbers from stdin and prints their sum."
ORDERS = "A script: it reads commands from standard input until the end and prints what is left."
FORMS = {
    "an arrow": (f"{SUM} Example: 3 4 -> 7", [("3 4\n", "7\n")]),
    "arrows in lines": (
        f"{SUM}\n\n`3 4` -> `7`\n`-1 1` -> `0`",
        [("3 4\n", "7\n"), ("-1 1\n", "0\n")],
    ),
    "a list": (f"{SUM}\n- 3 4 => 7\n- 0 0 => 0\n", [("3 4\n", "7\n"), ("0 0\n", "0\n")]),
    "a sentence": (f"{SUM} For the input `3 4` it prints `7`.", [("3 4\n", "7\n")]),
    "two in a sentence": (
        f"{SUM} For input `3 4` it should print `7`, and for `1 1` it has to be `2`.",
        [("3 4\n", "7\n"), ("1 1\n", "2\n")],
    ),
    "plain words": (
        "python program that reads n and prints n squared. For input 3 it prints 9.",
        [("3\n", "9\n")],
    ),
    "lines in a code span": (
        f"{SUM} For the input `3\\n4` the output is `7`.",
        [("3\n4\n", "7\n")],
    ),
    "a table": (
        f"{SUM}\n\n| stdin | stdout |\n|---|---|\n| 3 4 | 7 |\n| 1<br>2 | 3 |\n",
        [("3 4\n", "7\n"), ("1\n2\n", "3\n")],
    ),
    "fences": (
        f"{ORDERS}\n\nExample:\n\n```\nadd milk\nprint\n```\n\ngives\n\n```\nmilk\n```",
        [("add milk\nprint\n", "milk\n")],
    ),
    "a sample and its output": (
        f"{ORDERS}\n\nSample:\n```\nadd milk\n```\nOutput for the sample:\n```\nmilk\n```",
        [("add milk\n", "milk\n")],
    ),
    "indented blocks": (
        f"{ORDERS}\n\nFor the input lines\n\n    add milk\n    print\n\nit prints\n\n    milk\n",
        [("add milk\nprint\n", "milk\n")],
    ),
    "paragraphs": (
        f"{SUM}\n\nExample. For this input\n\n3 4\n\nthe output is\n\n7\n",
        [("3 4\n", "7\n")],
    ),
    "indented samples": (
        f"{SUM}\n\n**Sample Input 1**\n\n    3 4\n\n**Sample Output 1**\n\n    7\n",
        [("3 4\n", "7\n")],
    ),
    "in and out": (f"{SUM}\n\nin:\n3\n4\nout:\n7\n", [("3\n4\n", "7\n")]),
    "a described form": (
        "Line 1: n q. Line 2: n integers. Then q lines with an integer each.\n\n"
        "Input\n1 1\n5\n5\n\nOutput\n1\n",
        [("1 1\n5\n5\n", "1\n")],
    ),
    "a contest's sections": (
        "Java, reads System.in.\n\nInput: n (1 <= n <= 9), then n lines with n integers.\n"
        "Output: if it is a square print YES.\n\nInput\n1\n7\n\nOutput\nYES\n",
        [("1\n7\n", "YES\n")],
    ),
}
NONE = {
    "a rule": f"{SUM} odd numbers -> NO, even numbers -> YES",
    "a command that is described": f"{ORDERS}\nlist -> prints all items that are left\n",
    "one of several answers": f"{SUM} For the input `3 4` a possible output is `7`.",
    "what comes today": f"{SUM} For the input `3 4` it prints `12`, which is wrong.",
    "what is left out": f"{SUM}\n\nInput:\n3 4\n\nOutput:\n...\n",
}


@pytest.mark.parametrize(("request_", "wanted"), FORMS.values(), ids=FORMS)
def test_an_example_is_what_is_read_and_what_is_printed(request_, wanted):
    """As text, line by line."""
    suite = find_examples(request_)
    assert sorted((case.stdin, case.expected) for case in suite.cases) == sorted(wanted)
    assert suite.program


@pytest.mark.parametrize("request_", NONE.values(), ids=NONE)
def test_what_is_no_example(request_):
    """In doubt it is none."""
    assert not find_examples(request_).cases


def test_a_functions_examples_are_no_programs():
    """Words such as "input" stand there too."""
    suite = find_examples("Write double(n). For input 3 it returns 6: double(3) == 6")
    assert {case.stdin for case in suite.cases} == {None}


def test_who_asks_for_a_program_reports_no_bug():
    """Words such as "are lost" in a story say nothing of code."""
    story = "Some badges are lost. Please give me a C++ solution. Reads n from stdin."
    suite = find_examples(f"{story}\n\nSample Input\n3\n\nSample Output\n2\n")
    assert [(case.stdin, case.expected) for case in suite.cases] == [("3\n", "2\n")]
