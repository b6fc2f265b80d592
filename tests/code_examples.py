"""The contract of code generation and its five examples, and models that say them."""

import json

from pipeline.codegen.code_task import task_of
from pipeline.codegen.contract import read_code_request
from pipeline.codegen.flow import answer_of
from pipeline.codegen.registration import CODE_STRUCTURED

# The published JSON Schema, to the letter.
SEED_SCHEMA = json.loads("""
{
"$schema": "http://json-schema.org/draft-07/schema#",
"title": "CodeGeneration",
"type": "object",
"required": ["success", "code", "explanation", "language", "confidence"],
"properties": {
"success": {"type": "boolean", "description": "Whether operation succeeded"},
"code": {"type": "string", "minLength": 0, "maxLength": 50000,
 "description": "Generated or modified code"},
"explanation": {"type": "string", "minLength": 50, "maxLength": 5000,
 "description": "Approach and design decisions"},
"language": {"type": "string", "description": "Programming language"},
"tests": {"type": "string", "minLength": 1, "maxLength": 20000, "description": "Unit tests"},
"confidence": {"type": "number", "minimum": 0.0, "maximum": 1.0,
 "description": "Quality confidence score"},
"warnings": {"type": "array", "items": {"type": "string"},
 "description": "Caveats and limitations"},
"metadata": {"type": "object", "properties": {
 "model": {"type": "string"},
 "tokens_used": {"type": "integer"},
 "memory_hits": {"type": "integer"},
 "episodic_memory_used": {"type": "boolean"},
 "request_type": {"type": "string",
  "enum": ["generate", "debug", "refactor", "analyze", "test", "explain", "optimize"]},
 "duration_ms": {"type": "number"},
 "language_version": {"type": "string"},
 "framework": {"type": "string"}}}
}
}
""")

EMAIL = r'''import re


def validate_email(email: str) -> bool:
    """Validate an email address.

    Examples:
        >>> validate_email("user@example.com")
        True
    """
    if not email or not isinstance(email, str):
        return False
    pattern = r"^[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}$"
    return bool(re.match(pattern, email))
'''
EMAIL_TESTS = """import pytest
from email_validator import validate_email


def test_valid_emails():
    assert validate_email("user@example.com") == True
    assert validate_email("test.user+tag@sub.example.org") == True


def test_invalid_emails():
    assert validate_email("invalid.email") == False
    assert validate_email("@example.com") == False


def test_edge_cases():
    assert validate_email("") == False
    assert validate_email(None) == False
"""
BROKEN = "def get_item(items, index):\n    return items[index]\n"
FIXED = """from typing import List, Optional, TypeVar

T = TypeVar("T")


def get_item(items: List[T], index: int) -> Optional[T]:
    if 0 <= index < len(items):
        return items[index]
    return None
"""
CALLBACK = """function fetchData(url, callback) {
  fetch(url).then(response => response.json()).then(data => callback(null, data));
}
"""
ASYNC = """async function fetchData(url) {
  try {
    const response = await fetch(url);
    if (!response.ok) {
      throw new Error(`HTTP error! status: ${response.status}`);
    }
    return await response.json();
  } catch (error) {
    console.error('Fetch error:', error);
    return null;
  }
}
"""
FIBONACCI = """def fibonacci(n):
    if n < 0:
        raise ValueError("n must not be negative")
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)
"""
FIBONACCI_TESTS = """import pytest


def test_fibonacci_base_cases():
    assert fibonacci(0) == 0
    assert fibonacci(1) == 1


def test_fibonacci_recursive():
    assert fibonacci(10) == 55


def test_fibonacci_negative():
    with pytest.raises(ValueError):
        fibonacci(-1)
"""
EXPLANATION = (
    "Created a function that does what the request says. It handles the edge cases and returns a "
    "plain value, for easy integration into other code."
)
WARNINGS = ["Does not handle Unicode characters in input", "Thread-safety not guaranteed"]


def coder(reply, **rule):
    return {"role": "coder", "reply": reply, **rule}


def judge(confidence=9, conflict=1, said="It is right.", **rule):
    return {"role": "judge", "verdict": [confidence, conflict, said], **rule}


def intake(verdict="clear", reason="", *missing, **rule):
    reply = json.dumps({"verdict": verdict, "reason": reason, "missing": list(missing)})
    return {"role": "intake", "reply": reply, **rule}


def explainer(text=EXPLANATION, warnings=WARNINGS, **rule):
    reply = json.dumps({"explanation": text, "warnings": warnings})
    return {"role": "explainer", "reply": reply, **rule}


CLEAR, GOOD, EXPLAINED = intake(), judge(), explainer()


def asked(request_type="generate", language="python", instruction="add two numbers", **fields):
    return {
        "request_type": request_type,
        "language": language,
        "instruction": instruction,
        **fields,
    }


async def code(pipeline, **fields):
    """The answer of a code generation in this process."""
    request = read_code_request(asked(**fields))
    run = pipeline.scheduler.submit(request_of(request))
    await pipeline.scheduler.finished(run)
    return answer_of(run.result)


def request_of(request):
    from pipeline.request import Request

    return Request(
        request.instruction,
        session=request.session,
        source="code",
        no_log=request.no_log,
        row=CODE_STRUCTURED,
        task=task_of(request, request.all_languages[0]),
    )
