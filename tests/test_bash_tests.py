"""Tests in Bash, run with their program in the sandbox."""

import shutil

import pytest
from test_code_evidence import Bare

from pipeline.testcases.test_runner import run_tests

pytestmark = pytest.mark.skipif(
    not (shutil.which("bwrap") and shutil.which("bash")), reason="it needs bubblewrap and bash"
)
ADD = 'add() { echo "$(($1 + $2))"; }\n'
SCRIPT = f'#!/bin/bash\n{ADD}if [[ "${{BASH_SOURCE[0]}}" == "$0" ]]; then add "$@"; fi\n'
BARE = '[ "$(add 1 2)" = 3 ]\n[[ $(add 2 2) == 4 ]]\n'
WRONG = '[ "$(add 1 2)" = 3 ]\n[[ $(add 2 2) == 5 ]]\n'
FUNCTIONS = """
test_small() { [ "$(add 1 2)" = 3 ]; }
test_large() { [ "$(add 1 2)" = 4 ] || return 1; }
"""
COUNTED = """\
failed=0
check() { if [ "$1" != "$2" ]; then echo "FAIL: $1 is not $2"; failed=$((failed + 1)); fi; }
check "$(add 1 2)" {wanted}
exit $failed
"""


@pytest.mark.parametrize(
    ("code", "tests", "statuses"),
    [
        (ADD, BARE, ["passed"]),
        (ADD, WRONG, ["failed"]),
        (ADD, FUNCTIONS, ["passed", "failed"]),
        (ADD, FUNCTIONS + "test_small\n", ["passed"]),
        (ADD, COUNTED.replace("{wanted}", "3"), ["passed"]),
        (ADD, COUNTED.replace("{wanted}", "4"), ["failed"]),
        (SCRIPT, f'#!/bin/bash\nsource "$(dirname "$0")/add.sh"\n{BARE}', ["passed"]),
        (SCRIPT, '[ "$(bash add.sh 1 2)" = 3 ] || exit 1\n', ["passed"]),
        (SCRIPT, 'set -e\nchmod +x ./add.sh\n[ "$(./add.sh 1 2)" = 4 ]\n', ["failed"]),
        (f"{ADD}no() {{ [ 1 = 2 ]; }}\n", f"no\nresult=$(no)\n{BARE}", ["passed"]),
        (f"{ADD}exit 0\n", BARE, ["failed"]),
        ("sub() { :; }\n", BARE, ["failed", "failed"]),
    ],
)
async def test_they_are_run_in_whatever_form_they_are_written(pipeline_with, code, tests, statuses):
    """Bare checks, functions, counters, programs that are called or sourced; a program's own calls
    that fail are none, and one that ends the process has failed."""
    async with pipeline_with() as pipeline:
        suite = await run_tests(Bare(pipeline), code, tests, language="bash")
    assert [each.status for each in suite.done] == statuses, suite
    assert not suite.problem and not suite.compared


async def test_a_failing_check_is_named_with_its_line(pipeline_with):
    """As the tests count their lines. What needs a test runner that is not there proves nothing,
    nor do tests that name thousands of files: each would be a copy of the program."""
    async with pipeline_with() as pipeline:
        suite = await run_tests(Bare(pipeline), ADD, WRONG, language="bash")
        bats = '@test "adds" {\n  run add 1 2\n}\n'
        other = await run_tests(Bare(pipeline), ADD, bats, language="bash")
        named = "".join(f"bash a{n}.sh\n" for n in range(2000))
        many = await run_tests(Bare(pipeline), ADD, named, language="bash")
    assert suite.failed[0].message == "line 2: [[ $(add 2 2) == 5 ]]"
    assert many.done == () and "they name 2001 files" in many.problem
    assert other.done == () and other.problem == "The tests could not be run here: they need bats."


@pytest.mark.parametrize(("tests", "idle"), [(BARE, False), ("test_add() { add 1 2; }\n", True)])
async def test_tests_that_pass_although_functions_do_nothing_are_idle(pipeline_with, tests, idle):
    """They prove nothing."""
    async with pipeline_with() as pipeline:
        suite = await run_tests(Bare(pipeline), ADD, tests, language="bash")
    assert (suite.passed, suite.idle) == (1, idle)
