"""Functions of JavaScript in the sandbox: values there and back, and what cannot be called."""

import math
import shutil
from dataclasses import replace

import pytest
from sandboxes import SMALL, require_sandbox

from pipeline.sandbox import ANY_VALUE, Arguments, Case, Foreign, Raises, run_calls

ROOMY = replace(SMALL, cpu_s=10, memory_mb=512, processes=32)  # what Node needs for itself
PROGRAM = """
const same = (x) => x;
const keyed = () => ({a: new Map([[1, "é😀"]]), b: new Set([1]), c: [undefined, -1.5e300]});
const numbers = () => [NaN, -Infinity, 10n ** 20n, -0];
async function later(x) { return {x}; }
const refuses = () => { throw new RangeError("too far\\nsecond line"); };
class Point { constructor() { this.x = 1; } get() { return this.x; } static of(x) { return [x]; } }
const pairs = () => new Set([[1, 2]]);
const made = () => new Point();
const round = () => { const a = []; a.push(a); return a; };
setInterval(() => {}, 1000);
"""


@pytest.fixture(scope="module", autouse=True)
def a_sandbox():
    require_sandbox()
    if shutil.which("node") is None:
        pytest.skip("there is no Node")


async def called(*calls, program=PROGRAM):
    cases = [Case(Arguments(tuple(args)), ANY_VALUE, name) for name, *args in calls]
    return await run_calls(program, cases, ROOMY, language="javascript")


async def test_values_go_in_and_come_back():
    """Each plain value as Python has it: keys are strings, undefined is None, big numbers whole."""
    given = ({"k": (1, 2.5)}, None, True, "é", 10**30, float("inf"))
    came = await called(*(("same", value) for value in given), ("keyed",), ("later", 1), ("pairs",))
    values = [result.value for result in came]
    assert values[:6] == [{"k": [1, 2.5]}, None, True, "é", 10**30, math.inf]
    assert values[6] == {"a": {"1": "é😀"}, "b": {1}, "c": [None, -1.5e300]}
    assert values[7:] == [{"x": 1}, [[1, 2]]]


async def test_numbers_keep_their_kind():
    """Not-a-number, infinity and integers beyond a float's exactness."""
    (came,) = await called(("numbers",))
    assert math.isnan(came.value[0])
    assert came.value[1:] == [-math.inf, 10**20, 0]


async def test_what_is_raised_has_its_name():
    """By the class or one above it; the message is one line."""
    (came,) = await called(("refuses",))
    assert came.error.startswith("RangeError: too far (line ")
    for name in ("RangeError", "Error"):
        assert came.of(Case(Arguments(), Raises(name))).passed
    assert not came.of(Case(Arguments(), Raises("TypeError"))).passed


async def test_what_the_system_refuses_is_an_error_of_it():
    """A file or an address that is not there, as in Python."""
    program = (
        "const read = require('fs').readFileSync; const get = () => fetch('http://a.invalid');"
    )
    for came in await called(("read", "/nowhere"), ("get",), program=program):
        assert came.raised[0] in ("Error", "TypeError") and came.raised[-1] == "OSError"
    (own,) = await called(("f",), program="function f() { throw new Error('no', {cause: null}); }")
    assert "OSError" not in own.raised


async def test_methods_objects_and_endless_values():
    """A method is called on an instance of its own, or on the class; what is no plain data equals
    nothing."""
    method, static, made, round, absent = await called(
        ("Point.get",), ("Point.of", 1), ("made",), ("round",), ("absent",)
    )
    assert method.value == 1 and static.value == [1]
    assert isinstance(made.value, Foreign) and made.value.kind == "Point"
    assert round.came == "raised" and not round.raised
    assert absent.came == "unusable" and absent.raised[0] == "ReferenceError"


@pytest.mark.parametrize(
    "program",
    [
        "module.exports = {f: (x) => x + 1};",
        "exports.f = (x) => x + 1;",
        "export const f = (x) => x + 1;",
        "export default {f: (x) => x + 1};",
        "import { sep } from 'node:path';\nfunction f(x) { return x + sep.length; }",
    ],
)
async def test_functions_are_found_however_a_program_hands_them_out(program):
    """Modules of both kinds, exported or not."""
    (came,) = await called(("f", 1), program=program)
    assert came.value == 2


async def test_a_program_that_cannot_be_loaded_is_unusable_in_each_call():
    """With what it raised."""
    came = await called(("f",), ("f",), program="const f = nothing;")
    assert [each.came for each in came] == ["unusable"] * 2
    assert all(each.error.startswith("ReferenceError: nothing is not") for each in came)


@pytest.mark.parametrize(
    "program",
    [
        "process.exit(0); function f() { return 1; }",
        "const f = () => process.kill(process.pid, 'SIGKILL');",
        "const f = () => process.exit(0);",
        "require('fs').writeSync(+process.env.REPORT_FD, 'nonsense\\n'); const f = () => 1;",
    ],
)
async def test_a_program_that_ends_itself_gives_nothing(program):
    """No result of its own making counts as one."""
    (came,) = await called(("f",), program=program)
    assert not came.gave
