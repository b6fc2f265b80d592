"""Tests in JavaScript, run with their program in the sandbox."""

import shutil

import pytest
from test_code_evidence import Bare

from pipeline.testcases.test_runner import run_tests

pytestmark = pytest.mark.skipif(
    not (shutil.which("bwrap") and shutil.which("node")), reason="it needs bubblewrap and node"
)
ADD = "function add(a, b) { return a + b; }\n"
OURS = f"{ADD}module.exports = {{ add }};\n"
SHARED = f"export {ADD}"
CASES = """
test('adds', () => assert.strictEqual(add(1, 2), 3));
test('fails', () => assert.strictEqual(add(1, 2), 4));
"""
MEMBERS, ALIASED = CASES.replace("add(", "m.add("), CASES.replace("add(", "m(")
NAMELESS = "module.exports = (a, b) => a + b;\n"
REQUIRES = "const test = require('node:test');\nconst assert = require('assert');\n"
IMPORTS = "import test from 'node:test';\nimport assert from 'node:assert';\n"
ASSERTS = "const assert = require('assert');\nassert.equal(add(1, 2), 3);\n"


@pytest.mark.parametrize(
    ("code", "tests", "statuses"),
    [
        (ADD, REQUIRES + CASES, ["passed", "failed"]),
        (OURS, f"{REQUIRES}const {{ add }} = require('./add');{CASES}", ["passed", "failed"]),
        (SHARED, f"{IMPORTS}import {{ add }} from './add.js';{CASES}", ["passed", "failed"]),
        (OURS, f"{IMPORTS}import {{ add }} from '../src/add.js';{CASES}", ["passed", "failed"]),
        (OURS, f"{REQUIRES}const {{\n  add,\n}} = require('./add');{CASES}", ["passed", "failed"]),
        (SHARED, f"{IMPORTS}import {{\n  add\n}} from './add.js';{CASES}", ["passed", "failed"]),
        (OURS, f"{REQUIRES}const m = require('./m');{MEMBERS}", ["passed", "failed"]),
        (ADD, f"{REQUIRES}const m = require('./m');{MEMBERS}", ["passed", "failed"]),
        (SHARED, f"{IMPORTS}import * as m from './m.js';{MEMBERS}", ["passed", "failed"]),
        (
            f"{SHARED}export default add;\n",
            f"{IMPORTS}import m, {{ add }} from './m.js';{CASES}",
            ["passed", "failed"],
        ),
        (OURS, f"{REQUIRES}const {{ add: m }} = require('./m');{ALIASED}", ["passed", "failed"]),
        (SHARED, f"{IMPORTS}import {{ add as m }} from './m.js';{ALIASED}", ["passed", "failed"]),
        (NAMELESS, f"{REQUIRES}const m = require('./m');{ALIASED}", ["passed", "failed"]),
        (NAMELESS, f"{REQUIRES};const add = require('./m');{CASES}", ["passed", "failed"]),
        (OURS, f"{REQUIRES}const m = require('./m').add;{ALIASED}", ["passed", "failed"]),
        (f"const assert = require('node:assert');\n{ADD}", REQUIRES + CASES, ["passed", "failed"]),
        (f"{ADD}() => {{\n  const assert = require('assert');\n}};\n", ASSERTS, ["passed"]),
        (f"import assert from 'assert';\n{SHARED}", IMPORTS + CASES, ["passed", "failed"]),
        (ADD, ASSERTS, ["passed"]),
        (ADD, ASSERTS.replace("3", "4"), ["failed"]),
        (f"{ADD}process.exit(0);\n", REQUIRES + CASES, ["failed"]),
        (f"{ADD}throw new TypeError('no');\n", ASSERTS, ["failed"]),
    ],
)
async def test_they_are_run_in_whatever_form_they_are_written(pipeline_with, code, tests, statuses):
    """With or without imports, of either kind of module, under whatever name; code that ends the
    process has failed."""
    async with pipeline_with() as pipeline:
        suite = await run_tests(Bare(pipeline), code, tests, language="javascript")
    assert [each.status for each in suite.done] == statuses, suite
    assert not suite.problem and not suite.compared


@pytest.mark.parametrize(
    ("tests", "said"),
    [
        ("test('a', () => { expect(add(1, 2)).toBe(3); });\n", "is not defined"),
        ("const _ = require('lodash');\n", "Cannot find module 'lodash'"),
    ],
)
async def test_what_is_not_there_proves_nothing(pipeline_with, tests, said):
    """Other runners' globals and packages."""
    async with pipeline_with() as pipeline:
        suite = await run_tests(Bare(pipeline), ADD, tests, language="javascript")
    assert suite.done == () and said in suite.problem


@pytest.mark.parametrize("code", [ADD, "const add = (a, b) => a + b;\n"])
@pytest.mark.parametrize(("asserted", "idle"), [("3", False), ("add(1, 2)", True)])
async def test_tests_that_pass_although_functions_do_nothing_are_idle(
    pipeline_with, code, asserted, idle
):
    """Those of the caller's are taken as they are."""
    tests = f"const assert = require('assert');\nassert.equal(add(1, 2), {asserted});\n"
    async with pipeline_with() as pipeline:
        suite = await run_tests(Bare(pipeline), code, tests, language="javascript")
        theirs = await run_tests(Bare(pipeline), code, tests, language="javascript", given=True)
    assert (suite.passed, suite.idle, theirs.idle) == (1, idle, False)
