"""The tester: request → test cases, as data."""

import re
from collections.abc import Iterator
from dataclasses import replace

from pipeline.analysis.code_extraction import drop_thinking
from pipeline.errors import ContextTooLong, ModelError
from pipeline.model import Message
from pipeline.model_request import ModelRequest
from pipeline.prompts import messages
from pipeline.review.conversation import write_conversation
from pipeline.run import Run
from pipeline.sandbox import Arguments, Case
from pipeline.task import Task
from pipeline.testcases.entry_point import DEFAULT_FUNCTION
from pipeline.testcases.examples import (
    assert_examples,
    call_examples,
    script_asserts,
    session_examples,
)
from pipeline.testcases.examples.example_search import MAX_PROMPT
from pipeline.testcases.examples.input_output_examples import speaks_of_input
from pipeline.testcases.signature_fit import fits, stub_of
from pipeline.testcases.suite import MAX_CASES, Suite

# Small models repeat themselves when they are asked for more. Examples are tests already, and of
# drafts the first four tell as many right ones as six (docs/studies/model_tests.md).
ASKED_FOR, ASKED_BESIDE_EXAMPLES, ASKED_OF_CODER = 6, 4, 4
TOKENS_EACH = 33  # a test has some 20

INSTRUCTIONS = """\
You are the tester of an automated pipeline. You write tests for a request before its code exists: \
lines of `assert`, nothing else."""
# Only where no function is asked for by name: the 1.5B says it of nearly every request else.
UNTESTABLE = """
What cannot be tested by values (pages, windows, servers, files, random or timed results, a class \
with state) has no tests: answer NONE."""
# Last, because a small model does what it read last: else it writes the function. Numbered, because
# it goes on to any limit: so its answer ends before the first that nobody wants. As plain lines,
# because in JSON it ends a text where one of its own begins.
ASKED = """\
Do not write the code. Write {n} tests of it, a line each and numbered: \
1. assert {call} == <literal result>{raising}
Ordinary cases first, then empty, smallest, negative and repeated input, as far as the request \
says what has to happen. Work out each result from the request, and do not repeat its examples. \
Only the {n} lines:"""
_NUMBER = re.compile(r"^[ \t]*\d+[.)][ \t]+", re.MULTILINE)
RAISING = ", or: {name}(<literal arguments>) raises ValueError"
_SPEAKS_OF_ERRORS = re.compile(r"\b(?:raise|throw|error|exception)", re.IGNORECASE)
# How a program is called in a test: with the text of its standard input.
PROGRAM = "program"


def write_prompt(task: Task, anchors: Suite, n: int) -> list[Message]:
    rules = INSTRUCTIONS if anchors.function else INSTRUCTIONS + UNTESTABLE
    return messages(rules, f"{task.asked}\n\n{_asked(task.prompt, anchors, n)}")


def write_coder_prompt(task: Task, anchors: Suite, n: int) -> list[Message]:
    """The coder's own, up to what is asked for: its backend has read that, or has then."""
    leave = "" if anchors.function else UNTESTABLE.lstrip() + "\n"
    return write_conversation(task, instead=leave + _asked(task.prompt, anchors, n))


def _asked(prompt: str, anchors: Suite, n: int) -> str:
    if anchors.program or (not anchors.cases and speaks_of_input(prompt)):
        return ASKED.format(n=n, call=f"{PROGRAM}('<standard input>')", raising="")
    name = anchors.function or DEFAULT_FUNCTION
    raising = RAISING.format(name=name) if _SPEAKS_OF_ERRORS.search(prompt) else ""
    return ASKED.format(n=n, call=f"{name}(<literal arguments>)", raising=raising)


async def write_tests(run: Run, task: Task, anchors: Suite) -> Suite:
    """The user's examples with the tests that the tester adds. One that cannot be had leaves the
    examples alone, with a warning. What was cut off or repeats itself counts as far as it goes."""
    n = ASKED_BESIDE_EXAMPLES if anchors.cases else ASKED_FOR
    write = write_prompt if run.is_apart("tester") else write_coder_prompt
    return await _ask(run, task, anchors, n, ModelRequest("tester", write))


async def write_tests_as_coder(run: Run, task: Task, anchors: Suite) -> Suite:
    """The same from the coder's model, which has read the request; of a function with a name."""
    question = ModelRequest("coder", write_coder_prompt, label="tests", general=True)
    return await _ask(run, task, anchors, ASKED_OF_CODER, question)


async def _ask(run: Run, task: Task, anchors: Suite, n: int, question: ModelRequest) -> Suite:
    question = replace(
        question,
        brief={"task": task, "anchors": anchors, "n": n},
        max_tokens=TOKENS_EACH * n,
        think=False,
        begun=f"1. assert {anchors.function}(" if is_called(anchors) else "",
        stop=(f"\n{n + 1}.",),
    )
    try:
        answer = await run.ask(question)
    except (ModelError, ContextTooLong) as error:
        warning = f"no tests but the examples: tester failed ({error.code})"
        return replace(anchors, warnings=(*anchors.warnings, warning))
    return merge(anchors, read_tests(drop_thinking(answer.text)), task.prompt)


def is_called(anchors: Suite) -> bool:
    """Whether the tests are calls of a function in Python: a class's objects are made first."""
    name = anchors.function
    return name.isidentifier() and not (anchors.program or name[:1].isupper())


def read_tests(text: str) -> Suite:
    """The tests in a tester's answer, in any surroundings: asserts, or else what people write to
    say what a call gives. What cannot be read is noted."""
    text = _NUMBER.sub("", text[:MAX_PROMPT])
    found, script = assert_examples.find(text), script_asserts.find(text)
    if script.examples and not found.examples:
        found = script
    if not found.examples:  # a class's objects are made and called first
        found = session_examples.find(text)
    examples = found.examples or call_examples.find(text).examples
    cases = [case for each in examples if (case := _program_of(each))]
    cases = [replace(case, name=f"test {n}") for n, case in enumerate(cases, 1)]
    unread = len(found.warnings) + len(found.unread) + len(examples) - len(cases)
    warnings = [f"{unread} tests could not be read"] if unread else []
    if not cases:
        warnings.append("the tester adds no tests")
    program = any(case.stdin is not None for case in cases)
    function = next((case.function for case in cases if not program), "")
    return Suite(tuple(cases), function, "", program, tuple(warnings))


def _program_of(example: Case) -> Case | None:
    """A call of PROGRAM as what it stands for; None where it is given no text, or gives none."""
    if example.function != PROGRAM:
        return example
    match example.arguments.args, example.expected:
        case (str(given),), str(printed):
            return Case(Arguments(), printed, stdin=given)
    return None


def merge(anchors: Suite, generated: Suite, prompt: str) -> Suite:
    """One suite, the anchors first. A generated test of what an anchor or an earlier test asks
    already is left out, whatever it expects, and so is one of another function, or of other kinds
    than the request's signature has. The tester's name of the function counts only where it stands
    in the request."""
    function = anchors.function
    if not function and re.search(rf"\b{re.escape(generated.function)}\b", prompt):
        function = generated.function
    warnings = [*anchors.warnings, *generated.warnings]
    fresh = list(_fresh(anchors, generated, {"", function, generated.function}))
    if stub := stub_of(prompt, function) if function else None:
        fitting = [case for case in fresh if fits(case, stub)]
        unfit, fresh = len(fresh) - len(fitting), fitting
        warnings += [f"{unfit} tests do not fit the signature of {function}"] if unfit else []
    if len(fresh) > MAX_CASES:
        warnings.append(f"{len(fresh)} tests were written: the first {MAX_CASES} are used")
    cases = (*anchors.cases, *fresh[:MAX_CASES])
    program = anchors.program or (generated.program and not anchors.cases)
    return Suite(cases, function, anchors.signature, program, tuple(warnings))


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
