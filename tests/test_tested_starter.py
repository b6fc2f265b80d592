"""`///test` with the model that laios brings along: red, then green, for real."""

import ast
import shutil

import pytest

from config import load_settings
from tests.conftest import ROLES_IN_CAPITALS, Pipeline

pytestmark = pytest.mark.skipif(
    shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap"
)

PROMPT = (
    "///test write a function that checks whether a number is prime, "
    "is_prime(7) -> True, is_prime(9) -> False, is_prime(1) -> False"
)


@pytest.fixture
async def starter():
    roles = {f"{role}_MODEL_NAME": "local/starter" for role in ROLES_IN_CAPITALS}
    made = Pipeline(load_settings(**roles))
    yield made
    await made.scheduler.drain(0)
    await made.models.close()


async def test_a_broken_first_draft_becomes_green(starter):
    """The examples upset its coder; its reviewer mends what they show. It plays no tester, so the
    examples alone are the tests."""
    output = await starter(PROMPT)
    artefact = starter.record["artefact"]
    passed = [each["passed"] for each in artefact["rounds"]]
    assert (passed[0], passed[1]) == (0, 3)
    assert all(test["anchor"] and test["status"] == "passed" for test in artefact["tests"])
    assert artefact["notes"] == [
        "no tests but the examples: tester failed (model_not_found)",
    ]
    scope = {}
    exec(ast.unparse(ast.parse(output)), scope)
    assert [n for n in range(20) if scope["is_prime"](n)] == [2, 3, 5, 7, 11, 13, 17, 19]


async def test_a_request_without_examples_falls_back(starter):
    """There is no tester to write any."""
    output = await starter("///test Write a function that adds up a list of numbers.")
    assert output.startswith("def sum_list(")
    assert starter.record["artefact"]["fallback"] == "code_reviewed"
