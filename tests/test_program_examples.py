"""Examples of programs that read standard input, in the forms in which people write them."""

import pytest

from pipeline.testcases.examples.example_search import find_examples

SUM = "Write a program that reads two numbers from stdin and prints their sum."
ORDERS = "A script: it reads commands from standard input until the end and prints what is left."
FORMS = {
    "an arrow": (f"{SUM} Example: 3 4 -> 7", [("3 4\n", "7\n")]),
    "arrows in lines": (
        f"{SUM}\n\nExamples:\n\n`3 4` -> `7`\n`-1 1` -> `0`",
        [("3 4\n", "7\n"), ("-1 1\n", "0\n")],
    ),
    "a list": (
        f"{SUM} Some examples:\n- 3 4 => 7\n- 0 0 => 0\n",
        [("3 4\n", "7\n"), ("0 0\n", "0\n")],
    ),
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
    "backticks": (
        f"{SUM}\n\nInput: `3 4`\nOutput: `7`\n\nInput:\n`1`\n`1`\nOutput:\n`2`",
        [("3 4\n", "7\n"), ("1\n1\n", "2\n")],
    ),
    "a sentence's marks": (f"{SUM} Input: 3 4, Output: 7.", [("3 4\n", "7\n")]),
    "sentences": (
        f"{SUM} Input: `3 4`. Output: 7; Input: 1 1. Output: 2.",
        [("3 4\n", "7\n"), ("1 1\n", "2\n")],
    ),
    "described, then shown": (
        f"{SUM} Input: two integers. Output: their sum. Example input: 3 4. Example output: 7.",
        [("3 4\n", "7\n")],
    ),
    "marks of a line": (f"{SUM}\n\nInput:\nHello.\nOutput:\n.olleH.", [("Hello.\n", ".olleH.\n")]),
    "another": (f"{SUM}\n\nExample: 1 2 -> 3\nAnother: 4 5 -> 9", [("1 2\n", "3\n")]),
    "a rule among examples": (
        "Reads n from stdin. Examples:\n- 3 -> Fizz\n- 5 -> Buzz\n- n -> n otherwise",
        [("3\n", "Fizz\n"), ("5\n", "Buzz\n")],
    ),
    "an empty input": (
        f"{SUM}\n\nInput: (empty)\nOutput: 0\n\nInput: 3\nOutput: 3",
        [("3\n", "3\n")],
    ),
}
NONE = {
    "a remark": f"{SUM}\n\nInput: 3 4\nOutput: 7 (because 3 + 4 = 7)",
    "how it is written": f"{SUM}\n\nInput: 1 2 3 (one per line)\nOutput: 6",
    "named values": f"{SUM}\n\nInput: n = 3, m = 4\nOutput: 7",
    "a named value": f"{SUM}\n\nInput: n=3\nOutput: 6",
    "described in a line": f"{SUM} Input: two integers. Output: their sum.",
    "what is said behind it": f"{SUM} Input: 3 4. Output: 7. Use a loop please.",
    "a blank line in it": f"{SUM}\n\nSample Input:\n5\n\n1 2 3 4 5\n\nSample Output:\n15",
    "a name": "Reads n from stdin. Example: n -> n",
    "a rule": f"{SUM} odd numbers -> NO, even numbers -> YES",
    "a command that is described": f"{ORDERS}\nlist -> prints all items that are left\n",
    "one of several answers": f"{SUM} For the input `3 4` a possible output is `7`.",
    "what comes today": f"{SUM} For the input `3 4` it prints `12`, which is wrong.",
    "rules": "Reads DNA from stdin and prints RNA. Rules:\nA -> U\nC -> G\n",
    "grades": "Read a score from stdin, print the grade:\n90-100 -> A\n80-89 -> B\nbelow -> F",
    "a function's input": "Given n, return its double.\n\nInput: text\nOutput: more text",
    "a function's words": "Write a function for lines of stdin: for the input `1,2` it gives `3`",
    "a filter": "stdin -> stdout filter",
    "keys": "A calculator on stdin: with `+` it gives `sum`, with `-` it gives `difference`",
    "a table of keys": f"{SUM}\n\n| input | output |\n|---|---|\n| q | quits |\n| x | ends |",
    "sections": f"{SUM}\n\nInput\n\nThe first line contains n.\n\nOutput\n\nPrint the sum.\n",
    "a layout": f"{SUM}\n\nInput\n\nn q\na_1 ... a_n\n\nOutput\n\nOne line for each query\n",
    "a program": f"{SUM}\n```python\nprint(1)\n```\nOutput:\n```\nTraceback\nValueError\n```",
    "a shell": f"{SUM} Run it with\n```\n$ echo 3 | python x.py\n```\nOutput:\n```\n9\n```",
    "a file": "The path is on stdin. data.txt:\n```\n1\n```\nOutput:\n```\n2\n```",
    "a session": f"{SUM}\n```\nEnter n: 3\n```\nOutput\n```\n7\n```",
    "what comes today, in blocks": (
        f"{SUM} I type\n```\n3 4\n```\nit prints\n```\n12\n```\nbut it should print 7."
    ),
    "described in words": f"{SUM}\n\nInput: two numbers a and b\nOutput: the sum",
    "a grammar": "Reads a grammar from stdin, e.g. lines such as\nS -> a S b\nS -> eps\n",
    "a replacement": "Replace in stdin lines: `foo` -> `bar`, `x` -> `y`",
    "a compiler": f"{SUM} Compile with\n\n```\ngcc a.c\n```\n\noutput:\n\n```\nwarning: x\n```",
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


def test_blanks_before_a_line_count():
    """As far as they are no sign of Markdown."""
    aligned = find_examples(f"{SUM}\n\nInput:\n7\nOutput:\n       7\n").cases
    assert [case.expected for case in aligned] == ["       7\n"]
    code = find_examples(f"{SUM}\n\nInput:\n\n    3\n\nOutput:\n\n      3\n").cases
    assert [(case.stdin, case.expected) for case in code] == [("3\n", "  3\n")]


def test_several_pairs_in_a_line():
    """And none of them where one is unclear."""
    pairs = f"{SUM} Example: 3 4 -> 7, 0 1 -> 1."
    assert {case.stdin for case in find_examples(pairs).cases} == {"3 4\n", "0 1\n"}
    assert not find_examples(f"{SUM} Example: 10 3 -> 3 (remainder 1), 4 2 -> 2").cases


def test_a_leetcode_example_is_a_call():
    """Though values are given, and nothing is said of a function."""
    suite = find_examples("Given an integer n, return its factorial.\n\nInput: 5\nOutput: 120")
    assert [(case.stdin, case.arguments.args, case.expected) for case in suite.cases] == [
        (None, (5,), 120)
    ]


def test_who_asks_for_a_program_reports_no_bug():
    """Words such as "are lost" in a story say nothing of code."""
    story = "Some badges are lost. Please give me a C++ solution. Reads n from stdin."
    suite = find_examples(f"{story}\n\nSample Input\n3\n\nSample Output\n2\n")
    assert [(case.stdin, case.expected) for case in suite.cases] == [("3\n", "2\n")]


@pytest.mark.parametrize(
    "request_",
    [
        "Script: given a number of seconds, prints h:mm:ss. Example: 3661 -> 1:01:01",
        "Small script that takes an age and prints the ticket price. Examples:\n5 -> 0\n30 -> 12",
        "Given a number n, print prime or not prime.\n\nInput: 7\nOutput: prime",
        "Given a number n print the pattern\nInput: 3\nOutput:\n1\n22\n333",
        "Given a number, the task is to print whether it is even.\nInput: 4\nOutput: Even",
        "python program, takes an integer n and prints n factorial. Input: 5, Output: 120",
        "bot: user inputs a number n, prints n squared. Example: 3 -> 9",
        "Telegram bot program that takes a number n from the chat and prints it. Example: 10 -> 55",
        "Write a Python function parse_line(line). Each line contains a timestamp and a level.\n\n"
        'Input: "a INFO"\nOutput: ("a", "INFO")',
        "Each line contains a command and a number. Write an interpreter `run(text)` that returns "
        "the position. Input: 'up 3\\ndown 1' Output: 2",
        "My config file has one line per key. The first line has a comment. Write a parser that "
        "returns a dict.\n\nInput:\n```\nhost = a\n```\nOutput:\n```\n{'host': 'a'}\n```",
        "The first line contains headers. Write a script that takes the path as argument and "
        "prints the average age.\n\nInput\nname,age\nBob,3\n\nOutput\n3.0",
        "Script that reads data.csv. The first line contains headers. Print the sum.\n\nInput:\n"
        "```\nn\n1\n```\nOutput:\n```\n1\n```",
    ],
)
def test_who_does_not_say_where_values_come_from(request_):
    """May mean arguments, of a function or of a command; or a file, or a chat."""
    assert not find_examples(request_).program


def test_a_program_that_may_have_arguments_is_no_function():
    """Its examples are neither input nor calls."""
    program = "Write a program which, given an integer n, prints whether it is prime.\n"
    assert not find_examples(f"{program}Input: 7\nOutput: prime").cases
    read = find_examples(f"{program}It reads n.\n\nInput: 7\nOutput: prime").cases
    assert [(case.stdin, case.expected) for case in read] == [("7\n", "prime\n")]


def test_a_contest_may_speak_of_functions():
    """Its section of input says what it wants."""
    said = "Let f(x) be the sum of digits.\n\nInput\nThe first line contains n.\n\n"
    cases = find_examples(f"{said}Sample Input\n12\n\nSample Output\n3\n").cases
    assert [(case.stdin, case.expected) for case in cases] == [("12\n", "3\n")]
