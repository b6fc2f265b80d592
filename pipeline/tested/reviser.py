"""The reviser: a failure → is the code wrong, or the generated test?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pipeline.errors import Unreadable
from pipeline.model import Message
from pipeline.model_request import ModelRequest
from pipeline.prompts import EARLIER_WORK, messages, sections
from pipeline.run import Run
from pipeline.sandbox import Result
from pipeline.strict_json import list_of, read_object, text_of
from pipeline.structured_output import Structured, ask_structured
from pipeline.task import Task
from pipeline.testcases.suite import Suite
from pipeline.testcases.tested_draft import failure_line

MOST = 10  # failures that are put at a time
DECISION_TOKENS = 4096
MAX_REASON = 300

DECISIONS_SCHEMA = {
    "type": "object",
    "properties": {
        "decisions": {
            "type": "array",
            "maxItems": MOST,
            "items": {
                "type": "object",
                "properties": {
                    "test": {"type": "string", "maxLength": 100},
                    "reason": {"type": "string", "maxLength": MAX_REASON},
                    "wrong": {"type": "string", "enum": ["code", "test"]},
                    "expected": {"type": "string", "maxLength": 1000},
                },
                "required": ["test", "reason", "wrong", "expected"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["decisions"],
    "additionalProperties": False,
}

INSTRUCTIONS = """\
You decide why tests failed. Another model wrote the tests from the request, before the code \
existed, and may have worked out an expected value wrongly; the code may be wrong as well.
Work out for each test from the request alone what the right value is. Only then look at what was \
expected and what came. Where the request does not decide, the test is wrong.
Answer with one JSON object:
{"decisions": [{"test": "<its name>", "reason": "<one sentence>", "wrong": "code" | "test",
 "expected": "<the right value as a Python literal if the test is wrong, else an empty string>"}]}
An expected value is changed only if another program, written independently, gives the same one."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided of a failing test, by its name. `expected` is the new value as text, ""
    where the code is wrong."""

    test: str
    wrong: Literal["code", "test"]
    reason: str
    expected: str = ""


def write_prompt(task: Task, code: str, suite: Suite, failures: Sequence[Result]) -> list[Message]:
    cases = "\n".join(failure_line(suite, failure) for failure in failures)
    parts = [
        (EARLIER_WORK, task.context),
        ("Request", task.request),
        ("Code", code),
        ("Failing tests", cases),
    ]
    return messages(INSTRUCTIONS, f"{sections(parts)}\n\nThe decisions as JSON:")


async def decide(
    run: Run, task: Task, code: str, suite: Suite, failures: Sequence[Result], round: int
) -> Structured[list[Decision]]:
    """Decisions on failures of generated tests. Never raises for what a reviser can do wrong: then
    there are none, and the code counts as wrong."""
    put = failures[:MOST]
    question = ModelRequest(
        "reviser",
        write_prompt,
        {"task": task, "code": code, "suite": suite, "failures": put},
        round=round,
        max_tokens=DECISION_TOKENS,
        schema=DECISIONS_SCHEMA,
    )
    names = {result.case.name for result in put}
    return await ask_structured(run, question, lambda text: read_decisions(text, names))


def read_decisions(text: str, names: set[str]) -> list[Decision]:
    """Reads a reviser's answer; the first decision on a test counts, those on others are passed
    over. Raises Unreadable."""
    decisions: dict[str, Decision] = {}
    for item in list_of(read_object(text), "decisions"):
        decision = _read(item)
        if decision.test in names:
            decisions.setdefault(decision.test, decision)
    return list(decisions.values())


def _read(item: Any) -> Decision:
    if not isinstance(item, dict):
        raise Unreadable("a decision is no object")
    test, wrong = text_of(item, "test"), text_of(item, "wrong")
    reason = text_of(item, "reason")[:MAX_REASON]
    if wrong == "code":
        return Decision(test, "code", reason)
    if wrong != "test":
        raise Unreadable("wrong is neither code nor test")
    return Decision(test, "test", reason, text_of(item, "expected"))
