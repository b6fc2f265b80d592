"""Examples of programs as a session of a shell shows them, and what a run is compared with."""

import shutil

import pytest
from sandboxes import SMALL, require_sandbox

from pipeline.sandbox import Arguments, Case, Raises, run_case
from pipeline.testcases.examples.example_search import find_examples

FAILS = "an exit status other than 0"
TEMP = """\
script temp.sh converts C to F:

$ ./temp.sh 100 C
212.0 F
$ ./temp.sh abc C
abc is not a number
$ echo $?
1
$ ./temp.sh
Usage: ./temp.sh NUMBER C|F
$ echo $?
2

the texts of the 2 error messages are only a suggestion, and they should go to stderr.
"""
MAILS = """\
A script that tells who is new and who is gone.

$ cat old.txt
anna@example.org

$ cat new.txt
bob@example.org

anna@example.org
$ python3 mails.py old.txt new.txt
+ bob@example.org

(I don't care about the order of the lines)
"""
CART = """\
node script that reads JSON from stdin. Column widths are not important.

```
$ cat cart.json
[{"item": "pen"}]
$ node total.js < cart.json
pen     1
$ echo '[]' | node total.js
total 0
```
"""
FILES = (("old.txt", "anna@example.org\n"), ("new.txt", "bob@example.org\n\nanna@example.org\n"))


def _read(text):
    cases = find_examples(text).cases
    assert all(case.stdin is not None for case in cases)
    return [(case.words, case.stdin, case.output) for case in cases]


@pytest.mark.parametrize(
    ("text", "examples"),
    [
        (TEMP, [(("100", "C"), "", "212.0 F\n"), (("abc", "C"), "", FAILS), ((), "", FAILS)]),
        (MAILS, [(("old.txt", "new.txt"), "", "+ bob@example.org\n")]),
        (CART, [((), '[{"item": "pen"}]\n', "pen     1\n"), ((), "[]\n", "total 0\n")]),
        ("C++:\n```\n$ g++ a.cpp -o a\n$ ./a 1\n2\n```", [(("1",), "", "2\n")]),
        ("C:\n```\n$ gcc a.c -o a\n$ printf 'x\\ny\\n' | ./a\nY\n```", [((), "x\ny\n", "Y\n")]),
        ("rev.sh:\n\n    $ ./rev.sh <<< 'abc'\n    cba\n\nThanks!", [((), "abc\n", "cba\n")]),
        ("```\nme@box:~/x$ ./up 'a b'\nA B\n```", [(("a b",), "", "A B\n")]),
        ("$ ./add 1 2\n3\n\nand with fractions\n\n$ ./add 1.5 2\n3.5", 2),
    ],
)
def test_a_session_of_a_program_is_read(text, examples):
    """Its words, its input and files, and a status instead of what may be said in other words."""
    found = _read(text)
    assert (len(found) if isinstance(examples, int) else found) == examples


@pytest.mark.parametrize(
    ("text", "how"),
    [("", {"in any columns"}), ("The numbers are right-aligned.", None), ("Widths: 8, 4", None)],
)
def test_columns_have_a_width_where_it_is_said(text, how):
    """What stands before the first of them is part of it."""
    text += "\n```\n  $ ./a.py 2\n     1  ab   cd\n    10  e    fg\n```"
    (case,) = find_examples(text).cases
    assert case.expected == "   1  ab   cd\n  10  e    fg\n"
    assert getattr(case.expected, "how", None) == how


def test_files_that_a_session_shows_are_there():
    """Without the blank lines that end them; of no use to one that is given its input."""
    assert find_examples(MAILS).cases[0].files == FILES
    assert [case.files for case in find_examples(CART).cases] == [None, None]
    empty = find_examples("```\n$ cat e.txt\n$ ./n.py e.txt\n0\n```").cases
    assert empty[0].files == (("e.txt", ""),)


@pytest.mark.parametrize(
    "text",
    [
        # One run leaves something for the next, or for others.
        "todo.py:\n```\n$ python todo.py add tea\nadded\n$ python todo.py list\n1 tea\n```",
        "```\n$ ./visit.py home\n$ ./visit.py show\nhome 1\n```",
        "It saves all names.\n```\n$ ./names.py Ann\n1 name\n$ ./names.py Bob\n2 names\n```",
        # What is now, or only about what shall be.
        "conv.sh rounds badly. I get\n```\n$ ./conv.sh 10 km\n6 mi\n```\nbut want 6.2 mi",
        "$ ./conv.sh 10 km\n6 mi\n\nit should be 6.2 mi",
        "sum.sh, something like this:\n\n$ ./sum.sh 1 2\nsum is 3",
        "```\n$ ./greet.sh Bob\nHi Bob\n```\nthe wording is up to you",
        "```bash\n#!/bin/bash\necho $1\n```\n```\n$ ./a.sh x\nx\n```\nMake it print x twice.",
        "primes.py:\n$ python primes.py 100\n2\n3\n...\n97",
        # It asks, or hangs on what is around it.
        "```\n$ python guess.py 10\nEnter a number: 5\ntoo low\n```",
        "calc.py asks for a sign\n```\n$ python calc.py 3\n+\n4\n7\n```",
        "shows the use of disks\n$ ./du.sh 90\n/dev/sda1 93%",
        "```\n$ ./hello.sh\nHello jo\n```",
        "$ python wc.py notes.txt\n3 14",
        "```\n$ ./cnt.sh *.txt\n3\n```",
        "```\n$ ./conv.py FILE\nconverted FILE\n```",
        "counts the words of a file\n```\n$ ./wc.sh words\n3\n```",
        "column 2, tab separated\n```\n$ cat a\nx    y\n$ ./c2.sh a\ny\n```",
        "It says on stderr what it does.\n```\n$ ./dbl.py 2\ndoubling\n4\n```",
        # Where an error goes, and what its status is, nobody knows.
        "```\n$ python div.py 1 0\ncannot divide by zero\n```",
        "```\n$ cat d.txt\n1\nx\n2\n$ ./sum.py d.txt\nskipping line 2\n3\n```",
        "```\n$ ./v.sh 3\nbad\n$ echo $?\n1\n```",
        # Another program than is asked for.
        "I have a tool that lists jobs:\n```\n$ ./jobs 2\na 1\n```\nSum column 2 in Python",
        "```\n$ python gen.py 3\n1\n2\n```\nWrite run.sh that runs it.",
        # Where what is printed or a file ends, nobody knows, nor which program is asked for.
        "$ ./add 1 2\n3\nIt should take fractions, too.",
        "$ cat t.txt\nthe cat saw a dog\n\nand the cat ran\n$ ./w.py t.txt\nthe 3",
        "```\n$ ./enc.sh abc\nbcd\n$ ./dec.sh bcd\nabc\n```",
        "```\n$ ./t.sh 1 # one\n1\n```",
    ],
)
def test_what_may_come_otherwise_is_no_example(text):
    """In doubt a session is none."""
    assert _read(text) == []


@pytest.fixture
def a_sandbox():
    require_sandbox()


async def _passes(language, program, expected, words=(), stdin="", files=None):
    case = Case(Arguments(), expected, words=words, stdin=stdin, files=files)
    return (await run_case(program, case, SMALL, language=language)).passed


@pytest.mark.usefixtures("a_sandbox")
@pytest.mark.parametrize(
    ("language", "program", "expected", "passes"),
    [
        ("python", "import sys; sys.exit('1 is none')", Raises("SystemExit"), True),
        ("python", "print('1 is none')", Raises("SystemExit"), False),
        ("python", "int('x')", Raises("SystemExit"), False),
        ("bash", "echo usage >&2; exit 3", Raises("SystemExit"), True),
        ("bash", "cat a.txt; exit 1", "in it\n", True),
        ("bash", "cat a.txt; echo lost >&2; exit 1", "in it\n", False),
        ("python", "print(open('a.txt').read(), end='')", "in it\n", True),
    ],
)
async def test_how_a_program_ends_counts_as_it_is_shown(language, program, expected, passes):
    """One that shall fail says so by its status, not by an exception that it does not catch; of
    another one a status says what it found."""
    files = (("a.txt", "in it\n"),)
    assert await _passes(language, program, expected, ("1",), files=files) is passes


@pytest.mark.usefixtures("a_sandbox")
async def test_a_command_that_is_not_here_says_nothing_of_a_script():
    """Whatever it prints then."""
    case = Case(Arguments(), "1\n", words=("1",), stdin="")
    result = await run_case("x=$(no_such_thing 1)\necho $x", case, SMALL, language="bash")
    assert result.raised == ("CommandNotFound",)


OPEN = "```\n$ cat l.txt\na\n$ ./add.sh l.txt b\n2 lines\n$ ./add.sh l.txt c\n3 lines\n```\nIn Bash"


@pytest.mark.usefixtures("a_sandbox")
@pytest.mark.parametrize(
    ("prompt", "draft", "finds"),
    [
        (OPEN, 'echo "$2" >> "$1"\necho "$(wc -l < "$1") lines"', False),
        (OPEN, 'echo "$(wc -l < "$1") lines"', True),
        ("In Bash:\n```\n$ ./a.sh B a\na\nB\n```", 'printf "%s\\n" "$@" | LC_ALL=C sort', False),
        ("In Bash:\n```\n$ ./a.sh B a\na\nB\n```", "printf '%s\\n' $1 | sort", True),
        ("$ python a.py 1\n1", "import requests\nprint(2)", False),
        ("$ python a.py 1\n1", "import numpyy\nprint(1)", False),
        ("$ python a.py 1\n1", "print(input())", False),
        ("$ python a.py 1\n1", "print(open('b.txt').read())", False),
        ("$ python a.py 1\n1", "import sys\nprint(sys.argv[2])", True),
        ("$ node a.js 1\n1", "require('chalk')", False),
        ("$ node a.js 1\n1", "console.log(process.argv[2].x.y)", True),
    ],
)
async def test_what_a_program_lacks_is_no_fault_of_it(pipeline_with, prompt, draft, finds):
    """A package, a file or input of which nothing is said, or what a run before has left."""
    if "node" in prompt and shutil.which("node") is None:
        pytest.skip("needs node")
    language = "bash" if "Bash" in prompt else "javascript" if "node" in prompt else "python"
    rules = (
        {"role": "coder", "reply": f"```{language}\n{draft}\n```"},
        {"role": "reviewer", "reply": "x"},
        {"role": "judge", "reply": "yes"},
    )
    async with pipeline_with(*rules, EVIDENCE_RUN="auto", MAX_DRAFTS=1) as run:
        await run(prompt)
    found = [each for each in run.record["evidence"] if each["stage"] == "coder"]
    assert bool(found) is finds
