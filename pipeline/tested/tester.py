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
from pipeline.strict_json import list_of, read_object, text_of
from pipeline.structured_output import ask_structured
from pipeline.task import Task
from pipeline.testcases.entry_point import DEFAULT_FUNCTION
from pipeline.testcases.literals import read_arguments
from pipeline.testcases.requested_function import parameters_of
from pipeline.testcases.suite import MAX_CASES, Suite, read_expected

ASKED_FOR = 20  # tests at most; more make small models repeat themselves
TESTS_TOKENS = 4096

_NAME, _VALUE = {"type": "string", "maxLength": 80}, {"type": "string", "maxLength": 1000}
TESTS_SCHEMA = {
    "type": "object",
    "properties": {
        "kind": {"type": "string", "enum": ["function", "program", "nothing"]},
        "function": _NAME,
        "signature": {"type": "string", "maxLength": 200},
        "tests": {
            "type": "array",
            "maxItems": ASKED_FOR,
            "items": {
                "type": "object",
                "properties": {"name": _NAME, "input": _VALUE, "expected": _VALUE},
                "required": ["name", "input", "expected"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["kind", "function", "signature", "tests"],
    "additionalProperties": False,
}

INSTRUCTIONS = f"""\
You are the tester of an automated pipeline. You write test cases for a request before its code \
exists. You write data, never code.
Answer with one JSON object:
{{"kind": "function" | "program" | "nothing", "function": "<name>", "signature": \
"<name(parameters)>",
 "tests": [{{"name": "<what it checks>", "input": "<text>", "expected": "<text>"}}]}}
kind: "function" for a function; "program" for a program that reads standard input and \
prints its answer; "nothing" for what cannot be tested by values (pages, windows, servers, \
files, random or timed results, a class with state): then give no tests.
function: the name that the request gives, else {DEFAULT_FUNCTION}. signature: how it is called.
input: for a function its arguments as Python literals, as between the parentheses of a call: \
[1, 2, 3], 5 or "abc", key=None. For a program the text of standard input.
expected: for a function the returned value as a Python literal, or: raises ValueError. For a \
program the text that it prints.
Write up to {ASKED_FOR} tests: ordinary cases first, then empty, smallest, largest, negative, \
repeated and wrong input, as far as the request says what has to happen. Work out each expected \
value step by step from the request. Leave out what the request does not decide, and do not repeat \
its examples."""

_CALL = re.compile(r"([A-Za-z_]\w*)\((.*)\)", re.DOTALL)


def write_prompt(task: Task, anchors: Suite) -> list[Message]:
    request = after_earlier_work(task.context, task.request)
    if anchors.function:
        request += f"\n\nThe function under test is {anchors.signature or anchors.function}."
    return messages(INSTRUCTIONS, f"{request}\n\nThe tests as JSON:")


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
    value = read_object(text)
    kind, name = text_of(value, "kind"), text_of(value, "function").strip()
    items = [] if kind == "nothing" else list_of(value, "tests")
    signature = text_of(value, "signature")
    cases: list[Case] = []
    faults: list[str] = []
    for item in items:
        try:
            cases.append(_read_program(item) if kind == "program" else _read_call(item, signature))
        except (ValueError, Unreadable) as fault:
            faults.append(str(fault))
    if faults and not cases:
        raise Unreadable(f"no test can be read: {faults[0]}")
    notes = [f"{len(faults)} tests could not be read: {faults[0]}"] if faults else []
    if kind == "nothing":
        notes.append("the tester says that nothing here can be tested by values")
    function = name if name.isidentifier() else ""
    return Suite(tuple(cases), function, signature, kind == "program", tuple(notes))


def _read_program(item: Any) -> Case:
    name, given, expected = _texts(item)
    return Case(Arguments(), expected, stdin=given, name=name)


def _read_call(item: Any, signature: str) -> Case:
    """Models also write the whole call, or an object of the arguments by name."""
    name, given, expected = _texts(item)
    call = _CALL.fullmatch(given.strip())
    if call and call[1] == signature.partition("(")[0].strip():
        given = call[2]
    arguments, parameters = read_arguments(given), parameters_of(signature)
    match arguments:
        case Arguments((dict(by_name),), ()) if parameters and set(by_name) == set(parameters):
            arguments = Arguments((), tuple(by_name.items()))
    wanted = read_expected(expected, program=False)
    return Case(arguments.in_order(parameters), wanted, name=name)


def _texts(item: Any) -> tuple[str, str, str]:
    if not isinstance(item, dict):
        raise Unreadable("a test is no object")
    return text_of(item, "name"), text_of(item, "input"), text_of(item, "expected")


def merge(anchors: Suite, generated: Suite, prompt: str) -> Suite:
    """One suite, the anchors first. A generated test of what an anchor or an earlier test asks
    already is left out, whatever it expects. The tester's name of the function counts only where
    it stands in the request."""
    function, signature = anchors.function, anchors.signature
    if not function and re.search(rf"\b{re.escape(generated.function)}\b", prompt):
        function = generated.function
    if not signature and generated.signature.startswith(f"{function or DEFAULT_FUNCTION}("):
        signature = generated.signature
    notes = [*anchors.notes, *generated.notes]
    fresh = list(_fresh(anchors, generated))
    if len(fresh) > MAX_CASES:
        notes.append(f"{len(fresh)} tests were written: the first {MAX_CASES} are used")
    cases = (*anchors.cases, *_named_apart(anchors, fresh[:MAX_CASES]))
    program = anchors.program or (generated.program and not anchors.cases)
    return Suite(cases, function, signature, program, tuple(notes))


def _fresh(anchors: Suite, generated: Suite) -> Iterator[Case]:
    """Only tests of the same kind as the anchors: one program is either called or fed."""
    known = {case.subject for case in anchors.cases}
    for case in generated.cases:
        fits = not anchors.cases or anchors.program == (case.stdin is not None)
        if fits and case.subject not in known:
            known.add(case.subject)
            yield case


def _named_apart(anchors: Suite, cases: list[Case]) -> Iterator[Case]:
    """Each with a name of its own: decisions refer to tests by name."""
    taken = {case.name for case in anchors.cases}
    for n, case in enumerate(cases, 1):
        name = " ".join(case.name.split())[:80] or "test"
        name = f"{name} ({n})" if name in taken else name
        taken.add(name)
        yield replace(case, name=name)
