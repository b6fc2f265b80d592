"""The examples that the user wrote → test cases that nobody may change. Pure.

Forms: `f(1, 2) == 3` (also `->`, `returns`, `raises`, …), doctest `>>>`, `assert` lines,
`Input: … Output: …`, and Markdown tables. What cannot be read as values is left out and noted.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import islice

from pipeline.anchors import asserts, calls, pairs, sessions, tables
from pipeline.anchors.example import Example
from pipeline.anchors.names import NamedCallable, named_callable
from pipeline.modes import split_wrappers
from pipeline.testing.testcase import MAX_ANCHORS, Case, Suite

# Characters that are searched: examples stand near the request, and the event loop waits.
MAX_PROMPT = 20_000


def find_anchors(prompt: str) -> Suite:
    """The prompt's examples as cases, the callable that it names ("" if none), and notes on what
    looked like an example and could not be read."""
    _, words = split_wrappers(prompt)  # attached files have examples of their own
    text = words[:MAX_PROMPT].replace("\r\n", "\n")
    found = [each.find(text) for each in (sessions, asserts, calls, pairs, tables)]
    examples = list(_unique(example for each in found for example in each.examples))
    named = named_callable(text, Counter(example.function for example in examples))
    notes = list(dict.fromkeys(note for each in found for note in each.notes))
    if len(words) > MAX_PROMPT:
        notes.append(f"examples were looked for in the first {MAX_PROMPT} characters alone")
    if len(examples) > MAX_ANCHORS:
        notes.append(f"{len(examples)} examples: the first {MAX_ANCHORS} are used")
    cases = [_case(n, each, named) for n, each in enumerate(islice(examples, MAX_ANCHORS), 1)]
    notes += _contradictions(cases)
    program = any(case.stdin is not None for case in cases)
    return Suite(tuple(cases), named.name, named.signature, program, tuple(notes))


def _unique(examples: Iterable[Example]) -> Iterable[Example]:
    """Without those that several forms have found."""
    seen = set()
    for example in examples:
        key = (example.function, str(example.arguments), repr(example.expected), example.stdin)
        if key not in seen:
            seen.add(key)
            yield example


def _case(number: int, example: Example, named: NamedCallable) -> Case:
    function = "" if example.function == named.name else example.function
    arguments = example.arguments
    if example.labelled:
        written = tuple(name for name, _ in arguments.kwargs)
        arguments = arguments.in_order(named.parameters).in_order(written)
    return Case(
        f"example {number}", arguments, example.expected, True, function, stdin=example.stdin
    )


def _contradictions(cases: list[Case]) -> list[str]:
    first: dict[tuple[str, str, bool], Case] = {}
    notes = []
    for case in cases:
        other = first.setdefault(case.subject, case)
        if other.output != case.output:
            notes.append(f"{other.name} and {case.name} contradict each other")
    return notes
