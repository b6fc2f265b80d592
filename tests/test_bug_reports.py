"""Results that a request states and that shall not be, or that say nothing where drafts are run."""

import shutil

import pytest

from pipeline.request import Turn
from pipeline.testcases.chance import depends_on_chance
from pipeline.testcases.examples.bug_reports import tells_only_what_is_wrong
from pipeline.testcases.examples.example_search import find_examples

needs_sandbox = pytest.mark.skipif(shutil.which("bwrap") is None, reason="needs bubblewrap")
WRONG = "def is_even(n):\n    return n % 2 == 1\n"
RIGHT = WRONG.replace("== 1", "== 0")


@pytest.mark.parametrize(
    ("request_", "tells"),
    [
        ("My function has a bug, is_even(2) returns False:", True),
        ("Debug: `max_of([-1, -2])` returns `0`.", True),
        ("This loses the last element: chunk([1, 2, 3], 2) -> [[1, 2]]", True),
        ("is_even(2) returns False. That's the opposite of what it should do.", True),
        ("dedupe([3, 1, 3]) returns [1, 3]. The order is lost! How to keep it?", True),
        ("Das Ergebnis ist falsch: max_of([-1, -2]) ergibt 0. Bitte korrigieren.", True),
        ("Ma fonction est fausse, max_of([-1, -2]) renvoie 0. Corrige-la.", True),
        ("我的函数有问题，max_of([-1, -2]) 返回 0。请修复。", True),
        ("Fix this so that f(2) returns 4", False),
        ("f(2) returns 3 instead of 4, please fix", False),
        ("f(2) gives 3, I want 4, fix it", False),
        ("Write fix_path(p): fix_path('a') returns 'b'", False),
        ("Write a function that fixes spelling: fix('teh') -> 'the'", False),
        ("f(2) returns 4", False),
        ("Python function to find the opposite of a number. opposite(5) == -5", False),
        ("Kannst du mal eine Funktion machen, die addiert? add(2, 3) == 5", False),
        ("dedup(xs) without losing the order. dedup([2, 1, 2]) == [2, 1]", False),
        ("function to repair a broken JSON string. repair('{') == '{}'", False),
        ("Make a function fix(n): fix(3.7) == 3", False),
        ("Fix this so add(2, 3) == 5:\ndef add(a, b): ...", False),
    ],
)
def test_a_report_that_says_nothing_of_what_shall_be(request_, tells):
    """Its results are no examples, and a warning says so."""
    assert tells_only_what_is_wrong(request_) is tells
    if tells:
        suite = find_examples(request_)
        assert suite.cases == ()


AVERAGE = "\n\ndef avg(xs):\n    return sum(xs) // len(xs)\n\navg([1, 2])  # 1\n"


@pytest.mark.parametrize(
    "report",
    [
        f"Why does this give 1 and not 1.5? Fix it.{AVERAGE}",
        f"The result is 1 instead of 1.5 here:{AVERAGE}",
        'total([1, "2"]) raises TypeError, it should skip strings and return 1.',
    ],
)
def test_what_comes_now_is_no_example(report):
    """Below words of what is wrong, in which a point may stand in a number; nor is an error that
    something else should come of."""
    assert find_examples(report).cases == ()


def test_the_results_of_a_report_are_left_out_with_a_word():
    """Whoever meant them as examples learns why they were not run."""
    suite = find_examples("is_even(2) returns False, fix it")
    assert (suite.cases, suite.warnings) == (
        (),
        ("the results that a bug report states are no examples",),
    )


@needs_sandbox
async def test_what_the_reported_code_does_already_decides_nothing(pipeline_with):
    """It may be the bug: for code in the request, and for a chat's last answer."""
    rules = ({"role": "coder", "reply": RIGHT}, {"role": "judge", "verdict": [9, 1, "ok"]})
    said = "It is broken: is_even(2) == False, and is_even(3) should be False"
    turns = (Turn("user", "is n even"), Turn("assistant", f"```python\n{WRONG}```"))
    settings = {"EVIDENCE_RUN": "auto", "MAX_DRAFTS": 1}
    for asked in ({"prompt": f"{said}.\n\n{WRONG}"}, {"prompt": said, "conversation": turns}):
        async with pipeline_with(*rules, **settings) as run:
            assert await run(**asked) == RIGHT
        assert run.record["evidence"] == []


PRIME = "def is_prime(n):\n    return all(n % i for i in range(2, n))\n"
ABOVE_ONE = PRIME.replace("return", "return n > 1 and")


@needs_sandbox
@pytest.mark.parametrize(
    ("asked", "fails"),
    [
        ("that's wrong, is_prime(1) returns True", ""),
        ("nope, is_prime(1) -> True", ""),
        ("no, for 1 it gives True", ""),
        ("is_prime(1) should return False", ""),
        ("no, is_prime(2) should give False", "is_prime(2) → False"),
    ],
)
async def test_a_chat_s_complaint_is_no_wish(pipeline_with, asked, fails):
    """What the last answer gives already is what is wrong, where no word says what shall be."""
    turns = (Turn("user", "is it a prime?"), Turn("assistant", f"```python\n{PRIME}```"))
    rules = ({"role": "coder", "reply": ABOVE_ONE}, {"role": "judge", "verdict": [9, 1, "ok"]})
    settings = {"EVIDENCE_RUN": "auto", "MAX_DRAFTS": 1, "JUDGE_WHEN": "undecided"}
    async with pipeline_with(*rules, **settings) as run:
        await run(asked, conversation=turns)
    told = [each["detail"] for each in run.record["evidence"]]
    assert told == ([f"the example {fails} fails"] if fails else [])


FIRST = "def first(xs):\n    return xs[0]\n"
OR_NONE = FIRST.replace("return", "return xs and") + "\n\nfirst([])\n"


@needs_sandbox
@pytest.mark.parametrize(
    ("asked", "code", "mended", "still"),
    [
        ("that's wrong, is_prime(1) returns True", PRIME, ABOVE_ONE, "is_prime(1) → True"),
        ("nope, for 1 it gives True", PRIME, ABOVE_ONE, "is_prime(1) → True"),
        ("first([]) raises IndexError", FIRST, OR_NONE, "first([]) → raises IndexError"),
        ("that's wrong, is_prime(2) returns False", PRIME, ABOVE_ONE, ""),
        ("first([]) should raise IndexError", FIRST, OR_NONE, ""),
    ],
)
async def test_what_a_report_states_shall_not_come_again(pipeline_with, asked, code, mended, still):
    """Where the code that it is about gives that; a draft that does so too is drawn again."""
    turns = (Turn("user", "Write it."), Turn("assistant", f"```python\n{code}```"))
    same = f'{code}\n\nif __name__ == "__main__":\n    print("Hi")\n'
    rules = ({"role": "coder", "reply": [same, mended]}, {"role": "judge", "verdict": [9, 1, "ok"]})
    settings = {"EVIDENCE_RUN": "auto", "MAX_DRAFTS": 2, "JUDGE_WHEN": "always"}
    async with pipeline_with(*rules, **settings) as run:
        answer = await run(asked, conversation=turns)
    assert answer == (mended if still else same)
    first, *_ = run.record["artefact"]["drafts"]
    assert first["findings"] == ([f"it still does what was reported: {still}"] if still else [])


@needs_sandbox
@pytest.mark.parametrize(
    ("asked", "draft"),
    [
        (
            'Write words(path); words("data.txt") returns 120',
            "def words(path):\n    return len(open(path).read().split())\n",
        ),
        (
            'Write there(path): there("/opt/some/file") -> True',
            "import os\n\n\ndef there(path):\n    return os.path.exists(path)\n",
        ),
        (
            'Write password(length). password(4) -> "aB3$"',
            "import secrets\n\n\ndef password(length):\n    return secrets.token_hex(length)\n",
        ),
        (
            'Write until(date). until("2030-01-01") returns 1234',
            "from datetime import date\n\n\ndef until(day):\n"
            "    return (date.fromisoformat(day) - date.today()).days\n",
        ),
        (
            "Write a function pick(n) that picks a letter: pick(0) -> 'none', pick(1) -> 'b'",
            "import random\n\n\ndef pick(n):\n    return random.choice('ac') if n else 'none'\n",
        ),
    ],
)
async def test_files_chance_and_the_clock_make_no_fault(pipeline_with, asked, draft):
    """There are none of the writer's in the sandbox; nor does such an example decide, or others
    beside it, and the record says that it was left out."""
    rules = ({"role": "coder", "reply": draft}, {"role": "judge", "verdict": [9, 1, "ok"]})
    settings = {"EVIDENCE_RUN": "auto", "MAX_DRAFTS": 1, "JUDGE_WHEN": "undecided"}
    async with pipeline_with(*rules, **settings) as run:
        assert await run(asked) == draft
    assert run.record["evidence"] == []
    assert [step["stage"] for step in run.record["steps"] if step["model"]] == ["coder", "judge"]
    said = "what is given, its order, files, a network, chance or the clock"
    said = f"not run here: 1 of its examples may depend on {said}"
    assert run.record["artefact"]["notes"] == [said]


@pytest.mark.parametrize(
    ("language", "code", "is_of_chance"),
    [
        ("python", "import random\n\nprint(1)\n", False),
        ("python", "import random as r\n\nprint(r.choice('ab'))\n", True),
        ("python", "from secrets import token_hex\n\nprint(1)\n", False),
        ("python", "from random import *\n\nprint(choice('ab'))\n", True),
        ("python", "from time import sleep, time\n\nsleep(time())\n", True),
        ("javascript", "const day = (iso) => new Date(iso).getDay();", False),
        ("javascript", "const day = () => new Date().getDay();", True),
        ("javascript", "const now = () => Date.now();", True),
    ],
)
def test_what_hangs_on_chance_uses_it(language, code, is_of_chance):
    """An import that nothing uses gives nothing, and a date that is given is no clock."""
    assert depends_on_chance(code, language) == is_of_chance


@needs_sandbox
async def test_the_clock_is_no_excuse_where_nothing_is_said_of_it(pipeline_with):
    """A draft that looks at the day of today in place of its argument fails the examples."""
    draft = "from datetime import date\n\n\ndef next_day(day):\n    return str(date.today())\n"
    rules = ({"role": "coder", "reply": draft}, {"role": "judge", "verdict": [9, 1, "ok"]})
    settings = {"EVIDENCE_RUN": "auto", "MAX_DRAFTS": 1, "JUDGE_WHEN": "undecided"}
    async with pipeline_with(*rules, {"role": "reviewer", "reply": draft}, **settings) as run:
        said = await run("next_day('fri') -> 'sat', next_day('xyz') -> KeyError")
    assert "REVIEWER_NOTE: the example next_day('fri') → 'sat' fails" in said
    assert run.record["escalated"]


MEAN = "def mean(xs):\n    return sum(xs) / len(xs)\n"
MENDED = "def mean(xs):\n    return sum(xs) / len(xs) if xs else 0\n"
SESSION = (
    '>>> mean([])\nTraceback (most recent call last):\n  File "<stdin>", line 1, in <module>\n'
    '  File "<stdin>", line 2, in mean\nZeroDivisionError: division by zero\n'
)
TRACEBACK = (
    'Traceback (most recent call last):\n  File "m.py", line 4, in <module>\n    print(mean([]))\n'
    '          ^^^^^^^^\n  File "m.py", line 2, in mean\n    return sum(xs) / len(xs)\n'
    "           ~~~~~~~~^~~~~~~~~\nZeroDivisionError: division by zero\n"
)
REPORTS = [
    f"Fix this:\n\n{MEAN}\n{{}}",
    f"{MEAN}\n{{}}\nPlease fix.",
    f"My function crashes:\n\n{MEAN}\n{{}}",
    f"fix this\n```python\n{MEAN}```\n```\n{{}}```\n",
    f"{MEAN}\n{{}}\nWhat's wrong? Return 0 for an empty list.",
    f"I get this error:\n{{}}\nwith\n{MEAN}",
    f"Why do I get an error?\n\n{MEAN}\n{{}}",
    f"Debug this code.\n\n{MEAN}\n\nError:\n{{}}",
    f"{MEAN}\nWhen I run it I get\n\n{{}}",
    "{}\n\nhelp",
]


@pytest.mark.parametrize("shown", [SESSION, TRACEBACK], ids=["session", "traceback"])
@pytest.mark.parametrize("report", REPORTS)
def test_an_error_of_a_run_is_what_shall_not_come_again(report, shown):
    """No example, in whatever words and wherever beside the code it stands."""
    suite = find_examples(report.format(shown))
    assert suite.cases == ()
    assert [suite.described(each)[:8] for each in suite.reported] == ["mean([])"]
    assert suite.reported[0].output == "raises ZeroDivisionError"


@pytest.mark.parametrize(
    "request_",
    [
        f'Complete it:\n\ndef mean(xs):\n    """The mean.\n\n{SESSION}    """\n',
        f"Write mean(xs):\n\n{SESSION}",
        f"Write mean(xs). Fix nothing else.\n\n{SESSION}\nIt should raise this for an empty list.",
        f"{MEAN}\n"
        + SESSION.replace('  File "<stdin>", line 1, in <module>\n', "").replace(
            '  File "<stdin>", line 2, in mean\n', "  ...\n"
        ),
    ],
)
def test_an_error_that_is_asked_for_stays_an_example(request_):
    """In a docstring, where nothing is given that could have raised it, by a word, or where no
    file's name says that it comes of a run."""
    suite = find_examples(request_)
    assert [case.output for case in suite.cases] == ["raises ZeroDivisionError"]
    assert suite.reported == ()


AGE = (
    "def age(text):\n    if int(text) < 0:\n        raise ValueError(text)\n    return int(text)\n"
)
RAISED = (
    'Traceback (most recent call last):\n  File "m.py", line 6, in <module>\n    age("-1")\n'
    '  File "m.py", line 3, in age\n    raise ValueError(text)\nValueError: -1\n'
)
ENTERED = SESSION.replace("mean([])", "age('-1')").replace(
    "ZeroDivisionError: division by zero", "ValueError: -1"
)


@needs_sandbox
@pytest.mark.parametrize("shown", [RAISED, ENTERED], ids=["traceback", "session"])
@pytest.mark.parametrize(
    ("asked", "defined"),
    [
        ("What do I do about this error?", AGE),
        ("How do I catch this error?", AGE.replace("raise ValueError(text)", "int('')")),
    ],
)
async def test_what_is_raised_on_purpose_or_to_be_caught_may_be_raised(
    pipeline_with, shown, asked, defined
):
    """Where the function is called."""
    caught = f"{defined}\n\ntry:\n    age('-1')\nexcept ValueError:\n    print('no age')\n"
    settings = {"EVIDENCE_RUN": "auto", "MAX_DRAFTS": 2}
    judge = {"role": "judge", "verdict": [9, 1, "ok"]}
    async with pipeline_with({"role": "coder", "reply": caught}, judge, **settings) as run:
        assert await run(f"{asked}\n\n{defined}\n{shown}") == caught
    assert not run.record["evidence"]


def test_a_traceback_below_words_that_ask_for_an_error_reports_nothing():
    """Nor one whose call has no literal arguments, or is not of the program's own function."""
    asked = f"mean([]) should raise a clear error, now:\n{MEAN}\n{TRACEBACK}"
    for text in (
        asked,
        f"Fix:\n{TRACEBACK.replace('mean([])', 'mean(data)')}",
        f"Fix:\n{TRACEBACK.replace('in mean', 'in other')}",
        f"Fix:\n{TRACEBACK.replace('ZeroDivisionError: division by zero', 'and so on')}",
    ):
        assert find_examples(text).reported == ()


@needs_sandbox
@pytest.mark.parametrize("shown", [SESSION, TRACEBACK], ids=["session", "traceback"])
@pytest.mark.parametrize("report", [f"Fix this:\n\n{MEAN}\n{{}}", "It crashes, fix mean:\n{}"])
async def test_a_draft_that_still_raises_it_is_drawn_again(pipeline_with, report, shown):
    """Also where the code that raised it is not given; the answer says it if none is without."""
    still = MEAN.replace("xs", "numbers")
    settings = {"EVIDENCE_RUN": "auto", "MAX_DRAFTS": 2, "JUDGE_REVIEW": False}
    judge = {"role": "judge", "verdict": [9, 1, "ok"]}
    async with pipeline_with({"role": "coder", "reply": [still, MENDED]}, judge, **settings) as run:
        assert await run(report.format(shown)) == MENDED
    first, *_ = run.record["artefact"]["drafts"]
    reported = "it still does what was reported: mean([]) → raises ZeroDivisionError"
    assert first["findings"] == [reported]
    rules = ({"role": "coder", "reply": still}, {"role": "reviewer", "reply": still}, judge)
    async with pipeline_with(*rules, **settings) as run:
        answer = await run(report.format(shown))
    assert f"REVIEWER_NOTE: {reported}" in answer
