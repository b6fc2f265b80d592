"""`///test` of functions in JavaScript and Bash: the examples are run in the sandbox."""

import shutil

import pytest

from config import load_settings
from pipeline.sandbox import Arguments, Case, Limits, Raises, run_case
from server.runtime.record_details import details_of

pytestmark = pytest.mark.skipif(
    not all(map(shutil.which, ("bwrap", "node", "bash"))), reason="it needs bubblewrap and node"
)
NOTHING = {"role": "tester", "reply": "NONE"}
JUDGED = {"role": "judge", "verdict": [9, 1, "It is right."]}
JS = """Write a JavaScript function pair(a, b).
pair(1, 2) → [1, 2]
pair("a", None) → ["a", None]
pair(0, 0) raises ValueError
"""
PAIR = "export function pair(a, b) { if (a === 0) throw new RangeError('no'); return [a, b]; }\n"
BASH = """Write a Bash function area(w, h).
area(2, 3) → 6
area(0, 3) → 0
area(-1, 3) raises ValueError
"""
JS_TESTS = """Write a JavaScript function pair(a, b).

test('pairs', () => assert.deepStrictEqual(pair(1, 2), [1, 2]));
assert.deepEqual(pair("a", null), ["a", null]);
assert.throws(() => pair(0, 0));
"""
BASH_TESTS = """Write a Bash function area(w, h).
[ "$(area 2 3)" = 6 ]
[[ $(area 0 3) -eq 0 ]]
[ "$(area 1 3)" == 3 ]
"""
AREA = 'area() { [ "$1" -ge 0 ] || return 2; echo $(($1 * $2)); }\n'


@pytest.mark.parametrize(
    ("prompt", "code", "passed"),
    [
        (JS, PAIR, 3),
        (JS, PAIR.replace("[a, b]", "[b, a]"), 1),
        (JS, "const other = 1;\n", 0),
        (BASH, AREA, 3),
        (BASH, AREA.replace("*", "+"), 1),
        (BASH, "exit 0\n", 0),
        (JS_TESTS, PAIR, 3),
        (JS_TESTS, PAIR.replace("[a, b]", "[b, a]"), 1),
        (BASH_TESTS, AREA, 3),
        (BASH_TESTS, AREA.replace("*", "+"), 0),
    ],
)
async def test_examples_of_functions_are_run(pipeline_with, prompt, code, passed):
    """Also those that are written as tests of the language. Values are compared as the kind that is
    expected; that something is raised counts, not what. A program without the function, or that
    ends at once, passes nothing."""
    rules = [NOTHING, {"role": "coder", "reply": code}, {"role": "reviewer", "reply": code}]
    language = "javascript" if "JavaScript" in prompt else "bash"
    async with pipeline_with(*rules, JUDGED, TEST_MAX_ROUNDS=1) as run:
        await run(f"///test {prompt}")
    tests = details_of(run.record).tests
    assert tests and not tests.reason, run.record["artefact"]
    assert (tests.passed, tests.total) == (passed, 3), tests
    assert run.record["language"] == language


@pytest.mark.parametrize(
    ("code", "expected", "passed"),
    [
        ("f() { return $1; }\n", True, True),
        ("f() { return $1; }\nexit 0\n", True, False),
        ("f() { return 1; }\n", Raises("ValueError"), True),
        ("f() { return 0; }\nexit 1\n", Raises("ValueError"), False),
    ],
)
async def test_the_status_of_a_script_is_none_of_its_function(code, expected, passed):
    """One that ends while it is read has called nothing: its status was a truth, or an error."""
    case = Case(Arguments((0,)), expected, "f", name="status")
    result = await run_case(code, case, Limits.of(load_settings()), language="bash")
    assert result.passed is passed, result


@pytest.mark.parametrize(
    ("printed", "expected", "passed"),
    [
        ("a b", ["a b"], True),
        ("a b", ["a"], False),
        ("a b", ["a", "b"], True),
        ("a b\\nc", ["a b", "c"], True),
        ("5", [5], True),
        ("", [], True),
        ("a", [], False),
    ],
)
async def test_a_list_that_bash_prints_is_lines_or_words(printed, expected, passed):
    """One item alone may have blanks in it."""
    case = Case(Arguments(), expected, "f", name="list")
    limits = Limits.of(load_settings())
    result = await run_case(f"f() {{ printf '{printed}\\n'; }}\n", case, limits, language="bash")
    assert result.passed is passed, result


async def test_what_a_script_prints_while_it_is_read_is_no_function_s_value():
    """Most scripts end with a line that shows what they do."""
    case = Case(Arguments((1, 2)), 3, "add", name="shown")
    code = "add() { echo $(($1 + $2)); }\nadd 2 3\n"
    result = await run_case(code, case, Limits.of(load_settings()), language="bash")
    assert result.passed, result
