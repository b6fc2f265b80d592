"""Examples of a program that is given arguments."""

import shutil

import pytest

from pipeline.testcases.examples.example_search import find_examples

needs_sandbox = pytest.mark.skipif(shutil.which("bwrap") is None, reason="needs bubblewrap")
CALC = "Write a small calculator: `calc.py 3 + 4` prints 7, `calc.py 10 / 4` prints 2.5"
RIGHT = """\
import sys

a, sign, b = sys.argv[1:]
a, b = float(a), float(b)
print(f"{ {'+': a + b, '/': a / b}[sign]:g}")
"""
WRONG = "import sys\n\nprint(eval(sys.argv[1]))\n"


@pytest.mark.parametrize(
    ("text", "examples"),
    [
        (CALC, [(("3", "+", "4"), "7\n"), (("10", "/", "4"), "2.5\n")]),
        ('`python greet.py "Ada L"` outputs `Hello, Ada L!`.', [(("Ada L",), "Hello, Ada L!\n")]),
        (
            "Write add.py.\n\n$ python add.py 1 2\n3\n$ ./add.py 4 5\n9\n",
            [(("1", "2"), "3\n"), (("4", "5"), "9\n")],
        ),
        ("```\n$ python up.py a b\nA\nB\n```", [(("a", "b"), "A\nB\n")]),
        ("add.py 1 2 -> 3", [(("1", "2"), "3\n")]),
        ("$ python up.py a b\nA\nPlease use argparse.", []),
        ("wc.py notes.txt prints 3", []),
        ("run.py calls add.py 1 2 -> 3", []),
        ("tool.py --help shows usage", []),
        ("`calc.py A B` prints the sum of A and B", []),
        ("`calc.py 1 2` prints 3 times the sum", []),
        ("cat x | up.py a -> A", []),
        ("Fix main.py so it prints 42", []),
        ("Run `python calc.py` so it prints 7", []),
        ("Write hello.py that prints 'Hello'", []),
        ("Run it as\n$ python calc.py 3 4\nand print the sum.", []),
        ("```\n$ python todo.py add milk\n# adds a task\n```", []),
        ("```\n$ python report.py 2\nA\n\nB\n```", [(("2",), "A\n\nB\n")]),
        ("`greet.py Bob` prints 'Hello Bob.'", [(("Bob",), "Hello Bob.\n")]),
        ("`count.py 3` prints 1, 2 and 3", []),
        ("`none.py 3` prints ''", []),
        ("`calc.py 3 + 4` prints 8, but it should print 7", []),
        ("`calc.py 3 + 4` prints 8 instead of 7. Fix it.", []),
    ],
)
def test_what_a_command_prints_is_an_example(text, examples):
    """Of one program, with words that are there in a sandbox, where the value ends its sentence."""
    suite = find_examples(text)
    assert [(case.words, case.expected) for case in suite.cases] == examples
    assert suite.program == bool(examples)


def test_a_call_behind_a_file_s_name_is_no_command():
    """It is one of a function."""
    suite = find_examples("Create calc.py with add(a, b). In calc.py add(3, 4) gives 7")
    assert not suite.program and [case.input for case in suite.cases] == ["3, 4"]


@needs_sandbox
async def test_a_program_is_run_with_its_words(pipeline_with):
    """One that ignores them is drawn again; what fails is told by the words."""
    settings = {"EVIDENCE_RUN": "auto", "JUDGE_WHEN": "undecided"}
    coder = {"role": "coder", "reply": [WRONG, RIGHT]}
    async with pipeline_with(coder, **settings, MAX_DRAFTS=2) as run:
        assert await run(CALC) == RIGHT
    assert run.record["final_reason"] == "not judged: the request's examples pass"
    first = run.record["artefact"]["drafts"][0]["findings"]
    assert first[0] == "the example arguments 3 + 4 → '7' fails"
