"""The contract of `POST /code`: requests, answers, their schemas and limits. Pure."""

import ast
import json
import re

import jsonschema_rs
import pytest
from code_examples import EXPLANATION, SEED_SCHEMA, WARNINGS, asked
from hypothesis import given, settings
from hypothesis import strategies as st

from laios.types.code_generation import CodeMetadata
from pipeline.analysis.languages import LANGUAGES
from pipeline.codegen.candidate import Candidate
from pipeline.codegen.code_facts import read_code
from pipeline.codegen.code_schema import draft_07, request_schema
from pipeline.codegen.code_task import task_of
from pipeline.codegen.contract import read_code_request
from pipeline.codegen.explainer import Explanation
from pipeline.codegen.request_types import KINDS
from pipeline.codegen.response_builder import answered, failed, fitted
from pipeline.errors import BadRequest, ModelFailed
from pipeline.structured_output import Structured

METADATA = {
    "model": "m",
    "tokens_used": 1450,
    "memory_hits": 0,
    "episodic_memory_used": False,
    "request_type": "generate",
    "duration_ms": 6200,
}
ANSWER = {
    "success": True,
    "code": "x = 1",
    "explanation": EXPLANATION,
    "language": "python",
    "confidence": 0.92,
    "warnings": WARNINGS,
    "metadata": METADATA,
}
VALID = jsonschema_rs.Draft7Validator(draft_07())


def test_the_answer_s_schema_is_the_seed_s():
    """To the letter; what laios takes besides stands in the definitions."""
    served = draft_07()
    definitions = served.pop("definitions")
    assert served == SEED_SCHEMA
    assert definitions.keys() == {"CodeRequest", "CodeEnvelope"}
    jsonschema_rs.meta.validate(draft_07())


@pytest.mark.parametrize(
    ("change", "fits"),
    [
        ({}, True),
        ({"tests": "def test_x(): pass"}, True),
        ({"code": ""}, True),
        ({"explanation": "x" * 49}, False),
        ({"explanation": "x" * 5001}, False),
        ({"code": "x" * 50_001}, False),
        ({"tests": ""}, False),
        ({"tests": "x" * 20_001}, False),
        ({"confidence": 1.1}, False),
        ({"metadata": {**METADATA, "request_type": "guess"}}, False),
    ],
)
def test_the_schema_holds_the_seed_s_limits(change, fits):
    """Lengths, ranges and names."""
    assert VALID.is_valid({**ANSWER, **change}) is fits


BAD = [
    ({"request_type": "genrate"}, "Did you mean 'generate'?"),
    ({"request_type": 1}, '"request_type" must be a string. request_type is one of: generate,'),
    ({"language": "pyhton"}, "Did you mean 'python'?"),
    ({"language": "klingon"}, '"language"'),
    ({"language": None}, '"language" is missing'),
    ({"instruction": " \n"}, '"instruction" is blank'),
    ({"instruction": ""}, '"instruction" is empty'),
    ({"instruction": "x" * 10_001}, '"instruction" is longer than 10,000'),
    ({"instruction": "\ud800"}, '"instruction" is not valid Unicode'),
    ({"instruction": None}, '"instruction" must be a string'),
    ({"code": "x" * 50_001}, '"code" is longer than 50,000'),
    ({"tests": "x" * 20_001}, '"tests" is longer than 20,000'),
    ({"code": 1}, '"code" must be a string'),
    ({"constraints": "fast"}, '"constraints" must be a list of strings'),
    ({"constraints": [1]}, '"constraints" (item 0) must be a string'),
    ({"constraints": ["x"] * 51}, '"constraints" has more than 50 items'),
    ({"session": "x" * 257}, '"session" is longer than 256'),
    ({"min_confidence": 1.5}, '"min_confidence" must not be more than 1'),
    ({"min_confidence": "high"}, '"min_confidence" must be a number'),
    ({"max_attempts": 0}, '"max_attempts" must not be less than 1'),
    ({"max_attempts": 6}, '"max_attempts" must not be more than 5'),
    ({"max_attempts": True}, '"max_attempts" must be a whole number'),
    ({"no_log": "yes"}, '"no_log" must be true or false'),
    ({"instuction": "x"}, "Did you mean 'instruction'?"),
    ({"languages": []}, '"languages" is empty'),
    ({"languages": ["go", "golang"], "language": None}, '"languages" names a language twice'),
    ({"languages": ["go", "rust"]}, '"language" and "languages" contradict'),
    ({"languages": ["go", "rsut"], "language": None}, "Did you mean 'rust'?"),
    ({"languages": ["python", "go"], "code": "x"}, '"languages" and "code" contradict'),
    ({"languages": ["python", "go"], "framework": "x"}, '"languages" and "framework" contradict'),
    (
        {"languages": ["python", "go"], "request_type": "debug", "code": "x"},
        '"languages" and "request_type" contradict',
    ),
    *(
        ({"request_type": kind}, f'"code" is missing: request_type {kind!r} needs the code')
        for kind in ("debug", "refactor", "analyze", "explain", "optimize")
    ),
    ({"request_type": "debug", "code": "  \n"}, '"code" is missing'),
]


@pytest.mark.parametrize(("change", "said"), BAD)
def test_bad_input_is_refused_with_the_field_s_name(change, said):
    """One sentence that says which field, and what is meant where it can be told."""
    with pytest.raises(BadRequest) as error:
        read_code_request(asked() | change)
    assert said in error.value.message
    assert "\n" not in error.value.message


@pytest.mark.parametrize(
    ("label", "name"),
    [
        *((name, name) for name in LANGUAGES),
        *((alias, name) for name, row in LANGUAGES.items() for alias in row.aliases.split()),
        ("Python", "python"),
        ("C++", "cpp"),
        ("C#", "csharp"),
        ("  Go ", "go"),
    ],
)
def test_every_language_of_the_seed_goes_by_all_its_names(label, name):
    """In any case; the answer names it in the schema's way."""
    assert read_code_request(asked(language=label)).all_languages == (name,)


def test_the_seed_s_languages_are_all_there():
    """Thirteen, two of which are shells."""
    assert set(LANGUAGES) == {
        *("python", "javascript", "typescript", "rust", "go", "java", "cpp", "csharp"),
        *("ruby", "php", "swift", "kotlin", "bash", "shell"),
    }


@pytest.mark.parametrize(
    ("given_fields", "attempts", "wanted"),
    [
        ({}, 1, 0.8),
        ({"max_attempts": 4}, 4, 0.8),
        ({"min_confidence": 0.9}, 3, 0.9),
        ({"max_attempts": 2, "min_confidence": 0.5}, 2, 0.5),
        ({"max_attempts": 1, "min_confidence": 1}, 1, 1),
    ],
)
def test_how_often_it_is_tried(given_fields, attempts, wanted):
    """Either field brings a usual value for the other."""
    request = read_code_request(asked(**given_fields))
    assert (request.attempts, request.wanted_confidence) == (attempts, wanted)


def test_the_request_s_schema_refuses_what_is_refused():
    """A caller who checks against it is not surprised: code where it is needed, some language."""
    schema = jsonschema_rs.Draft7Validator(request_schema())
    assert schema.is_valid(asked())
    assert schema.is_valid(asked("debug", code="x"))
    assert schema.is_valid(asked(code=None, session=None))
    assert not schema.is_valid(asked("debug"))
    assert not schema.is_valid({"request_type": "generate", "instruction": "x"})
    assert not schema.is_valid(asked(language="klingon"))
    assert not schema.is_valid(asked(promt="x"))


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ('{"code": "def f():\\n    return 1\\n"}', "def f():\n    return 1\n"),
        ('```json\n{"code": "x = 1", "explanation": "one"}\n```', "x = 1"),
        ('{"code": "x = 1\ny = 2"}', "x = 1\ny = 2"),
        ('{"name": "x", "age": 1}', '{"name": "x", "age": 1}'),
        ('{"code": "x = 1"} is it', '{"code": "x = 1"} is it'),
    ],
)
def test_code_in_json_is_the_code(reply, text):
    """JSON is a program of Python as well, which does nothing."""
    task = task_of(read_code_request(asked()), "python")
    assert read_code("coder", task, reply).text == text


ADDS = "class T(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(add(1), 1)\n"


@pytest.mark.parametrize(
    ("said", "imports"),
    [
        ("tests with unittest", "import unittest"),
        ("test it: `from sums import add`", "import unittest\nfrom sums import add"),
        ("test_sums.py with tests of sums.py", "import unittest\nfrom sums import add"),
    ],
)
def test_tests_get_the_imports_that_they_lack(said, imports):
    """The standard library's, and the tested names' where the request says where they stand; what
    they import or define themselves is left alone."""
    wanted = asked(request_type="test", instruction=said, code="def add(a):\n    return a\n")
    task = task_of(read_code_request(wanted), "python")
    draft = read_code("coder", task, ADDS)
    assert "\n".join(draft.put_in) == imports and ADDS in draft.text
    assert ast.parse(draft.text) and all(line in draft.text for line in draft.put_in)
    whole = f"import unittest\nfrom mine import add\n\n{ADDS}"
    assert read_code("coder", task, whole).text == whole


def candidate(task, reply, truncated=False):
    draft = read_code("coder", task, reply, truncated=truncated)
    return Candidate(task, draft, "coder", None)


TEXTS = {"49": "x" * 49, "60k": "x = 1\n" * 10_000, "emoji": "\U0001f600" * 30_000, "nul": "\0\n"}
TEXTS["half"] = "\ud800" * 20_000  # of a pair: no character
texts = st.text(st.characters(exclude_categories=())) | st.sampled_from(
    [*TEXTS]
)  # by name: hypothesis warns of long values


@settings(deadline=None)
@given(reply=texts, said=texts, tests=texts, kind=st.sampled_from([*KINDS]), more=st.booleans())
def test_whatever_models_say_the_answer_fits_the_schema(reply, said, tests, kind, more):
    """Any Unicode, any length: the limits hold, and no code is ever cut."""
    reply, said, tests = (TEXTS.get(text, text) for text in (reply, said, tests))
    task = task_of(read_code_request(asked(kind, code="x = 2")), "python")
    best = candidate(task, reply, truncated=more)
    explained = Structured(Explanation(said, (said,)), None, None)
    answer = answered(
        best, explained, tests, ["A note."], CodeMetadata(**METADATA | {"request_type": kind})
    ).as_json()
    VALID.validate(json.loads(json.dumps(answer)))
    is_text = best.draft.text.isascii() or not re.search("[\ud800-\udfff]", best.draft.text)
    assert answer["code"] in (best.draft.text, "") or not is_text
    assert answer["success"] or answer["warnings"]
    assert (
        "tests" not in answer or answer["tests"] in (tests, answer["code"]) or not tests.isascii()
    )


@settings(deadline=None)
@given(reply=texts, language=st.sampled_from([*LANGUAGES]))
def test_any_text_can_be_looked_at_in_any_language(reply, language):
    """Nothing that a model says breaks the evidence."""
    before = reply.encode("utf-8", "replace").decode()
    before = before if before.strip() else "x"
    task = task_of(read_code_request(asked("refactor", language, code=before)), language)
    assert 0 <= candidate(task, TEXTS.get(reply, reply)).confidence.value <= 0.5


@settings(deadline=None)
@given(texts)
def test_an_explanation_always_has_a_length_that_is_allowed(text):
    """50 to 5,000 characters."""
    assert 50 <= len(fitted(TEXTS.get(text, text))) <= 5000


def test_a_language_that_failed_among_several_is_an_answer_too():
    """With the error's code and words."""
    task = task_of(read_code_request(asked()), "python")
    answer = failed(task, ModelFailed("It broke."), CodeMetadata(**METADATA)).as_json()
    VALID.validate(answer)
    assert "It broke." in answer["explanation"]
    assert answer["warnings"] == ["The run ended with model_failed."]
