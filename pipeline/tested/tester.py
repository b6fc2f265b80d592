"""The tester: request → test cases, as data."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pipeline.errors import Unreadable
from pipeline.model import Message
from pipeline.model_request import ModelRequest
from pipeline.prompts import after_earlier_work, messages
from pipeline.run import Run
from pipeline.sandbox import Arguments, Case
from pipeline.strict_json import list_of, read_object
from pipeline.structured_output import ask_structured
from pipeline.task import Task
from pipeline.testcases import assert_examples, call_examples
from pipeline.testcases.entry_point import DEFAULT_FUNCTION
from pipeline.testcases.input_output_examples import speaks_of_input
from pipeline.testcases.suite import MAX_CASES, Suite

ASKED_FOR = 8  # tests at most; more make small models repeat themselves
TESTS_TOKENS = 1024

TESTS_SCHEMA = {
    "type": "object",
    "properties": {
        "tests": {
            "type": "array",
            "maxItems": ASKED_FOR,
            "items": {"type": "string", "maxLength": 300},
        },
    },
    "required": ["tests"],
    "additionalProperties": False,
}

INSTRUCTIONS = """\
You are the tester of an automated pipeline. You write tests for a request before its code exists, \
as one JSON object:
{"tests": ["assert <call> == <result>", ...]}
What cannot be tested by values (pages, windows, servers, files, random or timed results, a class \
with state) has no tests: {"tests": []}"""
# Last, because a small model does what it read last: else it writes the function. A double quote
# ends a text of JSON, and some models stop there.
ASKED = """\
Do not write the code. Write up to {n} tests as JSON, each one "assert {call} == <literal result>"\
{raising}, texts in single quotes: ordinary cases first, then empty, smallest, negative and \
repeated input, as far as the request says what has to happen. Work out each result from the \
request, and do not repeat its examples."""
RAISING = ' or "{name}(<literal arguments>) raises ValueError"'
_SPEAKS_OF_ERRORS = re.compile(r"\b(?:raise|throw|error|exception)", re.IGNORECASE)
# How a program is called in a test: with the text of its standard input.
PROGRAM = "program"


def write_prompt(task: Task, anchors: Suite) -> list[Message]:
    request = after_earlier_work(task.context, task.request)
    return messages(INSTRUCTIONS, f"{request}\n\n{_asked(task.prompt, anchors)}")


def _asked(prompt: str, anchors: Suite) -> str:
    if anchors.program or (not anchors.cases and speaks_of_input(prompt)):
        call = f"{PROGRAM}('<standard input>')"
        return ASKED.format(n=ASKED_FOR, call=call, raising="")
    name = anchors.function or DEFAULT_FUNCTION
    raising = RAISING.format(name=name) if _SPEAKS_OF_ERRORS.search(prompt) else ""
    return ASKED.format(n=ASKED_FOR, call=f"{name}(<literal arguments>)", raising=raising)


async def write_tests(run: Run, task: Task, anchors: Suite) -> Suite:
    """The user's examples with the tests that the model adds. A tester that cannot be had or read
    leaves the examples alone, with a note."""
    question = ModelRequest(
        "tester",
        write_prompt,
        {"task": task, "anchors": anchors},
        max_tokens=TESTS_TOKENS,
        schema=TESTS_SCHEMA,
    )
    answer = await ask_structured(run, question, read_tests)
    if answer.value is None:
        return replace(
            anchors, notes=(*anchors.notes, f"no tests but the examples: {answer.error}")
        )
    return merge(anchors, answer.value, task.prompt)


def read_tests(text: str) -> Suite:
    """Reads a tester's answer. Single tests that cannot be read are left out with a note. Raises
    Unreadable if there are tests and none of them can be read."""
    items = list_of(read_object(text), "tests")
    cases = [case for n, item in enumerate(items, 1) if (case := _read(item, f"test {n}"))]
    if items and not cases:
        raise Unreadable(f"no test can be read: {items[0]!r:.100}")
    unread = len(items) - len(cases)
    notes = [f"{unread} tests could not be read"] if unread else []
    if not items:
        notes.append("the tester adds no tests")
    program = any(case.stdin is not None for case in cases)
    function = next((case.function for case in cases if not program), "")
    return Suite(tuple(cases), function, "", program, tuple(notes))


def _read(item: Any, name: str) -> Case | None:
    """An `assert`, or another way to say what a call gives; None for anything else."""
    if not isinstance(item, str):
        return None
    found = [*assert_examples.find(item).examples, *call_examples.find(item).examples]
    case = found[0] if found else None
    if case is None or case.function != PROGRAM:
        return case and replace(case, name=name)
    match case.arguments.args, case.expected:
        case (str(given),), str(printed):
            return Case(Arguments(), printed, stdin=given, name=name)
    return None


def merge(anchors: Suite, generated: Suite, prompt: str) -> Suite:
    """One suite, the anchors first. A generated test of what an anchor or an earlier test asks
    already is left out, whatever it expects, and so is one of another function. The tester's name
    of the function counts only where it stands in the request."""
    function = anchors.function
    if not function and re.search(rf"\b{re.escape(generated.function)}\b", prompt):
        function = generated.function
    notes = [*anchors.notes, *generated.notes]
    fresh = list(_fresh(anchors, generated, {"", function, generated.function}))
    if len(fresh) > MAX_CASES:
        notes.append(f"{len(fresh)} tests were written: the first {MAX_CASES} are used")
    cases = (*anchors.cases, *fresh[:MAX_CASES])
    program = anchors.program or (generated.program and not anchors.cases)
    return Suite(cases, function, anchors.signature, program, tuple(notes))


def _fresh(anchors: Suite, generated: Suite, names: set[str]) -> Iterator[Case]:
    """Only tests of the same kind as the anchors: one program is either called or fed. They are of
    the function under test, however the tester calls it."""
    known = {case.subject for case in anchors.cases}
    for case in generated.cases:
        fits = not anchors.cases or anchors.program == (case.stdin is not None)
        test = replace(case, function="")
        if fits and case.function in names and test.subject not in known:
            known.add(test.subject)
            yield test
