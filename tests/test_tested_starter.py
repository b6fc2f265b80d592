"""`///test` with the model that laios brings along: red, then green, for real."""

import ast
import shutil

import pytest

from config import load_settings
from tests.conftest import ROLES_IN_CAPITALS, Pipeline

pytestmark = pytest.mark.skipif(
    shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap"
)

PROMPT = "///test count how often each letter occurs: letter_counts('aab') == {'a': 2, 'b': 1}"


@pytest.fixture
async def starter():
    roles = {f"{role}_MODEL_NAME": "local/starter" for role in ROLES_IN_CAPITALS}
    made = Pipeline(load_settings(**roles))
    yield made
    await made.scheduler.drain(0)
    await made.models.close()


async def test_a_broken_first_draft_becomes_green(starter):
    """Its reviewer mends what the examples show. They alone are the tests: it plays no tester."""
    output = await starter(PROMPT)
    artefact = starter.record["artefact"]
    passed = [each["passed"] for each in artefact["rounds"]]
    assert (passed[0], passed[-1]) == (0, 1)
    assert all(test["anchor"] and test["status"] == "passed" for test in artefact["tests"])
    assert artefact["notes"] == [
        "no tests but the examples: tester failed (model_not_found)",
    ]
    scope = {}
    exec(ast.unparse(ast.parse(output)), scope)
    assert scope["letter_counts"]("zoo") == {"z": 1, "o": 2}


async def test_a_request_without_examples_falls_back(starter):
    """There is no tester to write any."""
    output = await starter("///test Write a function that adds up a list of numbers.")
    assert output.startswith("def sum_list(")
    assert starter.record["artefact"]["fallback"] == "code_reviewed"
